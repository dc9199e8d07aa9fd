// SPDX-License-Identifier: Apache-2.0
#include "core/base/files.h"
#include "core/base/log.h"
#include "tests/support/compare.h"

#include <QTemporaryDir>

using namespace trialdeck;
using namespace trialdeck::base;

class FilesTest : public QObject {
    Q_OBJECT
private slots:
    void init() { m_folder = std::make_unique<QTemporaryDir>(); }

    void appendsAndReadsAtAnyOffset() {
        auto file = m_files.open(path("a"), OpenMode::createNew);
        QVERIFY(file.has_value());
        QVERIFY((*file)->append("hello ").has_value());
        QVERIFY((*file)->append("world").has_value());
        char buffer[16];
        QCOMPARE((*file)->readAt(6, buffer).value(), size_t{5});
        QCOMPARE(std::string(buffer, 5), std::string("world"));
        QVERIFY((*file)->sync().has_value());
        QVERIFY((*file)->close().has_value());
        QCOMPARE(readWholeFile(m_files, path("a")).value(), std::string("hello world"));
    }

    void createNewRefusesAnExistingFile() {
        QVERIFY(m_files.open(path("a"), OpenMode::createNew).has_value());
        const auto second = m_files.open(path("a"), OpenMode::createNew);
        QVERIFY(!second);
        QVERIFY(second.error().code == ErrorCode::file_exists);
        QCOMPARE(second.error().arguments.at("path"), path("a").native());
    }

    void atomicWriteLeavesNothingBeside() {
        QVERIFY(writeFileAtomically(m_files, path("x"), "one").has_value());
        QVERIFY(writeFileAtomically(m_files, path("x"), "two").has_value());
        QCOMPARE(readWholeFile(m_files, path("x")).value(), std::string("two"));
        QCOMPARE(m_files.list(path("")).value().size(), size_t{1});
    }

    void failedAtomicWriteKeepsTheOldFile() {
        QVERIFY(m_files.createDirectories(path("d")).has_value());
        const auto written = writeFileAtomically(m_files, path("d"), "text");
        QVERIFY(!written);
        QCOMPARE(m_files.list(path("")).value(), std::vector<std::string>{"d"});
    }

    void readingHasALimit() {
        QVERIFY(writeFileAtomically(m_files, path("big"), std::string(200000, 'x')).has_value());
        QCOMPARE(readWholeFile(m_files, path("big")).value().size(), size_t{200000});
        QVERIFY(readWholeFile(m_files, path("big"), 1000).error().code == ErrorCode::too_large);
    }

    void missingFilesAreNamed() {
        QVERIFY(readWholeFile(m_files, path("none")).error().code == ErrorCode::file_not_found);
        QVERIFY(!exists(m_files, path("none")));
    }

    void logLinesCannotBeForged() {
        {
            auto log = openFileLog(path("log"), LogLevel::info);
            QVERIFY(log.has_value());
            (*log)->info("engine", "name\n2026 forged \x1b[31m");
            (*log)->debug("engine", "below the level");
        }
        const std::string text = readWholeFile(m_files, path("log")).value();
        QCOMPARE(std::count(text.begin(), text.end(), '\n'), std::ptrdiff_t{1});
        QVERIFY(text.ends_with("I engine: name\\x0a2026 forged \\x1b[31m\n"));
    }

private:
    Path path(const char* name) const { return Path(m_folder->path().toStdString()) / name; }

    std::unique_ptr<QTemporaryDir> m_folder;
    PosixFileSystem m_files;
};

QTEST_APPLESS_MAIN(FilesTest)
#include "files_test.moc"

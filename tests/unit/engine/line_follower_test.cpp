// SPDX-License-Identifier: Apache-2.0
#include "core/engine/line_follower.h"
#include "tests/support/compare.h"

#include <QTemporaryDir>

#include <sys/stat.h>

using namespace trialdeck;
using engine::LineFollower;

class LineFollowerTest : public QObject {
    Q_OBJECT
private slots:
    void init() {
        m_folder = std::make_unique<QTemporaryDir>();
        m_lines.clear();
    }

    void handsOverWholeLinesOnceWithTheirOffsets() {
        LineFollower follower = follow(0);
        QVERIFY(!follower.poll(m_handler).value());
        append("one\ntw");
        QVERIFY(!follower.poll(m_handler).value());
        append("o\n\nthr");
        QVERIFY(!follower.poll(m_handler).value());
        QCOMPARE(m_lines, (QStringList{"one 4", "two 8", " 9"}));
        QCOMPARE(follower.position(), uint64_t{9});
        QVERIFY(follower.finish(m_handler).has_value());
        QCOMPARE(m_lines.last(), QString("thr 12"));
    }

    void goesOnWhereAnEarlierOneStopped() {
        append("one\ntwo\nthree\n");
        LineFollower follower = follow(8);
        QVERIFY(!follower.poll(m_handler).value());
        QCOMPARE(m_lines, (QStringList{"three 14"}));
    }

    void aCutFileIsReadAgainWithoutTheLinesThatItBeganWith() {
        append("one\ntwo\nthree\n");
        LineFollower follower = follow(0);
        QVERIFY(!follower.poll(m_handler).value());
        std::filesystem::resize_file(path(), 4);
        append("2\nthree\nfour\n");
        std::filesystem::resize_file(path(), 6);
        QVERIFY(!follower.poll(m_handler).value());
        append("three\nfour\n");
        QVERIFY(!follower.poll(m_handler).value());
        QCOMPARE(m_lines, (QStringList{"one 4", "two 8", "three 14", "2 6", "three 12", "four 17"}));
    }

    void aReplacedFileThatBeginsTheSameGoesOn() {
        append("one\ntwo\n");
        LineFollower follower = follow(0);
        QVERIFY(!follower.poll(m_handler).value());
        QVERIFY(base::replaceFile(m_files, path(), "one\ntwo\nthree\n").has_value());
        QVERIFY(!follower.poll(m_handler).value());
        QCOMPARE(m_lines, (QStringList{"one 4", "two 8", "three 14"}));
    }

    void whatIsNoFileIsRefusedAndNotWaitedFor_data() {
        QTest::addColumn<QString>("kind");
        for (const char* kind : {"pipe", "link to a device", "folder"})
            QTest::addRow("%s", kind) << QString(kind);
    }

    void whatIsNoFileIsRefusedAndNotWaitedFor() {
        QFETCH(QString, kind);
        append("one\n");
        LineFollower follower = follow(0);
        QVERIFY(!follower.poll(m_handler).value());
        std::filesystem::remove(path());
        if (kind == "pipe")
            QCOMPARE(mkfifo(path().c_str(), 0600), 0);
        else if (kind == "folder")
            std::filesystem::create_directory(path());
        else
            std::filesystem::create_symlink("/dev/zero", path());
        const auto result = follower.poll(m_handler);
        QVERIFY(!result);
        QVERIFY(!follower.finish(m_handler));
        QCOMPARE(m_lines, (QStringList{"one 4"}));
    }

    void aLineThatIsTooLongComesShortenedAndTheNextOneWhole() {
        append(std::string(100, 'x') + "\nok\n");
        LineFollower follower(m_files, path(), 0, 10);
        QVERIFY(!follower.poll(m_handler).value());
        QCOMPARE(m_lines, (QStringList{QString(11, 'x') + " 101", "ok 104"}));
    }

    void readsInPiecesSoThatNobodyWaits() {
        const std::string line(999, 'y');
        for (int i = 0; i < 1000; ++i)
            append(line + "\n");
        LineFollower follower = follow(0);
        QVERIFY(follower.poll(m_handler, 100'000).value());
        QVERIFY(m_lines.size() > 90 && m_lines.size() < 200);
        while (follower.poll(m_handler, 100'000).value()) {
        }
        QCOMPARE(m_lines.size(), 1000);
    }

    void zeroBytesAtTheEndAreHandedOverOnceNobodyWrites() {
        append("one\n" + std::string(512, '\0'));
        LineFollower follower = follow(0);
        QVERIFY(!follower.poll(m_handler).value());
        QCOMPARE(m_lines, (QStringList{"one 4"}));
        std::vector<size_t> lengths;
        QVERIFY(follower.finish([&](std::string_view line, uint64_t) { lengths.push_back(line.size()); }));
        QCOMPARE(lengths, std::vector<size_t>{512});
        QCOMPARE(follower.position(), uint64_t{516});
    }

    void whatIsAddedAfterTheEndIsNotRead() {
        append("one\ntwo");
        LineFollower follower = follow(0);
        follower.endHere();
        append(" and more\nthree\n");
        QVERIFY(!follower.poll(m_handler).value());
        append("four\n");
        QVERIFY(follower.finish(m_handler).has_value());
        QCOMPARE(m_lines, (QStringList{"one 4", "two 7"}));
    }

    void zeroBytesAreHandedOverUpToTheEndOnly() {
        append(std::string(10, '\0'));
        LineFollower follower = follow(0);
        follower.endHere();
        append(std::string(10, '\0'));
        QVERIFY(follower.finish(m_handler).has_value());
        QCOMPARE(follower.position(), uint64_t{10});
    }

    void filesOfTheCaseGiveWhatIsWhole_data() {
        QTest::addColumn<QByteArray>("folder");
        QTest::addColumn<int>("running");
        QTest::addColumn<int>("ended");
        QTest::newRow("half line") << QByteArray("half-line") << 2 << 3;
        QTest::newRow("half character") << QByteArray("half-character") << 2 << 3;
        QTest::newRow("no final newline") << QByteArray("no-final-newline") << 2 << 3;
        QTest::newRow("NUL bytes that have not arrived") << QByteArray("nul-tail") << 2 << 3;
        QTest::newRow("empty") << QByteArray("empty") << 0 << 0;
    }
    void filesOfTheCaseGiveWhatIsWhole() {
        QFETCH(QByteArray, folder);
        QFETCH(int, running);
        QFETCH(int, ended);
        LineFollower follower(m_files,
                              base::Path(TRIALDECK_SOURCE_DIR "/tests/cases/C20-torn-tail") /
                                  folder.toStdString() / "result.json",
                              0, size_t{1} << 20);
        QVERIFY(!follower.poll(m_handler).value());
        QCOMPARE(m_lines.size(), running);
        QVERIFY(follower.finish(m_handler).has_value());
        QCOMPARE(m_lines.size(), ended);
    }

private:
    base::Path path() const { return m_folder->filePath("report.jsonl").toStdString(); }
    LineFollower follow(uint64_t position) { return {m_files, path(), position, size_t{1} << 20}; }
    void append(const std::string& text) {
        auto file = m_files.open(path(), base::OpenMode::appendOrCreate);
        QVERIFY(file.has_value());
        QVERIFY((*file)->append(text).has_value());
    }

    std::unique_ptr<QTemporaryDir> m_folder;
    base::PosixFileSystem m_files;
    QStringList m_lines;
    LineFollower::Handler m_handler = [this](std::string_view line, uint64_t endOffset) {
        m_lines << QString::fromUtf8(line.data(), static_cast<qsizetype>(line.size())) + " " +
                       QString::number(endOffset);
    };
};

QTEST_APPLESS_MAIN(LineFollowerTest)
#include "line_follower_test.moc"

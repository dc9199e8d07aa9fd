// SPDX-License-Identifier: Apache-2.0
// What both heads of a sync stand on: reading and writing trees, and what is to be done.
#include "core/transport/files/file_reader.h"
#include "core/transport/files/file_writer.h"
#include "core/transport/files/sync_plan.h"

#include "core/base/sha256.h"
#include "tests/support/compare.h"
#include "tests/support/tree.h"

#include <QTemporaryDir>
#include <QtTest>

#include <cerrno>
#include <fcntl.h>
#include <fstream>

using namespace trialdeck;
using namespace trialdeck::transport;

namespace fs = std::filesystem;

namespace {

FileEntry file(const std::string& path, uint64_t bytes, int64_t nanoseconds = 1'500'000'001) {
    return {path, FileEntry::Kind::file, bytes, nanoseconds, 0644, {}};
}
FileEntry folder(const std::string& path) {
    return {path, FileEntry::Kind::folder, 0, 5, 0755, {}};
}
FileEntry linkTo(const std::string& path, const std::string& target) {
    return {path, FileEntry::Kind::link, 0, 5, 0777, target};
}

/// One word a step: "-gone +folder/ =file ~adjusted @link", repairs left out.
std::string textOf(const SyncPlan& plan) {
    std::string text;
    for (const SyncStep& step : plan.steps) {
        if (!step.isRepair)
            text += std::string(text.empty() ? "" : " ") + "-+@=~"[static_cast<size_t>(step.kind)] +
                    step.entry.path;
    }
    return text;
}

} // namespace

class SyncFilesTest : public QObject {
    Q_OBJECT
private slots:
    void init() {
        m_folder = std::make_unique<QTemporaryDir>();
        m_path = m_folder->path().toStdString();
        fs::create_directory(m_path / "tree");
        m_root = base::UniqueFd(::open((m_path / "tree").c_str(), O_RDONLY | O_DIRECTORY));
    }

    void nothingIsWrittenOutsideTheTree() {
        FileWriter writer(m_root.get());
        fs::create_directory(m_path / "outside");
        fs::create_directory_symlink(m_path / "outside", m_path / "tree/out");
        for (const char* path : {"../x", "a/../../x", "..", ".", "", "out/x", "a//x", "out/../x"}) {
            writer.begin(file(path, 1), 0);
            writer.write("1");
            QVERIFY2(writer.finish(true) != 0, path);
            QVERIFY2(writer.makeLink(linkTo(path, "/")) != 0, path);
            QVERIFY2(writer.makeFolder(path) != 0, path);
            QVERIFY2(writer.remove(path, true) != 0, path);
            QVERIFY2(writer.adjust(file(path, 1)) != 0, path);
        }
        // The link itself is a name of the tree.
        QVERIFY(writer.makeFolder("out") != 0);
        QVERIFY(fs::is_empty(m_path / "outside"));
        QVERIFY(!fs::exists(m_path / "x"));
    }

    void aFileAppearsWhole() {
        FileWriter writer(m_root.get());
        writer.begin(file("a", 6), 0);
        writer.write("abc");
        QVERIFY(!fs::exists(m_path / "tree/a"));
        // Another one goes on where this one was cut.
        FileWriter next(m_root.get());
        const KeptPart part = next.kept("a");
        QCOMPARE(part.bytes, uint64_t{3});
        QCOMPARE(part.hash, base::sha256Hex("abc"));
        next.begin(file("a", 6), 3);
        next.write("def");
        QCOMPARE(next.finish(true), 0);
        std::ifstream in(m_path / "tree/a");
        QCOMPARE(std::string(std::istreambuf_iterator<char>(in), {}), std::string("abcdef"));
        QVERIFY(!fs::exists(m_path / "tree/.trialdeck-part"));
        // What is not whole is dropped; so is what is shorter than it should be.
        next.begin(file("b", 3), 0);
        next.write("abc");
        (void)next.finish(false);
        next.begin(file("c", 3), 0);
        next.write("ab");
        QVERIFY(next.finish(true) != 0);
        QVERIFY(!fs::exists(m_path / "tree/b") && !fs::exists(m_path / "tree/c"));
    }

    void filesThatChangeAreNoticed_data() {
        QTest::addColumn<QString>("what");
        QTest::addColumn<int>("error");
        QTest::newRow("same") << "same" << 0;
        QTest::newRow("a log grows") << "grows" << 0;
        QTest::newRow("written over") << "touched" << EAGAIN;
        QTest::newRow("cut short") << "cut" << EAGAIN;
    }
    void filesThatChangeAreNoticed() {
        QFETCH(QString, what);
        QFETCH(int, error);
        const fs::path path = m_path / "tree/f";
        tests::writeFile(path, std::string(300'000, 'x'));
        FileContents contents;
        QCOMPARE(contents.open(m_root.get(), "f"), 0);
        size_t read = 0;
        const int ended = contents.read(0, {[&](std::string_view bytes) {
                                                if (std::exchange(read, read + bytes.size()) > 0)
                                                    return true;
                                                if (what == "grows")
                                                    std::ofstream(path, std::ios::app) << "more";
                                                else if (what == "touched")
                                                    tests::setTime(path, 1'600'000'000);
                                                else if (what == "cut")
                                                    fs::resize_file(path, 200'000);
                                                return true;
                                            },
                                            [](uint64_t) { return true; }});
        QCOMPARE(ended, error);
        if (error == 0)
            QCOMPARE(read, size_t{300'000});
    }

    void plansWhatDiffers() {
        FileTree source;
        source.entries = {folder("d"),        file("d/new", 3),    file("same", 4),      file("size", 5),
                          file("time", 6, 7), linkTo("l", "here"), file("was folder", 1)};
        FileTree destination;
        destination.entries = {file("same", 4), file("size", 50),   file("time", 6, 8),  linkTo("l", "there"),
                               folder("extra"), file("extra/x", 1), folder("was folder")};
        SyncPlan plan = planSync(source, destination, true);
        QCOMPARE(textOf(plan),
                 std::string("-was folder -extra/x -extra +d =d/new =size =time @l =was folder"));
        QCOMPARE(plan.totalBytes, uint64_t{15});
        QCOMPARE(plan.unchangedFiles, uint64_t{1});
        plan = planSync(source, destination, false);
        QCOMPARE(textOf(plan), std::string("-was folder +d =d/new =size =time @l =was folder"));
        // What could not be read looks missing.
        source.failures.push_back({"d", "Permission denied", true});
        plan = planSync(source, destination, true);
        QVERIFY(plan.keepsExtras);
        QCOMPARE(textOf(plan), std::string("-was folder +d =d/new =size =time @l =was folder"));
    }

    void timesToTheSecondAreEnough() {
        FileTree source;
        source.entries = {file("f", 4, 1'500'000'000'123'000'000)};
        FileTree destination;
        destination.entries = {file("f", 4, 1'500'000'000'000'000'000)};
        QCOMPARE(textOf(planSync(source, destination, false)), std::string());
        destination.entries = {file("f", 4, 1'500'000'000'124'000'000)};
        QCOMPARE(textOf(planSync(source, destination, false)), std::string("=f"));
    }

private:
    std::unique_ptr<QTemporaryDir> m_folder;
    fs::path m_path;
    base::UniqueFd m_root;
};

QTEST_APPLESS_MAIN(SyncFilesTest)
#include "sync_files_test.moc"

// SPDX-License-Identifier: Apache-2.0
// Two folders made alike over a real sshd, by each client and each tool.
#include "core/transport/sync/folder_sync.h"

#include "tests/support/compare.h"
#include "tests/support/plain_sshd.h"
#include "tests/support/run_awaitable.h"
#include "tests/support/ssh_ways.h"
#include "tests/support/tree.h"

#include <QTemporaryDir>
#include <QtTest>

#include <asio/steady_timer.hpp>
#include <fstream>
#include <sys/stat.h>

using namespace trialdeck;
using namespace trialdeck::transport;
using namespace std::chrono_literals;
using tests::describeTree;
using tests::PlainSshd;
using tests::runAwaitable;
using tests::writeFile;

namespace fs = std::filesystem;

namespace {

/// A host, a home there, and a folder here.
struct Scene {
    enum class Head { there, missing };

    explicit Scene(tests::SshWay way, const QByteArray& more = {}, Head head = Head::there)
        : server("SetEnv HOME=" + home.path().toUtf8() + "\n" + more), ways(server),
          host(ways.make(way, server.port())), local(here.path().toStdString()),
          remote(home.path().toStdString()) {
        if (head == Head::there) {
            const fs::path folder = remote / ".local/share/trialdeck/heads/sync-test";
            fs::create_directories(folder);
            fs::create_symlink(TRIALDECK_BIN_DIR "/trialdeck-head", folder / "trialdeck-head");
        }
        open();
    }
    ~Scene() {
        // What cannot be written cannot be removed by everybody.
        for (const fs::path& root : {local, remote}) {
            for (const auto& entry : fs::recursive_directory_iterator(root)) {
                if (entry.is_directory() && !entry.is_symlink())
                    fs::permissions(entry.path(), fs::perms::owner_all, fs::perm_options::add);
            }
            // QTemporaryDir does not find names that are not UTF-8.
            std::error_code ignored;
            for (const auto& entry : fs::directory_iterator(root))
                fs::remove_all(entry.path(), ignored);
        }
    }
    void open() {
        const auto opened = runAwaitable(loop, host->open({}));
        if (!opened)
            qFatal("%s", base::describe(opened.error()).c_str());
    }
    SyncMeans means(std::optional<SyncTool> only) const {
        SyncMeans means;
        means.hostName = "lab";
        means.askpass = TRIALDECK_BIN_DIR "/trialdeck-askpass";
        means.programs.head = TRIALDECK_BIN_DIR "/trialdeck-head";
        means.programs.buildId = "sync-test";
        means.environment = base::currentEnvironment();
        means.only = only;
        return means;
    }
    Expected<SyncReport> sync(const SyncRequest& request, std::optional<SyncTool> only,
                              SyncListener listener = {}) {
        FolderSync once(*host, files, ways.clock, means(only), request);
        return runAwaitable(loop, once.run(std::move(listener)), 120s);
    }

    QTemporaryDir home;
    QTemporaryDir here;
    PlainSshd server;
    tests::SshWays ways;
    asio::io_context loop;
    base::PosixFileSystem files;
    std::unique_ptr<RemoteHost> host;
    fs::path local;
    fs::path remote;
};

/// What the report says in one line, or the error.
std::string told(const Expected<SyncReport>& report) {
    if (!report)
        return base::describe(report.error());
    std::string text = std::string(nameOf(report->tool)) + ": copied " + std::to_string(report->copied) +
                       ", unchanged " + std::to_string(report->unchanged) + ", removed " +
                       std::to_string(report->removed) + ", failed " + std::to_string(report->failed);
    for (const SyncFailure& failure : report->failures)
        text += " (" + failure.name + ": " + failure.reason + ")";
    return text;
}

/// Names the first line that differs.
bool isSame(const std::string& found, const std::string& expected) {
    const auto [one, other] = std::mismatch(found.begin(), found.end(), expected.begin(), expected.end());
    if (one == found.end() && other == expected.end())
        return true;
    const auto lineAt = [](const std::string& text, size_t at) {
        const size_t begin = at == 0 ? 0 : text.rfind('\n', at - 1) + 1;
        return text.substr(begin, text.find('\n', at) - begin);
    };
    qWarning("found %s\nexpected %s", lineAt(found, static_cast<size_t>(one - found.begin())).c_str(),
             lineAt(expected, static_cast<size_t>(other - expected.begin())).c_str());
    return false;
}

SyncRequest up(const Scene& scene, const std::string& remote = "~/p") {
    SyncRequest request;
    request.local = scene.local / "p";
    request.remote = remote;
    return request;
}

SyncRequest down(const Scene& scene, const std::string& remote = "~/p") {
    SyncRequest request = up(scene, remote);
    request.direction = SyncDirection::down;
    return request;
}

/// Both clients and both tools; not each with each, which would take twice as long.
void addWays() {
    QTest::addColumn<tests::SshWay>("way");
    QTest::addColumn<SyncTool>("tool");
    QTest::newRow("ssh, rsync") << tests::SshWay::system << SyncTool::rsync;
    QTest::newRow("libssh2, head") << tests::SshWay::libssh2 << SyncTool::head;
}

void addAllWays() {
    addWays();
    QTest::newRow("libssh2, rsync") << tests::SshWay::libssh2 << SyncTool::rsync;
    QTest::newRow("ssh, head") << tests::SshWay::system << SyncTool::head;
}

} // namespace

class FolderSyncTest : public QObject {
    Q_OBJECT
private slots:
    void initTestCase() {
        if (!PlainSshd::available())
            QSKIP("there is no sshd");
    }

    void oddTreesArriveWhole_data() { addAllWays(); }
    void oddTreesArriveWhole() {
        QFETCH(tests::SshWay, way);
        QFETCH(SyncTool, tool);
        Scene scene(way);
        tests::makeOddTree(scene.local / "p");
        const std::string before = describeTree(scene.local / "p");
        std::vector<SyncProgress> progress;
        auto report = scene.sync(up(scene), tool, [&](const SyncProgress& now) { progress.push_back(now); });
        QCOMPARE(told(report), std::string(nameOf(tool)) + ": copied 21, unchanged 0, removed 0, failed 0");
        QVERIFY(isSame(describeTree(scene.remote / "p"), before));
        QVERIFY(isSame(describeTree(scene.local / "p"), before));
        QVERIFY(!progress.empty());
        QCOMPARE(progress.back().doneFiles, progress.back().totalFiles);
        QCOMPARE(progress.back().doneBytes, report->bytes);
        struct stat raw {};
        QCOMPARE(stat((scene.remote / "p/holes").c_str(), &raw), 0);
        QVERIFY(raw.st_blocks * 512 < 1'000'000);
        // Nothing to do the second time.
        report = scene.sync(up(scene), tool);
        QCOMPARE(told(report), std::string(nameOf(tool)) + ": copied 0, unchanged 21, removed 0, failed 0");
        QVERIFY(report->changes.empty());
        // And back, to a folder that is missing.
        SyncRequest back = down(scene);
        back.local = scene.local / "a new/place";
        QCOMPARE(told(scene.sync(back, tool)),
                 std::string(nameOf(tool)) + ": copied 21, unchanged 0, removed 0, failed 0");
        QVERIFY(isSame(describeTree(back.local), before));
    }

    void withoutRsyncTheHeadsDoIt() {
        Scene scene(tests::SshWay::system, {}, Scene::Head::missing);
        writeFile(scene.local / "p/a", "1");
        SyncMeans means = scene.means({});
        means.environment["PATH"] = "/no/where";
        FolderSync once(*scene.host, scene.files, scene.ways.clock, means, up(scene));
        const auto report = runAwaitable(scene.loop, once.run({}), 60s);
        QCOMPARE(told(report), std::string("head: copied 1, unchanged 0, removed 0, failed 0"));
        QVERIFY(fs::exists(scene.remote / ".local/share/trialdeck/heads/sync-test/trialdeck-head"));
        // Where both have it, rsync is the first choice; it finds what the head has done.
        QCOMPARE(told(scene.sync(up(scene), {})),
                 std::string("rsync: copied 0, unchanged 1, removed 0, failed 0"));
    }

    void aDryRunDoesNothing_data() { addWays(); }
    void aDryRunDoesNothing() {
        QFETCH(tests::SshWay, way);
        QFETCH(SyncTool, tool);
        Scene scene(way);
        writeFile(scene.local / "p/a", "1");
        writeFile(scene.local / "p/sub/b", "22");
        SyncRequest request = up(scene, "not/there");
        request.dryRun = true;
        request.removeExtra = true;
        auto report = scene.sync(request, tool);
        QCOMPARE(told(report), std::string(nameOf(tool)) + ": copied 2, unchanged 0, removed 0, failed 0");
        QCOMPARE(report->bytes, uint64_t{3});
        QVERIFY(!fs::exists(scene.remote / "not"));
        writeFile(scene.remote / "q/a", "1");
        request = down(scene, "q");
        request.local = scene.local / "not/there";
        request.dryRun = true;
        QCOMPARE(told(scene.sync(request, tool)),
                 std::string(nameOf(tool)) + ": copied 1, unchanged 0, removed 0, failed 0");
        QVERIFY(!fs::exists(scene.local / "not"));
    }

    void extrasGoAndExcludesStay_data() { addWays(); }
    void extrasGoAndExcludesStay() {
        QFETCH(tests::SshWay, way);
        QFETCH(SyncTool, tool);
        Scene scene(way);
        for (const char* name : {"train.py", ".git/objects/1", "data/keep.csv", "data/big.bin"})
            writeFile(scene.local / "p" / name, name);
        for (const char* name : {"gone.py", "old/deep/x", ".git/theirs", "data/theirs.bin"})
            writeFile(scene.remote / "p" / name, name);
        SyncRequest request = up(scene);
        request.include = {"keep.*"};
        request.exclude = {".git/", "data/*"};
        auto report = scene.sync(request, tool);
        QCOMPARE(told(report), std::string(nameOf(tool)) + ": copied 2, unchanged 0, removed 0, failed 0");
        request.removeExtra = true;
        report = scene.sync(request, tool);
        QCOMPARE(told(report), std::string(nameOf(tool)) + ": copied 0, unchanged 2, removed 4, failed 0");
        std::string names;
        for (const auto& entry : fs::recursive_directory_iterator(scene.remote / "p")) {
            if (!entry.is_directory())
                names += entry.path().lexically_relative(scene.remote / "p").native() + " ";
        }
        QStringList sorted = QString::fromStdString(names).split(' ', Qt::SkipEmptyParts);
        sorted.sort();
        QCOMPARE(sorted.join(' '), QString(".git/theirs data/keep.csv data/theirs.bin train.py"));
    }

    void goesOnAfterACut_data() { addAllWays(); }
    void goesOnAfterACut() {
        QFETCH(tests::SshWay, way);
        QFETCH(SyncTool, tool);
        Scene scene(way);
        {
            std::ofstream big(scene.local / "big.bin", std::ios::binary);
            std::string piece(size_t{1} << 20, '\0');
            uint64_t state = 1;
            for (int i = 0; i < 64; ++i) {
                for (size_t at = 0; at < piece.size(); at += sizeof(state)) {
                    state = state * 6364136223846793005u + 1442695040888963407u;
                    std::memcpy(piece.data() + at, &state, sizeof(state));
                }
                big << piece;
            }
        }
        fs::create_directories(scene.local / "p");
        fs::rename(scene.local / "big.bin", scene.local / "p/big.bin");
        const std::string before = describeTree(scene.local / "p");
        asio::steady_timer look(scene.loop);
        const auto cutOnceHalfway = [&](auto&& again) -> void {
            look.expires_after(5ms);
            look.async_wait([&](const std::error_code& cancelled) {
                if (cancelled)
                    return;
                uintmax_t largest = 0;
                if (fs::exists(scene.remote / "p")) {
                    for (const auto& entry : fs::recursive_directory_iterator(
                             scene.remote / "p", fs::directory_options::skip_permission_denied)) {
                        std::error_code gone;
                        if (entry.is_regular_file(gone))
                            largest = std::max(largest, entry.file_size(gone));
                    }
                }
                if (largest > (uintmax_t{20} << 20))
                    scene.server.killSessions();
                else
                    again(again);
            });
        };
        cutOnceHalfway(cutOnceHalfway);
        auto report = scene.sync(up(scene), tool);
        look.cancel();
        QVERIFY(!report);
        QVERIFY2(report.error().code == ErrorCode::connection_lost, base::describe(report.error()).c_str());
        QVERIFY(!fs::exists(scene.remote / "p/big.bin"));
        QTRY_VERIFY(fs::exists(scene.remote / "p/.trialdeck-part/big.bin"));
        const uintmax_t kept = fs::file_size(scene.remote / "p/.trialdeck-part/big.bin");
        QVERIFY(kept > (uintmax_t{5} << 20));
        scene.open();
        report = scene.sync(up(scene), tool);
        // What the cut one does last may make rsync take the file twice.
        QVERIFY2(report && report->copied >= 1 && report->failed == 0, told(report).c_str());
        QCOMPARE(describeTree(scene.remote / "p"), before);
    }

    /// The beginning of a large file lies there, of which rsync compares every block.
    void goesOnDownwards_data() { addAllWays(); }
    void goesOnDownwards() {
        QFETCH(tests::SshWay, way);
        QFETCH(SyncTool, tool);
        Scene scene(way);
        std::string bytes;
        uint32_t state = 1;
        while (bytes.size() < (size_t{48} << 20)) {
            state = state * 1664525 + 1013904223;
            bytes.append(reinterpret_cast<const char*>(&state), sizeof(state));
        }
        writeFile(scene.remote / "p/big.bin", bytes);
        writeFile(scene.local / "p/.trialdeck-part/big.bin", bytes.substr(0, size_t{40} << 20));
        QCOMPARE(told(scene.sync(down(scene), tool)),
                 std::string(nameOf(tool)) + ": copied 1, unchanged 0, removed 0, failed 0");
        QVERIFY(isSame(describeTree(scene.local / "p"), describeTree(scene.remote / "p")));
    }

    void isCancelled_data() { addWays(); }
    void isCancelled() {
        QFETCH(tests::SshWay, way);
        QFETCH(SyncTool, tool);
        Scene scene(way);
        for (int i = 0; i < 2000; ++i)
            writeFile(scene.local / "p" / std::to_string(i), std::string(100'000, 'x'));
        FolderSync once(*scene.host, scene.files, scene.ways.clock, scene.means(tool), up(scene));
        const auto report = runAwaitable(scene.loop, once.run([&](const SyncProgress& now) {
            if (now.doneFiles > 20)
                once.cancel();
        }));
        QVERIFY(!report);
        QCOMPARE(report.error().code, ErrorCode::cancelled);
        QVERIFY(scene.host->isOpen());
        const auto count =
            std::distance(fs::directory_iterator(scene.remote / "p"), fs::directory_iterator());
        QVERIFY(count < 2000);
    }

    void whatFailsIsSaid_data() { addWays(); }
    void whatFailsIsSaid() {
        QFETCH(tests::SshWay, way);
        QFETCH(SyncTool, tool);
        Scene scene(way);
        const auto codeOf = [&](const SyncRequest& request) {
            const auto report = scene.sync(request, tool);
            return report ? std::string("synced") : std::string(nameOf(report.error().code));
        };
        QCOMPARE(codeOf(up(scene)), std::string("file_not_found"));
        QCOMPARE(codeOf(down(scene, "~/missing")), std::string("file_not_found"));
        writeFile(scene.local / "p", "a file");
        QCOMPARE(codeOf(up(scene)), std::string("not_a_directory"));
        fs::remove(scene.local / "p");
        writeFile(scene.local / "p/a", "1");
        writeFile(scene.remote / "file", "1");
        QCOMPARE(codeOf(up(scene, "file")), std::string("not_a_directory"));
        QCOMPARE(codeOf(up(scene, "file/below")), std::string("not_a_directory"));
        QCOMPARE(codeOf(down(scene, "~/file")), std::string("not_a_directory"));
        QCOMPARE(codeOf(up(scene, "~no such user/x")), std::string("unknown_value"));
        QCOMPARE(codeOf(up(scene, "/proc/self/new")), std::string("file_not_found"));
        mkfifo((scene.local / "p/fifo").c_str(), 0600);
        QCOMPARE(told(scene.sync(up(scene, "~/q"), tool)),
                 std::string(nameOf(tool)) +
                     ": copied 1, unchanged 0, removed 0, failed 1 (fifo: not a file, folder or link)");
    }

    void fullDisksAreSaid_data() { addWays(); }
    void fullDisksAreSaid() {
        QFETCH(tests::SshWay, way);
        QFETCH(SyncTool, tool);
        // Small and writable for everybody; /dev/full is no folder.
        if (!fs::exists("/dev/shm") || geteuid() != 0)
            QSKIP("needs a small file system");
        Scene scene(way);
        const std::string disk = (scene.remote / "disk").native();
        fs::create_directory(disk);
        if (std::system(("mount -t tmpfs -o size=1m none " + disk + " 2>/dev/null").c_str()) != 0)
            QSKIP("cannot mount");
        writeFile(scene.local / "p/small", "1");
        writeFile(scene.local / "p/large", std::string(3'000'000, 'x'));
        const auto report = scene.sync(up(scene, disk + "/p"), tool);
        const bool hasLarge = fs::exists(disk + "/p/large");
        (void)std::system(("umount -l " + disk).c_str());
        QVERIFY(!report);
        QCOMPARE(std::string(nameOf(report.error().code)), std::string("disk_full"));
        QCOMPARE(report.error().arguments.at("path"), "lab:" + disk + "/p");
        QVERIFY(!hasLarge);
    }

    void oddFolderNames_data() { addWays(); }
    void oddFolderNames() {
        QFETCH(tests::SshWay, way);
        QFETCH(SyncTool, tool);
        Scene scene(way);
        for (const std::string name : {"-x", "a\nb", "it's [1] *", "~", "学 习", "a:b"}) {
            writeFile(scene.local / name / "a", name);
            SyncRequest request = up(scene, "~/" + name);
            request.local = scene.local / name;
            QCOMPARE(told(scene.sync(request, tool)),
                     std::string(nameOf(tool)) + ": copied 1, unchanged 0, removed 0, failed 0");
            QCOMPARE(describeTree(scene.remote / name), describeTree(scene.local / name));
        }
    }

    void aHomeKeepsItsMode_data() { addWays(); }
    void aHomeKeepsItsMode() {
        QFETCH(tests::SshWay, way);
        QFETCH(SyncTool, tool);
        Scene scene(way);
        writeFile(scene.local / "p/a", "1");
        chmod((scene.local / "p").c_str(), 0777);
        QCOMPARE(told(scene.sync(up(scene, "~"), tool)),
                 std::string(nameOf(tool)) + ": copied 1, unchanged 0, removed 0, failed 0");
        QVERIFY(fs::exists(scene.remote / "a"));
        QCOMPARE(static_cast<int>(fs::status(scene.remote).permissions()), 0700);
    }

    void loginScriptsMayTalk_data() { addWays(); }
    void loginScriptsMayTalk() {
        QFETCH(tests::SshWay, way);
        QFETCH(SyncTool, tool);
        Scene scene(way,
                    "ForceCommand echo Welcome; echo to the cluster; exec sh -c \"$SSH_ORIGINAL_COMMAND\"\n");
        writeFile(scene.local / "p/a", "1");
        QCOMPARE(told(scene.sync(up(scene), tool)),
                 std::string(nameOf(tool)) + ": copied 1, unchanged 0, removed 0, failed 0");
    }
};

QTEST_GUILESS_MAIN(FolderSyncTest)
#include "folder_sync_test.moc"

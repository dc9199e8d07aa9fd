// SPDX-License-Identifier: Apache-2.0
#include "core/supervise/process_tree.h"
#include "core/supervise/supervise_main.h"
#include "tests/support/compare.h"
#include "tests/support/supervised_worker.h"

#include <QTemporaryDir>
#include <QtTest>
#include <csignal>

using namespace trialdeck;
using namespace trialdeck::supervise;
using trialdeck::tests::eventually;
using trialdeck::tests::isAlive;
using trialdeck::tests::pidsIn;
using trialdeck::tests::SupervisedWorker;
using namespace std::chrono_literals;

namespace {

std::string describe(const base::ProcessExit& exit) {
    if (exit.code)
        return "code " + std::to_string(*exit.code);
    return exit.signal ? "signal " + std::to_string(*exit.signal) : "nothing";
}

} // namespace

/// Real supervisors, real processes.
class SupervisorTest : public QObject {
    Q_OBJECT
private slots:
    void init() { m_folder = std::make_unique<QTemporaryDir>(); }
    void cleanup() {
        QVERIFY2(eventually([this] { return processesOfAttempt(order({}).attempt).empty(); }),
                 "a process of the worker was left behind");
    }

    void keepsExitCodesAndSignalsApart_data() {
        QTest::addColumn<QString>("step");
        QTest::addColumn<QString>("exit");
        QTest::newRow("0") << "exit=0"
                           << "code 0";
        QTest::newRow("1") << "exit=1"
                           << "code 1";
        QTest::newRow("137") << "exit=137"
                             << "code 137";
        QTest::newRow("SIGKILL") << "signal=9"
                                 << "signal 9";
        QTest::newRow("SIGSEGV") << "signal=11"
                                 << "signal 11";
        QTest::newRow("SIGTERM") << "signal=15"
                                 << "signal 15";
    }
    void keepsExitCodesAndSignalsApart() {
        QFETCH(QString, step);
        QFETCH(QString, exit);
        SupervisedWorker worker(order({step.toStdString()}));
        const ExitRecord record = worker.runToEnd();
        QCOMPARE(describe(record.evidence.exit), exit.toStdString());
        QVERIFY(!record.evidence.stoppedByUs);
        base::PosixFileSystem files;
        QVERIFY(readExitRecord(files, worker.order().folder).value() == record);
    }

    void greetsWithWhoRuns() {
        SupervisedWorker worker(order({"hang"}));
        worker.start();
        const auto hello = worker.awaitHello();
        QVERIFY(hello);
        QCOMPARE(hello->attempt, worker.order().attempt);
        QCOMPARE(hello->supervisorPid, int64_t{worker.supervisorPid()});
        QVERIFY(isAlive(static_cast<pid_t>(hello->workerPid)));
        base::PosixFileSystem files;
        QVERIFY(readSupervisorRecord(files, worker.order().folder).value() == *hello);
        QVERIFY(base::FileLock::isHeld(worker.order().lock).value());
        worker.send(encodeLine(StopRequest{0ms}));
        QVERIFY(worker.awaitExit());
        worker.awaitGone();
        QVERIFY(!base::FileLock::isHeld(worker.order().lock).value());
        QVERIFY(!base::exists(files, worker.order().socket));
    }

    void bothStreamsAreKeptByteForByte() {
        SupervisedWorker worker(order({"print=out", "printerr=err", "write=a\\rb\\x82\\xff no end"}));
        const ExitRecord record = worker.runToEnd();
        QCOMPARE(worker.stream(Stream::output), std::string("out\na\rb\x82\xff no end"));
        QCOMPARE(worker.stream(Stream::errors), std::string("err\n"));
        QCOMPARE(record.outputBytes, uint64_t{16});
        QCOMPARE(record.evidence.logTail, std::string("err\n"));
    }

    void aFloodIsBounded() {
        LaunchOrder flooded = order({"flood=4000000"});
        flooded.logs = {100'000, 300'000};
        SupervisedWorker worker(flooded);
        const ExitRecord record = worker.runToEnd();
        QCOMPARE(record.outputBytes, uint64_t{4'000'000});
        base::PosixFileSystem files;
        uint64_t kept = 0;
        const auto segments = listSegments(files, worker.order().folder, Stream::output).value();
        for (const LogSegment& segment : segments)
            kept += segment.bytes;
        QVERIFY2(kept <= 600'000, std::to_string(kept).c_str());
        QVERIFY(kept >= 400'000);
        QCOMPARE(segments.front().offset, uint64_t{0});
        QCOMPARE(segments.back().offset + segments.back().bytes, uint64_t{4'000'000});
    }

    void whatTheWorkerLeavesBehindIsEnded_data() {
        QTest::addColumn<QString>("kind");
        for (const char* kind : {"child", "grandchild", "daemon"})
            QTest::newRow(kind) << kind;
    }
    void whatTheWorkerLeavesBehindIsEnded() {
        QFETCH(QString, kind);
        const base::Path pids = folder() / "pids";
        SupervisedWorker worker(order({"pid=" + pids.native(), kind.toStdString(), kind.toStdString(),
                                       "wait=" + (folder() / "go").native()}));
        worker.start();
        QVERIFY(eventually([&] { return pidsIn(pids).size() == 3; }));
        base::PosixFileSystem files;
        QVERIFY(base::replaceFile(files, folder() / "go", ""));
        const auto record = worker.awaitExit();
        QVERIFY(record);
        QCOMPARE(describe(record->evidence.exit), std::string("code 0"));
        for (const pid_t pid : pidsIn(pids))
            QVERIFY(!isAlive(pid));
    }

    void stopEndsTheWholeTreeBySigterm() {
        const base::Path pids = folder() / "pids";
        SupervisedWorker worker(order({"pid=" + pids.native(), "child", "grandchild", "daemon", "hang"}));
        worker.start();
        QVERIFY(eventually([&] { return pidsIn(pids).size() == 4; }));
        worker.send(encodeLine(StopRequest{30s}));
        const auto record = worker.awaitExit();
        QVERIFY(record);
        QCOMPARE(describe(record->evidence.exit), std::string("signal 15"));
        QVERIFY(record->evidence.stoppedByUs);
        for (const pid_t pid : pidsIn(pids))
            QVERIFY(!isAlive(pid));
    }

    void sigkillFollowsWhenTheGraceIsOver() {
        const base::Path pids = folder() / "pids";
        SupervisedWorker worker(order({"stubborn", "pid=" + pids.native(), "child", "daemon", "hang"}));
        worker.start();
        QVERIFY(eventually([&] { return pidsIn(pids).size() == 3; }));
        worker.send(encodeLine(StopRequest{200ms}));
        const auto record = worker.awaitExit();
        QVERIFY(record);
        QCOMPARE(describe(record->evidence.exit), std::string("signal 9"));
        QVERIFY(record->evidence.stoppedByUs);
        QVERIFY(record->duration >= 200ms);
    }

    void aLaterStopShortensTheGrace() {
        SupervisedWorker worker(order({"stubborn", "touch=" + (folder() / "up").native(), "hang"}));
        worker.start();
        QVERIFY(eventually([&] { return QFile::exists(m_folder->filePath("up")); }));
        worker.send(encodeLine(StopRequest{1h}) + encodeLine(StopRequest{0ms}));
        QVERIFY(worker.awaitExit());
    }

    void aWorkerHasTheGraceToSaveItsWork() {
        SupervisedWorker worker(
            order({"on-term=checkpoint=last", "touch=" + (folder() / "up").native(), "hang"}));
        worker.start();
        QVERIFY(eventually([&] { return QFile::exists(m_folder->filePath("up")); }));
        worker.send(encodeLine(StopRequest{30s}));
        const auto record = worker.awaitExit();
        QVERIFY(record);
        QCOMPARE(describe(record->evidence.exit), std::string("code 0"));
        QVERIFY(record->evidence.stoppedByUs);
        QVERIFY(QFile::exists(m_folder->filePath("last/weights.bin")));
    }

    void aStoppedProcessIsEndedToo() {
        SupervisedWorker worker(order({"hang"}));
        worker.start();
        const auto hello = worker.awaitHello();
        QVERIFY(hello);
        kill(static_cast<pid_t>(hello->workerPid), SIGSTOP);
        worker.send(encodeLine(StopRequest{30s}));
        QCOMPARE(describe(worker.awaitExit().value_or(ExitRecord{}).evidence.exit), std::string("signal 15"));
    }

    void aKilledSupervisorTakesItsWorkerWithIt() {
        SupervisedWorker worker(order({"hang"}));
        worker.start();
        const auto hello = worker.awaitHello();
        QVERIFY(hello);
        worker.killSupervisor();
        worker.awaitGone();
        QVERIFY(eventually([&] { return !isAlive(static_cast<pid_t>(hello->workerPid)); }));
        QVERIFY(!base::FileLock::isHeld(worker.order().lock).value());
    }

    void itOutlivesTheDaemonAndTalksToTheNext() {
        SupervisedWorker worker(order({"print=before", "hang"}));
        worker.start();
        QVERIFY(worker.awaitHello());
        worker.closeChannel();
        QVERIFY(worker.connect());
        const auto hello = worker.awaitHello();
        QVERIFY(hello);
        QVERIFY(isAlive(static_cast<pid_t>(hello->workerPid)));
        worker.send("{\"of a later version\": 1}\nno JSON\n" + encodeLine(StopRequest{10s}));
        const auto record = worker.awaitExit();
        QVERIFY(record && record->evidence.stoppedByUs);
    }

    void aCommandThatCannotRunIsNamed_data() {
        QTest::addColumn<QString>("program");
        QTest::addColumn<QString>("code");
        QTest::newRow("missing") << "/nowhere/train"
                                 << "command_not_found";
        QTest::newRow("a folder") << "/tmp"
                                  << "command_not_executable";
        QTest::newRow("no program") << "/etc/passwd"
                                    << "command_not_executable";
    }
    void aCommandThatCannotRunIsNamed() {
        QFETCH(QString, program);
        QFETCH(QString, code);
        LaunchOrder bad = order({});
        bad.program = program.toStdString();
        bad.command = {program.toStdString()};
        SupervisedWorker worker(bad);
        const ExitRecord record = worker.runToEnd();
        QVERIFY(record.startFailure);
        QCOMPARE(std::string(nameOf(record.startFailure->code)), code.toStdString());
        QCOMPARE(record.startFailure->arguments.at("command"), program.toStdString());
    }

    void aMissingWorkingDirectoryIsNamed() {
        LaunchOrder bad = order({});
        bad.workingDirectory = "/nowhere";
        SupervisedWorker worker(bad);
        QCOMPARE(worker.runToEnd().startFailure.value_or(Error{}).code, ErrorCode::working_directory_missing);
    }

    void theWorkerSeesItsEnvironmentArgumentsAndDirectory() {
        LaunchOrder given = order({"env=GREETING", "env=HOME", "cwd", "args", "isatty"});
        given.environment["GREETING"] = "hello = \xff world";
        SupervisedWorker worker(given);
        worker.runToEnd();
        QCOMPARE(worker.stream(Stream::output),
                 "GREETING=hello = \xff world\nHOME unset\n" + folder().native() +
                     "\nfake_worker\nenv=GREETING\nenv=HOME\ncwd\nargs\nisatty\n\nno terminal\n");
    }

    void aTerminalJoinsTheStreamsAndChangesNoByte() {
        LaunchOrder terminal = order({"isatty", "print=out", "printerr=err", "write=a\\r\\n\\x82"});
        terminal.terminal = true;
        SupervisedWorker worker(terminal);
        const ExitRecord record = worker.runToEnd();
        QCOMPARE(worker.stream(Stream::output), std::string("terminal\nout\nerr\na\r\n\x82"));
        QCOMPARE(record.errorBytes, uint64_t{0});
    }

    void anOrderThatNeverComesStartsNothing() {
        SupervisedWorker worker(order({"touch=" + (folder() / "ran").native()}));
        LaunchOrder unused = worker.order();
        int ends[2];
        QCOMPARE(pipe(ends), 0);
        base::UniqueFd readEnd(ends[0]);
        base::UniqueFd writeEnd(ends[1]);
        base::SpawnOptions options;
        options.command = {TRIALDECK_BIN_DIR "/supervisor_program", "supervise", "x", "0"};
        options.descriptors = {{readEnd.get(), 3}, {readEnd.get(), 4}};
        const std::string half = encodeLaunchOrder(unused).substr(0, 40);
        QCOMPARE(write(writeEnd.get(), half.data(), half.size()), static_cast<ssize_t>(half.size()));
        writeEnd.reset();
        QCOMPARE(base::runAndCollect(options, 10'000).value().exit.code.value(), 2);
        QVERIFY(!QFile::exists(m_folder->filePath("ran")));
    }

    void thePeakOfMemoryIsMeasured() {
        SupervisedWorker worker(order({"eat=60"}));
        const ExitRecord record = worker.runToEnd();
        const uint64_t peak = record.evidence.memory.peakBytes.value_or(0);
        QVERIFY2(peak >= (60U << 20) && peak < (200U << 20), std::to_string(peak).c_str());
    }

    void pathsLongerThanASocketsAddressWork() {
        base::PosixFileSystem files;
        base::Path deep = folder();
        for (int i = 0; i < 8; ++i)
            deep /= "a rather long name of a folder";
        QVERIFY(files.createDirectories(deep));
        SupervisedWorker worker(SupervisedWorker::order(deep, {"hang"}));
        worker.start();
        QVERIFY(worker.awaitHello());
        worker.closeChannel();
        QVERIFY(worker.connect());
        QVERIFY(worker.awaitHello());
    }

    void statusIsAnswered() {
        SupervisedWorker worker(order({"print=1234", "touch=" + (folder() / "up").native(), "hang"}));
        worker.start();
        QVERIFY(worker.awaitHello());
        QVERIFY(eventually([&] { return QFile::exists(m_folder->filePath("up")); }));
        QVERIFY(eventually([&] {
            const auto status = worker.askStatus();
            return status && status->outputBytes == 5;
        }));
    }

private:
    base::Path folder() const { return m_folder->path().toStdString(); }
    LaunchOrder order(const std::vector<std::string>& steps) const {
        return SupervisedWorker::order(folder(), steps);
    }

    std::unique_ptr<QTemporaryDir> m_folder;
};

QTEST_GUILESS_MAIN(SupervisorTest)
#include "supervisor_test.moc"

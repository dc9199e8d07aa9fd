// SPDX-License-Identifier: Apache-2.0
#include "core/engine/process/process_engine.h"

#include "core/supervise/process_tree.h"
#include "core/supervise/records.h"
#include "tests/support/compare.h"
#include "tests/support/process_engine_probe.h"

#include <QTemporaryDir>
#include <QtTest>
#include <csignal>

using namespace trialdeck;
using namespace trialdeck::engine;
using trialdeck::tests::ProcessEngineProbe;
using namespace std::chrono_literals;

namespace {

QStringList asList(const std::vector<std::string>& lines) {
    QStringList list;
    for (const std::string& line : lines)
        list << QString::fromStdString(line);
    return list;
}

} // namespace

/// Real supervisors and real workers.
class ProcessEngineTest : public QObject {
    Q_OBJECT
private slots:
    void init() {
        m_folder = std::make_unique<QTemporaryDir>();
        m_probe = std::make_unique<ProcessEngineProbe>(folder());
    }
    void cleanup() {
        const std::string experiment = m_probe->experiment();
        const bool clean = supervise::processesOfAttempt(experiment).empty();
        m_probe.reset();
        QVERIFY2(clean, "a process was left behind");
    }

    void runsAnAttemptToItsEnd() {
        QVERIFY(probe().engine().start(probe().request(1, {"report=2"})));
        QCOMPARE(probe().engine().running().size(), size_t{1});
        QVERIFY(probe().events.empty());
        QVERIFY(probe().runUntilTold("over 1"));
        QCOMPARE(asList(probe().events),
                 QStringList({"started 1", "report 1.0 {\"training_iteration\": 1, \"loss\": 1}",
                              "report 1.0 {\"training_iteration\": 2, \"loss\": 0.5}", "ended 1.0 code 0",
                              "over 1"}));
        QVERIFY(probe().engine().running().empty());
    }

    void aLastReportWithoutNewlineCounts() {
        QVERIFY(probe().engine().start(probe().request(1, {"append={\"a\": 1}\\n{\"b\": 2}"})));
        QVERIFY(probe().runUntilTold("over 1"));
        QCOMPARE(asList(probe().lines("report", 1, 0)), QStringList({"{\"a\": 1}", "{\"b\": 2}"}));
        QCOMPARE(probe().positions.begin()->second.report, uint64_t{17});
    }

    void reportsArriveWhileTheWorkerRuns() {
        QVERIFY(probe().engine().start(probe().request(1, {"report=1", "wait=" + path("go"), "report=1"})));
        QVERIFY(probe().runUntil([this] { return probe().reportCount == 1; }));
        touch("go");
        QVERIFY(probe().runUntilTold("over 1"));
        QCOMPARE(probe().reportCount, uint64_t{2});
    }

    void aWorkerWithoutOutputIsToldOnceAndOthersAreNot() {
        // Supervisors look every other second; those of the others began to look earlier.
        probe().options().quiet = {std::chrono::milliseconds(100), std::chrono::milliseconds(0)};
        probe().options().cpus = 3;
        probe().restart();
        const std::string go = "wait=" + path("go");
        QVERIFY(probe().engine().start(probe().request(1, {"print=hello", go})));
        QVERIFY(probe().engine().start(probe().request(2, {"report=1", go})));
        QVERIFY(probe().runUntilTold("started 1") && probe().runUntilTold("started 2"));
        QVERIFY(probe().engine().start(probe().request(3, {go})));
        QVERIFY(probe().runUntilTold("quiet 3.0"));
        touch("go");
        for (const char* over : {"over 1", "over 2", "over 3"})
            QVERIFY(probe().runUntilTold(over));
        QCOMPARE(asList(probe().events).filter("quiet"), QStringList{"quiet 3.0"});
    }

    void failuresHaveTheirCause_data() {
        QTest::addColumn<QString>("step");
        QTest::addColumn<QString>("end");
        QTest::newRow("code") << "exit=3"
                              << "ended 1.0 code 3 worker_exit";
        QTest::newRow("signal") << "signal=11"
                                << "ended 1.0 signal 11 worker_signal";
    }
    void failuresHaveTheirCause() {
        QFETCH(QString, step);
        QFETCH(QString, end);
        QVERIFY(probe().engine().start(probe().request(1, {"printerr=why", step.toStdString()})));
        QVERIFY(probe().runUntilTold("over 1"));
        QCOMPARE(asList(probe().endings()), QStringList({"started 1", end, "over 1"}));
        QCOMPARE(probe().ends.begin()->second.logTail, std::string("why\n"));
    }

    void stopIsNoFailure() {
        QVERIFY(probe().engine().start(probe().request(1, {"daemon", "hang"})));
        QVERIFY(probe().runUntilTold("started 1"));
        probe().engine().stop(keyOf(1));
        QVERIFY(probe().runUntilTold("over 1"));
        QCOMPARE(asList(probe().endings()),
                 QStringList({"started 1", "ended 1.0 signal 15 stopped", "over 1"}));
    }

    void aStopBeforeTheStartIsHeard() {
        QVERIFY(probe().engine().start(probe().request(1, {"hang"})));
        probe().engine().stop(keyOf(1));
        QVERIFY(probe().runUntilTold("over 1"));
        QVERIFY(probe().ends.begin()->second.stoppedByUs);
    }

    void theGraceEndsWithSigkill() {
        AttemptRequest stubborn = probe().request(1, {"stubborn", "touch=" + path("up"), "hang"});
        stubborn.stopGrace = 100ms;
        QVERIFY(probe().engine().start(stubborn));
        QVERIFY(probe().runUntil([this] { return exists("up"); }));
        probe().engine().stop(keyOf(1));
        QVERIFY(probe().runUntilTold("ended 1.0 signal 9 stopped"));
        QVERIFY(probe().runUntilTold("over 1"));
    }

    void whatIsKnownAtOnceIsReturnedAndStartsNothing_data() {
        QTest::addColumn<QString>("program");
        QTest::addColumn<QString>("directory");
        QTest::addColumn<QString>("code");
        QTest::newRow("no such command") << "no-such-program"
                                         << "/"
                                         << "command_not_found";
        QTest::newRow("no such file") << "/nowhere/x"
                                      << "/"
                                      << "command_not_found";
        QTest::newRow("not executable") << "/etc/passwd"
                                        << "/"
                                        << "command_not_executable";
        QTest::newRow("no such folder") << "/bin/true"
                                        << "/nowhere"
                                        << "working_directory_missing";
        QTest::newRow("a file as folder") << "/bin/true"
                                          << "/etc/passwd"
                                          << "working_directory_missing";
    }
    void whatIsKnownAtOnceIsReturnedAndStartsNothing() {
        QFETCH(QString, program);
        QFETCH(QString, directory);
        QFETCH(QString, code);
        AttemptRequest bad = probe().request(1, {});
        bad.command = {program.toStdString()};
        bad.workingDirectory = directory.toStdString();
        const auto started = probe().engine().start(bad);
        QVERIFY(!started);
        QCOMPARE(std::string(nameOf(started.error().code)), code.toStdString());
        QVERIFY(probe().engine().running().empty());
        QCOMPARE(probe().engine().nodes().front().cpusUsed, 0.0);
        QVERIFY(probe().engine().place(1, {8, 0, 0, {}}).fitsNow);
    }

    void theWorkerHasWhatTheContractNames() {
        AttemptRequest given = probe().request(
            4, {"env=RANK", "env=WORLD_SIZE", "env=LOCAL_RANK", "env=LOCAL_WORLD_SIZE", "env=MASTER_ADDR",
                "env=OMP_NUM_THREADS", "env=TRIALDECK_ATTEMPT", "env=TRIALDECK_REPORT",
                "env=TRIALDECK_CHECKPOINT_DIR", "env=CUDA_VISIBLE_DEVICES", "env=MINE"});
        given.environment["MINE"] = "kept";
        given.environment["RANK"] = "99";
        given.perWorker.cpu = 2.5;
        QVERIFY(probe().engine().start(given));
        probe().engine().watchOutput(given.key);
        QVERIFY(probe().runUntilTold("over 4"));
        const std::string rank = probe().rankFolder(4, 0).native();
        QCOMPARE(
            asList(probe().lines("output", 4, 0)),
            asList({"RANK=0", "WORLD_SIZE=1", "LOCAL_RANK=0", "LOCAL_WORLD_SIZE=1", "MASTER_ADDR=127.0.0.1",
                    "OMP_NUM_THREADS=2", "TRIALDECK_ATTEMPT=" + probe().experiment() + "/4/0",
                    "TRIALDECK_REPORT=" + rank + "/report.jsonl", "TRIALDECK_CHECKPOINT_DIR=" + rank,
                    "CUDA_VISIBLE_DEVICES unset", "MINE=kept"}));
    }

    void aWorkerThatAsksForMoreThanTheNodeGetsItsThreadsOnly() {
        probe().options().cpus = 2;
        probe().restart();
        AttemptRequest large = probe().request(1, {"env=OMP_NUM_THREADS"});
        large.perWorker.cpu = 64;
        QVERIFY(probe().engine().start(large));
        probe().engine().watchOutput(large.key);
        QVERIFY(probe().runUntilTold("over 1"));
        QCOMPARE(asList(probe().lines("output", 1, 0)), asList({"OMP_NUM_THREADS=2"}));
    }

    void resourcesAreFreeOnceTheProcessesAreGoneThoughMuchIsUnread() {
        probe().countOnly = true;
        beginAndLetEndUnread({"report=100000"});
        QVERIFY(probe().runUntil([this] { return probe().engine().nodes().front().cpusUsed == 0; }));
        QVERIFY(probe().reportCount < 100'000);
        QVERIFY(!probe().wasTold("over 1"));
        QCOMPARE(probe().engine().running().size(), size_t{1});
        QVERIFY(probe().engine().place(1, {8, 0, 0, {}}).fitsNow);
        probe().engine().stop(keyOf(1));
        QVERIFY(probe().runUntilTold("over 1"));
        QCOMPARE(probe().reportCount, uint64_t{100'000});
        QCOMPARE(asList(probe().endings()), QStringList({"started 1", "ended 1.0 code 0", "over 1"}));
    }

    void whatIsWrittenAfterTheEndKeepsNobodyReading() {
        constexpr int kMost = 1000;
        beginAndLetEndUnread({"report=50000"});
        int added = 0;
        bool isFree = false;
        base::PosixFileSystem files;
        auto report =
            files.open(probe().rankFolder(1, 0) / supervise::kReportFile, base::OpenMode::appendOrCreate);
        QVERIFY(report);
        probe().onEvent = [&](const std::string& event) {
            // nodes() looks at the machine: not for each report.
            if (!isFree && probe().reportCount % 100 == 0)
                isFree = probe().engine().nodes().front().cpusUsed == 0;
            if (event.rfind("report", 0) == 0 && isFree && added < kMost &&
                (*report)->append("{\"late\": 1}\n"))
                ++added;
        };
        QVERIFY(probe().runUntilTold("over 1"));
        QCOMPARE(added, kMost);
        QCOMPARE(probe().reportCount, uint64_t{50'000});
    }

    void whatCannotBeReadIsLoggedOnce() {
        QVERIFY(probe().engine().start(probe().request(1, {"report=1", "touch=" + path("up"), "hang"})));
        QVERIFY(probe().runUntil([this] { return probe().reportCount == 1 && exists("up"); }));
        const base::Path report = probe().rankFolder(1, 0) / supervise::kReportFile;
        QVERIFY(std::filesystem::remove(report));
        std::filesystem::create_symlink("/dev/zero", report);
        QVERIFY(probe().runUntil([this] { return !probe().logged.empty(); }));
        probe().engine().stop(keyOf(1));
        QVERIFY(probe().runUntilTold("over 1"));
        QCOMPARE(probe().logged.size(), size_t{1});
    }

    void outputLinesComeInTheirFinalState() {
        QVERIFY(probe().engine().start(
            probe().request(1, {"write= 0%\\r 50%\\r100%\\n", "write=\\e[31mred\\e[0m\\r\\n",
                                "write=\\x82 bad\\n", "write=end"})));
        probe().engine().watchOutput(keyOf(1));
        QVERIFY(probe().runUntilTold("over 1"));
        QCOMPARE(probe().lines("output", 1, 0), std::vector<std::string>({"100%", "red", "\x82 bad", "end"}));
    }

    void aLineOfOneMebibyteIsWholeAndALongerOneIsCut() {
        probe().countOnly = true;
        QVERIFY(probe().engine().start(probe().request(1, {"line=1048575", "report=1"})));
        QVERIFY(probe().runUntilTold("over 1"));
        QCOMPARE(probe().longestLine, uint64_t{1048575});
        QVERIFY(probe().engine().start(probe().request(2, {"line=5000000", "brackets=500000", "report=1"})));
        QVERIFY(probe().runUntilTold("over 2"));
        QCOMPARE(probe().longestLine, uint64_t{kMaxReportLineBytes + 1});
        QCOMPARE(probe().reportCount, uint64_t{5});
    }

private:
    /// Attempt 0 of trial 1 does the steps and ends while the engine does not look.
    void beginAndLetEndUnread(std::vector<std::string> steps) {
        steps.insert(steps.begin(), "wait=" + path("go"));
        QVERIFY(probe().engine().start(probe().request(1, steps)));
        QVERIFY(probe().runUntilTold("started 1"));
        touch("go");
        QTRY_VERIFY_WITH_TIMEOUT(std::filesystem::exists(probe().rankFolder(1, 0) / supervise::kExitFile),
                                 30'000);
    }
    ProcessEngineProbe& probe() { return *m_probe; }
    base::Path folder() const { return m_folder->path().toStdString(); }
    std::string path(const char* name) const { return (folder() / name).native(); }
    bool exists(const char* name) const { return QFile::exists(m_folder->filePath(name)); }
    void touch(const char* name) const {
        QVERIFY(QFile(m_folder->filePath(name)).open(QIODevice::WriteOnly));
    }
    AttemptKey keyOf(uint32_t trial) { return {probe().experiment(), trial, 0}; }

    std::unique_ptr<QTemporaryDir> m_folder;
    std::unique_ptr<ProcessEngineProbe> m_probe;
};

QTEST_GUILESS_MAIN(ProcessEngineTest)
#include "process_engine_test.moc"

// SPDX-License-Identifier: Apache-2.0
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

/// What a new daemon makes of the attempts of one that died. An engine that is destroyed leaves its workers
/// as a killed daemon does: every descriptor is closed and nothing is said.
class ProcessAdoptionTest : public QObject {
    Q_OBJECT
private slots:
    void init() {
        m_folder = std::make_unique<QTemporaryDir>();
        m_probe = std::make_unique<ProcessEngineProbe>(folder());
    }
    void cleanup() {
        const bool clean = supervise::processesOfAttempt(probe().experiment()).empty();
        m_probe.reset();
        QVERIFY2(clean, "a process was left behind");
    }

    void noReportIsLostAndNoneComesTwice() {
        const AttemptRequest request =
            probe().request(1, {"report=3", "wait=" + path("dead"), "report=3", "touch=" + path("more"),
                                "wait=" + path("adopted"), "report=3"});
        QVERIFY(probe().engine().start(request));
        QVERIFY(probe().runUntil([this] { return probe().reportCount == 3; }));
        probe().die();
        touch("dead");
        waitFor("more");
        probe().restart();
        probe().engine().adopt(request, {probe().positions.at({request.key, 0})});
        QCOMPARE(probe().engine().running().size(), size_t{1});
        QVERIFY(probe().runUntil([this] { return probe().reportCount == 6; }));
        touch("adopted");
        QVERIFY(probe().runUntilTold("over 1"));
        std::vector<std::string> iterations;
        for (const std::string& line : probe().lines("report", 1, 0))
            iterations.push_back(line.substr(23, 1));
        QCOMPARE(iterations, std::vector<std::string>({"1", "2", "3", "4", "5", "6", "7", "8", "9"}));
        QCOMPARE(probe().endings(), std::vector<std::string>({"started 1", "ended 1.0 code 0", "over 1"}));
    }

    void anEndThatHappenedMeanwhileIsTold() {
        const AttemptRequest request =
            probe().request(1, {"report=1", "wait=" + path("dead"), "append={\"last\": 1}", "exit=4"});
        QVERIFY(probe().engine().start(request));
        QVERIFY(probe().runUntil([this] { return probe().reportCount == 1; }));
        probe().die();
        touch("dead");
        QVERIFY(QTest::qWaitFor([this] { return probe().file(1, 0, "exit.json") != "?"; }, 20'000));
        probe().restart();
        probe().engine().adopt(request, {probe().positions.at({request.key, 0})});
        QVERIFY(probe().events.back() != "over 1");
        QVERIFY(probe().runUntilTold("over 1"));
        QCOMPARE(probe().endings(),
                 std::vector<std::string>({"started 1", "ended 1.0 code 4 worker_exit", "over 1"}));
        QCOMPARE(probe().lines("report", 1, 0).back(), std::string("{\"last\": 1}"));
    }

    void anAdoptedAttemptCanBeStopped() {
        const AttemptRequest request = probe().request(1, {"daemon", "print=up", "hang"}, 2);
        QVERIFY(probe().engine().start(request));
        QVERIFY(probe().runUntilTold("started 1"));
        // Both programs run: before that it is the start that a signal would end.
        QVERIFY(QTest::qWaitFor([this] { return probe().file(1, 0, "stdout.0.log") != "?"; }, 20'000));
        QVERIFY(QTest::qWaitFor([this] { return probe().file(1, 1, "stdout.0.log") != "?"; }, 20'000));
        probe().restart();
        probe().engine().adopt(request, {{}, {}});
        probe().engine().stop(request.key);
        QVERIFY(probe().runUntilTold("over 1"));
        for (const std::string& told : probe().endings()) {
            if (told.starts_with("ended"))
                QVERIFY2(told.ends_with(" stopped"), told.c_str());
        }
        QCOMPARE(probe().endings().size(), size_t{4});
    }

    void outputLinesGoOnToo() {
        const AttemptRequest request =
            probe().request(1, {"print=one", "print=two", "wait=" + path("adopted"), "print=three"});
        QVERIFY(probe().engine().start(request));
        probe().engine().watchOutput(request.key);
        QVERIFY(probe().runUntilTold("output 1.0 two"));
        probe().restart();
        probe().engine().adopt(request, {probe().positions.at({request.key, 0})});
        probe().engine().watchOutput(request.key);
        touch("adopted");
        QVERIFY(probe().runUntilTold("over 1"));
        QCOMPARE(probe().lines("output", 1, 0), std::vector<std::string>({"one", "two", "three"}));
    }

    void whatNeverStartedIsLost() {
        const AttemptRequest request = probe().request(1, {"report=1"}, 2);
        probe().engine().adopt(request, {{}, {}});
        QVERIFY(probe().events.empty());
        QVERIFY(probe().runUntilTold("over 1"));
        QCOMPARE(probe().endings().front(), std::string("ended 1.0 unknown worker_lost"));
    }

    void aKilledSupervisorIsALostWorkerAndNothingOfItIsLeft() {
        const AttemptRequest request = probe().request(1, {"daemon", "touch=" + path("up"), "hang"});
        QVERIFY(probe().engine().start(request));
        QVERIFY(probe().runUntilTold("started 1"));
        waitFor("up");
        base::PosixFileSystem files;
        const auto record = supervise::readSupervisorRecord(files, probe().rankFolder(1, 0));
        QVERIFY(record);
        kill(static_cast<pid_t>(record->supervisorPid), SIGKILL);
        QVERIFY(probe().runUntilTold("over 1"));
        QCOMPARE(probe().endings(),
                 std::vector<std::string>({"started 1", "ended 1.0 unknown worker_lost", "over 1"}));
        QVERIFY(supervise::processesOfAttempt(nameOf(request.key)).empty());
    }

    void resourcesAndPortsAreTakenUp() {
        AttemptRequest request = probe().request(1, {"hang"});
        request.perWorker.cpu = 6;
        QVERIFY(probe().engine().start(request));
        QVERIFY(probe().runUntilTold("started 1"));
        probe().restart();
        probe().engine().adopt(request, {{}});
        QCOMPARE(probe().engine().nodes().front().cpusUsed, 6.0);
        QVERIFY(!probe().engine().place(1, {4, 0, 0, {}}).fitsNow);
        probe().engine().stop(request.key);
        QVERIFY(probe().runUntilTold("over 1"));
        QCOMPARE(probe().engine().nodes().front().cpusUsed, 0.0);
    }

    void whatNoJournalKnowsIsStopped() {
        const AttemptRequest known = probe().request(1, {"hang"});
        const AttemptRequest forgotten =
            probe().request(2, {"stubborn", "daemon", "touch=" + path("up"), "hang"});
        QVERIFY(probe().engine().start(known));
        QVERIFY(probe().engine().start(forgotten));
        QVERIFY(probe().runUntilTold("started 1"));
        QVERIFY(probe().runUntilTold("started 2"));
        waitFor("up");
        probe().restart();
        probe().engine().adopt(known, {{}});
        probe().engine().stopForgotten(probe().experiment());
        QVERIFY(
            probe().runUntil([&] { return supervise::processesOfAttempt(nameOf(forgotten.key)).empty(); }));
        QVERIFY(!supervise::processesOfAttempt(nameOf(known.key)).empty());
        probe().engine().stop(known.key);
        QVERIFY(probe().runUntilTold("over 1"));
    }

private:
    ProcessEngineProbe& probe() { return *m_probe; }
    base::Path folder() const { return m_folder->path().toStdString(); }
    std::string path(const char* name) const { return (folder() / name).native(); }
    void touch(const char* name) const {
        QVERIFY(QFile(m_folder->filePath(name)).open(QIODevice::WriteOnly));
    }
    void waitFor(const char* name) const {
        QVERIFY(QTest::qWaitFor([&] { return QFile::exists(m_folder->filePath(name)); }, 20'000));
    }

    std::unique_ptr<QTemporaryDir> m_folder;
    std::unique_ptr<ProcessEngineProbe> m_probe;
};

QTEST_GUILESS_MAIN(ProcessAdoptionTest)
#include "process_adoption_test.moc"

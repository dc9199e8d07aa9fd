// SPDX-License-Identifier: Apache-2.0
// A disk that is full, or refuses: nothing is lost that was not said, and the experiment waits.
#include "tests/unit/tuner/tuner_bench.h"

#include <QRegularExpression>
#include <cerrno>

using namespace trialdeck;
using namespace trialdeck::tests;
using std::chrono::milliseconds;

namespace {

constexpr size_t kForEver = size_t{1} << 40;

void fill(TunerBench& bench) {
    bench.files.inject(
        {.operation = Operation::append, .path = "journal", .times = kForEver, .error = ENOSPC});
}

/// Begins, and fills the disk a quarter of a second later.
void runUntilFull(TunerBench& bench) {
    bench.begin();
    bench.runFor(milliseconds(250));
    fill(bench);
}

} // namespace

class DiskTest : public QObject {
    Q_OBJECT
private slots:
    void aFullDiskPausesAtTheLastCheckpointAndACommandGoesOn() {
        TunerBench bench(gridSpec({0.5}));
        bench.model = trains(bench.files, {.iterations = 4, .checkpointEvery = 2});
        runUntilFull(bench);
        QVERIFY(
            !bench.runUntil([&bench] { return protocol::isFinished(bench.tuner().experiment().state()); }));
        QCOMPARE(bench.state(), std::string("PAUSED disk_full"));
        QCOMPARE(bench.trialState(0), std::string("PAUSED disk_full"));
        QVERIFY(bench.tuner().experiment().error().has_value());
        QVERIFY(!bench.tuner().resume(std::nullopt));
        bench.files.heal();
        QVERIFY(bench.tuner().resume(std::nullopt));
        QVERIFY(bench.run());
        QCOMPARE(bench.story({"report", "state", "experiment_state"}),
                 (Lines{"state 0 RUNNING none", "report 0/0 #1 loss=1.0",
                        "report 0/0 #2 loss=0.5 checkpoint=epoch_2", "report 0/0 #3 loss=0.3333333333333333",
                        "experiment_state PAUSED disk_full disk_full", "state 0 RUNNING disk_full disk_full",
                        "state 0 PAUSED disk_full disk_full", "experiment_state RUNNING none",
                        "state 0 PENDING queued", "state 0 RUNNING none",
                        "report 0/1 #3 loss=0.3333333333333333", "report 0/1 #4 loss=0.25 checkpoint=epoch_4",
                        "state 0 TERMINATED completed", "experiment_state COMPLETED none"}));
    }

    void whatWaitedIsWrittenWhereThereIsRoomAgain() {
        TunerBench bench(gridSpec({0.5}));
        bench.model = trains(bench.files, {.iterations = 100});
        runUntilFull(bench);
        bench.runFor(std::chrono::seconds(5));
        const size_t before = bench.story().size();
        bench.files.heal();
        bench.runFor(std::chrono::seconds(15));
        QCOMPARE(bench.state(), std::string("PAUSED disk_full"));
        QVERIFY(bench.story().size() > before);
        QCOMPARE(bench.story({"state"}).back(), std::string("state 0 PAUSED disk_full disk_full"));
    }

    void aDeathWithAFullDiskLosesNothing() {
        TunerBench bench(gridSpec({0.5}));
        bench.model = trains(bench.files, {.iterations = 4, .checkpointEvery = 1});
        runUntilFull(bench);
        bench.runFor(std::chrono::seconds(1));
        bench.files.heal();
        bench.restart();
        bench.runFor(std::chrono::seconds(5));
        const Lines reports = bench.story({"report"});
        QVERIFY(reports.size() >= 3);
        QCOMPARE(reports[2], std::string("report 0/0 #3 loss=0.3333333333333333 checkpoint=epoch_3"));
    }

    void theEndOfTheDaemonWritesWhatWaitsWhereThereIsRoomAgain() {
        TunerBench bench(gridSpec({0.5}));
        bench.model = trains(bench.files, {.iterations = 100});
        runUntilFull(bench);
        bench.runFor(std::chrono::seconds(1));
        bench.files.heal();
        QVERIFY(bench.tuner().close());
        bench.restart();
        QCOMPARE(bench.state(), std::string("PAUSED disk_full"));
        QCOMPARE(bench.trialState(0), std::string("PAUSED disk_full"));
    }

    void theEndOfTheDaemonSaysWhatIsLost() {
        TunerBench bench(gridSpec({0.5}));
        bench.model = trains(bench.files, {.iterations = 100});
        runUntilFull(bench);
        bench.runFor(std::chrono::seconds(1));
        const auto closed = bench.tuner().close();
        QVERIFY(!closed);
        QVERIFY(closed.error().code == ErrorCode::disk_full);
        QVERIFY(QString::fromStdString(closed.error().detail)
                    .contains(QRegularExpression(
                        "^[1-9]\\d* records of /home/ada/trialdeck/test could not be written")));
    }

    void whatFailsOverAndOverIsLoggedOnce() {
        TunerBench bench(gridSpec({0.5}));
        bench.model = trains(bench.files, {.iterations = 100});
        bench.files.inject(
            {.operation = Operation::open, .path = "result.json", .times = kForEver, .error = EMFILE});
        bench.begin();
        bench.runFor(std::chrono::seconds(5));
        QCOMPARE(bench.logged.size(), size_t{1});
        bench.files.heal();
        bench.runFor(std::chrono::seconds(1));
        bench.files.inject(
            {.operation = Operation::open, .path = "result.json", .times = kForEver, .error = EMFILE});
        bench.runFor(std::chrono::seconds(1));
        QVERIFY(bench.logged.size() <= 2);
    }

    void noRoomForATrialsFolderPauses() {
        TunerBench bench(gridSpec({0.5}));
        bench.files.inject(
            {.operation = Operation::create, .path = "trial_00000", .times = kForEver, .error = ENOSPC});
        bench.begin();
        bench.runFor(std::chrono::seconds(1));
        QCOMPARE(bench.state(), std::string("PAUSED disk_full"));
        QCOMPARE(bench.trialState(0), std::string("PENDING queued"));
        bench.files.heal();
        QVERIFY(bench.tuner().resume(std::nullopt));
        QVERIFY(bench.run());
        QCOMPARE(bench.state(), std::string("COMPLETED none"));
    }

    void whatIsNoFullDiskKeepsItsOwnName_data() {
        QTest::addColumn<int>("error");
        QTest::addColumn<QString>("state");
        QTest::addColumn<QString>("trial");
        QTest::addColumn<QString>("code");
        const auto row = [](const char* name, int error, const char* state, const char* trial,
                            const char* code) { QTest::newRow(name) << error << state << trial << code; };
        row("full", ENOSPC, "PAUSED disk_full", "PAUSED disk_full", "disk_full");
        row("quota", EDQUOT, "PAUSED disk_full", "PAUSED disk_full", "disk_full");
        row("permission", EACCES, "PAUSED none", "PAUSED interrupted", "file_permission");
        row("read-only", EROFS, "PAUSED none", "PAUSED interrupted", "read_only_storage");
        row("broken", EIO, "PAUSED none", "PAUSED interrupted", "file_io");
    }
    void whatIsNoFullDiskKeepsItsOwnName() {
        QFETCH(int, error);
        QFETCH(QString, state);
        QFETCH(QString, trial);
        QFETCH(QString, code);
        TunerBench bench(gridSpec({0.5}));
        bench.model = trains(bench.files, {.iterations = 4, .checkpointEvery = 2});
        bench.begin();
        bench.runFor(milliseconds(250));
        bench.files.inject(
            {.operation = Operation::append, .path = "journal", .times = kForEver, .error = error});
        bench.runFor(std::chrono::seconds(5));
        QCOMPARE(bench.state(), state.toStdString());
        QCOMPARE(bench.trialState(0), trial.toStdString());
        const auto told = bench.tuner().summary().error;
        QVERIFY(told);
        QCOMPARE(std::string(nameOf(told->code)), code.toStdString());
        QCOMPARE(std::string(nameOf(bench.tuner().resume(std::nullopt).error().code)), code.toStdString());
        bench.files.heal();
        bench.runFor(std::chrono::seconds(15));
        bench.restart();
        QCOMPARE(bench.state(), state.toStdString());
        QVERIFY(bench.tuner().resume(std::nullopt));
        QVERIFY(bench.run());
        QCOMPARE(bench.state(), std::string("COMPLETED none"));
    }

    void noRoomForACheckpointPauses() {
        TunerBench bench(gridSpec({0.5}));
        bench.model = trains(bench.files, {.iterations = 4, .checkpointEvery = 2});
        bench.files.inject({.operation = Operation::rename, .path = "checkpoint_000000", .error = ENOSPC});
        bench.begin();
        bench.runFor(std::chrono::seconds(2));
        QCOMPARE(bench.state(), std::string("PAUSED disk_full"));
        QCOMPARE(bench.story({"warning"}), (Lines{"warning 0 disk_full"}));
    }

    void anExperimentThatAnotherDaemonTookOverSaysSoAndTakesNoCommand() {
        TunerBench bench(gridSpec({0.5}));
        bench.model = trains(bench.files, {.iterations = 10'000});
        bench.begin();
        bench.runFor(milliseconds(250));
        const auto reader = storage::JournalReader::open(bench.files, bench.tuner().folder());
        const auto other = storage::JournalWriter::resume(bench.time.clock(), *reader, bench.tuner().id(),
                                                          {"login2", "boot", 77, 1}, {});
        QVERIFY(other);
        const int told = bench.summaries;
        QVERIFY(bench.runUntil([&bench] { return bench.tuner().summary().missing; }));
        bench.runFor(milliseconds(1));
        QVERIFY(bench.summaries > told);
        const auto error = bench.tuner().summary().error;
        QVERIFY(error && error->code == ErrorCode::experiment_held);
        QCOMPARE(error->arguments.at("host"), std::string("login2"));
        for (const auto& refused : {bench.tuner().pause(std::nullopt, tuner::PauseMode::afterCheckpoint),
                                    bench.tuner().resume(std::nullopt), bench.tuner().stop(TrialId(0))}) {
            QVERIFY(!refused);
            QVERIFY(refused.error().code == ErrorCode::experiment_held);
        }
    }

    void anExperimentWhoseFolderVanishesIsMissingAndItsWorkersStop() {
        TunerBench bench(gridSpec({0.5, 0.25}));
        bench.model = trains(bench.files, {.iterations = 10'000});
        bench.begin();
        bench.runFor(milliseconds(250));
        QCOMPARE(bench.engine().running().size(), size_t{2});
        QVERIFY(bench.disk.removeAll(bench.folder));
        const int told = bench.summaries;
        QVERIFY(bench.runUntil([&bench] { return bench.tuner().summary().missing; }));
        bench.runFor(std::chrono::seconds(1));
        QVERIFY(bench.summaries > told);
        QVERIFY(bench.engine().running().empty());
        const auto error = bench.tuner().summary().error;
        QVERIFY(error && error->code == ErrorCode::experiment_missing);
        QCOMPARE(error->arguments.at("path"), bench.folder.native());
        for (const auto& refused : {bench.tuner().pause(std::nullopt, tuner::PauseMode::afterCheckpoint),
                                    bench.tuner().resume(std::nullopt), bench.tuner().stop(std::nullopt)})
            QVERIFY(refused.error().code == ErrorCode::experiment_missing);
        (void)bench.tuner().close();
        QVERIFY(!base::exists(bench.files, bench.folder / "experiment.yaml"));
    }

    void aFolderThatCannotBeLookedAtIsNotMissing() {
        TunerBench bench(gridSpec({0.5}));
        bench.model = trains(bench.files, {.iterations = 300});
        bench.begin();
        bench.files.inject(
            {.operation = Operation::status, .path = "journal", .times = kForEver, .error = EIO});
        QVERIFY(bench.run());
        QCOMPARE(bench.state(), std::string("COMPLETED none"));
    }

    void aFolderThatCannotBeMadeLeavesNothing() {
        TunerBench bench(gridSpec({0.5}));
        bench.files.inject({.operation = Operation::append, .path = "journal", .error = ENOSPC});
        QCOMPARE(bench.tryBegin(), std::string("disk_full"));
        QVERIFY(!base::exists(bench.files, "/home/ada/trialdeck/test"));
        QCOMPARE(bench.tryBegin(), std::string("done"));
        QCOMPARE(bench.tryBegin(), std::string("experiment_name_taken"));
    }
};

QTEST_APPLESS_MAIN(DiskTest)
#include "disk_test.moc"

// SPDX-License-Identifier: Apache-2.0
// Checkpoints: from the folder that a report names to the attempt that goes on from it.
#include "tests/unit/tuner/tuner_bench.h"

using namespace trialdeck;
using namespace trialdeck::tests;
using tuner::PauseMode;

namespace {

constexpr const char* kTrial = "/home/ada/trialdeck/test/trial_00000";

Act writes(std::string name, int64_t weights, int after = 10) {
    return {Act::Kind::checkpoint, std::chrono::milliseconds(after), std::move(name), weights};
}

} // namespace

class CheckpointsTest : public QObject {
    Q_OBJECT
private slots:
    void aNamedFolderBecomesTheNextCheckpoint() {
        TunerBench bench(gridSpec({0.5}));
        bench.model = does({writes("a", 7), reports(R"({"loss":2,"checkpoint":"a"})"), writes("b", 8),
                            reports(R"({"loss":1,"checkpoint":"b"})"), exits()});
        bench.begin();
        QVERIFY(bench.run());
        QCOMPARE(bench.story({"report", "checkpoint"}),
                 (Lines{"report 0/0 #1 loss=2 checkpoint=a", "checkpoint 0 0 #1 weights.txt",
                        "report 0/0 #2 loss=1 checkpoint=b", "checkpoint 0 1 #2 weights.txt"}));
        QCOMPARE(bench.disk.content(base::Path(kTrial) / "checkpoint_000001/weights.txt").value(),
                 std::string("8"));
        QVERIFY(!bench.disk.content(base::Path(kTrial) / "attempt_0/rank_0/b/weights.txt"));
    }

    void aSecondOneOfTheSameIterationReplacesTheFirst() {
        TunerBench bench(gridSpec({0.5}));
        bench.model = does({writes("a", 7), writes("b", 8), reports(R"({"loss":2,"checkpoint":"a"})"),
                            reports(R"({"training_iteration":1,"loss":2,"checkpoint":"b"})", 0), exits()});
        bench.begin();
        QVERIFY(bench.run());
        QCOMPARE(bench.story({"checkpoint"}),
                 (Lines{"checkpoint 0 0 #1 weights.txt", "checkpoint 0 0 #1 weights.txt"}));
        QCOMPARE(bench.disk.content(base::Path(kTrial) / "checkpoint_000000/weights.txt").value(),
                 std::string("8"));
    }

    void whatIsNoFileIsNamedInTheLog() {
        TunerBench bench(gridSpec({0.5}));
        bench.model = [&bench](const engine::AttemptRequest& request, uint32_t) {
            bench.disk.putOther(request.attemptFolder / "rank_0/a/latest", base::FileType::link);
            return Script{{writes("a", 7), reports(R"({"loss":2,"checkpoint":"a"})"), exits()}};
        };
        bench.begin();
        QVERIFY(bench.run());
        QCOMPARE(bench.logged,
                 (Lines{"/home/ada/trialdeck/test: checkpoint 0 of trial 0 has what is no file and "
                        "not in its manifest: latest"}));
    }

    void theEndWaitsForTheLastCheckpoint() {
        TunerBench bench(gridSpec({0.5}));
        bench.model = does({writes("a", 7), reports(R"({"loss":2,"checkpoint":"a"})"), exits(0, 0)});
        bench.begin();
        QVERIFY(bench.run());
        QCOMPARE(bench.story({"checkpoint", "worker_end", "state"}),
                 (Lines{"state 0 RUNNING none", "worker_end 0/0 exit 0", "checkpoint 0 0 #1 weights.txt",
                        "state 0 TERMINATED completed"}));
    }

    void aFolderThatIsNotThereIsSaidAndTheTrialGoesOn() {
        TunerBench bench(gridSpec({0.5}));
        bench.model =
            does({reports(R"({"loss":2,"checkpoint":"gone"})"),
                  reports(R"({"loss":2,"checkpoint":"../out"})"), reports(R"({"loss":1})"), exits()});
        bench.begin();
        QVERIFY(bench.run());
        QCOMPARE(
            bench.story({"report", "warning", "state"}),
            (Lines{"state 0 RUNNING none", "report 0/0 #1 loss=2 checkpoint=gone",
                   "warning 0 checkpoint_missing", "report 0/0 #2 loss=2", "warning 0 checkpoint_bad_name",
                   "report 0/0 #3 loss=1", "state 0 TERMINATED completed"}));
    }

    void eachFolderThatIsNotThereIsLookedForOnce() {
        TunerBench bench(gridSpec({0.5}));
        bench.model =
            does({reports(R"({"loss":3,"checkpoint":"gone"})"), reports(R"({"loss":2,"checkpoint":"gone2"})"),
                  reports(R"({"loss":1,"checkpoint":"gone3"})"), exits()});
        bench.begin();
        QVERIFY(bench.run());
        Lines counts;
        for (const protocol::Record& record : bench.records()) {
            if (const auto* warning = std::get_if<protocol::WarningRaised>(&record.body))
                counts.push_back(warning->error.arguments.at("count"));
        }
        QCOMPARE(counts, (Lines{"1", "3"}));
    }

    void anEmptyFolderOfAnotherRankIsTakenOnce() {
        auto spec = gridSpec({0.5});
        spec->trial.numWorkers = {2, 2};
        TunerBench bench(spec);
        bench.model = [&bench](const engine::AttemptRequest& request, uint32_t rank) {
            if (rank == 1) {
                (void)bench.disk.createDirectories(request.attemptFolder / "rank_1" / "a");
                return Script{{reports(R"({"loss":2,"checkpoint":"a"})"), exits()}};
            }
            return Script{{writes("a", 7), reports(R"({"loss":2,"checkpoint":"a"})"), exits()}};
        };
        bench.begin();
        QVERIFY(bench.run());
        const Lines told = bench.story({"checkpoint", "warning"});
        QVERIFY(!told.empty() && told.size() <= 2);
        QVERIFY(std::count(told.begin(), told.end(), "checkpoint 0 0 #1 weights.txt") ==
                std::ptrdiff_t(told.size()));
        QCOMPARE(bench.trialState(0), std::string("TERMINATED completed"));
    }

    void aPauseEndsTheTrialAfterItsNextCheckpoint() {
        TunerBench bench(gridSpec({0.5}));
        bench.model = trains(bench.files, {.iterations = 6, .checkpointEvery = 2});
        bench.begin();
        bench.runFor(std::chrono::milliseconds(150));
        QVERIFY(bench.tuner().pause(std::nullopt, PauseMode::afterCheckpoint));
        QVERIFY(!bench.run());
        QCOMPARE(bench.state(), std::string("PAUSED user"));
        QCOMPARE(bench.trialState(0), std::string("PAUSED user_paused"));
        QVERIFY(bench.tuner().resume(std::nullopt));
        QVERIFY(bench.run());
        QCOMPARE(bench.story({"attempt", "report", "state", "experiment_state"}),
                 (Lines{
                     "attempt 0/0",
                     "attempt 0/0 on node-1",
                     "state 0 RUNNING none",
                     "report 0/0 #1 loss=1.0",
                     "experiment_state PAUSED user",
                     "state 0 RUNNING user_paused",
                     "report 0/0 #2 loss=0.5 checkpoint=epoch_2",
                     "state 0 PAUSED user_paused",
                     "experiment_state RUNNING none",
                     "state 0 PENDING queued",
                     "attempt 0/1 from checkpoint 0 behind #2",
                     "attempt 0/1 from checkpoint 0 behind #2 on node-1",
                     "state 0 RUNNING none",
                     "report 0/1 #3 loss=0.3333333333333333",
                     "report 0/1 #4 loss=0.25 checkpoint=epoch_4",
                     "report 0/1 #5 loss=0.2",
                     "report 0/1 #6 loss=0.16666666666666666 checkpoint=epoch_6",
                     "state 0 TERMINATED completed",
                     "experiment_state COMPLETED none",
                 }));
        const engine::AttemptRequest& again = bench.machine().started().at(1);
        QCOMPARE(again.environment.at("TRIALDECK_RESUME_FROM"), std::string(kTrial) + "/checkpoint_000000");
    }

    void aPauseIsRememberedOverADeath() {
        TunerBench bench(gridSpec({0.5}));
        bench.model = trains(bench.files, {.iterations = 6, .checkpointEvery = 3});
        bench.begin();
        bench.runFor(std::chrono::milliseconds(150));
        QVERIFY(bench.tuner().pause(TrialId(0), PauseMode::afterCheckpoint));
        bench.restart();
        QVERIFY(!bench.run());
        QCOMPARE(bench.trialState(0), std::string("PAUSED user_paused"));
        QCOMPARE(bench.story({"report"}).size(), size_t{3});
    }

    void repeatedIterationsBelongToTheNewAttemptAndAreNotJudgedAgain() {
        auto spec = gridSpec({0.5});
        spec->scheduler.type = model::SchedulerType::asha;
        spec->scheduler.maxT = 9;
        spec->scheduler.gracePeriod = 2;
        TunerBench bench(spec);
        bench.model = trains(bench.files, {.iterations = 3, .checkpointEvery = 4});
        bench.begin();
        bench.runFor(std::chrono::milliseconds(250));
        QVERIFY(bench.tuner().pause(std::nullopt, PauseMode::withoutCheckpoint));
        QVERIFY(!bench.run());
        QVERIFY(bench.tuner().resume(std::nullopt));
        QVERIFY(bench.run());
        QCOMPARE(bench.story({"report", "decision"}),
                 (Lines{"report 0/0 #1 loss=1.0", "report 0/0 #2 loss=0.5",
                        "decision 0 #2 continue by scheduler", "report 0/1 #1 loss=1.0",
                        "report 0/1 #2 loss=0.5", "report 0/1 #3 loss=0.3333333333333333"}));
        QCOMPARE(bench.tuner().experiment().find(TrialId(0))->curve().size(), size_t{3});
    }

    void otherRanksFoldersJoinRank0s() {
        auto spec = gridSpec({0.5});
        spec->trial.numWorkers = {2, 2};
        TunerBench bench(spec);
        bench.model = [](const engine::AttemptRequest&, uint32_t rank) {
            // Rank 1 is a little behind in every iteration.
            const int behind = rank == 0 ? 0 : 30;
            return Script{{writes("a", 10 + rank, 10 + behind), reports(R"({"loss":2,"checkpoint":"a"})", 0),
                           writes("b", 20 + rank, 50), reports(R"({"loss":2,"checkpoint":"b"})", 0),
                           exits()}};
        };
        bench.begin();
        QVERIFY(bench.run());
        // Nobody knows yet at the first one that rank 1 writes any; it grows. For the second one rank 1 is
        // waited for.
        QCOMPARE(bench.story({"checkpoint", "warning"}),
                 (Lines{"checkpoint 0 0 #1 weights.txt", "checkpoint 0 0 #1 rank_1/weights.txt weights.txt",
                        "checkpoint 0 1 #2 rank_1/weights.txt weights.txt"}));
        QCOMPARE(bench.tuner().experiment().find(TrialId(0))->checkpoints().size(), size_t{2});
    }

    void aRankThatNeverComesIsNotWaitedForLong() {
        auto spec = gridSpec({0.5});
        spec->trial.numWorkers = {2, 2};
        TunerBench bench(spec);
        bench.model = [](const engine::AttemptRequest&, uint32_t rank) {
            std::vector<Act> acts = {writes("a", 1), reports(R"({"loss":2,"checkpoint":"a"})", 0)};
            if (rank == 0) {
                acts.push_back(writes("b", 2, 100));
                acts.push_back(reports(R"({"loss":2,"checkpoint":"b"})", 0));
            }
            acts.push_back(exits(0, 60'000));
            return Script{acts};
        };
        bench.begin();
        bench.runFor(std::chrono::seconds(5));
        QCOMPARE(bench.story({"checkpoint"}).back(),
                 std::string("checkpoint 0 0 #1 rank_1/weights.txt weights.txt"));
        bench.runFor(std::chrono::seconds(10));
        QCOMPARE(bench.story({"checkpoint"}).back(), std::string("checkpoint 0 1 #2 weights.txt"));
        QVERIFY(bench.run());
    }

    void aCheckpointOfAnotherRankAloneIsSaidToBeNone() {
        auto spec = gridSpec({0.5});
        spec->trial.numWorkers = {2, 2};
        TunerBench bench(spec);
        bench.model = [](const engine::AttemptRequest&, uint32_t rank) {
            if (rank == 0)
                return Script{{reports(R"({"loss":2})"), exits()}};
            return Script{{writes("a", 1), reports(R"({"checkpoint":"a"})"), exits()}};
        };
        bench.begin();
        QVERIFY(bench.run());
        QCOMPARE(bench.story({"checkpoint", "warning"}), (Lines{"warning 0 checkpoint_missing"}));
    }
};

QTEST_APPLESS_MAIN(CheckpointsTest)
#include "checkpoints_test.moc"

// SPDX-License-Identifier: Apache-2.0
// Attempts that fail or are lost, and what is done about it.
#include "core/tuner/attempt_outcome.h"
#include "core/tuner/checkpoint_retention.h"
#include "tests/unit/tuner/tuner_bench.h"

#include <csignal>

using namespace trialdeck;
using namespace trialdeck::tests;
using std::chrono::milliseconds;
using std::chrono::seconds;

namespace {

constexpr const char* kTrial = "/home/ada/trialdeck/test/trial_00000";

std::shared_ptr<model::ExperimentSpec> retried(int64_t maxFailures, std::vector<Value> values = {0.5}) {
    auto spec = gridSpec(std::move(values));
    spec->failure.maxFailures = maxFailures;
    return spec;
}

/// Trains; each of the first `failing` attempts dies after so many iterations of its own.
TrialModel diesAfter(base::FileSystem& files, uint32_t failing, size_t iterations, Training training) {
    const TrialModel trained = trains(files, training);
    return [=](const engine::AttemptRequest& request, uint32_t rank) {
        Script script = trained(request, rank);
        if (request.key.attempt >= failing)
            return script;
        const auto isReport = [](const Act& act) { return act.kind == Act::Kind::report; };
        size_t reports = 0;
        for (size_t i = 0; i < script.acts.size(); ++i) {
            if (reports == iterations) {
                script.acts.resize(i);
                break;
            }
            reports += isReport(script.acts[i]) ? 1 : 0;
        }
        script.acts.push_back({Act::Kind::die, milliseconds(50), {}, SIGSEGV});
        return script;
    };
}

/// Seconds between the end of each attempt and the start of the next.
std::vector<int64_t> waits(TunerBench& bench) {
    std::vector<int64_t> found;
    base::WallTime ended;
    for (const protocol::Record& record : bench.records()) {
        if (const auto* state = std::get_if<protocol::TrialStateChanged>(&record.body);
            state && state->reason == TrialReason::retry)
            ended = record.time;
        else if (const auto* started = std::get_if<protocol::AttemptStarted>(&record.body);
                 started && started->node.empty() && started->attempt.raw() > 0)
            found.push_back(std::chrono::round<seconds>(record.time - ended).count());
    }
    return found;
}

model::Trial withCheckpoints(std::vector<std::optional<double>> scores) {
    model::Trial trial(TrialId(0), model::Configuration(), 1);
    for (uint32_t i = 0; i < scores.size(); ++i)
        trial.addCheckpoint({CheckpointIndex(i), AttemptNumber(0), i + 1, scores[i]});
    return trial;
}

QString indices(const std::vector<CheckpointIndex>& found) {
    QStringList words;
    for (const CheckpointIndex index : found)
        words << QString::number(index.raw());
    return words.join(' ');
}

} // namespace

class FailuresTest : public QObject {
    Q_OBJECT
private slots:
    void aFailedTrialGoesOnFromItsNewestCheckpoint() {
        TunerBench bench(retried(1));
        bench.model = diesAfter(bench.files, 1, 3, {.iterations = 4, .checkpointEvery = 2});
        bench.begin();
        QVERIFY(bench.run());
        QCOMPARE(bench.story({"attempt", "state", "experiment_state"}),
                 (Lines{"attempt 0/0", "attempt 0/0 on node-1", "state 0 RUNNING none",
                        "state 0 PENDING retry worker_signal", "attempt 0/1 from checkpoint 0 behind #2",
                        "attempt 0/1 from checkpoint 0 behind #2 on node-1", "state 0 RUNNING none",
                        "state 0 TERMINATED completed", "experiment_state COMPLETED none"}));
    }

    void withoutACheckpointItStartsAgain() {
        TunerBench bench(retried(1));
        bench.model = diesAfter(bench.files, 1, 2, {.iterations = 3});
        bench.begin();
        QVERIFY(bench.run());
        QCOMPARE(bench.trialState(0), std::string("TERMINATED completed"));
        QCOMPARE(bench.story({"report"}).size(), size_t{5});
        QCOMPARE(bench.tuner().experiment().find(TrialId(0))->curve().size(), size_t{3});
    }

    void afterMaxFailuresItIsAnError() {
        TunerBench bench(retried(2));
        bench.model = does({reports(R"({"loss":1})"), exits(3)});
        bench.begin();
        QVERIFY(bench.run());
        QCOMPARE(bench.story({"state"}), (Lines{"state 0 RUNNING none", "state 0 PENDING retry worker_exit",
                                                "state 0 RUNNING none", "state 0 PENDING retry worker_exit",
                                                "state 0 RUNNING none", "state 0 ERROR exit worker_exit"}));
    }

    void theFirstRetryIsAtOnceAndTheNextOnesWaitLonger() {
        TunerBench bench(retried(8));
        bench.model = does({exits(3)});
        bench.begin();
        QVERIFY(bench.run());
        QCOMPARE(waits(bench), (std::vector<int64_t>{0, 5, 10, 20, 40, 80, 160, 300}));
    }

    void aCheckpointBeginsTheWaitsAnew() {
        TunerBench bench(retried(-1));
        bench.model = diesAfter(bench.files, 3, 1, {.iterations = 4, .checkpointEvery = 1});
        bench.begin();
        QVERIFY(bench.run());
        QCOMPARE(bench.trialState(0), std::string("TERMINATED completed"));
        QCOMPARE(waits(bench), (std::vector<int64_t>{0, 0, 0}));
    }

    void whileOneWaitsTheOthersGoOn() {
        auto spec = retried(2, {0.1, 0.2});
        spec->search.maxConcurrentTrials = 1;
        TunerBench bench(spec);
        bench.model = [](const engine::AttemptRequest& request, uint32_t) {
            return request.key.trial == 0 ? Script{{exits(3)}} : Script{{reports(R"({"loss":1})"), exits()}};
        };
        bench.begin();
        QVERIFY(bench.run());
        const Lines states = bench.story({"state"});
        const auto at = [&states](const char* line) {
            return std::find(states.begin(), states.end(), line) - states.begin();
        };
        QVERIFY(at("state 1 TERMINATED completed") < at("state 0 ERROR exit worker_exit"));
    }

    void theOutOfMemoryKillerCounts() {
        TunerBench bench(retried(1));
        bench.model = does({reports(R"({"loss":1})"), {Act::Kind::outOfMemory}});
        bench.begin();
        QVERIFY(bench.run());
        QCOMPARE(bench.story({"state"}),
                 (Lines{"state 0 RUNNING none", "state 0 PENDING retry worker_out_of_memory",
                        "state 0 RUNNING none", "state 0 ERROR oom worker_out_of_memory"}));
    }

    void silenceIsAFailureThatIsRetried() {
        auto spec = retried(1);
        spec->trial.noReportTimeout = seconds(1);
        TunerBench bench(spec);
        bench.model = does({reports(R"({"loss":1})"), exits(0, 5000)});
        bench.begin();
        QVERIFY(bench.run());
        QCOMPARE(bench.story({"state"}),
                 (Lines{"state 0 RUNNING none", "state 0 RUNNING no_report no_report",
                        "state 0 PENDING retry no_report", "state 0 RUNNING none",
                        "state 0 RUNNING no_report no_report", "state 0 ERROR no_report no_report"}));
    }

    void aNanIsRetriedFromACheckpointOnly_data() {
        QTest::addColumn<bool>("withCheckpoint");
        QTest::addColumn<QString>("state");
        QTest::newRow("from scratch it would come again") << false << "ERROR nan";
        QTest::newRow("from a checkpoint") << true << "TERMINATED completed";
    }
    void aNanIsRetriedFromACheckpointOnly() {
        QFETCH(bool, withCheckpoint);
        QFETCH(QString, state);
        auto spec = retried(1);
        spec->trial.onNan = model::OnNan::fail;
        TunerBench bench(spec);
        bench.model = [withCheckpoint](const engine::AttemptRequest& request, uint32_t) {
            Script script;
            if (request.key.attempt > 0)
                return Script{{reports(R"({"loss":1})"), exits()}};
            if (withCheckpoint)
                script.acts = {{Act::Kind::checkpoint, milliseconds(10), "a", 1},
                               reports(R"({"loss":2,"checkpoint":"a"})")};
            script.acts.push_back(reports(R"({"loss":NaN})"));
            script.acts.push_back(exits(0, 9999));
            return script;
        };
        bench.begin();
        QVERIFY(bench.run());
        QCOMPARE(bench.trialState(0), state.toStdString());
    }

    void aLostMachineNeverUsesUpTheRetries() {
        TunerBench bench(retried(0));
        bench.begin();
        for (int i = 0; i < 3; ++i) {
            bench.runUntil([&] { return bench.trialState(0) == "RUNNING none"; });
            bench.kill();
            bench.machine().powerCut();
            bench.restart();
            bench.runUntil([&] { return bench.trialState(0) != "RUNNING none"; });
            QCOMPARE(bench.trialState(0), std::string("PENDING preempted"));
        }
        QVERIFY(bench.run());
        QCOMPARE(bench.state(), std::string("COMPLETED none"));
    }

    void lostMachinesAreCountedWhereTheUserSaysSo() {
        auto spec = retried(5);
        spec->failure.maxPreemptionFailures = 0;
        TunerBench bench(spec);
        bench.begin();
        bench.runFor(milliseconds(150));
        bench.kill();
        bench.machine().powerCut();
        bench.restart();
        QVERIFY(bench.run());
        QCOMPARE(bench.trialState(0), std::string("ERROR lost"));
    }

    void failFastStopsTheOthers() {
        auto spec = gridSpec({0.1, 0.2, 0.3});
        spec->failure.failFast = true;
        TunerBench bench(spec, 2);
        bench.model = [](const engine::AttemptRequest& request, uint32_t) {
            return request.key.trial == 0 ? Script{{exits(3)}} : Script{{exits(0, 9999)}};
        };
        bench.begin();
        QVERIFY(bench.run());
        QCOMPARE(bench.state(), std::string("FAILED fail_fast"));
        QCOMPARE(bench.trialState(0), std::string("ERROR exit"));
        QCOMPARE(bench.trialState(1), std::string("PAUSED interrupted"));
        QCOMPARE(bench.tuner().experiment().error()->code, ErrorCode::worker_exit);
    }

    void aDamagedCheckpointIsToldAndTheOneBeforeIsTaken() {
        TunerBench bench(retried(1));
        bench.model = diesAfter(bench.files, 1, 2, {.iterations = 3, .checkpointEvery = 1});
        bench.begin();
        bench.runUntil([&] {
            const model::Trial* trial = bench.tuner().experiment().find(TrialId(0));
            return trial && trial->checkpoints().size() == 2;
        });
        bench.disk.put(base::Path(kTrial) / "checkpoint_000001/weights.txt", "x");
        QVERIFY(bench.run());
        QCOMPARE(bench.story({"warning", "checkpoint_unusable", "state"}),
                 (Lines{"state 0 RUNNING none", "state 0 PENDING retry worker_signal",
                        "warning 0 checkpoint_damaged", "checkpoint_unusable 0 1 checkpoint_damaged",
                        "state 0 RUNNING none", "state 0 TERMINATED completed"}));
        QCOMPARE(bench.machine().started().back().environment.at("TRIALDECK_RESUME_FROM"),
                 std::string(kTrial) + "/checkpoint_000000");
    }

    void aCheckpointOfWhichTheProgramDiesTwiceIsGivenUp() {
        TunerBench bench(retried(-1));
        bench.model = [&bench](const engine::AttemptRequest& request, uint32_t rank) {
            const std::string& from = request.environment.at("TRIALDECK_RESUME_FROM");
            if (from.ends_with("checkpoint_000001"))
                return Script{{exits(7)}};
            const bool first = request.key.attempt == 0;
            return diesAfter(bench.files, first ? 1 : 0, 2, {.iterations = 3, .checkpointEvery = 1})(request,
                                                                                                     rank);
        };
        bench.begin();
        QVERIFY(bench.run());
        QCOMPARE(bench.trialState(0), std::string("TERMINATED completed"));
        QCOMPARE(bench.story({"checkpoint_unusable"}),
                 (Lines{"checkpoint_unusable 0 1 checkpoint_fruitless"}));
        QCOMPARE(bench.machine().started().size(), size_t{4});
    }

    void onlyTheNewestAreKept() {
        auto spec = gridSpec({0.5});
        spec->checkpoint.numToKeep = 2;
        TunerBench bench(spec);
        bench.model = trains(bench.files, {.iterations = 5, .checkpointEvery = 1});
        bench.begin();
        QVERIFY(bench.run());
        QCOMPARE(bench.story({"checkpoint_removed"}),
                 (Lines{"checkpoint_removed 0 0", "checkpoint_removed 0 1", "checkpoint_removed 0 2"}));
        for (const char* gone : {"checkpoint_000002/weights.txt", "checkpoint_000002.manifest.json"})
            QVERIFY2(!bench.disk.content(base::Path(kTrial) / gone), gone);
        QVERIFY(bench.disk.content(base::Path(kTrial) / "checkpoint_000003/weights.txt"));
    }

    void theBestAreKeptAndTheNewestBesideThem_data() {
        QTest::addColumn<int>("kept");
        QTest::addColumn<bool>("max");
        QTest::addColumn<QString>("surplus");
        QTest::newRow("largest") << 1 << true << "0 1";
        QTest::newRow("smallest") << 1 << false << "0 2";
        QTest::newRow("two, NaN and missing are worst") << 2 << true << "1";
        QTest::newRow("all") << 4 << true << "";
    }
    void theBestAreKeptAndTheNewestBesideThem() {
        QFETCH(int, kept);
        QFETCH(bool, max);
        QFETCH(QString, surplus);
        model::CheckpointSpec spec;
        spec.numToKeep = kept;
        spec.scoreAttribute = "accuracy";
        spec.scoreOrder = max ? model::Mode::max : model::Mode::min;
        QCOMPARE(indices(tuner::surplusCheckpoints(withCheckpoints({0.5, 0.1, 0.9, std::nullopt}), spec)),
                 surplus);
    }

    void anUnusableOneIsNotCountedAndStays() {
        model::CheckpointSpec spec;
        spec.numToKeep = 1;
        model::Trial trial = withCheckpoints({{}, {}, {}});
        trial.markUnusable(CheckpointIndex(2));
        QCOMPARE(indices(tuner::surplusCheckpoints(trial, spec)), QStringLiteral("0"));
    }

    void theRetrySaysFromWhereItGoesOn() {
        TunerBench bench(retried(1, {0.1}), 1);
        bench.model = diesAfter(bench.files, 1, 2, {.iterations = 3, .checkpointEvery = 1});
        bench.begin();
        QVERIFY(bench.run());
        for (const protocol::Record& record : bench.records()) {
            const auto* state = std::get_if<protocol::TrialStateChanged>(&record.body);
            if (!state || state->reason != TrialReason::retry)
                continue;
            QCOMPARE(state->resumeFrom, std::optional(CheckpointIndex(1)));
            QVERIFY(!state->notBefore);
            return;
        }
        QFAIL("it was not retried");
    }
};

QTEST_APPLESS_MAIN(FailuresTest)
#include "failures_test.moc"

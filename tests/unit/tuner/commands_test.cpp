// SPDX-License-Identifier: Apache-2.0
// Pause, resume and stop, of the experiment and of one trial.
#include "tests/unit/tuner/tuner_bench.h"

using namespace trialdeck;
using namespace trialdeck::tests;
using std::chrono::milliseconds;
using tuner::PauseMode;

namespace {

std::string codeOf(const Expected<void>& result) {
    return result ? "done" : std::string(base::nameOf(result.error().code));
}

/// Three trials, two at a time, ten iterations of 100 ms with a checkpoint each second one.
struct Running {
    Running() : bench(spec()) {
        bench.model = trains(bench.files, {.iterations = 10, .checkpointEvery = 2});
        bench.begin();
        bench.runFor(milliseconds(150));
    }
    static std::shared_ptr<model::ExperimentSpec> spec() {
        auto spec = gridSpec({0.1, 0.2, 0.3});
        spec->search.maxConcurrentTrials = 2;
        return spec;
    }
    TunerBench bench;
};

/// The same, paused: both trials have their checkpoint and take the whole stop_grace_s of 1 s to end.
struct Ending {
    Ending() : bench(spec()) {
        bench.model = trains(bench.files,
                             {.iterations = 20, .checkpointEvery = 2, .onTerminate = OnTerminate::ignores});
        bench.begin();
        bench.runFor(milliseconds(150));
        (void)bench.tuner().pause(std::nullopt, PauseMode::afterCheckpoint);
        bench.runFor(milliseconds(500));
    }
    static std::shared_ptr<model::ExperimentSpec> spec() {
        auto spec = Running::spec();
        spec->trial.stopGrace = std::chrono::seconds(1);
        return spec;
    }
    TunerBench bench;
};

} // namespace

class CommandsTest : public QObject {
    Q_OBJECT
private slots:
    void nothingStartsWhileTheExperimentIsPaused() {
        Running running;
        TunerBench& bench = running.bench;
        QVERIFY(bench.tuner().pause(std::nullopt, PauseMode::afterCheckpoint));
        QVERIFY(!bench.run());
        QCOMPARE(bench.state(), std::string("PAUSED user"));
        QCOMPARE(bench.trialState(0), std::string("PAUSED user_paused"));
        QCOMPARE(bench.trialState(1), std::string("PAUSED user_paused"));
        QCOMPARE(bench.trialState(2), std::string("none"));
        QVERIFY(bench.tuner().resume(std::nullopt));
        QVERIFY(bench.run());
        QCOMPARE(bench.state(), std::string("COMPLETED none"));
        QCOMPARE(bench.story({"report"}).size(), size_t{30});
    }

    void aPausedExperimentStaysPausedOverADeath() {
        Running running;
        TunerBench& bench = running.bench;
        QVERIFY(bench.tuner().pause(std::nullopt, PauseMode::afterCheckpoint));
        bench.restart();
        QVERIFY(!bench.run());
        QCOMPARE(bench.state(), std::string("PAUSED user"));
        QCOMPARE(bench.trialState(1), std::string("PAUSED user_paused"));
        bench.restart();
        QVERIFY(bench.tuner().resume(std::nullopt));
        QVERIFY(bench.run());
    }

    void aTrialWithoutACheckpointIsPausedNowWhereThatIsWanted() {
        Running running;
        TunerBench& bench = running.bench;
        QVERIFY(bench.tuner().pause(TrialId(0), PauseMode::afterCheckpoint));
        QVERIFY(bench.tuner().pause(TrialId(1), PauseMode::withoutCheckpoint));
        bench.runFor(milliseconds(10));
        QCOMPARE(bench.trialState(0), std::string("RUNNING user_paused"));
        QCOMPARE(bench.trialState(1), std::string("PAUSED user_paused"));
        QCOMPARE(bench.trialState(2), std::string("RUNNING none"));
        QVERIFY(bench.tuner().resume(TrialId(1)));
        QVERIFY(!bench.run());
        const Lines attempts = bench.story({"attempt"});
        QVERIFY(std::find(attempts.begin(), attempts.end(), "attempt 1/1 on node-1") != attempts.end());
    }

    void aPauseThatStillWaitsIsTakenBack() {
        Running running;
        TunerBench& bench = running.bench;
        QVERIFY(bench.tuner().pause(TrialId(0), PauseMode::afterCheckpoint));
        QVERIFY(bench.tuner().resume(TrialId(0)));
        QVERIFY(bench.run());
        QCOMPARE(bench.trialState(0), std::string("TERMINATED completed"));
        QCOMPARE(bench.story({"attempt"}).size(), size_t{6});
    }

    void aResumeIsNotLostWhileAPauseEndsTheWorkers() {
        Ending ending;
        TunerBench& bench = ending.bench;
        QVERIFY(bench.tuner().resume(std::nullopt));
        QCOMPARE(bench.state(), std::string("RUNNING none"));
        QCOMPARE(bench.trialState(0), std::string("RUNNING queued"));
        QVERIFY(bench.run());
        QCOMPARE(bench.state(), std::string("COMPLETED none"));
        QCOMPARE(bench.story({"experiment_state"}),
                 (Lines{"experiment_state PAUSED user", "experiment_state RUNNING none",
                        "experiment_state COMPLETED none"}));
        const Lines attempts = bench.story({"attempt"});
        QVERIFY(std::any_of(attempts.begin(), attempts.end(), [](const std::string& line) {
            return line.starts_with("attempt 0/1 from checkpoint");
        }));
    }

    void aResumeWhileWorkersEndGoesOnOverADeath() {
        Ending ending;
        TunerBench& bench = ending.bench;
        QVERIFY(bench.tuner().resume(std::nullopt));
        bench.restart();
        QVERIFY(bench.run());
        QCOMPARE(bench.state(), std::string("COMPLETED none"));
    }

    void aTrialThatIsEndingForAPauseCanBeResumedPausedAgainAndStopped() {
        Ending ending;
        TunerBench& bench = ending.bench;
        tuner::Tuner& tuner = bench.tuner();
        QVERIFY(tuner.resume(TrialId(0)));
        QCOMPARE(codeOf(tuner.resume(TrialId(0))), std::string("wrong_state"));
        QVERIFY(tuner.resume(TrialId(1)));
        QVERIFY(tuner.pause(TrialId(0), PauseMode::afterCheckpoint));
        QCOMPARE(codeOf(tuner.pause(TrialId(0), PauseMode::afterCheckpoint)), std::string("wrong_state"));
        QVERIFY(tuner.stop(TrialId(1)));
        bench.runFor(std::chrono::seconds(2));
        QCOMPARE(bench.trialState(0), std::string("PAUSED user_paused"));
        QCOMPARE(bench.trialState(1), std::string("TERMINATED user"));
    }

    void aStopWhileAPauseIsTakenBackInterrupts() {
        Ending ending;
        TunerBench& bench = ending.bench;
        QVERIFY(bench.tuner().resume(std::nullopt));
        QVERIFY(bench.tuner().stop(std::nullopt));
        QCOMPARE(codeOf(bench.tuner().resume(TrialId(0))), std::string("wrong_state"));
        QVERIFY(bench.run());
        QCOMPARE(bench.state(), std::string("INTERRUPTED user"));
        QCOMPARE(bench.trialState(0), std::string("PAUSED interrupted"));
    }

    void whereOnlyPausedTrialsAreLeftTheExperimentIsPaused() {
        Running running;
        TunerBench& bench = running.bench;
        QVERIFY(bench.tuner().pause(TrialId(0), PauseMode::afterCheckpoint));
        QVERIFY(!bench.run());
        QCOMPARE(bench.state(), std::string("PAUSED user"));
        QCOMPARE(bench.trialState(2), std::string("TERMINATED completed"));
        QVERIFY(bench.tuner().resume(TrialId(0)));
        QVERIFY(bench.run());
        QCOMPARE(bench.state(), std::string("COMPLETED none"));
    }

    void aTrialThatEndsBeforeItsCheckpointHasEnded() {
        TunerBench bench(gridSpec({0.1}));
        bench.begin();
        bench.runFor(milliseconds(150));
        QVERIFY(bench.tuner().pause(std::nullopt, PauseMode::afterCheckpoint));
        QVERIFY(bench.run());
        QCOMPARE(bench.trialState(0), std::string("TERMINATED completed"));
        QCOMPARE(bench.state(), std::string("COMPLETED none"));
    }

    void aStoppedTrialIsTerminatedByTheUser() {
        Running running;
        TunerBench& bench = running.bench;
        QVERIFY(bench.tuner().stop(TrialId(1)));
        QVERIFY(bench.run());
        QCOMPARE(bench.trialState(1), std::string("TERMINATED user"));
        QCOMPARE(bench.trialState(2), std::string("TERMINATED completed"));
        QCOMPARE(bench.state(), std::string("COMPLETED none"));
    }

    void aStopGoesOnOverADeath() {
        auto spec = gridSpec({0.1});
        TunerBench bench(spec);
        bench.model = trains(bench.files, {.iterations = 1000, .onTerminate = OnTerminate::ignores});
        bench.begin();
        bench.runFor(milliseconds(150));
        QVERIFY(bench.tuner().stop(TrialId(0)));
        bench.restart();
        QVERIFY(bench.run());
        QCOMPARE(bench.trialState(0), std::string("TERMINATED user"));
    }

    void aStoppedExperimentIsInterrupted() {
        Running running;
        TunerBench& bench = running.bench;
        QVERIFY(bench.tuner().stop(std::nullopt));
        QCOMPARE(bench.state(), std::string("RUNNING user"));
        QVERIFY(bench.tuner().stop(std::nullopt));
        QVERIFY(bench.run());
        QCOMPARE(bench.state(), std::string("INTERRUPTED user"));
        QCOMPARE(bench.trialState(0), std::string("PAUSED interrupted"));
        QCOMPARE(bench.trialState(2), std::string("none"));
    }

    void aStopOfTheExperimentGoesOnOverADeath() {
        Running running;
        TunerBench& bench = running.bench;
        QVERIFY(bench.tuner().stop(std::nullopt));
        bench.restart();
        QVERIFY(bench.run());
        QCOMPARE(bench.state(), std::string("INTERRUPTED user"));
        QCOMPARE(bench.trialState(2), std::string("none"));
    }

    void aStopWhileAnAttemptStartsReachesIt() {
        TunerBench bench(gridSpec({0.1}));
        bench.model = trains(bench.files, {.iterations = 1000});
        bench.begin();
        QVERIFY(bench.runUntil([&bench] { return !bench.machine().started().empty(); }));
        QVERIFY(bench.tuner().stop(TrialId(0)));
        QVERIFY(bench.run());
        QCOMPARE(bench.trialState(0), std::string("TERMINATED user"));
    }

    void commandsThatDoNotFitAreRefused() {
        Running running;
        tuner::Tuner& tuner = running.bench.tuner();
        QCOMPARE(codeOf(tuner.pause(TrialId(9), PauseMode::afterCheckpoint)), std::string("trial_not_found"));
        QCOMPARE(codeOf(tuner.stop(TrialId(9))), std::string("trial_not_found"));
        QCOMPARE(codeOf(tuner.resume(TrialId(0))), std::string("wrong_state"));
        QCOMPARE(codeOf(tuner.resume(std::nullopt)), std::string("wrong_state"));
        QVERIFY(!tuner.workAtRisk(TrialId(9)));
        QVERIFY(running.bench.run());
        QCOMPARE(codeOf(tuner.stop(std::nullopt)), std::string("wrong_state"));
        QCOMPARE(codeOf(tuner.stop(TrialId(0))), std::string("wrong_state"));
        QCOMPARE(codeOf(tuner.pause(std::nullopt, PauseMode::afterCheckpoint)), std::string("wrong_state"));
        QCOMPARE(codeOf(tuner.pause(TrialId(0), PauseMode::afterCheckpoint)), std::string("wrong_state"));
        QCOMPARE(codeOf(tuner.resume(std::nullopt)), std::string("wrong_state"));
    }

    void whatStoppingWouldLoseIsTheWorkSinceTheLastCheckpoint() {
        Running running;
        TunerBench& bench = running.bench;
        auto risk = bench.tuner().workAtRisk(std::nullopt).value();
        QCOMPARE(risk.runningTrials, uint64_t{2});
        QCOMPARE(risk.runningSeconds, 0.15);
        QCOMPARE(risk.lostSeconds, 0.3);
        QCOMPARE(risk.withoutCheckpoint, (std::vector{TrialId(0), TrialId(1)}));
        bench.runFor(milliseconds(100));
        risk = bench.tuner().workAtRisk(TrialId(1)).value();
        QCOMPARE(risk.runningTrials, uint64_t{1});
        QVERIFY(risk.lostSeconds < 0.06);
        QVERIFY(risk.withoutCheckpoint.empty());
    }
};

QTEST_APPLESS_MAIN(CommandsTest)
#include "commands_test.moc"

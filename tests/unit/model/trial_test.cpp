// SPDX-License-Identifier: Apache-2.0
#include "core/model/trial.h"

#include "core/model/experiment.h"
#include "tests/support/compare.h"
#include "tests/unit/model/texts.h"

#include <cmath>
#include <limits>

using namespace trialdeck;
using namespace trialdeck::model;

namespace {

constexpr std::array kTrialStates = {TrialState::pending, TrialState::running, TrialState::paused,
                                     TrialState::terminated, TrialState::error};
const Metric kLoss{"loss", Mode::min};
const double kNan = std::numeric_limits<double>::quiet_NaN();

void report(Trial& trial, int64_t iteration, double loss) {
    trial.addReport(iteration, {{"loss", loss}}, kLoss);
}

Trial startedTrial() {
    Trial trial(TrialId(0), Configuration(), 1);
    trial.beginAttempt(trial.nextAttempt(), 0);
    return trial;
}

std::shared_ptr<const ExperimentSpec> specOf(const Metric& metric) {
    ExperimentSpec spec;
    spec.search.metric = metric;
    return std::make_shared<const ExperimentSpec>(std::move(spec));
}

} // namespace

class TrialTest : public QObject {
    Q_OBJECT
private slots:
    void statesFollowTheTable() {
        QStringList table;
        for (const TrialState from : kTrialStates) {
            QStringList to;
            for (const TrialState state : kTrialStates) {
                if (mayMove(from, state))
                    to << QString::fromStdString(std::string(protocol::nameOf(state)));
            }
            table << QString::fromStdString(std::string(protocol::nameOf(from))) + ": " + to.join(" ");
        }
        QCOMPARE(table, (QStringList{"PENDING: PENDING RUNNING PAUSED TERMINATED ERROR",
                                     "RUNNING: PENDING RUNNING PAUSED TERMINATED ERROR",
                                     "PAUSED: PENDING RUNNING PAUSED TERMINATED ERROR", "TERMINATED: PENDING",
                                     "ERROR: PENDING"}));
    }

    void everyReasonHasItsStates() {
        QStringList table;
        for (int i = 0; i <= static_cast<int>(TrialReason::not_started); ++i) {
            const auto reason = static_cast<TrialReason>(i);
            QString states;
            for (const TrialState state : kTrialStates)
                states += reasonFits(state, reason) ? protocol::nameOf(state).front() : '.';
            table << QString::fromStdString(std::string(protocol::nameOf(reason))) + " " + states;
        }
        // PENDING, RUNNING, PAUSED, TERMINATED, ERROR
        QCOMPARE(table, (QStringList{"none PRP..",
                                     "queued PR...",
                                     "waits_for_resources P....",
                                     "retry P....",
                                     "preempted P....",
                                     "user_paused PRP..",
                                     "scheduler_paused PRP..",
                                     "disk_full PRP..",
                                     "interrupted PRP..",
                                     "completed .R.T.",
                                     "stop_rule .R.T.",
                                     "scheduler .R.T.",
                                     "user .R.T.",
                                     "exit .R..E",
                                     "signal .R..E",
                                     "oom .R..E",
                                     "lost .R..E",
                                     "no_report .R..E",
                                     "bad_report .R..E",
                                     "nan .R..E",
                                     "not_started .R..E"}));
    }

    void refusedMovesChangeNothing() {
        Trial trial(TrialId(3), Configuration(), 1);
        QVERIFY(trial.moveTo(TrialState::running, TrialReason::none));
        QVERIFY(trial.moveTo(TrialState::error, TrialReason::oom, Error{ErrorCode::worker_out_of_memory}));
        const auto refused = trial.moveTo(TrialState::running, TrialReason::none);
        QCOMPARE(refused.error().code, ErrorCode::wrong_state);
        QCOMPARE(trial.state(), TrialState::error);
        QCOMPARE(trial.reason(), TrialReason::oom);
        QVERIFY(trial.error().has_value());
        QVERIFY(!trial.moveTo(TrialState::pending, TrialReason::completed));
    }

    void aReportWithoutAnIterationHasTheNextOne() {
        Trial trial = startedTrial();
        QCOMPARE(trial.nextIteration(), int64_t{1});
        QCOMPARE(model::iterationAfter(std::numeric_limits<int64_t>::max()),
                 std::numeric_limits<int64_t>::max());
        report(trial, 5, 0.5);
        QCOMPARE(trial.nextIteration(), int64_t{6});
        trial.beginAttempt(trial.nextAttempt(), 2);
        QCOMPARE(trial.nextIteration(), int64_t{3});
    }

    void theNewestAttemptReplacesTheCurveBehindItsCheckpoint() {
        Trial trial = startedTrial();
        for (int i = 1; i <= 4; ++i)
            report(trial, i, 1.0 / i);
        trial.beginAttempt(trial.nextAttempt(), 2);
        QCOMPARE(trial.curve().size(), size_t{2});
        QVERIFY(trial.lastMetrics().empty());
        QCOMPARE(trial.value(Mode::min).value(), 0.5);
        report(trial, 3, 0.9);
        const std::vector<CurvePoint> expected = {{1, 1.0}, {2, 0.5}, {3, 0.9}};
        QVERIFY(trial.curve() == expected);
        QCOMPARE(trial.value(Mode::min, BestScope::last).value(), 0.9);
        QCOMPARE(trial.value(Mode::min, BestScope::best).value(), 0.5);
        QCOMPARE(trial.value(Mode::max, BestScope::best).value(), 1.0);
        QCOMPARE(trial.reportCount(), uint64_t{5});
    }

    void goingOnWhereItEndedKeepsTheLastMetrics() {
        Trial trial = startedTrial();
        report(trial, 1, 0.5);
        trial.beginAttempt(trial.nextAttempt(), 1);
        QCOMPARE(linesOf(trial.lastMetrics()), QStringList{"loss = 0.5"});
    }

    void nanIsNoValue() {
        Trial trial = startedTrial();
        QVERIFY(!trial.value(Mode::min));
        QVERIFY(!trial.diverged());
        report(trial, 1, kNan);
        QVERIFY(trial.diverged());
        QVERIFY(!trial.value(Mode::min, BestScope::last));
        QVERIFY(!trial.value(Mode::min, BestScope::best));
        report(trial, 2, 0.5);
        QVERIFY(!trial.diverged());
        report(trial, 3, kNan);
        QVERIFY(trial.diverged());
        QVERIFY(!trial.value(Mode::min, BestScope::last));
        QCOMPARE(trial.value(Mode::min, BestScope::best).value(), 0.5);
    }

    void checkpointNumbersAreNeverGivenTwice() {
        Trial trial = startedTrial();
        QCOMPARE(trial.nextCheckpoint(), CheckpointIndex(0));
        trial.addCheckpoint({CheckpointIndex(0), AttemptNumber(0), 1});
        trial.addCheckpoint({CheckpointIndex(1), AttemptNumber(0), 2});
        trial.removeCheckpoint(CheckpointIndex(1));
        QCOMPARE(trial.newestCheckpoint()->index, CheckpointIndex(0));
        QCOMPARE(trial.nextCheckpoint(), CheckpointIndex(2));
    }

    void bestTrialIsTheFirstAmongEqualsAndNeverNan() {
        Experiment experiment(ExperimentId("e"), specOf(kLoss), 1);
        const std::vector<double> losses = {kNan, 0.5, 0.3, 0.3, std::numeric_limits<double>::infinity()};
        for (uint32_t i = 0; i < losses.size(); ++i) {
            Trial* trial = experiment.addTrial(TrialId(i), Configuration(), i).value();
            QVERIFY(!experiment.best() || experiment.best()->trial != trial->id());
            trial->beginAttempt(AttemptNumber(0), 0);
            report(*trial, 1, losses[i]);
        }
        QCOMPARE(experiment.best()->trial, TrialId(2));
        QCOMPARE(experiment.best()->value, 0.3);
        report(*experiment.find(TrialId(2)), 2, 0.4);
        QCOMPARE(experiment.best()->trial, TrialId(3));
        QCOMPARE(experiment.best(BestScope::best)->trial, TrialId(2));
    }

    void outcomeFollowsTheTrials() {
        Experiment experiment(ExperimentId("e"), specOf(kLoss), 1);
        QCOMPARE(experiment.outcome(), ExperimentState::completed);
        for (uint32_t i = 0; i < 2; ++i)
            QVERIFY(experiment.addTrial(TrialId(i), Configuration(), i));
        QVERIFY(!experiment.addTrial(TrialId(7), Configuration(), 0));
        QCOMPARE(experiment.outcome(), ExperimentState::interrupted);
        QVERIFY(experiment.moveTrial(TrialId(0), TrialState::terminated, TrialReason::user));
        QVERIFY(experiment.moveTrial(TrialId(1), TrialState::terminated, TrialReason::completed));
        QCOMPARE(experiment.outcome(), ExperimentState::completed);
        QVERIFY(experiment.moveTrial(TrialId(1), TrialState::pending, TrialReason::queued));
        QVERIFY(experiment.moveTrial(TrialId(1), TrialState::error, TrialReason::exit));
        QCOMPARE(experiment.outcome(), ExperimentState::failed);
        QCOMPARE(experiment.counts(), (TrialCounts{0, 0, 0, 1, 1}));
        QCOMPARE(experiment.moveTrial(TrialId(9), TrialState::error, TrialReason::exit).error().code,
                 ErrorCode::trial_not_found);
    }

    void endedExperimentsOnlyRunAgain() {
        Experiment experiment(ExperimentId("e"), specOf(kLoss), 1);
        QVERIFY(experiment.moveTo(ExperimentState::paused, ExperimentReason::user));
        QVERIFY(experiment.moveTo(ExperimentState::interrupted, ExperimentReason::user));
        QVERIFY(!experiment.moveTo(ExperimentState::paused, ExperimentReason::user));
        QVERIFY(!experiment.moveTo(ExperimentState::completed, ExperimentReason::none));
        QVERIFY(experiment.moveTo(ExperimentState::running, ExperimentReason::none));
    }
};

QTEST_APPLESS_MAIN(TrialTest)
#include "trial_test.moc"

// SPDX-License-Identifier: Apache-2.0
#include "core/tuner/summary.h"

#include <algorithm>

namespace trialdeck::tuner {

namespace {

/// Mean time of the trials that ended by themselves or by a rule; nothing while there is none.
std::optional<double> meanOfFinished(const Ledger& ledger, base::WallTime now) {
    double sum = 0;
    size_t count = 0;
    for (const model::Trial& trial : ledger.experiment().trials()) {
        if (trial.state() != TrialState::terminated || trial.reason() == TrialReason::user)
            continue;
        sum += ledger.secondsRun(trial.id(), now);
        ++count;
    }
    return count == 0 ? std::nullopt : std::optional(sum / static_cast<double>(count));
}

/// The same from how far the running trials have come; nothing where the last iteration is not known.
std::optional<double> meanOfRunning(const Ledger& ledger, base::WallTime now) {
    const auto last = model::lastIteration(ledger.spec());
    if (!last)
        return std::nullopt;
    double sum = 0;
    size_t count = 0;
    for (const TrialId id : ledger.open()) {
        const int64_t iteration = ledger.trial(id).iteration();
        if (iteration <= 0)
            continue;
        sum += ledger.secondsRun(id, now) * static_cast<double>(*last) / static_cast<double>(iteration);
        ++count;
    }
    return count == 0 ? std::nullopt : std::optional(sum / static_cast<double>(count));
}

} // namespace

std::optional<double> secondsLeft(const Ledger& ledger, base::WallTime now) {
    if (ledger.finished())
        return std::nullopt;
    std::optional<double> budget;
    if (const auto& limit = ledger.spec().search.timeBudget)
        budget = std::max(0.0, std::chrono::duration<double>(*limit - ledger.activeTime(now)).count());
    const auto planned = ledger.plannedTrials();
    auto mean = meanOfFinished(ledger, now);
    if (!mean)
        mean = meanOfRunning(ledger, now);
    if (!planned || !mean)
        return budget;
    const model::TrialCounts& counts = ledger.experiment().counts();
    const double finished = static_cast<double>(counts.terminated + counts.error);
    double work = *mean * (static_cast<double>(*planned) - finished);
    for (const TrialId id : ledger.open())
        work -= std::min(*mean, ledger.secondsRun(id, now));
    const double left = work / static_cast<double>(std::max<size_t>(1, ledger.open().size()));
    return budget ? std::min(left, *budget) : left;
}

protocol::ExperimentSummary summaryOf(const Ledger& ledger, base::WallTime now) {
    const model::Experiment& experiment = ledger.experiment();
    const model::TrialCounts& counts = experiment.counts();
    protocol::ExperimentSummary summary;
    summary.experiment = experiment.id();
    summary.name = ledger.created().name;
    summary.state = experiment.state();
    summary.reason = experiment.reason();
    summary.error = experiment.error();
    summary.single = ledger.created().single;
    summary.created = ledger.createdAt();
    summary.ended = ledger.endedAt();
    summary.plannedTrials = ledger.plannedTrials();
    summary.trials = counts.total();
    summary.pending = counts.pending;
    summary.running = counts.running;
    summary.paused = counts.paused;
    summary.terminated = counts.terminated;
    summary.errored = counts.error;
    summary.diverged =
        static_cast<uint64_t>(std::count_if(experiment.trials().begin(), experiment.trials().end(),
                                            [](const model::Trial& trial) { return trial.diverged(); }));
    if (const auto& metric = experiment.spec().search.metric) {
        summary.metric = metric->name;
        summary.mode = std::string(model::nameOf(metric->mode));
    }
    if (const auto best = experiment.best()) {
        summary.bestTrial = best->trial;
        summary.bestValue = best->value;
    }
    summary.secondsLeft = secondsLeft(ledger, now);
    return summary;
}

protocol::WorkAtRiskResult workAtRisk(const Ledger& ledger, std::optional<TrialId> only, base::WallTime now) {
    protocol::WorkAtRiskResult risk;
    for (const TrialId id : ledger.open()) {
        if (only && *only != id)
            continue;
        const OpenAttempt& open = *ledger.openAttempt(id);
        ++risk.runningTrials;
        risk.runningSeconds = std::max(risk.runningSeconds, base::secondsBetween(open.began, now));
        risk.lostSeconds += base::secondsBetween(open.safeUntil, now);
        if (!ledger.trial(id).newestCheckpoint())
            risk.withoutCheckpoint.push_back(id);
    }
    return risk;
}

} // namespace trialdeck::tuner

// SPDX-License-Identifier: Apache-2.0
#include "core/tuner/attempt_outcome.h"

#include <algorithm>

namespace trialdeck::tuner {

namespace {

using protocol::TrialStateChanged;

/// A daemon may die between the record of an attempt and its start; where that happens so often in a row, it
/// is the start that does it.
constexpr uint32_t kMostUnbegun = 3;

TrialReason reasonOf(ErrorCode cause) {
    switch (cause) {
    case ErrorCode::worker_exit:
        return TrialReason::exit;
    case ErrorCode::worker_out_of_memory:
        return TrialReason::oom;
    case ErrorCode::worker_lost:
        return TrialReason::lost;
    default:
        return TrialReason::signal;
    }
}

/// The failure of the rank that failed by itself; null where none did.
const Error* causeOf(const OpenAttempt& open) {
    for (const RankProgress& rank : open.ranks) {
        if (rank.end && rank.end->cause && !rank.end->stoppedByUs)
            return &*rank.end->cause;
    }
    return nullptr;
}

bool anyStoppedByUs(const OpenAttempt& open) {
    return std::any_of(open.ranks.begin(), open.ranks.end(),
                       [](const RankProgress& rank) { return rank.end && rank.end->stoppedByUs; });
}

/// Workers that were never seen to start and are gone: nothing of the attempt has happened.
bool neverBegan(const OpenAttempt& open) {
    const bool lost = std::all_of(open.ranks.begin(), open.ranks.end(), [](const RankProgress& rank) {
        return rank.end && rank.end->cause && rank.end->cause->code == ErrorCode::worker_lost;
    });
    return lost && !open.confirmed && open.reports == 0;
}

TrialStateChanged ofCleanExit(const model::Trial& trial, const model::ExperimentSpec& spec) {
    const auto& metric = spec.search.metric;
    if (metric && trial.reportCount() > 0 && trial.curve().empty())
        return {trial.id(), TrialState::error, TrialReason::bad_report,
                Error{ErrorCode::report_metric_missing,
                      {{"metric", metric->name}, {"found", namesOf(trial.lastMetrics())}},
                      {}}};
    return {trial.id(), TrialState::terminated, TrialReason::completed, {}};
}

/// What was asked for gives way to what happened of itself at the same moment.
bool endingStands(const Ending& ending, bool failed, bool stopped) {
    switch (ending.reason) {
    case TrialReason::queued:
    case TrialReason::user_paused:
    case TrialReason::scheduler_paused:
    case TrialReason::interrupted:
        return stopped && !failed;
    case TrialReason::user:
        return stopped || failed;
    default:
        return true;
    }
}

} // namespace

std::string namesOf(const Object& metrics) {
    std::string names;
    for (const auto& [name, value] : metrics)
        names += names.empty() ? name : ", " + name;
    return names;
}

TrialStateChanged outcomeOf(const model::Trial& trial, const OpenAttempt& open,
                            const model::ExperimentSpec& spec, uint32_t unbegun) {
    const Error* cause = causeOf(open);
    const bool stopped = anyStoppedByUs(open);
    if (open.isEnding() && endingStands(*open.ending, cause != nullptr, stopped))
        return {trial.id(), open.ending->state, open.ending->reason, open.ending->error};
    if (neverBegan(open) && unbegun + 1 < kMostUnbegun)
        return {trial.id(), TrialState::pending, TrialReason::queued, {}};
    if (cause)
        return {trial.id(), TrialState::error, reasonOf(cause->code), *cause};
    if (stopped)
        return {trial.id(), TrialState::error, TrialReason::lost,
                Error{ErrorCode::worker_killed_unknown, {}, "stopped, and no record says by whom"}};
    return ofCleanExit(trial, spec);
}

} // namespace trialdeck::tuner

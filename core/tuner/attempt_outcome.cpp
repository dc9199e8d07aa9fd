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

bool allows(int64_t limit, uint32_t before) {
    return limit < 0 || before < static_cast<uint64_t>(limit);
}

/// A loss that became NaN does so again where everything is done again; from a checkpoint, the order of the
/// data may differ. What ended well and lacks the metric lacks it the next time.
bool mayDiffer(TrialReason reason, const model::Trial& trial) {
    switch (reason) {
    case TrialReason::nan:
        return trial.newestCheckpoint() != nullptr;
    case TrialReason::bad_report:
    case TrialReason::not_started:
        return false;
    default:
        return true;
    }
}

/// The attempt failed for this reason: another one, or the trial's end.
class Failure {
public:
    Failure(const model::Trial& trial, const OpenAttempt& open, const model::FailureSpec& spec,
            const AttemptCounts& counts, base::WallTime now)
        : m_trial(trial), m_open(open), m_spec(spec), m_counts(counts), m_now(now) {}

    [[nodiscard]] TrialStateChanged of(TrialReason reason, std::optional<Error> error) const {
        // A start that is lost again and again is no accident of the machine.
        const bool preempted = reason == TrialReason::lost && !neverBegan(m_open);
        const bool again = preempted
                               ? allows(m_spec.maxPreemptionFailures, m_counts.preemptions)
                               : mayDiffer(reason, m_trial) && allows(m_spec.maxFailures, m_counts.failures);
        if (!again)
            return {m_trial.id(), TrialState::error, reason, std::move(error)};
        if (m_open.pauses())
            return {m_trial.id(), TrialState::paused, m_open.ending->reason, std::move(error)};
        TrialStateChanged next{m_trial.id(), TrialState::pending,
                               preempted ? TrialReason::preempted : TrialReason::retry, std::move(error)};
        if (const auto wait = waitBeforeRetry(m_counts.inRow + 1); wait.count() > 0)
            next.notBefore = m_now + wait;
        if (const model::Checkpoint* checkpoint = m_trial.newestCheckpoint())
            next.resumeFrom = checkpoint->index;
        return next;
    }

private:
    const model::Trial& m_trial;
    const OpenAttempt& m_open;
    const model::FailureSpec& m_spec;
    const AttemptCounts& m_counts;
    base::WallTime m_now;
};

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

std::chrono::milliseconds waitBeforeRetry(uint32_t failuresInRow) {
    constexpr std::chrono::milliseconds kFirst = std::chrono::seconds(5);
    if (failuresInRow < 2)
        return std::chrono::milliseconds(0);
    std::chrono::milliseconds wait = kFirst;
    for (uint32_t i = 2; i < failuresInRow && wait < kLongestRetryWait; ++i)
        wait *= 2;
    return std::min(wait, kLongestRetryWait);
}

TrialStateChanged outcomeOf(const model::Trial& trial, const OpenAttempt& open,
                            const model::ExperimentSpec& spec, const AttemptCounts& counts,
                            base::WallTime now) {
    const Failure failure(trial, open, spec.failure, counts, now);
    const Error* cause = causeOf(open);
    const bool stopped = anyStoppedByUs(open);
    if (open.isEnding() && endingStands(*open.ending, cause != nullptr, stopped)) {
        if (open.ending->state == TrialState::error)
            return failure.of(open.ending->reason, open.ending->error);
        return {trial.id(), open.ending->state, open.ending->reason, open.ending->error};
    }
    if (neverBegan(open) && counts.unbegun + 1 < kMostUnbegun)
        return {trial.id(), TrialState::pending, TrialReason::queued, {}};
    if (cause)
        return failure.of(reasonOf(cause->code), *cause);
    if (stopped)
        return failure.of(TrialReason::lost,
                          Error{ErrorCode::worker_killed_unknown, {}, "stopped, and no record says by whom"});
    return ofCleanExit(trial, spec);
}

} // namespace trialdeck::tuner

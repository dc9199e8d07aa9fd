// SPDX-License-Identifier: Apache-2.0
#include "core/model/trial.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace trialdeck::model {

namespace {

constexpr size_t index(TrialState state) {
    return static_cast<size_t>(state);
}

/// Row: from; column: to; PENDING, RUNNING, PAUSED, TERMINATED, ERROR. What has finished comes back only as
/// PENDING, by a new command of the user. An unfinished trial may stay where it is with another reason.
constexpr std::array<std::array<bool, 5>, 5> kMoves = {{
    {true, true, true, true, true},
    {true, true, true, true, true},
    {true, true, true, true, true},
    {true, false, false, false, false},
    {true, false, false, false, false},
}};

} // namespace

bool mayMove(TrialState from, TrialState to) {
    return kMoves[index(from)][index(to)];
}

bool reasonFits(TrialState state, TrialReason reason) {
    // A running trial with the reason of its next state has been told to end.
    if (state == TrialState::running)
        return reason != TrialReason::waits_for_resources && reason != TrialReason::retry &&
               reason != TrialReason::preempted;
    switch (reason) {
    case TrialReason::none:
        return !protocol::isFinished(state);
    case TrialReason::queued:
    case TrialReason::waits_for_resources:
    case TrialReason::retry:
    case TrialReason::preempted:
        return state == TrialState::pending;
    case TrialReason::user_paused:
    case TrialReason::scheduler_paused:
    case TrialReason::disk_full:
    case TrialReason::interrupted:
        return state == TrialState::pending || state == TrialState::paused;
    case TrialReason::completed:
    case TrialReason::stop_rule:
    case TrialReason::scheduler:
    case TrialReason::user:
        return state == TrialState::terminated;
    case TrialReason::exit:
    case TrialReason::signal:
    case TrialReason::oom:
    case TrialReason::lost:
    case TrialReason::no_report:
    case TrialReason::bad_report:
    case TrialReason::nan:
    case TrialReason::not_started:
        return state == TrialState::error;
    }
    return false;
}

Trial::Trial(TrialId id, Configuration configuration, uint64_t seed)
    : m_id(id), m_configuration(std::move(configuration)), m_seed(seed) {}

Expected<void> Trial::moveTo(TrialState state, TrialReason reason, std::optional<Error> error) {
    if (!mayMove(m_state, state) || !reasonFits(state, reason))
        return base::fail(ErrorCode::wrong_state, {{"trial", std::to_string(m_id.raw())},
                                                   {"state", std::string(protocol::nameOf(m_state))},
                                                   {"wanted", std::string(protocol::nameOf(state))},
                                                   {"reason", std::string(protocol::nameOf(reason))}});
    m_state = state;
    m_reason = reason;
    m_error = std::move(error);
    return {};
}

AttemptNumber Trial::nextAttempt() const {
    return AttemptNumber(m_attempt ? m_attempt->raw() + 1 : 0);
}

void Trial::beginAttempt(AttemptNumber attempt, int64_t firstIteration) {
    if (m_iteration > firstIteration)
        m_lastMetrics = Object();
    std::erase_if(m_curve,
                  [firstIteration](const CurvePoint& point) { return point.iteration > firstIteration; });
    m_attempt = attempt;
    m_iteration = firstIteration;
}

void Trial::addReport(int64_t iteration, const Object& metrics, const std::optional<Metric>& metric) {
    m_iteration = iteration;
    ++m_reportCount;
    m_lastMetrics = metrics;
    if (!metric)
        return;
    const auto value = metric->name == "training_iteration" ? static_cast<double>(iteration)
                                                            : numericMetric(metrics, metric->name);
    if (value)
        m_curve.push_back({iteration, *value});
}

std::optional<double> Trial::value(Mode mode, BestScope scope) const {
    if (m_curve.empty())
        return std::nullopt;
    double found = m_curve.back().value;
    if (scope == BestScope::best) {
        for (const CurvePoint& point : m_curve) {
            if (isBetter(point.value, found, mode))
                found = point.value;
        }
    }
    return std::isnan(found) ? std::nullopt : std::optional(found);
}

bool Trial::diverged() const {
    return !m_curve.empty() && std::isnan(m_curve.back().value);
}

void Trial::addCheckpoint(Checkpoint checkpoint) {
    m_nextCheckpoint = std::max(m_nextCheckpoint, CheckpointIndex(checkpoint.index.raw() + 1));
    m_checkpoints.push_back(checkpoint);
}

void Trial::removeCheckpoint(CheckpointIndex index) {
    std::erase_if(m_checkpoints, [index](const Checkpoint& checkpoint) { return checkpoint.index == index; });
}

const Checkpoint* Trial::newestCheckpoint() const {
    const auto found = std::find_if(m_checkpoints.rbegin(), m_checkpoints.rend(),
                                    [](const Checkpoint& checkpoint) { return !checkpoint.unusable; });
    return found == m_checkpoints.rend() ? nullptr : &*found;
}

const Checkpoint* Trial::findCheckpoint(CheckpointIndex index) const {
    const auto found =
        std::find_if(m_checkpoints.begin(), m_checkpoints.end(),
                     [index](const Checkpoint& checkpoint) { return checkpoint.index == index; });
    return found == m_checkpoints.end() ? nullptr : &*found;
}

void Trial::markUnusable(CheckpointIndex index) {
    for (Checkpoint& checkpoint : m_checkpoints) {
        if (checkpoint.index == index)
            checkpoint.unusable = true;
    }
}

void Trial::noteFruitless(CheckpointIndex index) {
    for (Checkpoint& checkpoint : m_checkpoints) {
        if (checkpoint.index == index)
            ++checkpoint.fruitlessAttempts;
    }
}

} // namespace trialdeck::model

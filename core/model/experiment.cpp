// SPDX-License-Identifier: Apache-2.0
#include "core/model/experiment.h"

namespace trialdeck::model {

namespace {

uint64_t& countOf(TrialCounts& counts, TrialState state) {
    switch (state) {
    case TrialState::pending:
        return counts.pending;
    case TrialState::running:
        return counts.running;
    case TrialState::paused:
        return counts.paused;
    case TrialState::terminated:
        return counts.terminated;
    case TrialState::error:
        break;
    }
    return counts.error;
}

} // namespace

bool mayMove(ExperimentState from, ExperimentState to) {
    // What has ended runs again when it is restored or resumed, and only then changes further.
    if (protocol::isFinished(from))
        return to == ExperimentState::running;
    return true;
}

Experiment::Experiment(ExperimentId id, std::shared_ptr<const ExperimentSpec> spec, uint64_t seed)
    : m_id(std::move(id)), m_spec(std::move(spec)), m_seed(seed) {}

Expected<void> Experiment::moveTo(ExperimentState state, ExperimentReason reason,
                                  std::optional<Error> error) {
    if (!mayMove(m_state, state))
        return base::fail(ErrorCode::wrong_state, {{"state", std::string(protocol::nameOf(m_state))},
                                                   {"wanted", std::string(protocol::nameOf(state))}});
    m_state = state;
    m_reason = reason;
    m_error = std::move(error);
    return {};
}

Expected<Trial*> Experiment::addTrial(TrialId id, Configuration configuration, uint64_t seed) {
    if (id.raw() != m_trials.size())
        return base::fail(ErrorCode::bad_configuration, {{"trial", std::to_string(id.raw())},
                                                         {"expected", std::to_string(m_trials.size())}});
    m_trials.emplace_back(id, std::move(configuration), seed);
    ++m_counts.pending;
    return &m_trials.back();
}

Trial* Experiment::find(TrialId id) {
    return id.raw() < m_trials.size() ? &m_trials[id.raw()] : nullptr;
}

const Trial* Experiment::find(TrialId id) const {
    return id.raw() < m_trials.size() ? &m_trials[id.raw()] : nullptr;
}

Expected<void> Experiment::moveTrial(TrialId id, TrialState state, TrialReason reason,
                                     std::optional<Error> error) {
    Trial* trial = find(id);
    if (!trial)
        return base::fail(ErrorCode::trial_not_found, {{"trial", std::to_string(id.raw())}});
    const TrialState before = trial->state();
    TRIALDECK_TRY(trial->moveTo(state, reason, std::move(error)));
    --countOf(m_counts, before);
    ++countOf(m_counts, state);
    return {};
}

ExperimentState Experiment::outcome() const {
    if (m_counts.pending + m_counts.running + m_counts.paused > 0)
        return ExperimentState::interrupted;
    return m_counts.error > 0 ? ExperimentState::failed : ExperimentState::completed;
}

std::optional<BestTrial> Experiment::best(BestScope scope) const {
    if (!m_spec->search.metric)
        return std::nullopt;
    const Mode mode = m_spec->search.metric->mode;
    std::optional<BestTrial> found;
    for (const Trial& trial : m_trials) {
        const auto value = trial.value(mode, scope);
        if (value && (!found || isBetter(*value, found->value, mode)))
            found = BestTrial{trial.id(), *value};
    }
    return found;
}

} // namespace trialdeck::model

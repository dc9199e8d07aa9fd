// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/model/experiment_spec.h"
#include "core/model/trial.h"

#include <deque>
#include <memory>

namespace trialdeck::model {

[[nodiscard]] bool mayMove(ExperimentState from, ExperimentState to);

struct TrialCounts {
    uint64_t pending = 0;
    uint64_t running = 0;
    uint64_t paused = 0;
    uint64_t terminated = 0;
    uint64_t error = 0;
    [[nodiscard]] uint64_t total() const { return pending + running + paused + terminated + error; }
    friend bool operator==(const TrialCounts&, const TrialCounts&) = default;
};

struct BestTrial {
    TrialId trial;
    double value = 0;
    friend bool operator==(const BestTrial&, const BestTrial&) = default;
};

/// A set of trials with one SearchSpace, metric and stop rule: the state that a journal's records add up to.
/// Owned and changed by the tuner, on its loop.
class Experiment {
public:
    Experiment(ExperimentId id, std::shared_ptr<const ExperimentSpec> spec, uint64_t seed);

    [[nodiscard]] const ExperimentId& id() const { return m_id; }
    [[nodiscard]] const ExperimentSpec& spec() const { return *m_spec; }
    /// Replaces the specification after an amendment.
    void setSpec(std::shared_ptr<const ExperimentSpec> spec) { m_spec = std::move(spec); }
    [[nodiscard]] uint64_t seed() const { return m_seed; }
    [[nodiscard]] ExperimentState state() const { return m_state; }
    [[nodiscard]] ExperimentReason reason() const { return m_reason; }
    [[nodiscard]] const std::optional<Error>& error() const { return m_error; }

    /// @return wrong_state where the table does not allow it; nothing is changed then.
    [[nodiscard]] Expected<void> moveTo(ExperimentState state, ExperimentReason reason,
                                        std::optional<Error> error = std::nullopt);

    /// Ids count from 0 in the order of proposal. @return bad_configuration for any other id.
    [[nodiscard]] Expected<Trial*> addTrial(TrialId id, Configuration configuration, uint64_t seed);
    /// Null where there is none. Pointers stay valid.
    [[nodiscard]] Trial* find(TrialId id);
    [[nodiscard]] const Trial* find(TrialId id) const;
    /// In order of their ids.
    [[nodiscard]] const std::deque<Trial>& trials() const { return m_trials; }
    /// Changes a trial's state, counts kept. @return trial_not_found, wrong_state.
    [[nodiscard]] Expected<void> moveTrial(TrialId id, TrialState state, TrialReason reason,
                                           std::optional<Error> error = std::nullopt);
    [[nodiscard]] const TrialCounts& counts() const { return m_counts; }

    /// COMPLETED, FAILED or INTERRUPTED by what the trials are, for an experiment that starts nothing more.
    [[nodiscard]] ExperimentState outcome() const;

    /// The lowest id among equals; NaN never wins; nothing without a metric or a number.
    [[nodiscard]] std::optional<BestTrial> best(BestScope scope = BestScope::last) const;

private:
    ExperimentId m_id;
    std::shared_ptr<const ExperimentSpec> m_spec;
    uint64_t m_seed;
    ExperimentState m_state = ExperimentState::running;
    ExperimentReason m_reason = ExperimentReason::none;
    std::optional<Error> m_error;
    std::deque<Trial> m_trials;
    TrialCounts m_counts;
};

} // namespace trialdeck::model

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/model/metric.h"
#include "core/schedule/scheduler.h"

#include <cstdint>
#include <limits>
#include <string>
#include <vector>

namespace trialdeck::schedule {

struct AshaSettings {
    std::string timeAttribute = "training_iteration";
    model::Mode mode = model::Mode::min;
    /// A trial whose time reaches this is stopped, in the unit of the time attribute.
    double maxTime = 100;
    /// No trial is stopped before its time reaches this; > 0 and <= maxTime.
    double gracePeriod = 1;
    /// One of so many trials goes on from rung to rung; > 1.
    double reductionFactor = 4;
};

/// Asynchronous successive halving, the variant that stops: at each rung (gracePeriod x reductionFactor^k)
/// a trial goes on when it is among the best 1/reductionFactor of those that were there before it.
/// The first report at or past a rung counts for it; a report that jumps over rungs counts for the highest.
/// NaN and the worst infinity (a loss that overflowed) are worse than every other value and never part of a
/// cutoff.
/// Source: Li et al. 2018, "A System for Massively Parallel Hyperparameter Tuning"; settings and cutoff
/// (linear percentile of the earlier values) as Ray Tune's ASHAScheduler with one bracket.
class AshaScheduler final : public Scheduler {
public:
    explicit AshaScheduler(AshaSettings settings);

    [[nodiscard]] std::string_view timeAttribute() const override { return m_settings.timeAttribute; }
    [[nodiscard]] Decision decide(const Observation& observation) const override;
    void apply(const Observation& observation, DecisionAction action) override;

    /// Lowest times of the rungs, rising; none at or above maxTime, where every trial ends.
    [[nodiscard]] const std::vector<double>& milestones() const { return m_milestones; }

private:
    static constexpr uint8_t kNoRung = std::numeric_limits<uint8_t>::max();

    struct Rung {
        /// Rewards of the trials that were here, rising, without NaN.
        std::vector<double> rewards;
    };

    /// The rung that the observation counts for, kNoRung where none is new to its trial.
    [[nodiscard]] uint8_t newRung(const Observation& observation) const;
    /// Larger is better; NaN for what is worst.
    [[nodiscard]] double rewardOf(double value) const;

    AshaSettings m_settings;
    std::vector<double> m_milestones;
    std::vector<Rung> m_rungs;
    /// Highest rung of each trial so far.
    std::vector<uint8_t> m_rungOfTrial;
};

/// The value below which `share` (0..1) of the sorted values lie, linear between neighbours; infinite values
/// are allowed. Not for an empty list.
/// Source: Hyndman and Fan 1996, definition 7.
[[nodiscard]] double linearPercentile(const std::vector<double>& sorted, double share);

} // namespace trialdeck::schedule

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/protocol/ids.h"

#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace trialdeck::app::models {

/// A value that a report left out on purpose (null): a NaN with a payload of its own, so that a curve has a
/// gap there and no mark. A metric that a report does not name at all is no point and no gap.
[[nodiscard]] double missingValue();
[[nodiscard]] bool isMissing(double value);

/// The points of one metric of one trial, steps (training iterations) strictly rising.
struct Series {
    std::vector<double> steps;
    /// NaN, ±infinity and missingValue() are values like others.
    std::vector<double> values;
    /// Raised whenever points that were there before are gone: what was drawn of them must be drawn anew.
    unsigned rewritten = 0;

    [[nodiscard]] size_t size() const { return steps.size(); }
    /// First index whose step is above `step`.
    [[nodiscard]] size_t firstAfter(double step) const;
    /// Its newest value is NaN or infinite.
    [[nodiscard]] bool isDiverged() const;
};

/// All curves of one experiment, by trial and metric. Owned by ExperimentData, used on the window's thread.
/// Metrics are numbered in the order they first came.
class MetricStore {
public:
    /// The metric's number, given on first sight.
    size_t metricIndex(std::string_view name);
    [[nodiscard]] std::optional<size_t> findMetric(std::string_view name) const;
    [[nodiscard]] const std::vector<std::string>& metrics() const { return m_metrics; }

    /// Adds a point. A step that is not above the last one takes the place of everything from it on.
    void append(TrialId trial, size_t metric, double step, double value);
    /// Drops the trial's points above `step` in every metric: a new attempt goes on from there.
    void truncate(TrialId trial, double step);
    void clear();

    /// Null where the trial never reported the metric. Valid until clear().
    [[nodiscard]] const Series* find(TrialId trial, size_t metric) const;
    /// Number of trials that could have series: one above the highest that reported.
    [[nodiscard]] size_t trialCount() const { return m_trials.size(); }

private:
    struct TrialSeries {
        /// By metric; a null pointer where the trial has none. Series stay at their address.
        std::vector<std::unique_ptr<Series>> byMetric;
    };

    std::vector<std::string> m_metrics;
    std::unordered_map<std::string, size_t> m_metricIndex;
    std::vector<TrialSeries> m_trials;
};

/// Whether a metric is about time, process or bookkeeping, as Ray Tune writes with every report: there for
/// whoever asks, but no curve and no column at first.
[[nodiscard]] bool isBookkeeping(std::string_view metric);

} // namespace trialdeck::app::models

// SPDX-License-Identifier: Apache-2.0
#include "app/models/metric_store.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstdint>

namespace trialdeck::app::models {

namespace {
constexpr uint64_t kMissingBits = 0x7ff8'0000'7461'626cULL;
} // namespace

double missingValue() {
    return std::bit_cast<double>(kMissingBits);
}

bool isMissing(double value) {
    return std::bit_cast<uint64_t>(value) == kMissingBits;
}

bool Series::isDiverged() const {
    return !values.empty() && !std::isfinite(values.back()) && !isMissing(values.back());
}

size_t Series::firstAfter(double step) const {
    return static_cast<size_t>(std::upper_bound(steps.begin(), steps.end(), step) - steps.begin());
}

size_t MetricStore::metricIndex(std::string_view name) {
    const auto [entry, isNew] = m_metricIndex.try_emplace(std::string(name), m_metrics.size());
    if (isNew)
        m_metrics.emplace_back(name);
    return entry->second;
}

std::optional<size_t> MetricStore::findMetric(std::string_view name) const {
    const auto found = m_metricIndex.find(std::string(name));
    return found == m_metricIndex.end() ? std::nullopt : std::optional<size_t>(found->second);
}

void MetricStore::append(TrialId trial, size_t metric, double step, double value) {
    if (trial.raw() >= m_trials.size())
        m_trials.resize(trial.raw() + size_t{1});
    auto& byMetric = m_trials[trial.raw()].byMetric;
    if (metric >= byMetric.size())
        byMetric.resize(metric + 1);
    if (!byMetric[metric])
        byMetric[metric] = std::make_unique<Series>();
    Series& series = *byMetric[metric];
    if (!series.steps.empty() && step <= series.steps.back()) {
        const auto kept =
            std::lower_bound(series.steps.begin(), series.steps.end(), step) - series.steps.begin();
        series.steps.resize(static_cast<size_t>(kept));
        series.values.resize(static_cast<size_t>(kept));
        ++series.rewritten;
    }
    series.steps.push_back(step);
    series.values.push_back(value);
}

void MetricStore::truncate(TrialId trial, double step) {
    if (trial.raw() >= m_trials.size())
        return;
    for (const auto& series : m_trials[trial.raw()].byMetric) {
        if (!series)
            continue;
        const size_t kept = series->firstAfter(step);
        if (kept == series->size())
            continue;
        series->steps.resize(kept);
        series->values.resize(kept);
        ++series->rewritten;
    }
}

void MetricStore::clear() {
    m_metrics.clear();
    m_metricIndex.clear();
    m_trials.clear();
}

const Series* MetricStore::find(TrialId trial, size_t metric) const {
    if (trial.raw() >= m_trials.size())
        return nullptr;
    const auto& byMetric = m_trials[trial.raw()].byMetric;
    return metric < byMetric.size() ? byMetric[metric].get() : nullptr;
}

bool isBookkeeping(std::string_view metric) {
    constexpr std::array<std::string_view, 16> kNames = {"time_this_iter_s",
                                                         "time_total_s",
                                                         "time_since_restore",
                                                         "timestamp",
                                                         "timesteps_total",
                                                         "episodes_total",
                                                         "pid",
                                                         "iterations_since_restore",
                                                         "date",
                                                         "done",
                                                         "hostname",
                                                         "node_ip",
                                                         "trial_id",
                                                         "experiment_id",
                                                         "warmup_time",
                                                         "should_checkpoint"};
    return std::find(kNames.begin(), kNames.end(), metric) != kNames.end();
}

} // namespace trialdeck::app::models

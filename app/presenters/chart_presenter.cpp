// SPDX-License-Identifier: Apache-2.0
#include "app/presenters/chart_presenter.h"

#include <algorithm>
#include <cmath>

namespace trialdeck::app::presenters {

using models::AxisNumbers;
using models::AxisRange;
using models::AxisScale;
using models::Series;

namespace {
constexpr double kMostSmoothing = 0.99;
} // namespace

ChartPresenter::ChartPresenter(const models::ExperimentData& data, size_t metric, SharedSteps& steps,
                               TrialSelection& selection, QObject* parent)
    : QObject(parent), m_data(data), m_metric(metric), m_steps(steps), m_selection(selection),
      m_shown(!models::isBookkeeping(data.metrics()[metric])) {
    connect(&steps, &SharedSteps::rangeChanged, this, &ChartPresenter::planChanged);
    takeInAll();
}

QString ChartPresenter::metricName() const {
    return QString::fromStdString(m_data.metrics()[m_metric]);
}

const Series* ChartPresenter::series(TrialId trial) const {
    const Series* series = m_data.curves().find(trial, m_metric);
    return series && series->size() > 0 ? series : nullptr;
}

bool ChartPresenter::hasOnlyNan() const {
    return m_points > 0 && !m_extent.finite;
}

std::vector<TrialId> ChartPresenter::diverged() const {
    std::vector<TrialId> found;
    for (const models::TrialRow& trial : m_data.trials()) {
        if (const models::Series* curve = series(trial.id); curve && curve->isDiverged())
            found.push_back(trial.id);
    }
    return found;
}

size_t ChartPresenter::hiddenValues() const {
    return m_scale == AxisScale::logarithmic ? m_notPositive : 0;
}

/// @return false where points that had been taken in are gone.
bool ChartPresenter::takeIn(size_t trial) {
    if (trial >= m_seen.size())
        m_seen.resize(trial + 1);
    const Series* series = m_data.curves().find(TrialId(static_cast<uint32_t>(trial)), m_metric);
    if (!series)
        return true;
    Seen& seen = m_seen[trial];
    if (series->rewritten != seen.rewritten && seen.points > 0)
        return false;
    seen.rewritten = series->rewritten;
    for (; seen.points < series->size(); ++seen.points) {
        const double value = series->values[seen.points];
        m_extent.add(value);
        m_steps.include(series->steps[seen.points]);
        ++m_points;
        m_notPositive += value <= 0 ? 1 : 0;
    }
    return true;
}

void ChartPresenter::takeInAll() {
    m_extent = {};
    m_seen.clear();
    m_points = 0;
    m_notPositive = 0;
    for (size_t trial = 0; trial < m_data.curves().trialCount(); ++trial)
        takeIn(trial);
}

void ChartPresenter::onDataChanged(const models::ExperimentChange& change) {
    std::vector<size_t> grown;
    bool replaced = change.restarted;
    const auto take = [&](size_t trial) {
        const size_t before = trial < m_seen.size() ? m_seen[trial].points : 0;
        replaced = !takeIn(trial) || replaced;
        if (trial < m_seen.size() && m_seen[trial].points != before)
            grown.push_back(trial);
    };
    for (const size_t trial : change.changedTrials)
        take(trial);
    for (size_t i = 0; i < change.newTrials; ++i)
        take(change.firstNewTrial + i);
    if (replaced) {
        takeInAll();
        emit curvesReplaced();
    } else if (!grown.empty()) {
        emit curvesGrew(grown);
    }
    if (change.bestTrial && !replaced)
        emit curvesReplaced();
}

std::optional<AxisRange> ChartPresenter::fittingY(int ticks) const {
    models::AxisExtent extent = m_extent;
    if (m_ignoresOutliers && extent.finite && m_scale == AxisScale::linear)
        extent.finite = withoutOutliers(*extent.finite);
    return models::fittingRange(extent, m_scale, AxisNumbers::real, ticks);
}

/// Source: Tukey's fences, here 3 interquartile ranges beyond the quartiles.
AxisRange ChartPresenter::withoutOutliers(const AxisRange& range) const {
    std::vector<double> values;
    for (size_t trial = 0; trial < m_seen.size(); ++trial) {
        if (const Series* curve = series(TrialId(static_cast<uint32_t>(trial)))) {
            std::copy_if(curve->values.begin(), curve->values.end(), std::back_inserter(values),
                         [](double value) { return std::isfinite(value); });
        }
    }
    const auto quantile = [&](double part) {
        const auto place =
            values.begin() + static_cast<ptrdiff_t>(part * static_cast<double>(values.size() - 1));
        std::nth_element(values.begin(), place, values.end());
        return *place;
    };
    const double lower = quantile(0.25);
    const double upper = quantile(0.75);
    const double reach = 3 * (upper - lower);
    const AxisRange fences{std::max(range.lower, lower - reach), std::min(range.upper, upper + reach)};
    return fences.lower < fences.upper ? fences : range;
}

ChartPlan ChartPresenter::plan(int xTicks, int yTicks) const {
    m_xTicks = xTicks;
    m_yTicks = yTicks;
    ChartPlan plan;
    plan.x = m_steps.range(xTicks);
    plan.y = m_zoomY ? m_zoomY : fittingY(yTicks);
    if (plan.x)
        plan.xTicks = models::ticksFor(*plan.x, AxisScale::linear, AxisNumbers::whole, xTicks);
    if (plan.y)
        plan.yTicks = models::ticksFor(*plan.y, m_scale, AxisNumbers::real, yTicks);
    return plan;
}

void ChartPresenter::setScale(AxisScale scale) {
    if (scale == m_scale)
        return;
    m_scale = scale;
    // A zoomed range stays where the new scale can show it.
    if (m_zoomY && scale == AxisScale::logarithmic && m_zoomY->lower <= 0) {
        const auto fitting = fittingY(m_yTicks);
        if (fitting && fitting->lower < m_zoomY->upper)
            m_zoomY->lower = fitting->lower;
        else
            m_zoomY.reset();
    }
    emit curvesReplaced();
    emit planChanged();
}

void ChartPresenter::setSmoothing(double smoothing) {
    smoothing = std::clamp(smoothing, 0.0, kMostSmoothing);
    if (smoothing == m_smoothing)
        return;
    m_smoothing = smoothing;
    emit curvesReplaced();
    emit planChanged();
}

void ChartPresenter::setIgnoresOutliers(bool ignores) {
    if (ignores == m_ignoresOutliers)
        return;
    m_ignoresOutliers = ignores;
    emit planChanged();
}

void ChartPresenter::setShown(bool shown) {
    if (shown == m_shown)
        return;
    m_shown = shown;
    emit shownChanged();
}

void ChartPresenter::zoom(double xFraction, double yFraction, double xFactor, double yFactor) {
    const ChartPlan now = plan(m_xTicks, m_yTicks);
    if (!now.x || !now.y)
        return;
    if (yFactor != 1)
        m_zoomY = models::zoomed(*now.y, m_scale, yFraction, yFactor);
    if (xFactor != 1)
        m_steps.setZoom(models::zoomed(*now.x, AxisScale::linear, xFraction, xFactor));
    emit planChanged();
}

void ChartPresenter::pan(double xFraction, double yFraction) {
    const ChartPlan now = plan(m_xTicks, m_yTicks);
    if (!now.x || !now.y)
        return;
    m_zoomY = models::panned(*now.y, m_scale, yFraction);
    m_steps.setZoom(models::panned(*now.x, AxisScale::linear, xFraction));
    emit planChanged();
}

void ChartPresenter::resetZoom() {
    m_zoomY.reset();
    m_steps.setZoom(std::nullopt);
    emit planChanged();
}

void ChartPresenter::moveHover(int points) {
    const auto hover = m_steps.hover();
    TrialId trial = hover ? hover->trial : m_selection.current().value_or(TrialId(0));
    for (uint32_t i = 0; !series(trial) && i < trialCount(); ++i)
        trial = TrialId(i);
    const Series* curve = series(trial);
    if (!curve)
        return;
    if (!hover) {
        m_steps.setHover(SharedSteps::Hover{curve->steps.back(), trial});
        return;
    }
    const auto at = static_cast<ptrdiff_t>(curve->firstAfter(hover->step)) - 1;
    const auto next = std::clamp<ptrdiff_t>(at + points, 0, static_cast<ptrdiff_t>(curve->size()) - 1);
    m_steps.setHover(SharedSteps::Hover{curve->steps[static_cast<size_t>(next)], trial});
}

void ChartPresenter::moveHoverToTrial(int trials) {
    const auto hover = m_steps.hover();
    if (!hover) {
        moveHover(0);
        return;
    }
    const auto count = static_cast<int64_t>(trialCount());
    for (int64_t next = int64_t{hover->trial.raw()} + trials; next >= 0 && next < count; next += trials) {
        const TrialId trial(static_cast<uint32_t>(next));
        const Series* curve = series(trial);
        if (!curve)
            continue;
        const size_t place = std::max<size_t>(curve->firstAfter(hover->step), 1) - 1;
        m_steps.setHover(SharedSteps::Hover{curve->steps[place], trial});
        return;
    }
}

} // namespace trialdeck::app::presenters

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/models/curve_shape.h"
#include "app/models/experiment_data.h"
#include "app/presenters/shared_steps.h"
#include "app/presenters/trial_selection.h"

#include <QObject>

#include <optional>
#include <string>
#include <vector>

namespace trialdeck::app::presenters {

/// What one chart shows at the moment: ranges, ticks, and what it could not show.
struct ChartPlan {
    /// Missing where there is nothing to draw on this scale.
    std::optional<models::AxisRange> x;
    std::optional<models::AxisRange> y;
    std::vector<models::AxisTick> xTicks;
    std::vector<models::AxisTick> yTicks;
    friend bool operator==(const ChartPlan&, const ChartPlan&) = default;
};

/// One chart: the curves of all trials in one metric. Knows scale, smoothing and zoom; draws nothing.
class ChartPresenter : public QObject {
    Q_OBJECT

public:
    ChartPresenter(const models::ExperimentData& data, size_t metric, SharedSteps& steps,
                   TrialSelection& selection, QObject* parent = nullptr);

    [[nodiscard]] QString metricName() const;
    [[nodiscard]] size_t metric() const { return m_metric; }
    [[nodiscard]] SharedSteps& steps() const { return m_steps; }
    [[nodiscard]] TrialSelection& selection() const { return m_selection; }
    [[nodiscard]] const models::ExperimentData& data() const { return m_data; }
    [[nodiscard]] size_t trialCount() const { return m_data.trials().size(); }
    /// Null where the trial has no point in this metric.
    [[nodiscard]] const models::Series* series(TrialId trial) const;

    [[nodiscard]] models::AxisScale scale() const { return m_scale; }
    /// 0 to 0.99.
    [[nodiscard]] double smoothing() const { return m_smoothing; }
    [[nodiscard]] bool ignoresOutliers() const { return m_ignoresOutliers; }
    [[nodiscard]] bool isZoomed() const { return m_zoomY.has_value() || m_steps.isZoomed(); }
    /// Among the charts of the page. Bookkeeping is not until it is asked for.
    [[nodiscard]] bool isShown() const { return m_shown; }
    /// There are points, but none that is a finite number.
    [[nodiscard]] bool hasOnlyNan() const;
    [[nodiscard]] bool isEmpty() const { return m_points == 0; }
    /// Trials whose newest value is NaN or infinite.
    [[nodiscard]] std::vector<TrialId> diverged() const;
    /// Values of 0 and below, which a logarithmic axis cannot show; 0 on a linear one.
    [[nodiscard]] size_t hiddenValues() const;

    /// For a plot of so many ticks.
    [[nodiscard]] ChartPlan plan(int xTicks, int yTicks) const;

public slots:
    void setScale(trialdeck::app::models::AxisScale scale);
    void setSmoothing(double smoothing);
    void setIgnoresOutliers(bool ignores);
    void setShown(bool shown);
    /// At a place of the plot: fractions of its width and height, from the lower left.
    void zoom(double xFraction, double yFraction, double xFactor, double yFactor);
    void pan(double xFraction, double yFraction);
    void resetZoom();
    /// To the next (1) or previous (-1) point of the hovered or current trial, or the next trial's curve.
    void moveHover(int points);
    void moveHoverToTrial(int trials);

    void onDataChanged(const trialdeck::app::models::ExperimentChange& change);

signals:
    /// Points were added at the ends of curves.
    void curvesGrew(const std::vector<size_t>& trials);
    /// Curves are other than before: draw all anew.
    void curvesReplaced();
    /// Ranges, scale or smoothing changed.
    void planChanged();
    void shownChanged();

private:
    struct Seen {
        size_t points = 0;
        unsigned rewritten = 0;
    };
    bool takeIn(size_t trial);
    void takeInAll();
    [[nodiscard]] models::AxisRange withoutOutliers(const models::AxisRange& range) const;
    [[nodiscard]] std::optional<models::AxisRange> fittingY(int ticks) const;

    const models::ExperimentData& m_data;
    size_t m_metric;
    SharedSteps& m_steps;
    TrialSelection& m_selection;
    models::AxisScale m_scale = models::AxisScale::linear;
    double m_smoothing = 0;
    bool m_ignoresOutliers = false;
    bool m_shown;
    std::optional<models::AxisRange> m_zoomY;

    models::AxisExtent m_extent;
    std::vector<Seen> m_seen;
    size_t m_points = 0;
    size_t m_notPositive = 0;
    /// The number of ticks asked for last: zooming begins from the range shown.
    mutable int m_yTicks = 5;
    mutable int m_xTicks = 5;
};

} // namespace trialdeck::app::presenters

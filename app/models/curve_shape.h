// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/models/axis_plan.h"

#include <QPointF>
#include <QRectF>

#include <cstddef>
#include <optional>
#include <vector>

namespace trialdeck::app::models {

/// How values become places: the plot's rectangle (pixels, y downwards) and what its edges stand for.
struct ChartMapping {
    QRectF plot;
    AxisRange x;
    AxisRange y;
    AxisScale yScale = AxisScale::linear;

    [[nodiscard]] double xOf(double step) const;
    /// NaN where the scale cannot show the value. Clamped to a few plot heights outside, so that a spike far
    /// off the view is still a line and no overflow.
    [[nodiscard]] double yOf(double value) const;
    [[nodiscard]] double stepAt(double px) const;
    [[nodiscard]] double valueAtY(double py) const;
    friend bool operator==(const ChartMapping&, const ChartMapping&) = default;
};

/// A part of `points` that one unbroken line goes through.
struct CurveRun {
    size_t first = 0;
    size_t count = 0;
    friend bool operator==(const CurveRun&, const CurveRun&) = default;
};

enum class CurveMark { notANumber, aboveRange, belowRange };

/// A curve as it is painted. Runs of one point are dots.
struct CurveShape {
    std::vector<QPointF> points;
    std::vector<CurveRun> runs;
    struct Mark {
        double x = 0;
        CurveMark kind = CurveMark::notANumber;
        friend bool operator==(const Mark&, const Mark&) = default;
    };
    std::vector<Mark> marks;
    /// Values that the logarithmic scale cannot show (0 and below).
    size_t notShown = 0;

    void clear();
};

/// Turns a curve into pixels: at most four points a pixel column (first, smallest, largest, last), so that
/// no spike is lost and no column is drawn more than once. NaN, ±infinity, missing values and, on a
/// logarithmic axis, values of 0 and below break the line. Points outside the plot are left out but for one
/// neighbour on each side. `shape` is filled anew; its memory is used again.
void shapeCurve(const std::vector<double>& steps, const std::vector<double>& values,
                const ChartMapping& mapping, CurveShape& shape);

/// Index of the point nearest to `place`, counted in pixels, among those with a visible finite value.
struct NearestPoint {
    size_t index = 0;
    double distance = 0;
};
[[nodiscard]] std::optional<NearestPoint> nearestPoint(const std::vector<double>& steps,
                                                       const std::vector<double>& values,
                                                       const ChartMapping& mapping, QPointF place,
                                                       double reach);

/// A place for a box of `size` near `anchor` that lies within the plot and covers none of the runs of
/// `shape`; where no place is free, the corner farthest from the anchor.
[[nodiscard]] QRectF freePlace(QSizeF size, QPointF anchor, const QRectF& plot, const CurveShape& shape);

} // namespace trialdeck::app::models

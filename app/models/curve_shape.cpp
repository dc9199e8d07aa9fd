// SPDX-License-Identifier: Apache-2.0
#include "app/models/curve_shape.h"

#include "app/models/metric_store.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

namespace trialdeck::app::models {

namespace {

constexpr double kClampHeights = 4;

/// Collects the points of one pixel column and writes what is needed of them.
class ColumnCollector {
public:
    ColumnCollector(CurveShape& shape, double deviceStep) : m_shape(shape), m_deviceStep(deviceStep) {}

    void add(QPointF point) {
        const double column = std::floor(point.x() / m_deviceStep);
        if (!m_open || column != m_column) {
            flush();
            m_open = true;
            m_column = column;
            m_first = m_last = m_lowest = m_highest = point;
            m_count = 1;
            return;
        }
        ++m_count;
        m_last = point;
        if (point.y() < m_lowest.y())
            m_lowest = point;
        if (point.y() > m_highest.y())
            m_highest = point;
    }

    void endRun() {
        flush();
        if (m_shape.points.size() > m_runStart)
            m_shape.runs.push_back({m_runStart, m_shape.points.size() - m_runStart});
        m_runStart = m_shape.points.size();
    }

private:
    void flush() {
        if (!m_open)
            return;
        m_open = false;
        auto& points = m_shape.points;
        points.push_back(m_first);
        if (m_count == 1)
            return;
        const bool lowestFirst = m_lowest.x() <= m_highest.x();
        const QPointF one = lowestFirst ? m_lowest : m_highest;
        const QPointF other = lowestFirst ? m_highest : m_lowest;
        for (const QPointF& point : {one, other, m_last}) {
            if (point != points.back())
                points.push_back(point);
        }
    }

    CurveShape& m_shape;
    double m_deviceStep;
    bool m_open = false;
    double m_column = 0;
    QPointF m_first;
    QPointF m_last;
    QPointF m_lowest;
    QPointF m_highest;
    size_t m_count = 0;
    size_t m_runStart = 0;
};

/// The mapping with everything that does not depend on the point worked out once.
class FastMapping {
public:
    explicit FastMapping(const ChartMapping& mapping) : m_mapping(mapping) {
        m_xFactor = mapping.plot.width() / (mapping.x.upper - mapping.x.lower);
        if (mapping.yScale == AxisScale::logarithmic) {
            m_logLower = std::log10(mapping.y.lower);
            m_yFactor = mapping.plot.height() / (std::log10(mapping.y.upper) - m_logLower);
        } else {
            m_yFactor = mapping.plot.height() / (mapping.y.upper / 2 - mapping.y.lower / 2);
        }
        m_top = mapping.plot.top() - kClampHeights * mapping.plot.height();
        m_bottom = mapping.plot.bottom() + kClampHeights * mapping.plot.height();
    }

    [[nodiscard]] double x(double step) const {
        return m_mapping.plot.left() + (step - m_mapping.x.lower) * m_xFactor;
    }
    [[nodiscard]] double y(double value) const {
        double height = 0;
        if (m_mapping.yScale == AxisScale::logarithmic) {
            if (!(value > 0))
                return std::numeric_limits<double>::quiet_NaN();
            height = (std::log10(value) - m_logLower) * m_yFactor;
        } else {
            height = (value / 2 - m_mapping.y.lower / 2) * m_yFactor;
        }
        return std::clamp(m_mapping.plot.bottom() - height, m_top, m_bottom);
    }

private:
    const ChartMapping& m_mapping;
    double m_xFactor = 1;
    double m_yFactor = 1;
    double m_logLower = 0;
    double m_top = 0;
    double m_bottom = 0;
};

bool crosses(QPointF a, QPointF b, const QRectF& box) {
    if (std::max(a.x(), b.x()) < box.left() || std::min(a.x(), b.x()) > box.right())
        return false;
    const auto yAt = [&](double x) {
        if (a.x() == b.x())
            return a.y();
        return a.y() + (b.y() - a.y()) * (x - a.x()) / (b.x() - a.x());
    };
    double low = yAt(std::clamp(box.left(), std::min(a.x(), b.x()), std::max(a.x(), b.x())));
    double high = yAt(std::clamp(box.right(), std::min(a.x(), b.x()), std::max(a.x(), b.x())));
    if (a.x() == b.x()) {
        low = a.y();
        high = b.y();
    }
    if (low > high)
        std::swap(low, high);
    return high >= box.top() && low <= box.bottom();
}

bool covers(const QRectF& box, const CurveShape& shape) {
    for (const CurveRun& run : shape.runs) {
        if (run.count == 1 && box.contains(shape.points[run.first]))
            return true;
        for (size_t i = run.first + 1; i < run.first + run.count; ++i) {
            if (crosses(shape.points[i - 1], shape.points[i], box))
                return true;
        }
    }
    return false;
}

} // namespace

double ChartMapping::xOf(double step) const {
    return FastMapping(*this).x(step);
}

double ChartMapping::yOf(double value) const {
    return FastMapping(*this).y(value);
}

double ChartMapping::stepAt(double px) const {
    return valueAt((px - plot.left()) / plot.width(), x, AxisScale::linear);
}

double ChartMapping::valueAtY(double py) const {
    return valueAt((plot.bottom() - py) / plot.height(), y, yScale);
}

void CurveShape::clear() {
    points.clear();
    runs.clear();
    marks.clear();
    notShown = 0;
}

void shapeCurve(const std::vector<double>& steps, const std::vector<double>& values,
                const ChartMapping& mapping, CurveShape& shape) {
    shape.clear();
    const FastMapping fast(mapping);
    auto first =
        static_cast<size_t>(std::lower_bound(steps.begin(), steps.end(), mapping.x.lower) - steps.begin());
    auto end =
        static_cast<size_t>(std::upper_bound(steps.begin(), steps.end(), mapping.x.upper) - steps.begin());
    first = first > 0 ? first - 1 : 0;
    end = std::min(end + 1, values.size());
    ColumnCollector collector(shape, 1);
    for (size_t i = first; i < end; ++i) {
        const double value = values[i];
        if (std::isfinite(value)) {
            const double y = fast.y(value);
            if (!std::isnan(y)) {
                collector.add({fast.x(steps[i]), y});
                continue;
            }
            ++shape.notShown;
        } else if (!isMissing(value)) {
            const CurveMark kind = std::isnan(value) ? CurveMark::notANumber
                                   : value > 0       ? CurveMark::aboveRange
                                                     : CurveMark::belowRange;
            const double x = fast.x(steps[i]);
            const bool sameColumn = !shape.marks.empty() && shape.marks.back().kind == kind &&
                                    std::floor(shape.marks.back().x) == std::floor(x);
            if (!sameColumn && x >= mapping.plot.left() - 1 && x <= mapping.plot.right() + 1)
                shape.marks.push_back({x, kind});
        }
        collector.endRun();
    }
    collector.endRun();
}

std::optional<NearestPoint> nearestPoint(const std::vector<double>& steps, const std::vector<double>& values,
                                         const ChartMapping& mapping, QPointF place, double reach) {
    const FastMapping fast(mapping);
    const double from = mapping.stepAt(place.x() - reach);
    const double to = mapping.stepAt(place.x() + reach);
    std::optional<NearestPoint> best;
    auto i = static_cast<size_t>(std::lower_bound(steps.begin(), steps.end(), from) - steps.begin());
    for (; i < values.size() && steps[i] <= to; ++i) {
        if (!std::isfinite(values[i]))
            continue;
        const double y = fast.y(values[i]);
        if (std::isnan(y) || y < mapping.plot.top() - 1 || y > mapping.plot.bottom() + 1)
            continue;
        const double distance = std::hypot(fast.x(steps[i]) - place.x(), y - place.y());
        if (distance <= reach && (!best || distance < best->distance))
            best = NearestPoint{i, distance};
    }
    return best;
}

QRectF freePlace(QSizeF size, QPointF anchor, const QRectF& plot, const CurveShape& shape) {
    constexpr double kGap = 12;
    constexpr double kAir = 4;
    const std::array<double, 4> lefts = {anchor.x() + kGap, anchor.x() - kGap - size.width(),
                                         plot.right() - size.width() - kAir, plot.left() + kAir};
    const std::array<double, 5> tops = {anchor.y() - size.height() - kGap, anchor.y() + kGap,
                                        plot.top() + kAir, plot.bottom() - size.height() - kAir,
                                        plot.center().y() - size.height() / 2};
    for (const double left : lefts) {
        for (const double top : tops) {
            const QRectF box(QPointF(left, top), size);
            const QRectF spaced = box.adjusted(-kAir, -kAir, kAir, kAir);
            if (plot.contains(box) && !spaced.contains(anchor) && !covers(spaced, shape))
                return box;
        }
    }
    const double left =
        anchor.x() > plot.center().x() ? plot.left() + kAir : plot.right() - size.width() - kAir;
    const double top =
        anchor.y() > plot.center().y() ? plot.top() + kAir : plot.bottom() - size.height() - kAir;
    return {QPointF(left, top), size};
}

} // namespace trialdeck::app::models

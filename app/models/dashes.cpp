// SPDX-License-Identifier: Apache-2.0
#include "app/models/dashes.h"

#include <algorithm>
#include <array>

namespace trialdeck::app::models {

namespace {

/// A longer segment leads far out of any window: it stays whole, whatever the style.
constexpr qreal kLongest = 20'000;

/// Lengths of line, gap, line, gap in widths of the pen; empty for a line without gaps.
std::span<const qreal> patternOf(Qt::PenStyle style) {
    static constexpr std::array<qreal, 2> kDash = {4, 2};
    static constexpr std::array<qreal, 2> kDot = {1, 2};
    static constexpr std::array<qreal, 4> kDashDot = {4, 2, 1, 2};
    switch (style) {
    case Qt::DashLine:
        return kDash;
    case Qt::DotLine:
        return kDot;
    case Qt::DashDotLine:
        return kDashDot;
    default:
        return {};
    }
}

} // namespace

void appendLines(std::span<const QPointF> points, Qt::PenStyle style, qreal width,
                 std::vector<QLineF>& lines) {
    const std::span<const qreal> pattern = patternOf(style);
    size_t part = 0;
    qreal left = pattern.empty() ? 0 : pattern[0] * width;
    for (size_t i = 1; i < points.size(); ++i) {
        const QLineF segment(points[i - 1], points[i]);
        const qreal length = segment.length();
        if (pattern.empty() || length > kLongest) {
            lines.push_back(segment);
            continue;
        }
        qreal at = 0;
        while (at < length) {
            const bool ends = left <= length - at;
            const qreal end = ends ? at + left : length;
            if (part % 2 == 0)
                lines.emplace_back(segment.pointAt(at / length), segment.pointAt(end / length));
            left -= length - at;
            at = end;
            if (!ends)
                break;
            part = (part + 1) % pattern.size();
            left = pattern[part] * width;
        }
    }
}

} // namespace trialdeck::app::models

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <vector>

namespace trialdeck::app::models {

enum class AxisScale { linear, logarithmic };
/// Whether an axis counts something (training iterations), so that its ticks are whole numbers.
enum class AxisNumbers { real, whole };

/// An interval of an axis, in the values' own unit whatever the scale. lower < upper, both finite.
struct AxisRange {
    double lower = 0;
    double upper = 1;
    friend bool operator==(const AxisRange&, const AxisRange&) = default;
};

/// What the values of all visible curves are, as far as an axis has to know.
struct AxisExtent {
    /// Smallest and largest finite value; missing where there is none.
    std::optional<AxisRange> finite;
    /// The same of those above 0, for the logarithmic scale.
    std::optional<AxisRange> positive;

    void add(double value);
};

struct AxisTick {
    double value = 0;
    std::string label;
    friend bool operator==(const AxisTick&, const AxisTick&) = default;
};

/// The range that shows everything: whole ticks on a linear axis, whole decades on a logarithmic one that
/// spans more than one. A single value gets a margin. Nothing where the scale can show none of the values.
[[nodiscard]] std::optional<AxisRange> fittingRange(const AxisExtent& extent, AxisScale scale,
                                                    AxisNumbers numbers, int wantedTicks);

/// Ticks within the range, about as many as wanted, their labels all different and written alike.
[[nodiscard]] std::vector<AxisTick> ticksFor(const AxisRange& range, AxisScale scale, AxisNumbers numbers,
                                             int wantedTicks);

/// Where a value lies on the axis, 0 at the lower end and 1 at the upper. Not clamped; NaN for what the scale
/// cannot show.
[[nodiscard]] double fractionOf(double value, const AxisRange& range, AxisScale scale);
/// The inverse of fractionOf.
[[nodiscard]] double valueAt(double fraction, const AxisRange& range, AxisScale scale);

/// The range after zooming by `factor` (below 1: closer) with the value at `fraction` staying where it is, or
/// `range` where doubles cannot tell the ends apart any more.
[[nodiscard]] AxisRange zoomed(const AxisRange& range, AxisScale scale, double fraction, double factor);
/// Moved by a part of its length.
[[nodiscard]] AxisRange panned(const AxisRange& range, AxisScale scale, double fraction);

} // namespace trialdeck::app::models

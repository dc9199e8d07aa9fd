// SPDX-License-Identifier: Apache-2.0
#include "app/models/axis_plan.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <limits>

namespace trialdeck::app::models {

namespace {

constexpr double kSmallestRelativeSpan = 1e-12;
constexpr double kLargest = std::numeric_limits<double>::max();
constexpr double kSmallest = std::numeric_limits<double>::min();

/// upper - lower without overflow, as half of it.
double halfSpan(const AxisRange& range) {
    return range.upper / 2 - range.lower / 2;
}

/// 1, 2 or 5 times a power of ten, the smallest that is not below `rough`.
double niceStep(double rough) {
    const double exponent = std::floor(std::log10(rough));
    const double power = std::pow(10.0, exponent);
    for (const double factor : {1.0, 2.0, 5.0}) {
        if (factor * power >= rough * (1 - 1e-9))
            return factor * power;
    }
    return 10 * power;
}

std::string formatted(double value, const char* pattern, int digits) {
    std::array<char, 400> text{};
    std::snprintf(text.data(), text.size(), pattern, digits, value);
    return text.data();
}

/// "1.50e-07" as "1.5e-7".
std::string shortExponent(std::string text) {
    const size_t e = text.find('e');
    if (e == std::string::npos)
        return text;
    std::string mantissa = text.substr(0, e);
    std::string exponent = text.substr(e + 1);
    const bool negative = exponent.front() == '-';
    exponent.erase(0, 1);
    exponent.erase(0, std::min(exponent.find_first_not_of('0'), exponent.size() - 1));
    return mantissa + "e" + (negative ? "-" : "") + exponent;
}

bool allDifferent(const std::vector<AxisTick>& ticks) {
    for (size_t i = 1; i < ticks.size(); ++i) {
        if (ticks[i].label == ticks[i - 1].label)
            return false;
    }
    return true;
}

void labelLinear(std::vector<AxisTick>& ticks, double step) {
    double largest = 0;
    for (const AxisTick& tick : ticks)
        largest = std::max(largest, std::abs(tick.value));
    const int stepExponent = static_cast<int>(std::floor(std::log10(step) + 1e-9));
    const bool plain = largest == 0 || (largest < 1e6 && stepExponent >= -9);
    int digits = plain ? std::max(0, -stepExponent)
                       : std::max(0, static_cast<int>(std::floor(std::log10(largest))) - stepExponent);
    for (; digits <= 17; ++digits) {
        for (AxisTick& tick : ticks) {
            const double value = tick.value == 0 ? 0.0 : tick.value;
            tick.label = plain ? formatted(value, "%.*f", digits)
                               : shortExponent(formatted(value, "%.*e", std::min(digits, 16)));
        }
        if (allDifferent(ticks))
            return;
    }
}

std::vector<AxisTick> linearTicks(const AxisRange& range, AxisNumbers numbers, int wanted) {
    double step = niceStep(std::max(halfSpan(range) / std::max(1, wanted) * 2, kSmallest * 1e10));
    if (!std::isfinite(step))
        step = kLargest / 4;
    if (numbers == AxisNumbers::whole)
        step = std::max(1.0, step);
    std::vector<AxisTick> ticks;
    const double first = std::ceil(range.lower / step - 1e-6);
    for (int i = 0; i < 4 * std::max(1, wanted) + 4; ++i) {
        const double value = (first + i) * step;
        if (value > range.upper + step * 1e-6)
            break;
        if (!ticks.empty() && value <= ticks.back().value)
            break;
        ticks.push_back({std::abs(value) < step * 1e-6 ? 0.0 : value, {}});
    }
    labelLinear(ticks, step);
    return ticks;
}

std::string decadeLabel(double value) {
    if (value >= 1e-3 && value < 1e6) {
        const int digits = std::max(0, static_cast<int>(std::ceil(-std::log10(value) - 1e-9)));
        return formatted(value, "%.*f", digits);
    }
    return shortExponent(formatted(value, "%.*e", 0));
}

std::vector<AxisTick> decadeTicks(const AxisRange& range, int wanted) {
    const int lowest = static_cast<int>(std::ceil(std::log10(range.lower) - 1e-9));
    const int highest = static_cast<int>(std::floor(std::log10(range.upper) + 1e-9));
    int every = 1;
    for (const int step : {1, 2, 3, 5, 10, 20, 50, 100, 200}) {
        every = step;
        if ((highest - lowest) / step + 1 <= std::max(2, wanted))
            break;
    }
    const bool between = highest - lowest <= 2 && wanted >= 4;
    std::vector<AxisTick> ticks;
    const auto add = [&](double value) {
        if (value >= range.lower * (1 - 1e-9) && value <= range.upper * (1 + 1e-9))
            ticks.push_back({value, decadeLabel(value)});
    };
    const int anchor = every * static_cast<int>(std::floor(static_cast<double>(lowest) / every));
    for (int decade = between ? lowest - 1 : anchor; decade <= highest; decade += every) {
        const double power = std::pow(10.0, decade);
        add(power);
        if (between) {
            add(2 * power);
            add(5 * power);
        }
    }
    return ticks;
}

AxisRange withMargin(const AxisRange& extent) {
    const double magnitude = std::max(std::abs(extent.lower), std::abs(extent.upper));
    if (halfSpan(extent) * 2 > magnitude * kSmallestRelativeSpan)
        return extent;
    const double margin = magnitude > 0 ? magnitude * 0.05 : 1;
    return {std::max(extent.lower - margin, -kLargest), std::min(extent.upper + margin, kLargest)};
}

AxisRange wholeTicks(const AxisRange& range, AxisNumbers numbers, int wanted) {
    double step = niceStep(std::max(halfSpan(range) / std::max(1, wanted) * 2, kSmallest * 1e10));
    if (numbers == AxisNumbers::whole)
        step = std::max(1.0, step);
    const AxisRange widened{std::floor(range.lower / step + 1e-6) * step,
                            std::ceil(range.upper / step - 1e-6) * step};
    const bool usable = std::isfinite(widened.lower) && std::isfinite(widened.upper);
    return usable && widened.lower < widened.upper ? widened : range;
}

AxisRange wholeDecades(const AxisRange& positive) {
    const double lower = std::log10(positive.lower);
    const double upper = std::log10(positive.upper);
    if (upper - lower < 0.5) {
        const AxisRange linear = wholeTicks(withMargin(positive), AxisNumbers::real, 5);
        if (linear.lower > 0)
            return linear;
    }
    if (upper - lower < 1) {
        constexpr std::array<double, 4> kSteps = {1, 2, 5, 10};
        const auto snap = [&](double value, bool down) {
            const double power = std::pow(10.0, std::floor(std::log10(value) + 1e-12));
            double best = down ? power : 10 * power;
            for (const double factor : kSteps) {
                if (down && factor * power <= value * (1 + 1e-9))
                    best = factor * power;
                if (!down && factor * power >= value * (1 - 1e-9)) {
                    best = factor * power;
                    break;
                }
            }
            return best;
        };
        AxisRange range{snap(positive.lower, true), snap(positive.upper, false)};
        if (range.lower >= range.upper)
            range = {range.lower / 2, range.upper * 2};
        return range;
    }
    return {std::max(std::pow(10.0, std::floor(lower + 1e-9)), kSmallest),
            std::min(std::pow(10.0, std::ceil(upper - 1e-9)), kLargest)};
}

double mapped(double value, AxisScale scale) {
    if (scale == AxisScale::linear)
        return value;
    return value > 0 ? std::log10(value) : std::numeric_limits<double>::quiet_NaN();
}

AxisRange mapped(const AxisRange& range, AxisScale scale) {
    return {mapped(range.lower, scale), mapped(range.upper, scale)};
}

AxisRange unmapped(const AxisRange& range, AxisScale scale) {
    if (scale == AxisScale::linear)
        return {std::clamp(range.lower, -kLargest, kLargest), std::clamp(range.upper, -kLargest, kLargest)};
    return {std::max(std::pow(10.0, range.lower), kSmallest),
            std::min(std::pow(10.0, range.upper), kLargest)};
}

} // namespace

void AxisExtent::add(double value) {
    if (!std::isfinite(value))
        return;
    const auto include = [value](std::optional<AxisRange>& range) {
        if (!range)
            range = AxisRange{value, value};
        range->lower = std::min(range->lower, value);
        range->upper = std::max(range->upper, value);
    };
    include(finite);
    if (value > 0)
        include(positive);
}

std::optional<AxisRange> fittingRange(const AxisExtent& extent, AxisScale scale, AxisNumbers numbers,
                                      int wantedTicks) {
    if (scale == AxisScale::logarithmic)
        return extent.positive ? std::optional(wholeDecades(*extent.positive)) : std::nullopt;
    if (!extent.finite)
        return std::nullopt;
    if (numbers == AxisNumbers::whole) {
        if (extent.finite->lower == extent.finite->upper)
            return AxisRange{extent.finite->lower - 1, extent.finite->upper + 1};
        const AxisRange widened = wholeTicks(*extent.finite, numbers, wantedTicks);
        return AxisRange{extent.finite->lower, widened.upper};
    }
    return wholeTicks(withMargin(*extent.finite), numbers, wantedTicks);
}

std::vector<AxisTick> ticksFor(const AxisRange& range, AxisScale scale, AxisNumbers numbers,
                               int wantedTicks) {
    if (scale == AxisScale::logarithmic) {
        auto ticks = decadeTicks(range, wantedTicks);
        if (ticks.size() >= 3 || std::log10(range.upper) - std::log10(range.lower) >= 1)
            return ticks;
    }
    return linearTicks(range, numbers, wantedTicks);
}

double fractionOf(double value, const AxisRange& range, AxisScale scale) {
    const AxisRange line = mapped(range, scale);
    const double position = mapped(value, scale);
    return (position / 2 - line.lower / 2) / halfSpan(line);
}

double valueAt(double fraction, const AxisRange& range, AxisScale scale) {
    const AxisRange line = mapped(range, scale);
    const double position = line.lower + fraction * halfSpan(line) + fraction * halfSpan(line);
    return scale == AxisScale::linear ? position : std::pow(10.0, position);
}

AxisRange zoomed(const AxisRange& range, AxisScale scale, double fraction, double factor) {
    const AxisRange line = mapped(range, scale);
    const double half = halfSpan(line);
    const double fixed = line.lower + fraction * half + fraction * half;
    const AxisRange next{fixed - (fixed - line.lower) * factor, fixed + (line.upper - fixed) * factor};
    const AxisRange result = unmapped(next, scale);
    const double magnitude = std::max(std::abs(result.lower), std::abs(result.upper));
    const bool usable = std::isfinite(next.lower) && std::isfinite(next.upper) &&
                        result.lower < result.upper &&
                        halfSpan(result) * 2 > magnitude * kSmallestRelativeSpan;
    return usable ? result : range;
}

AxisRange panned(const AxisRange& range, AxisScale scale, double fraction) {
    const AxisRange line = mapped(range, scale);
    const double by = halfSpan(line) * fraction + halfSpan(line) * fraction;
    const AxisRange result = unmapped({line.lower + by, line.upper + by}, scale);
    return result.lower < result.upper ? result : range;
}

} // namespace trialdeck::app::models

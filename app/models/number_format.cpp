// SPDX-License-Identifier: Apache-2.0
#include "app/models/number_format.h"

#include "core/base/json.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>

namespace trialdeck::app::models {

namespace {

constexpr size_t kSample = 2000;
constexpr int kMostDigits = 9;
constexpr double kLargestFixed = 1e7;

std::string printed(const char* pattern, int digits, double number) {
    std::array<char, 400> text{};
    std::snprintf(text.data(), text.size(), pattern, digits, number);
    return text.data();
}

/// "3.2e-04" as "3.2e-4".
std::string withShortExponent(std::string text) {
    const size_t e = text.find('e');
    if (e == std::string::npos)
        return text;
    const std::string sign = text[e + 1] == '-' ? "-" : "";
    size_t digit = e + 2;
    while (digit + 1 < text.size() && text[digit] == '0')
        ++digit;
    return text.substr(0, e + 1) + sign + text.substr(digit);
}

int magnitudeOf(double number) {
    return number == 0 ? 0 : static_cast<int>(std::floor(std::log10(std::abs(number))));
}

/// How many neighbours in the sorted, distinct values are written alike.
size_t collisions(const std::vector<double>& sorted, const NumberFormat& format) {
    size_t count = 0;
    std::string before;
    for (const double value : sorted) {
        std::string text = formatted(value, format);
        count += text == before ? 1 : 0;
        before = std::move(text);
    }
    return count;
}

} // namespace

NumberFormat formatFor(std::span<const double> values, bool whole, int significantDigits) {
    if (whole)
        return {NumberFormat::Style::whole, 0};
    std::vector<double> sorted;
    for (const double value : values) {
        if (std::isfinite(value))
            sorted.push_back(value);
    }
    if (sorted.empty())
        return {NumberFormat::Style::fixed, significantDigits};
    std::sort(sorted.begin(), sorted.end());
    sorted.erase(std::unique(sorted.begin(), sorted.end()), sorted.end());
    const double largest = std::max(std::abs(sorted.front()), std::abs(sorted.back()));
    double smallest = largest;
    for (const double value : sorted) {
        if (value != 0)
            smallest = std::min(smallest, std::abs(value));
    }
    const int fixedDigits =
        std::clamp(significantDigits - 1 - std::max(magnitudeOf(largest), -1), 0, kMostDigits);
    const bool fits = largest < kLargestFixed && smallest >= 5 * std::pow(10.0, -fixedDigits);
    NumberFormat format =
        fits ? NumberFormat{NumberFormat::Style::fixed, fixedDigits}
             : NumberFormat{NumberFormat::Style::scientific, std::max(1, significantDigits - 2)};
    const size_t tolerated = sorted.size() / 50;
    while (format.digits < kMostDigits && collisions(sorted, format) > tolerated)
        ++format.digits;
    return format;
}

NumberFormat formatFor(const CellColumn& column, int significantDigits) {
    std::vector<double> sample;
    for (size_t row = 0; row < column.size() && sample.size() < kSample; ++row) {
        const double number = column.number(row);
        if (!std::isnan(number))
            sample.push_back(number);
    }
    return formatFor(sample, column.hasNumbers() && column.isWhole(), significantDigits);
}

std::string formatted(double number, const NumberFormat& format) {
    if (std::isnan(number))
        return "NaN";
    if (std::isinf(number))
        return number > 0 ? "∞" : "−∞";
    switch (format.style) {
    case NumberFormat::Style::whole:
        return printed("%.*f", 0, number);
    case NumberFormat::Style::fixed:
        return printed("%.*f", format.digits, number);
    case NumberFormat::Style::scientific:
        break;
    }
    return number == 0 ? "0" : withShortExponent(printed("%.*e", format.digits, number));
}

std::string formatted(const Value& value, const NumberFormat& format) {
    if (value.isInteger() && format.style == NumberFormat::Style::whole)
        return base::toJson(value);
    if (const auto number = value.toDouble(); number && value.isNumber())
        return formatted(*number, format);
    return exactText(value);
}

std::string exactText(const Value& value) {
    if (value.isNull())
        return {};
    if (const std::string* text = value.asString())
        return *text;
    return base::toJson(value);
}

std::string shortNumber(double number) {
    const std::array<double, 1> one = {number};
    if (std::isfinite(number) && number == std::floor(number) && std::abs(number) < 1e9)
        return printed("%.*f", 0, number);
    return formatted(number, formatFor(one, false, 4));
}

} // namespace trialdeck::app::models

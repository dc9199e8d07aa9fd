// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/models/cell_column.h"

#include <span>
#include <string>

namespace trialdeck::app::models {

/// How all numbers of a column are written, so that points stand under each other and neighbours differ.
/// Always with a point, whatever the locale.
struct NumberFormat {
    enum class Style { whole, fixed, scientific };
    Style style = Style::fixed;
    /// Behind the point.
    int digits = 4;
    friend bool operator==(const NumberFormat&, const NumberFormat&) = default;
};

/// The shortest format that shows at least `significantDigits` of the largest value and tells almost all
/// neighbours in sorted order apart; scientific where the magnitudes do not fit one fixed number of digits.
[[nodiscard]] NumberFormat formatFor(std::span<const double> values, bool whole, int significantDigits);
/// Looks at no more than the first 2,000 numbers of the column.
[[nodiscard]] NumberFormat formatFor(const CellColumn& column, int significantDigits);

/// "0.8612", "3.2e-4", "NaN", "∞", "−∞".
[[nodiscard]] std::string formatted(double number, const NumberFormat& format);
/// Any value on one line: numbers by the format, texts as they are, lists and maps as JSON.
[[nodiscard]] std::string formatted(const Value& value, const NumberFormat& format);
/// With every digit, as it is read back: for the clipboard, files and tooltips. Empty for a missing value.
[[nodiscard]] std::string exactText(const Value& value);
/// One number by itself, to about four digits: "0.8612", "3.2e-4", "10".
[[nodiscard]] std::string shortNumber(double number);

} // namespace trialdeck::app::models

// SPDX-License-Identifier: Apache-2.0
#include "core/model/decimal_steps.h"

#include <algorithm>
#include <cassert>
#include <charconv>
#include <cmath>
#include <limits>
#include <string>
#include <string_view>

namespace trialdeck::model {

namespace {

// A using-declaration cannot be marked as an extension. NOLINTNEXTLINE(modernize-use-using)
__extension__ typedef __int128 Int128;

constexpr double kLargestFactor = 0x1p53;

std::string decimalText(Int128 number) {
    std::string reversed;
    const bool negative = number < 0;
    // Below 2^53 × 10^17, far from the type's ends.
    Int128 rest = negative ? -number : number;
    do {
        reversed += static_cast<char>('0' + static_cast<int>(rest % 10));
        rest /= 10;
    } while (rest > 0);
    if (negative)
        reversed += '-';
    return {reversed.rbegin(), reversed.rend()};
}

} // namespace

DecimalSteps::DecimalSteps(double step) : m_step(step) {
    assert(std::isfinite(step) && step > 0);
    char buffer[32];
    const auto end = std::to_chars(buffer, buffer + sizeof buffer, step, std::chars_format::scientific).ptr;
    const std::string_view text(buffer, static_cast<size_t>(end - buffer));
    const size_t e = text.find('e');
    const std::string_view power = text.substr(text[e + 1] == '+' ? e + 2 : e + 1);
    std::from_chars(power.data(), power.data() + power.size(), m_exponent);
    for (const char c : text.substr(0, e)) {
        if (c != '.')
            m_digits = m_digits * 10 + (c - '0');
    }
    if (e > 1)
        m_exponent -= static_cast<int>(e) - 2;
}

double DecimalSteps::multiple(int64_t factor) const {
    const std::string text =
        decimalText(static_cast<Int128>(factor) * m_digits) + "e" + std::to_string(m_exponent);
    double value = 0;
    const auto [stop, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc{}) // beyond the range of double: the factor belongs to no bound
        return static_cast<double>(factor) * m_step;
    return value;
}

std::optional<int64_t> DecimalSteps::factorOf(double value) const {
    const double quotient = value / m_step;
    if (!(std::abs(quotient) <= kLargestFactor))
        return std::nullopt;
    const double whole = std::round(quotient);
    if (std::abs(quotient - whole) > 1e-9 * std::max(std::abs(quotient), std::abs(whole)))
        return std::nullopt;
    return static_cast<int64_t>(whole);
}

int64_t DecimalSteps::nearestFactor(double value) const {
    return static_cast<int64_t>(std::round(std::clamp(value / m_step, -kLargestFactor, kLargestFactor)));
}

} // namespace trialdeck::model

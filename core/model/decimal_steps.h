// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>

namespace trialdeck::model {

/// Exact multiples of a step that was written in decimal: the third multiple of 0.1 is the double 0.3, which
/// 3 * 0.1 is not. The decimal is the shortest one that reads back as the step.
class DecimalSteps {
public:
    /// @param step  finite and above 0
    explicit DecimalSteps(double step);

    /// The double nearest to factor × step, |factor| <= 2^53.
    [[nodiscard]] double multiple(int64_t factor) const;

    /// value / step where that is a whole number (within a relative error of 1e-9, as Ray tests it) of at
    /// most 2^53.
    [[nodiscard]] std::optional<int64_t> factorOf(double value) const;

    /// The factor nearest to value / step, brought into ±2^53.
    [[nodiscard]] int64_t nearestFactor(double value) const;

private:
    double m_step;
    /// m_step is m_digits × 10^m_exponent.
    int64_t m_digits = 0;
    int m_exponent = 0;
};

} // namespace trialdeck::model

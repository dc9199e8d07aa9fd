// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <vector>

namespace trialdeck::app::models {

/// Exponential moving average of a curve, worked out once for each point, so that points can be added.
/// s = w·s + (1 − w)·v, divided by 1 − wⁿ so that the first values are not drawn towards 0. A value that is
/// not finite is kept as it is and begins the average anew: it is never spread.
class Smoothing {
public:
    /// @param weight  0 (no smoothing) to below 1
    explicit Smoothing(double weight = 0) : m_weight(weight) {}

    [[nodiscard]] double weight() const { return m_weight; }
    /// Smooths what follows the values that were given before; forgets all when `values` has become shorter.
    void extend(const std::vector<double>& values);
    void restart();
    /// As long as the values given last.
    [[nodiscard]] const std::vector<double>& values() const { return m_smoothed; }

private:
    double m_weight;
    double m_average = 0;
    double m_bias = 0;
    std::vector<double> m_smoothed;
};

} // namespace trialdeck::app::models

// SPDX-License-Identifier: Apache-2.0
#include "app/models/smoothing.h"

#include <cmath>

namespace trialdeck::app::models {

void Smoothing::restart() {
    m_smoothed.clear();
    m_average = 0;
    m_bias = 0;
}

void Smoothing::extend(const std::vector<double>& values) {
    if (values.size() < m_smoothed.size())
        restart();
    m_smoothed.reserve(values.size());
    for (size_t i = m_smoothed.size(); i < values.size(); ++i) {
        const double value = values[i];
        if (!std::isfinite(value)) {
            m_average = 0;
            m_bias = 0;
            m_smoothed.push_back(value);
            continue;
        }
        m_average = m_weight * m_average + (1 - m_weight) * value;
        m_bias = m_weight * m_bias + (1 - m_weight);
        m_smoothed.push_back(m_average / m_bias);
    }
}

} // namespace trialdeck::app::models

// SPDX-License-Identifier: Apache-2.0
#include "app/presenters/shared_steps.h"

namespace trialdeck::app::presenters {

std::optional<models::AxisRange> SharedSteps::range(int wantedTicks) const {
    if (m_zoom)
        return m_zoom;
    return models::fittingRange(m_extent, models::AxisScale::linear, models::AxisNumbers::whole, wantedTicks);
}

void SharedSteps::include(double step) {
    const auto before = m_extent.finite;
    m_extent.add(step);
    if (m_extent.finite != before)
        emit rangeChanged();
}

void SharedSteps::setZoom(std::optional<models::AxisRange> zoom) {
    if (zoom == m_zoom)
        return;
    m_zoom = zoom;
    emit rangeChanged();
}

void SharedSteps::setHover(std::optional<Hover> hover) {
    if (hover == m_hover)
        return;
    m_hover = hover;
    emit hoverChanged();
}

} // namespace trialdeck::app::presenters

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/models/axis_plan.h"
#include "core/protocol/ids.h"

#include <QObject>

#include <optional>

namespace trialdeck::app::presenters {

/// The horizontal axis that all charts of a page have in common: what there is, what part is shown, and
/// where the pointer is.
class SharedSteps : public QObject {
    Q_OBJECT

public:
    struct Hover {
        double step = 0;
        TrialId trial;
        friend bool operator==(const Hover&, const Hover&) = default;
    };

    using QObject::QObject;

    /// The part that is shown; nothing while there is no point at all.
    [[nodiscard]] std::optional<models::AxisRange> range(int wantedTicks) const;
    [[nodiscard]] bool isZoomed() const { return m_zoom.has_value(); }
    [[nodiscard]] const std::optional<models::AxisRange>& zoom() const { return m_zoom; }
    [[nodiscard]] const std::optional<Hover>& hover() const { return m_hover; }

    void include(double step);
    void setZoom(std::optional<models::AxisRange> zoom);
    void setHover(std::optional<Hover> hover);

signals:
    /// Other steps are shown than before, or will be as soon as the chart looks.
    void rangeChanged();
    void hoverChanged();

private:
    models::AxisExtent m_extent;
    std::optional<models::AxisRange> m_zoom;
    std::optional<Hover> m_hover;
};

} // namespace trialdeck::app::presenters

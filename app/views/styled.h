// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QStyle>
#include <QVariant>
#include <QWidget>

namespace trialdeck::app::views {

/// Sets a property that the style sheet selects by, and has the widget styled anew where it changed.
inline void setStyled(QWidget& widget, const char* name, const QVariant& value) {
    if (widget.property(name) == value)
        return;
    widget.setProperty(name, value);
    widget.style()->unpolish(&widget);
    widget.style()->polish(&widget);
}

} // namespace trialdeck::app::views

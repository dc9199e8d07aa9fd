// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QColor>
#include <QPalette>
#include <QString>

#include <array>

namespace trialdeck::app::views {

enum class ThemeKind { light, dark };

/// Every colour of the window, for one of the two themes. Text colours have a contrast of at least 4.5:1 on
/// background, panel and selection; curves at least 3:1 and tell apart for colour-blind eyes (a test proves
/// both).
struct Theme {
    ThemeKind kind = ThemeKind::light;
    QColor background;
    QColor panel;
    QColor line;
    QColor text;
    QColor muted;
    QColor accent;
    QColor onAccent;
    QColor selection;
    QColor good;
    QColor bad;
    QColor warning;
    QColor grid;
    std::array<QColor, 8> curves;

    [[nodiscard]] static const Theme& of(ThemeKind kind);

    /// The trial's colour; trials 8 apart share it and differ by their dashes.
    [[nodiscard]] QColor curve(uint32_t trial) const { return curves[trial % curves.size()]; }
    [[nodiscard]] static Qt::PenStyle dash(uint32_t trial);

    [[nodiscard]] QPalette palette() const;
    /// For the whole application, on top of Fusion.
    [[nodiscard]] QString styleSheet() const;
};

} // namespace trialdeck::app::views

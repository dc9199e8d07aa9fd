// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/client/head_client.h"
#include "app/views/theme.h"

#include <QPainter>
#include <QPixmap>
#include <QWidget>

namespace trialdeck::app::views {

/// A state's shape: told apart without its colour.
enum class MarkShape { ring, disc, bars, tick, cross, half, dashedRing };

struct StateMark {
    MarkShape shape = MarkShape::ring;
    QColor colour;
};

[[nodiscard]] StateMark markOf(TrialState state, const Theme& theme);
[[nodiscard]] StateMark markOf(ExperimentState state, const Theme& theme);
[[nodiscard]] StateMark markOf(client::LinkStatus::State state, const Theme& theme);
/// Something was true and may not be any more.
[[nodiscard]] StateMark unknownMark(const Theme& theme);

void paintMark(QPainter& painter, const QRectF& box, const StateMark& mark);
/// For a label of that widget, as fine as its screen.
/// @param side  in the widget's pixels
[[nodiscard]] QPixmap markPixmap(const QWidget& widget, int side, const StateMark& mark);

/// The theme that a widget's palette belongs to.
[[nodiscard]] const Theme& themeOf(const QWidget& widget);

} // namespace trialdeck::app::views

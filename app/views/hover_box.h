// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/presenters/chart_presenter.h"
#include "app/views/theme.h"

#include <QFont>
#include <QPainter>

#include <vector>

namespace trialdeck::app::views {

/// What the box beside the pointer says: the step, then the hovered trial, the selected ones and the best.
struct HoverContent {
    struct Line {
        TrialId trial;
        QColor colour;
        QString name;
        /// With every digit.
        QString text;
        double value = 0;
    };
    QString title;
    std::vector<Line> lines;
};

[[nodiscard]] HoverContent hoverContent(const presenters::ChartPresenter& chart,
                                        const presenters::SharedSteps::Hover& hover, const Theme& theme);
[[nodiscard]] QSizeF hoverBoxSize(const HoverContent& content, const QFont& font);
void paintHoverBox(QPainter& painter, const QRectF& box, const HoverContent& content, const Theme& theme);

} // namespace trialdeck::app::views

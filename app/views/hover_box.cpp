// SPDX-License-Identifier: Apache-2.0
#include "app/views/hover_box.h"

#include "app/models/number_format.h"

#include <QCoreApplication>
#include <QFontMetricsF>

#include <algorithm>

namespace trialdeck::app::views {

namespace {

constexpr size_t kMostLines = 6;
constexpr qreal kPadding = 8;
constexpr qreal kDot = 8;
constexpr qreal kColumnGap = 16;

struct HoverBox {
    Q_DECLARE_TR_FUNCTIONS(HoverBox)
};

/// The trial's point at the step, or the last one before it.
std::optional<size_t> pointAt(const models::Series& series, double step) {
    const size_t behind = series.firstAfter(step);
    return behind == 0 ? std::nullopt : std::optional(behind - 1);
}

} // namespace

HoverContent hoverContent(const presenters::ChartPresenter& chart,
                          const presenters::SharedSteps::Hover& hover, const Theme& theme) {
    HoverContent content;
    content.title = QStringLiteral("training_iteration %1").arg(hover.step);
    std::vector<TrialId> trials = {hover.trial};
    const auto add = [&](TrialId trial) {
        if (trials.size() < kMostLines && std::find(trials.begin(), trials.end(), trial) == trials.end())
            trials.push_back(trial);
    };
    for (const TrialId trial : chart.selection().selected())
        add(trial);
    if (const auto best = chart.data().bestTrial())
        add(*best);
    for (const TrialId trial : trials) {
        const models::Series* series = chart.series(trial);
        const auto point = series ? pointAt(*series, hover.step) : std::nullopt;
        if (!point || series->steps[*point] != hover.step)
            continue;
        const double value = series->values[*point];
        //: Name of a trial in a chart; %1 is its number
        QString name = HoverBox::tr("Trial %1").arg(trial.raw());
        if (chart.data().bestTrial() == trial)
            name += QStringLiteral(" ★");
        content.lines.push_back({trial, theme.curve(trial.raw()), name,
                                 models::isMissing(value) ? QStringLiteral("–")
                                                          : QString::fromStdString(models::exactText(value)),
                                 value});
    }
    return content;
}

QSizeF hoverBoxSize(const HoverContent& content, const QFont& font) {
    const QFontMetricsF metrics(font);
    qreal width = metrics.horizontalAdvance(content.title);
    for (const HoverContent::Line& line : content.lines)
        width = std::max(width, kDot + 6 + metrics.horizontalAdvance(line.name) + kColumnGap +
                                    metrics.horizontalAdvance(line.text));
    return {width + 2 * kPadding,
            metrics.lineSpacing() * static_cast<qreal>(content.lines.size() + 1) + 2 * kPadding};
}

void paintHoverBox(QPainter& painter, const QRectF& box, const HoverContent& content, const Theme& theme) {
    painter.setPen(QPen(theme.line, 1));
    painter.setBrush(theme.panel);
    painter.drawRoundedRect(box.adjusted(0.5, 0.5, -0.5, -0.5), 4, 4);
    const QFontMetricsF metrics(painter.font());
    const qreal height = metrics.lineSpacing();
    QRectF row(box.left() + kPadding, box.top() + kPadding, box.width() - 2 * kPadding, height);
    painter.setPen(theme.muted);
    painter.drawText(row, Qt::AlignLeft | Qt::AlignVCenter, content.title);
    for (const HoverContent::Line& line : content.lines) {
        row.translate(0, height);
        painter.setPen(Qt::NoPen);
        painter.setBrush(line.colour);
        painter.drawEllipse(QPointF(row.left() + kDot / 2, row.center().y()), kDot / 2, kDot / 2);
        painter.setPen(theme.text);
        painter.drawText(row.adjusted(kDot + 6, 0, 0, 0), Qt::AlignLeft | Qt::AlignVCenter, line.name);
        painter.drawText(row, Qt::AlignRight | Qt::AlignVCenter, line.text);
    }
}

} // namespace trialdeck::app::views

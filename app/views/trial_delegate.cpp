// SPDX-License-Identifier: Apache-2.0
#include "app/views/trial_delegate.h"

#include "app/models/curve_shape.h"
#include "app/views/state_mark.h"

#include <QApplication>
#include <QPainter>

#include <algorithm>
#include <cmath>

namespace trialdeck::app::views {

using models::TrialField;
using models::TrialTableModel;

namespace {

constexpr int kPadding = 8;
constexpr int kTight = 2;
constexpr int kSwatch = 14;
constexpr int kMark = 14;
constexpr int kRowHeight = 28;
constexpr int kCurveWidth = 72;

const Theme& themeIn(const QStyleOptionViewItem& option) {
    const bool isDark = option.palette.color(QPalette::Window).lightness() < 128;
    return Theme::of(isDark ? ThemeKind::dark : ThemeKind::light);
}

TrialId trialOf(const QModelIndex& index) {
    return TrialId(index.data(TrialTableModel::TrialRole).toUInt());
}

} // namespace

TrialDelegate::TrialDelegate(const models::TrialOrder& order, QObject* parent)
    : QStyledItemDelegate(parent), m_order(order) {}

int TrialDelegate::stateWidth(const QFontMetrics& metrics, const QString& word) {
    return metrics.horizontalAdvance(word) + 3 * kPadding + kMark;
}

QSize TrialDelegate::sizeHint(const QStyleOptionViewItem& option, const QModelIndex& index) const {
    const TrialField field = m_order.table().column(index.column()).field;
    const int text = option.fontMetrics.horizontalAdvance(index.data().toString()) + 2 * kPadding;
    int width = text;
    if (field == TrialField::trial)
        width = text + kSwatch + 2 * kPadding + option.fontMetrics.horizontalAdvance(QStringLiteral(" ★"));
    else if (field == TrialField::state)
        width = stateWidth(option.fontMetrics, index.data().toString());
    else if (field == TrialField::curve)
        width = kCurveWidth + 2 * kPadding;
    return {width, kRowHeight};
}

void TrialDelegate::paint(QPainter* painter, const QStyleOptionViewItem& given,
                          const QModelIndex& index) const {
    QStyleOptionViewItem option = given;
    initStyleOption(&option, index);
    const Theme& theme = themeIn(option);
    painter->save();
    if (option.state & QStyle::State_Selected)
        painter->fillRect(option.rect, theme.selection);
    const bool isCurrent = (option.state & QStyle::State_HasFocus) != 0;
    const QRect box = option.rect.adjusted(kPadding, 0, -kPadding, 0);
    painter->setFont(option.font);
    switch (m_order.table().column(index.column()).field) {
    case TrialField::trial:
        paintTrial(*painter, box, index, option);
        break;
    case TrialField::state:
        paintState(*painter, box, index, option);
        break;
    case TrialField::curve:
        paintCurve(*painter, box, index, option);
        break;
    default: {
        const QString text = option.text;
        // In a column that was made narrow the text takes the room of its margins before it is cut.
        const bool isTight = option.fontMetrics.horizontalAdvance(text) > box.width();
        const QRect room = isTight ? option.rect.adjusted(kTight, 0, -kTight, 0) : box;
        const bool isWeak = text == QStringLiteral("–") ||
                            (m_order.table().column(index.column()).field == TrialField::node &&
                             index.data(TrialTableModel::ExactRole).toString().isEmpty());
        const bool isStale = m_order.table().isStale();
        const bool isDiverged = index.data(TrialTableModel::DivergedRole).toBool();
        painter->setPen(isWeak || isStale ? theme.muted : isDiverged ? theme.bad : theme.text);
        if (isDiverged)
            paintDiverged(*painter, room, text, option);
        painter->drawText(room, static_cast<int>(option.displayAlignment),
                          option.fontMetrics.elidedText(text, Qt::ElideRight, room.width()));
        break;
    }
    }
    painter->setPen(theme.grid);
    painter->drawLine(option.rect.bottomLeft(), option.rect.bottomRight());
    if (isCurrent) {
        painter->setPen(theme.accent);
        painter->setBrush(Qt::NoBrush);
        painter->drawRect(option.rect.adjusted(0, 0, -1, -2));
    }
    painter->restore();
}

/// A warning triangle right before the number, so that it is not told by its colour alone.
void TrialDelegate::paintDiverged(QPainter& painter, const QRect& box, const QString& text,
                                  const QStyleOptionViewItem& option) {
    constexpr int kSide = 10;
    const int left = box.right() - option.fontMetrics.horizontalAdvance(text) - kSide - 4;
    if (left < box.left())
        return;
    const QRectF square(left, box.center().y() - kSide / 2.0 + 1, kSide, kSide);
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setBrush(painter.pen().color());
    painter.drawPolygon(
        QPolygonF({square.bottomLeft(), square.bottomRight(), QPointF(square.center().x(), square.top())}));
    painter.restore();
}

void TrialDelegate::paintTrial(QPainter& painter, const QRect& box, const QModelIndex& index,
                               const QStyleOptionViewItem& option) const {
    const Theme& theme = themeIn(option);
    const TrialId trial = trialOf(index);
    painter.setPen(QPen(theme.curve(trial.raw()), 3, Theme::dash(trial.raw()), Qt::FlatCap));
    const int middle = box.center().y();
    painter.drawLine(box.left(), middle, box.left() + kSwatch, middle);
    painter.setPen(m_order.table().isStale() ? theme.muted : theme.text);
    QString text = index.data().toString();
    if (index.data(TrialTableModel::BestRole).toBool())
        text += QStringLiteral(" ★");
    painter.drawText(box.adjusted(kSwatch + kPadding, 0, 0, 0), Qt::AlignLeft | Qt::AlignVCenter, text);
}

void TrialDelegate::paintState(QPainter& painter, const QRect& box, const QModelIndex& index,
                               const QStyleOptionViewItem& option) const {
    const auto state = static_cast<TrialState>(index.data(TrialTableModel::StateRole).toInt());
    // What has ended stays so, whatever happens while nobody looks.
    const bool isUnknown = m_order.table().isStale() && !protocol::isFinished(state);
    const StateMark mark = isUnknown ? unknownMark(themeIn(option)) : markOf(state, themeIn(option));
    const QRectF square(box.left(), box.center().y() - kMark / 2.0 + 1, kMark, kMark);
    paintMark(painter, square, mark);
    painter.setPen(mark.colour);
    painter.drawText(
        box.adjusted(kMark + 6, 0, 0, 0), Qt::AlignLeft | Qt::AlignVCenter,
        option.fontMetrics.elidedText(index.data().toString(), Qt::ElideRight, box.width() - kMark - 6));
}

void TrialDelegate::paintCurve(QPainter& painter, const QRect& box, const QModelIndex& index,
                               const QStyleOptionViewItem& option) const {
    const auto metric = m_order.table().curveMetric();
    const models::ExperimentData& data = m_order.table().experiment();
    const models::Series* series = metric ? data.curves().find(trialOf(index), *metric) : nullptr;
    if (!series || series->size() == 0)
        return;
    models::AxisExtent extent;
    for (const double value : series->values)
        extent.add(value);
    if (!extent.finite)
        return;
    models::ChartMapping mapping;
    mapping.plot = QRectF(box).adjusted(0, 6, 0, -7);
    mapping.plot.setWidth(std::min<double>(mapping.plot.width(), kCurveWidth));
    mapping.x = {series->steps.front(), std::max(series->steps.back(), series->steps.front() + 1)};
    const double margin = extent.finite->upper > extent.finite->lower
                              ? 0
                              : std::max(1e-9, std::abs(extent.finite->upper) * 0.05);
    mapping.y = {extent.finite->lower - margin, extent.finite->upper + margin};
    models::CurveShape shape;
    models::shapeCurve(series->steps, series->values, mapping, shape);
    const Theme& theme = themeIn(option);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(QPen(theme.muted, 1.2));
    for (const models::CurveRun& run : shape.runs) {
        if (run.count > 1)
            painter.drawPolyline(shape.points.data() + run.first, static_cast<int>(run.count));
    }
    if (!shape.points.empty()) {
        painter.setPen(Qt::NoPen);
        painter.setBrush(theme.curve(trialOf(index).raw()));
        painter.drawEllipse(shape.points.back(), 2.0, 2.0);
    }
}

} // namespace trialdeck::app::views

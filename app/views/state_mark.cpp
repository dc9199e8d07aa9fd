// SPDX-License-Identifier: Apache-2.0
#include "app/views/state_mark.h"

#include <algorithm>

namespace trialdeck::app::views {

using client::LinkStatus;

StateMark markOf(TrialState state, const Theme& theme) {
    switch (state) {
    case TrialState::pending:
        return {MarkShape::ring, theme.muted};
    case TrialState::running:
        return {MarkShape::disc, theme.accent};
    case TrialState::paused:
        return {MarkShape::bars, theme.warning};
    case TrialState::terminated:
        return {MarkShape::tick, theme.good};
    case TrialState::error:
        break;
    }
    return {MarkShape::cross, theme.bad};
}

StateMark markOf(ExperimentState state, const Theme& theme) {
    switch (state) {
    case ExperimentState::running:
        return {MarkShape::disc, theme.accent};
    case ExperimentState::paused:
        return {MarkShape::bars, theme.warning};
    case ExperimentState::completed:
        return {MarkShape::tick, theme.good};
    case ExperimentState::interrupted:
        return {MarkShape::half, theme.warning};
    case ExperimentState::failed:
        break;
    }
    return {MarkShape::cross, theme.bad};
}

StateMark markOf(LinkStatus::State state, const Theme& theme) {
    switch (state) {
    case LinkStatus::State::connected:
        return {MarkShape::disc, theme.good};
    case LinkStatus::State::failed:
        return {MarkShape::cross, theme.bad};
    case LinkStatus::State::connecting:
    case LinkStatus::State::closed:
        return {MarkShape::ring, theme.muted};
    case LinkStatus::State::ended:
        return {MarkShape::ring, theme.warning};
    case LinkStatus::State::lost:
        break;
    }
    return {MarkShape::dashedRing, theme.warning};
}

StateMark unknownMark(const Theme& theme) {
    return {MarkShape::dashedRing, theme.muted};
}

void paintMark(QPainter& painter, const QRectF& box, const StateMark& mark) {
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing);
    const qreal side = std::min(box.width(), box.height());
    const qreal r = side * 0.36;
    const QPointF c = box.center();
    const qreal width = std::max(1.5, side * 0.13);
    painter.setPen(QPen(mark.colour, width, Qt::SolidLine, Qt::RoundCap, Qt::RoundJoin));
    painter.setBrush(Qt::NoBrush);
    switch (mark.shape) {
    case MarkShape::ring:
        painter.drawEllipse(c, r, r);
        break;
    case MarkShape::dashedRing: {
        QPen pen(mark.colour, width, Qt::CustomDashLine, Qt::FlatCap);
        pen.setDashPattern({1.6, 1.4});
        painter.setPen(pen);
        painter.drawEllipse(c, r, r);
        break;
    }
    case MarkShape::disc:
        painter.setPen(Qt::NoPen);
        painter.setBrush(mark.colour);
        painter.drawEllipse(c, r * 1.1, r * 1.1);
        break;
    case MarkShape::half:
        painter.drawEllipse(c, r, r);
        painter.setPen(Qt::NoPen);
        painter.setBrush(mark.colour);
        painter.drawPie(QRectF(c.x() - r, c.y() - r, 2 * r, 2 * r), 90 * 16, 180 * 16);
        break;
    case MarkShape::bars:
        painter.setPen(QPen(mark.colour, width * 1.5, Qt::SolidLine, Qt::FlatCap));
        painter.drawLine(c + QPointF(-r * 0.6, -r), c + QPointF(-r * 0.6, r));
        painter.drawLine(c + QPointF(r * 0.6, -r), c + QPointF(r * 0.6, r));
        break;
    case MarkShape::tick:
        painter.drawPolyline(
            QPolygonF({c + QPointF(-r, r * 0.05), c + QPointF(-r * 0.3, r * 0.8), c + QPointF(r, -r * 0.8)}));
        break;
    case MarkShape::cross:
        painter.drawLine(c + QPointF(-r * 0.8, -r * 0.8), c + QPointF(r * 0.8, r * 0.8));
        painter.drawLine(c + QPointF(-r * 0.8, r * 0.8), c + QPointF(r * 0.8, -r * 0.8));
        break;
    }
    painter.restore();
}

const Theme& themeOf(const QWidget& widget) {
    const bool isDark = widget.palette().color(QPalette::Window).lightness() < 128;
    return Theme::of(isDark ? ThemeKind::dark : ThemeKind::light);
}

QPixmap markPixmap(const QWidget& widget, int side, const StateMark& mark) {
    QPixmap pixmap(QSize(side, side) * widget.devicePixelRatioF());
    pixmap.setDevicePixelRatio(widget.devicePixelRatioF());
    pixmap.fill(Qt::transparent);
    QPainter painter(&pixmap);
    paintMark(painter, QRectF(0, 0, side, side), mark);
    return pixmap;
}

} // namespace trialdeck::app::views

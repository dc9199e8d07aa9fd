// SPDX-License-Identifier: Apache-2.0
#include "app/views/icons.h"

#include <QFile>
#include <QIconEngine>
#include <QPainter>
#include <QSvgRenderer>

#include <algorithm>

namespace trialdeck::app::views {

namespace {

/// Draws an SVG whose strokes and fills are #000 in another colour.
class DrawingEngine final : public QIconEngine {
public:
    DrawingEngine(QByteArray drawing, QColor colour) : m_drawing(std::move(drawing)), m_colour(colour) {}

    void paint(QPainter* painter, const QRect& rect, QIcon::Mode mode, QIcon::State) override {
        QSvgRenderer renderer(m_drawing);
        painter->save();
        if (mode == QIcon::Disabled)
            painter->setOpacity(painter->opacity() * 0.4);
        const int side = std::min(rect.width(), rect.height());
        QRect square(0, 0, side, side);
        square.moveCenter(rect.center());
        renderer.render(painter, square);
        painter->restore();
    }

    QPixmap pixmap(const QSize& size, QIcon::Mode mode, QIcon::State state) override {
        QPixmap pixmap(size);
        pixmap.fill(Qt::transparent);
        QPainter painter(&pixmap);
        painter.setRenderHint(QPainter::Antialiasing);
        paint(&painter, QRect(QPoint(0, 0), size), mode, state);
        return pixmap;
    }

    [[nodiscard]] QIconEngine* clone() const override { return new DrawingEngine(m_drawing, m_colour); }

private:
    QByteArray m_drawing;
    QColor m_colour;
};

QByteArray drawing(const QString& name) {
    QFile file(QStringLiteral(":/icons/%1.svg").arg(name));
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

} // namespace

QIcon icon(const QString& name, const QColor& colour) {
    QByteArray coloured = drawing(name);
    coloured.replace("#000", colour.name().toLatin1());
    return QIcon(new DrawingEngine(coloured, colour));
}

QIcon programIcon() {
    return QIcon(new DrawingEngine(drawing(QStringLiteral("trialdeck")), {}));
}

} // namespace trialdeck::app::views

// SPDX-License-Identifier: Apache-2.0
#include "app/views/curve_raster.h"

#include <QRgb>

#include <algorithm>
#include <array>
#include <cmath>

namespace trialdeck::app::views {

namespace {

/// Multiplies all four bytes of a premultiplied pixel by part/256.
QRgb scaled(QRgb pixel, unsigned part) {
    const unsigned low = ((pixel & 0x00ff00ffU) * part >> 8) & 0x00ff00ffU;
    const unsigned high = ((pixel >> 8) & 0x00ff00ffU) * part & 0xff00ff00U;
    return low | high;
}

/// Whether the column is part of a dash.
bool isInked(int column, Qt::PenStyle dash) {
    switch (dash) {
    case Qt::DashLine:
        return column % 12 < 8;
    case Qt::DotLine:
        return column % 4 < 2;
    case Qt::DashDotLine:
        return column % 16 < 8 || (column % 16 >= 11 && column % 16 < 13);
    default:
        return true;
    }
}

class ColumnPainter {
public:
    ColumnPainter(QImage& picture, const QColor& colour, double width, Qt::PenStyle dash)
        : m_bits(reinterpret_cast<QRgb*>(picture.bits())), m_stride(picture.bytesPerLine() / 4),
          m_width(picture.width()), m_height(picture.height()), m_colour(qPremultiply(colour.rgba())),
          m_half(width / 2), m_dash(dash) {}

    void line(QPointF from, QPointF to) {
        const int first = std::max(0, static_cast<int>(std::floor(from.x())));
        const int last = std::min(m_width - 1, static_cast<int>(std::floor(to.x())));
        const double run = to.x() - from.x();
        const double slope = run > 0 ? (to.y() - from.y()) / run : 0;
        for (int column = first; column <= last; ++column) {
            const double left = std::max(from.x(), static_cast<double>(column));
            const double right = std::min(to.x(), column + 1.0);
            const double y0 = run > 0 ? from.y() + slope * (left - from.x()) : from.y();
            const double y1 = run > 0 ? from.y() + slope * (right - from.x()) : to.y();
            include(column, std::min(y0, y1), std::max(y0, y1));
        }
    }

    void finish() {
        if (m_column >= 0 && isInked(m_column, m_dash))
            fill(m_column, m_top - m_half, m_bottom + m_half);
        m_column = -1;
    }

private:
    void include(int column, double top, double bottom) {
        if (column != m_column) {
            finish();
            m_column = column;
            m_top = top;
            m_bottom = bottom;
            return;
        }
        m_top = std::min(m_top, top);
        m_bottom = std::max(m_bottom, bottom);
    }

    void blend(QRgb& pixel, double coverage) const {
        const QRgb source = scaled(m_colour, static_cast<unsigned>(std::clamp(coverage, 0.0, 1.0) * 256));
        pixel = source + scaled(pixel, 256 - qAlpha(source));
    }

    void fill(int column, double top, double bottom) const {
        if (bottom <= 0 || top >= m_height)
            return;
        const int first = std::max(0, static_cast<int>(std::floor(top)));
        const int last = std::min(m_height - 1, static_cast<int>(std::ceil(bottom)) - 1);
        QRgb* pixel = m_bits + static_cast<ptrdiff_t>(first) * m_stride + column;
        const bool opaque = qAlpha(m_colour) == 255;
        for (int row = first; row <= last; ++row, pixel += m_stride) {
            const bool isEdge = row == first || row == last;
            if (opaque && !isEdge)
                *pixel = m_colour;
            else
                blend(*pixel, std::min(bottom, row + 1.0) - std::max(top, static_cast<double>(row)));
        }
    }

    QRgb* m_bits;
    ptrdiff_t m_stride;
    int m_width;
    int m_height;
    QRgb m_colour;
    double m_half;
    Qt::PenStyle m_dash;
    int m_column = -1;
    double m_top = 0;
    double m_bottom = 0;
};

} // namespace

void rasterizeCurve(QImage& picture, const models::CurveShape& shape, const QColor& colour, double width,
                    Qt::PenStyle dash) {
    ColumnPainter painter(picture, colour, width, dash);
    for (const models::CurveRun& run : shape.runs) {
        const QPointF* points = shape.points.data() + run.first;
        if (run.count == 1) {
            painter.line(points[0] - QPointF(width, 0), points[0] + QPointF(width, 0));
        } else {
            for (size_t i = 1; i < run.count; ++i)
                painter.line(points[i - 1], points[i]);
        }
        painter.finish();
    }
}

} // namespace trialdeck::app::views

// SPDX-License-Identifier: Apache-2.0
#include "app/views/curve_item.h"

#include "app/models/dashes.h"
#include "app/views/curve_raster.h"

#include <QPainter>
#include <QPolygonF>

#include <algorithm>
#include <cmath>

namespace trialdeck::app::views {

using models::CurveMark;
using models::CurveShape;
using models::Series;

namespace {

constexpr qreal kFineWidth = 1;
constexpr qreal kNormalWidth = 1.5;
constexpr qreal kEmphasisedWidth = 2.5;
/// Above so many points QPainter is too slow.
constexpr size_t kDensePoints = 12'000;
constexpr qreal kFadedStrength = 0.28;
constexpr qreal kRawStrength = 0.3;
constexpr qreal kDotRadius = 2.5;
constexpr qreal kMarkSize = 4;
/// So far dots and thick lines at the edge of the plot reach beyond it.
constexpr qreal kBleed = 4;
/// More than this many selected trials are no emphasis any more.
constexpr size_t kMostEmphasised = 20;

TrialId trialAt(size_t row) {
    return TrialId(static_cast<uint32_t>(row));
}

} // namespace

CurveItem::CurveItem(const presenters::ChartPresenter& chart, QGraphicsItem* parent)
    : QGraphicsItem(parent), m_chart(chart), m_theme(&Theme::of(ThemeKind::light)) {}

void CurveItem::setTheme(const Theme& theme) {
    m_theme = &theme;
    invalidate();
}

void CurveItem::setMapping(const models::ChartMapping& mapping) {
    if (mapping == m_mapping)
        return;
    if (mapping.plot != m_mapping.plot)
        prepareGeometryChange();
    m_mapping = mapping;
    invalidate();
}

QRectF CurveItem::boundingRect() const {
    return m_mapping.plot.isEmpty() ? QRectF() : m_mapping.plot.adjusted(-kBleed, -kBleed, kBleed, kBleed);
}

void CurveItem::extend(const std::vector<size_t>& trials) {
    m_grown.insert(m_grown.end(), trials.begin(), trials.end());
    update();
}

void CurveItem::invalidate() {
    m_layerValid = false;
    m_drawn.clear();
    update();
}

bool CurveItem::isEmphasised(TrialId trial) const {
    const auto& selected = m_chart.selection().selected();
    if (selected.size() <= kMostEmphasised && selected.contains(trial))
        return true;
    return m_chart.data().bestTrial() == trial;
}

bool CurveItem::hasFocusOnSome() const {
    const auto& selected = m_chart.selection().selected();
    return !selected.empty() && selected.size() <= kMostEmphasised;
}

const std::vector<double>& CurveItem::valuesOf(TrialId trial, const Series& series) {
    if (m_chart.smoothing() == 0)
        return series.values;
    models::Smoothing& smoothing = m_drawn[trial.raw()].smoothing;
    if (smoothing.weight() != m_chart.smoothing())
        smoothing = models::Smoothing(m_chart.smoothing());
    smoothing.extend(series.values);
    return smoothing.values();
}

size_t CurveItem::visiblePoints() const {
    size_t points = 0;
    const auto columns = static_cast<size_t>(std::max(1.0, m_mapping.plot.width()));
    for (size_t row = 0; row < m_chart.trialCount(); ++row) {
        if (const Series* series = m_chart.series(trialAt(row)))
            points += std::min(series->size(), 4 * columns);
    }
    return points;
}

/// As if it were transparent on the panel; QPainter paints opaque lines many times as fast.
QColor CurveItem::faded(const QColor& colour, qreal strength) const {
    const QColor& ground = m_theme->panel;
    const auto mixed = [strength](qreal over, qreal under) {
        return over * strength + under * (1 - strength);
    };
    return QColor::fromRgbF(static_cast<float>(mixed(colour.redF(), ground.redF())),
                            static_cast<float>(mixed(colour.greenF(), ground.greenF())),
                            static_cast<float>(mixed(colour.blueF(), ground.blueF())));
}

QPen CurveItem::penFor(TrialId trial, qreal width) const {
    QColor colour = m_theme->curve(trial.raw());
    if (hasFocusOnSome() && !m_chart.selection().contains(trial))
        colour = faded(colour, kFadedStrength);
    QPen pen(colour, width, Theme::dash(trial.raw()), Qt::FlatCap, Qt::RoundJoin);
    pen.setCosmetic(width <= kFineWidth);
    return pen;
}

void CurveItem::paintShape(QPainter& painter, const CurveShape& shape, const QPen& pen) {
    QPen solid = pen;
    solid.setStyle(Qt::SolidLine);
    // Square ends close the corners between wide lines.
    if (pen.widthF() > kNormalWidth && pen.style() == Qt::SolidLine)
        solid.setCapStyle(Qt::SquareCap);
    for (const models::CurveRun& run : shape.runs) {
        const QPointF* points = shape.points.data() + run.first;
        if (run.count == 1) {
            painter.setPen(Qt::NoPen);
            painter.setBrush(pen.color());
            painter.drawEllipse(points[0], kDotRadius, kDotRadius);
            continue;
        }
        m_lines.clear();
        models::appendLines({points, run.count}, pen.style(), pen.widthF(), m_lines);
        painter.setPen(solid);
        painter.drawLines(m_lines.data(), static_cast<int>(m_lines.size()));
    }
}

void CurveItem::paintMarks(QPainter& painter, const CurveShape& shape, const QColor& colour) const {
    if (shape.marks.empty())
        return;
    const QRectF& plot = m_mapping.plot;
    for (const CurveShape::Mark& mark : shape.marks) {
        if (mark.kind == CurveMark::notANumber) {
            painter.setPen(QPen(colour, kNormalWidth));
            const QPointF centre(mark.x, plot.bottom() - kMarkSize);
            const QPointF down(kMarkSize / 2, kMarkSize / 2);
            const QPointF up(kMarkSize / 2, -kMarkSize / 2);
            painter.drawLine(centre - down, centre + down);
            painter.drawLine(centre - up, centre + up);
            continue;
        }
        painter.setPen(Qt::NoPen);
        painter.setBrush(colour);
        const bool above = mark.kind == CurveMark::aboveRange;
        const qreal tip = above ? plot.top() + 1 : plot.bottom() - 1;
        const qreal foot = above ? tip + 1.6 * kMarkSize : tip - 1.6 * kMarkSize;
        painter.drawPolygon(QPolygonF(
            {QPointF(mark.x, tip), QPointF(mark.x - kMarkSize, foot), QPointF(mark.x + kMarkSize, foot)}));
    }
}

void CurveItem::paintCurve(QPainter& painter, TrialId trial, const Series& series, qreal width) {
    const QPen pen = penFor(trial, width);
    const std::vector<double>& values = valuesOf(trial, series);
    if (&values != &series.values) {
        models::shapeCurve(series.steps, series.values, m_mapping, m_shape);
        QPen raw = pen;
        raw.setColor(faded(pen.color(), kRawStrength));
        raw.setWidthF(kFineWidth);
        paintShape(painter, m_shape, raw);
    }
    models::shapeCurve(series.steps, values, m_mapping, m_shape);
    paintShape(painter, m_shape, pen);
    paintMarks(painter, m_shape, pen.color());
}

void CurveItem::rasterize(QPainter& painter, TrialId trial, const Series& series,
                          const std::vector<double>& values) {
    const qreal ratio = m_layer.devicePixelRatio();
    models::ChartMapping mapping = m_mapping;
    mapping.plot = QRectF(QPointF(kBleed, kBleed) * ratio, m_mapping.plot.size() * ratio);
    const QPen pen = penFor(trial, kNormalWidth);
    if (m_chart.smoothing() != 0) {
        const QColor faint = faded(pen.color(), kRawStrength);
        models::shapeCurve(series.steps, series.values, mapping, m_shape);
        rasterizeCurve(m_layer, m_shape, faint, ratio, pen.style());
    }
    models::shapeCurve(series.steps, values, mapping, m_shape);
    rasterizeCurve(m_layer, m_shape, pen.color(), kNormalWidth * ratio, pen.style());
    if (m_shape.marks.empty())
        return;
    models::shapeCurve(series.steps, values, m_mapping, m_shape);
    paintMarks(painter, m_shape, pen.color());
}

void CurveItem::repaintLayer(qreal pixelRatio) {
    m_drawn.resize(m_chart.trialCount());
    m_grown.clear();
    m_dense = visiblePoints() > kDensePoints;
    const QSize size = (boundingRect().size() * pixelRatio).toSize().expandedTo(QSize(1, 1));
    if (m_layer.size() != size)
        m_layer = QImage(size, QImage::Format_ARGB32_Premultiplied);
    m_layer.setDevicePixelRatio(pixelRatio);
    m_layer.fill(Qt::transparent);
    QPainter painter(&m_layer);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.translate(-boundingRect().topLeft());
    for (size_t row = 0; row < m_chart.trialCount(); ++row) {
        const TrialId trial = trialAt(row);
        const Series* series = m_chart.series(trial);
        m_drawn[row].points = series ? series->size() : 0;
        if (!series || isEmphasised(trial))
            continue;
        if (m_dense)
            rasterize(painter, trial, *series, valuesOf(trial, *series));
        else
            paintCurve(painter, trial, *series, kNormalWidth);
    }
    m_layerValid = true;
}

/// The new points lie at the right end: their lines, undecimated, are what a full repaint would show.
void CurveItem::paintNewPoints(qreal pixelRatio) {
    if (m_grown.empty())
        return;
    m_drawn.resize(m_chart.trialCount());
    QPainter painter(&m_layer);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.translate(-boundingRect().topLeft());
    m_layer.setDevicePixelRatio(pixelRatio);
    for (const size_t row : m_grown) {
        const TrialId trial = trialAt(row);
        const Series* series = m_chart.series(trial);
        if (!series || series->size() <= m_drawn[row].points)
            continue;
        const size_t from = m_drawn[row].points > 0 ? m_drawn[row].points - 1 : 0;
        m_drawn[row].points = series->size();
        if (isEmphasised(trial))
            continue;
        const auto tail = [from](const std::vector<double>& all) {
            return std::vector<double>(all.begin() + static_cast<ptrdiff_t>(from), all.end());
        };
        const Series end{tail(series->steps), tail(series->values), 0};
        const std::vector<double> values = tail(valuesOf(trial, *series));
        if (m_dense) {
            rasterize(painter, trial, end, values);
            continue;
        }
        models::shapeCurve(end.steps, values, m_mapping, m_shape);
        paintShape(painter, m_shape, penFor(trial, kNormalWidth));
        paintMarks(painter, m_shape, penFor(trial, kNormalWidth).color());
    }
    m_grown.clear();
}

void CurveItem::paintEmphasised(QPainter& painter) {
    m_drawn.resize(m_chart.trialCount());
    painter.setRenderHint(QPainter::Antialiasing);
    for (size_t row = 0; row < m_chart.trialCount(); ++row) {
        const TrialId trial = trialAt(row);
        const Series* series = m_chart.series(trial);
        if (series && isEmphasised(trial))
            paintCurve(painter, trial, *series, kEmphasisedWidth);
    }
}

void CurveItem::paint(QPainter* painter, const QStyleOptionGraphicsItem*, QWidget*) {
    if (m_mapping.plot.isEmpty())
        return;
    const qreal pixelRatio = painter->device()->devicePixelRatioF();
    if (!m_layerValid || m_layer.devicePixelRatio() != pixelRatio)
        repaintLayer(pixelRatio);
    else
        paintNewPoints(pixelRatio);
    painter->save();
    painter->setClipRect(m_chart.isZoomed() ? m_mapping.plot : boundingRect(), Qt::IntersectClip);
    painter->drawImage(boundingRect().topLeft(), m_layer);
    paintEmphasised(*painter);
    painter->restore();
}

const CurveShape& CurveItem::shapeOf(TrialId trial) const {
    m_shape.clear();
    if (const Series* series = m_chart.series(trial))
        models::shapeCurve(series->steps, series->values, m_mapping, m_shape);
    return m_shape;
}

} // namespace trialdeck::app::views

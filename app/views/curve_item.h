// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/models/curve_shape.h"
#include "app/models/smoothing.h"
#include "app/presenters/chart_presenter.h"
#include "app/views/theme.h"

#include <QGraphicsItem>
#include <QImage>

#include <vector>

namespace trialdeck::app::views {

/// All curves of a chart in one graphics item. They are painted once onto a picture of the plot; repainting
/// copies it, new points are painted on top of it, and only another range, theme or selection paints all
/// anew. The best trial's and selected curves are drawn above it each time.
/// Owned by its QChart, in the plot area's own coordinates of the chart.
class CurveItem : public QGraphicsItem {
public:
    CurveItem(const presenters::ChartPresenter& chart, QGraphicsItem* parent);

    void setTheme(const Theme& theme);
    /// The chart's plot area and the ranges that its edges stand for.
    void setMapping(const models::ChartMapping& mapping);
    [[nodiscard]] const models::ChartMapping& mapping() const { return m_mapping; }
    /// Curves grew at their ends.
    void extend(const std::vector<size_t>& trials);
    /// Curves, their smoothing or emphasis are others.
    void invalidate();

    /// The trial's line as last drawn, for placing things beside it.
    [[nodiscard]] const models::CurveShape& shapeOf(TrialId trial) const;

    [[nodiscard]] QRectF boundingRect() const override;
    void paint(QPainter* painter, const QStyleOptionGraphicsItem* option, QWidget* widget) override;

private:
    struct Drawn {
        size_t points = 0;
        models::Smoothing smoothing;
    };

    [[nodiscard]] const std::vector<double>& valuesOf(TrialId trial, const models::Series& series);
    [[nodiscard]] bool isEmphasised(TrialId trial) const;
    [[nodiscard]] bool hasFocusOnSome() const;
    void repaintLayer(qreal pixelRatio);
    void paintNewPoints(qreal pixelRatio);
    void paintCurve(QPainter& painter, TrialId trial, const models::Series& series, qreal width);
    void rasterize(QPainter& painter, TrialId trial, const models::Series& series,
                   const std::vector<double>& values);
    void paintShape(QPainter& painter, const models::CurveShape& shape, const QPen& pen);
    void paintMarks(QPainter& painter, const models::CurveShape& shape, const QColor& colour) const;
    void paintEmphasised(QPainter& painter);
    [[nodiscard]] QPen penFor(TrialId trial, qreal width) const;
    [[nodiscard]] QColor faded(const QColor& colour, qreal strength) const;
    [[nodiscard]] size_t visiblePoints() const;

    const presenters::ChartPresenter& m_chart;
    const Theme* m_theme;
    models::ChartMapping m_mapping;
    QImage m_layer;
    bool m_layerValid = false;
    /// So many points that lines are drawn column by column instead of by QPainter.
    bool m_dense = false;
    std::vector<Drawn> m_drawn;
    std::vector<size_t> m_grown;
    mutable models::CurveShape m_shape;
    std::vector<QLineF> m_lines;
};

} // namespace trialdeck::app::views

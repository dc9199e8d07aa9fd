// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/presenters/chart_presenter.h"
#include "app/views/theme.h"

#include <QChartView>

QT_BEGIN_NAMESPACE
class QCategoryAxis;
QT_END_NAMESPACE

namespace trialdeck::app::views {

class CurveItem;

/// One metric's curves with axes by QtCharts and lines of our own. Wheel zooms at the pointer (with Ctrl only
/// along the steps, with Shift only along the values), dragging pans, double click shows everything, a
/// click selects the trial under the pointer. Arrow keys move from point to point and from curve to curve,
/// + and − zoom, 0 shows everything, Return selects, Escape lets go.
class CurveChart : public QChartView {
    Q_OBJECT

public:
    explicit CurveChart(presenters::ChartPresenter& chart, QWidget* parent = nullptr);
    ~CurveChart() override;

    void setTheme(const Theme& theme);
    void retranslate();

    /// For benchmarks: paints everything anew at the next update.
    void invalidateCurves();

protected:
    void drawForeground(QPainter* painter, const QRectF& rect) override;
    void resizeEvent(QResizeEvent* event) override;
    void wheelEvent(QWheelEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    void mouseDoubleClickEvent(QMouseEvent* event) override;
    void leaveEvent(QEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void changeEvent(QEvent* event) override;

private:
    void applyPlan();
    void applyMapping();
    void applyAxis(QCategoryAxis* axis, const models::AxisRange& range,
                   const std::vector<models::AxisTick>& ticks, models::AxisScale scale);
    void updateHover(QPointF place);
    void announceHover();
    void paintHover(QPainter& painter);
    void paintMessage(QPainter& painter);
    [[nodiscard]] QString emptyText() const;
    [[nodiscard]] QString divergedText() const;

    presenters::ChartPresenter& m_chart;
    const Theme* m_theme;
    QCategoryAxis* m_xAxis;
    QCategoryAxis* m_yAxis;
    CurveItem* m_curves;
    presenters::ChartPlan m_plan;
    models::AxisScale m_plannedScale = models::AxisScale::linear;
    QPointF m_pressedAt;
    QPointF m_draggedTo;
    bool m_pressed = false;
    bool m_dragging = false;
};

} // namespace trialdeck::app::views

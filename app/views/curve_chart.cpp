// SPDX-License-Identifier: Apache-2.0
#include "app/views/curve_chart.h"

#include "app/views/curve_item.h"
#include "app/views/hover_box.h"

#include <QAccessible>
#include <QCategoryAxis>
#include <QChart>
#include <QGraphicsLayout>
#include <QLineSeries>
#include <QWheelEvent>

#include <cmath>

namespace trialdeck::app::views {

using models::AxisRange;
using models::AxisScale;
using models::Series;
using presenters::SharedSteps;

namespace {

constexpr qreal kXTickSpacing = 48;
constexpr qreal kYTickSpacing = 30;
constexpr qreal kReach = 24;
/// Room for half of the last step's number.
constexpr int kRightMargin = 18;
constexpr qreal kHoverDot = 4;
constexpr double kWheelStep = 1.25;
constexpr int kDragThreshold = 4;

int ticksWithin(qreal length, qreal spacing) {
    return std::clamp(static_cast<int>(length / spacing), 2, 12);
}

} // namespace

CurveChart::CurveChart(presenters::ChartPresenter& chart, QWidget* parent)
    : QChartView(parent), m_chart(chart), m_theme(&Theme::of(ThemeKind::light)), m_xAxis(new QCategoryAxis),
      m_yAxis(new QCategoryAxis) {
    setObjectName(QStringLiteral("chart:") + chart.metricName());
    setFrameShape(QFrame::NoFrame);
    setFocusPolicy(Qt::StrongFocus);
    setMouseTracking(true);
    setRenderHint(QPainter::Antialiasing);
    setMinimumSize(240, 160);
    setViewportUpdateMode(QGraphicsView::BoundingRectViewportUpdate);

    QChart* frame = QChartView::chart();
    frame->legend()->hide();
    frame->setMargins(QMargins(0, 4, kRightMargin, 0));
    frame->layout()->setContentsMargins(0, 0, 0, 0);
    frame->setBackgroundRoundness(0);
    // QtCharts draws no axis without a series; the curves are our own.
    auto* none = new QLineSeries;
    frame->addSeries(none);
    for (auto* axis : {m_xAxis, m_yAxis}) {
        axis->setLabelsPosition(QCategoryAxis::AxisLabelsPositionOnValue);
        axis->setTruncateLabels(false);
        frame->addAxis(axis, axis == m_xAxis ? Qt::AlignBottom : Qt::AlignLeft);
        none->attachAxis(axis);
    }
    m_curves = new CurveItem(chart, frame);
    m_curves->setZValue(10);

    connect(frame, &QChart::plotAreaChanged, this, &CurveChart::applyMapping);
    connect(&chart, &presenters::ChartPresenter::planChanged, this, &CurveChart::applyPlan);
    connect(&chart, &presenters::ChartPresenter::curvesReplaced, this, [this] {
        m_curves->invalidate();
        applyPlan();
    });
    connect(&chart, &presenters::ChartPresenter::curvesGrew, this, [this](const auto& trials) {
        m_curves->extend(trials);
        applyPlan();
    });
    connect(&chart.selection(), &presenters::TrialSelection::changed, this,
            [this] { m_curves->invalidate(); });
    connect(&chart.steps(), &SharedSteps::hoverChanged, this, [this] {
        viewport()->update();
        announceHover();
    });
    setTheme(*m_theme);
    retranslate();
    applyPlan();
}

CurveChart::~CurveChart() = default;

void CurveChart::invalidateCurves() {
    m_curves->invalidate();
}

void CurveChart::setTheme(const Theme& theme) {
    m_theme = &theme;
    QFont small = font();
    small.setPointSizeF(small.pointSizeF() * 0.9);
    chart()->setBackgroundBrush(theme.panel);
    setBackgroundBrush(theme.panel);
    for (auto* axis : {m_xAxis, m_yAxis}) {
        axis->setLabelsFont(small);
        axis->setTitleFont(small);
        axis->setLabelsColor(theme.muted);
        axis->setTitleBrush(theme.muted);
        axis->setGridLineColor(theme.grid);
        axis->setLinePenColor(axis == m_xAxis ? theme.line : theme.panel);
    }
    m_curves->setTheme(theme);
}

void CurveChart::retranslate() {
    //: Accessible name of a chart; %1 is a metric such as accuracy
    setAccessibleName(tr("Chart of %1").arg(m_chart.metricName()));
    m_xAxis->setTitleText(QStringLiteral("training_iteration"));
    m_yAxis->setTitleText(m_chart.metricName());
    viewport()->update();
}

void CurveChart::changeEvent(QEvent* event) {
    if (event->type() == QEvent::LanguageChange)
        retranslate();
    QChartView::changeEvent(event);
}

void CurveChart::resizeEvent(QResizeEvent* event) {
    QChartView::resizeEvent(event);
    applyPlan();
}

void CurveChart::applyAxis(QCategoryAxis* axis, const AxisRange& range,
                           const std::vector<models::AxisTick>& ticks, AxisScale scale) {
    const auto place = [scale](double value) {
        return scale == AxisScale::linear ? value : std::log10(value);
    };
    for (const QString& label : axis->categoriesLabels())
        axis->remove(label);
    axis->setRange(place(range.lower), place(range.upper));
    const double width = place(range.upper) - place(range.lower);
    axis->setStartValue(place(range.lower) - width);
    for (const models::AxisTick& tick : ticks)
        axis->append(QString::fromStdString(tick.label), place(tick.value));
}

void CurveChart::applyPlan() {
    const QRectF plot = chart()->plotArea();
    presenters::ChartPlan plan =
        m_chart.plan(ticksWithin(plot.width(), kXTickSpacing), ticksWithin(plot.height(), kYTickSpacing));
    const bool isSame = plan == m_plan && m_plannedScale == m_chart.scale();
    if (isSame && m_curves->mapping().plot == plot)
        return;
    if (!isSame) {
        m_plan = std::move(plan);
        m_plannedScale = m_chart.scale();
        if (m_plan.x && m_plan.y) {
            applyAxis(m_xAxis, *m_plan.x, m_plan.xTicks, AxisScale::linear);
            applyAxis(m_yAxis, *m_plan.y, m_plan.yTicks, m_plannedScale);
        }
        for (auto* axis : {m_xAxis, m_yAxis})
            axis->setVisible(m_plan.x && m_plan.y);
    }
    applyMapping();
    viewport()->update();
}

void CurveChart::applyMapping() {
    models::ChartMapping mapping;
    if (m_plan.x && m_plan.y) {
        mapping.plot = chart()->plotArea();
        mapping.x = *m_plan.x;
        mapping.y = *m_plan.y;
        mapping.yScale = m_plannedScale;
    }
    m_curves->setMapping(mapping);
}

void CurveChart::drawForeground(QPainter* painter, const QRectF& rect) {
    QChartView::drawForeground(painter, rect);
    painter->setRenderHint(QPainter::Antialiasing);
    painter->setFont(font());
    paintMessage(*painter);
    paintHover(*painter);
    if (hasFocus()) {
        painter->setPen(QPen(m_theme->accent, 1.5));
        painter->setBrush(Qt::NoBrush);
        painter->drawRect(QRectF(viewport()->rect()).adjusted(1, 1, -1, -1));
    }
}

QString CurveChart::emptyText() const {
    if (m_chart.isEmpty())
        return tr("No values yet");
    if (m_chart.hasOnlyNan())
        return tr("Only NaN values");
    if (m_chart.scale() == AxisScale::logarithmic)
        return tr("A logarithmic axis shows no values ≤ 0. Choose the linear axis to see them.");
    return {};
}

QString CurveChart::divergedText() const {
    const std::vector<TrialId> diverged = m_chart.diverged();
    if (diverged.size() == 1)
        //: The trial's newest value is NaN or infinite; %1 is its number
        return tr("trial %1 diverged").arg(diverged.front().raw());
    if (diverged.empty())
        return {};
    return tr("%n trial(s) diverged", nullptr, static_cast<int>(diverged.size()));
}

void CurveChart::paintMessage(QPainter& painter) {
    painter.setPen(m_theme->muted);
    if (!m_plan.x || !m_plan.y) {
        painter.drawText(viewport()->rect().adjusted(16, 0, -16, 0), Qt::AlignCenter | Qt::TextWordWrap,
                         emptyText());
        return;
    }
    QString note = divergedText();
    const auto add = [&note](const QString& more) {
        note += (note.isEmpty() ? QString() : QStringLiteral(" · ")) + more;
    };
    if (const size_t hidden = m_chart.hiddenValues())
        add(tr("%n value(s) ≤ 0 not shown", nullptr, static_cast<int>(hidden)));
    if (m_chart.ignoresOutliers())
        add(tr("outliers ignored"));
    const QRectF plot = m_curves->mapping().plot;
    painter.drawText(plot.adjusted(6, 4, -6, -4), Qt::AlignTop | Qt::AlignRight, note);
}

void CurveChart::paintHover(QPainter& painter) {
    const auto& hover = m_chart.steps().hover();
    const models::ChartMapping& mapping = m_curves->mapping();
    if (!hover || mapping.plot.isEmpty())
        return;
    const double x = mapping.xOf(hover->step);
    if (x < mapping.plot.left() - 1 || x > mapping.plot.right() + 1)
        return;
    painter.setPen(QPen(m_theme->muted, 1, Qt::DashLine));
    painter.drawLine(QPointF(x, mapping.plot.top()), QPointF(x, mapping.plot.bottom()));
    const HoverContent content = hoverContent(m_chart, *hover, *m_theme);
    if (content.lines.empty())
        return;
    QPointF anchor(x, mapping.plot.center().y());
    for (const HoverContent::Line& line : content.lines) {
        const double y = mapping.yOf(line.value);
        if (std::isnan(y) || y < mapping.plot.top() - 1 || y > mapping.plot.bottom() + 1)
            continue;
        if (line.trial == hover->trial)
            anchor = QPointF(x, y);
        painter.setPen(QPen(m_theme->panel, 1.5));
        painter.setBrush(line.colour);
        painter.drawEllipse(QPointF(x, y), kHoverDot, kHoverDot);
    }
    const QSizeF size = hoverBoxSize(content, font());
    const QRectF box = models::freePlace(size, anchor, mapping.plot, m_curves->shapeOf(hover->trial));
    paintHoverBox(painter, box, content, *m_theme);
}

void CurveChart::announceHover() {
    const auto& hover = m_chart.steps().hover();
    if (!hover || !hasFocus())
        return;
    const HoverContent content = hoverContent(m_chart, *hover, *m_theme);
    if (content.lines.empty())
        return;
    const HoverContent::Line& line = content.lines.front();
    setAccessibleDescription(content.title + QStringLiteral(", ") + line.name + QStringLiteral(": ") +
                             line.text);
    QAccessibleEvent event(this, QAccessible::DescriptionChanged);
    QAccessible::updateAccessibility(&event);
}

void CurveChart::updateHover(QPointF place) {
    const models::ChartMapping& mapping = m_curves->mapping();
    std::optional<SharedSteps::Hover> found;
    double nearest = kReach;
    if (mapping.plot.contains(place)) {
        for (size_t row = 0; row < m_chart.trialCount(); ++row) {
            const TrialId trial(static_cast<uint32_t>(row));
            const Series* series = m_chart.series(trial);
            if (!series)
                continue;
            const auto point = models::nearestPoint(series->steps, series->values, mapping, place, nearest);
            if (point && (!found || point->distance < nearest)) {
                nearest = point->distance;
                found = SharedSteps::Hover{series->steps[point->index], trial};
            }
        }
    }
    m_chart.steps().setHover(found);
}

void CurveChart::wheelEvent(QWheelEvent* event) {
    const QRectF& plot = m_curves->mapping().plot;
    const QPointF place = event->position();
    if (plot.isEmpty() || !plot.contains(place) || event->angleDelta().y() == 0) {
        event->ignore();
        return;
    }
    const double factor = std::pow(kWheelStep, -event->angleDelta().y() / 120.0);
    const bool onlyX = event->modifiers() & Qt::ControlModifier;
    const bool onlyY = event->modifiers() & Qt::ShiftModifier;
    m_chart.zoom((place.x() - plot.left()) / plot.width(), (plot.bottom() - place.y()) / plot.height(),
                 onlyY ? 1 : factor, onlyX ? 1 : factor);
    event->accept();
}

void CurveChart::mousePressEvent(QMouseEvent* event) {
    if (event->button() != Qt::LeftButton) {
        event->ignore();
        return;
    }
    m_pressed = true;
    m_dragging = false;
    m_pressedAt = m_draggedTo = event->position();
    event->accept();
}

void CurveChart::mouseMoveEvent(QMouseEvent* event) {
    const QPointF place = event->position();
    if (!m_pressed) {
        updateHover(place);
        return;
    }
    if (!m_dragging && (place - m_pressedAt).manhattanLength() < kDragThreshold)
        return;
    m_dragging = true;
    setCursor(Qt::ClosedHandCursor);
    const QRectF& plot = m_curves->mapping().plot;
    if (!plot.isEmpty())
        m_chart.pan((m_draggedTo.x() - place.x()) / plot.width(),
                    (place.y() - m_draggedTo.y()) / plot.height());
    m_draggedTo = place;
}

void CurveChart::mouseReleaseEvent(QMouseEvent* event) {
    if (!m_pressed || event->button() != Qt::LeftButton)
        return;
    m_pressed = false;
    unsetCursor();
    if (m_dragging)
        return;
    updateHover(event->position());
    if (const auto& hover = m_chart.steps().hover())
        m_chart.selection().setOnly(hover->trial);
    else
        m_chart.selection().clear();
}

void CurveChart::mouseDoubleClickEvent(QMouseEvent*) {
    m_chart.resetZoom();
}

void CurveChart::leaveEvent(QEvent* event) {
    QChartView::leaveEvent(event);
    if (!hasFocus())
        m_chart.steps().setHover(std::nullopt);
}

void CurveChart::keyPressEvent(QKeyEvent* event) {
    constexpr double kPanStep = 0.1;
    const bool shift = event->modifiers() & Qt::ShiftModifier;
    switch (event->key()) {
    case Qt::Key_Left:
        shift ? m_chart.pan(-kPanStep, 0) : m_chart.moveHover(-1);
        break;
    case Qt::Key_Right:
        shift ? m_chart.pan(kPanStep, 0) : m_chart.moveHover(1);
        break;
    case Qt::Key_Up:
        shift ? m_chart.pan(0, kPanStep) : m_chart.moveHoverToTrial(-1);
        break;
    case Qt::Key_Down:
        shift ? m_chart.pan(0, -kPanStep) : m_chart.moveHoverToTrial(1);
        break;
    case Qt::Key_Plus:
    case Qt::Key_Equal:
        m_chart.zoom(0.5, 0.5, 1 / kWheelStep, 1 / kWheelStep);
        break;
    case Qt::Key_Minus:
        m_chart.zoom(0.5, 0.5, kWheelStep, kWheelStep);
        break;
    case Qt::Key_0:
        m_chart.resetZoom();
        break;
    case Qt::Key_Return:
    case Qt::Key_Enter:
    case Qt::Key_Space:
        if (const auto& hover = m_chart.steps().hover())
            m_chart.selection().setOnly(hover->trial);
        break;
    case Qt::Key_Escape:
        if (!m_chart.steps().hover()) {
            event->ignore();
            return;
        }
        m_chart.steps().setHover(std::nullopt);
        break;
    default:
        QChartView::keyPressEvent(event);
        return;
    }
    event->accept();
}

} // namespace trialdeck::app::views

// SPDX-License-Identifier: Apache-2.0
#include "app/views/charts_area.h"

#include "app/views/chart_panel.h"
#include "app/views/curve_chart.h"
#include "app/views/face.h"

#include <QEvent>
#include <QMenu>

#include <algorithm>

namespace trialdeck::app::views {

namespace {
constexpr int kGap = 12;
constexpr int kLeastWidth = 300;
constexpr int kLeastHeight = 200;
} // namespace

ChartsArea::ChartsArea(presenters::ExperimentPresenter& experiment, QWidget* parent)
    : QScrollArea(parent), m_experiment(experiment), m_canvas(new QWidget), m_face(new Face(m_canvas)) {
    setObjectName(QStringLiteral("charts"));
    m_canvas->setProperty("role", QStringLiteral("canvas"));
    setWidget(m_canvas);
    setWidgetResizable(false);
    setFrameShape(QFrame::NoFrame);
    setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    setFocusPolicy(Qt::NoFocus);
    setMinimumHeight(kLeastHeight);
    connect(&experiment, &presenters::ExperimentPresenter::chartsChanged, this, &ChartsArea::rebuild);
    retranslate();
    rebuild();
}

void ChartsArea::retranslate() {
    if (m_panels.empty())
        m_face->set(QStringLiteral("chart"), tr("No curves yet"),
                    tr("A curve appears for each metric with the first report of a trial."));
    else
        m_face->set(QStringLiteral("chart"), tr("No chart is shown"),
                    tr("Choose under \"Charts\" which metrics to show."));
}

void ChartsArea::fillChartsMenu(QMenu& menu) {
    for (ChartPanel* panel : m_panels) {
        presenters::ChartPresenter* chart = &panel->presenter();
        QAction* action = menu.addAction(chart->metricName());
        action->setCheckable(true);
        action->setChecked(chart->isShown());
        connect(action, &QAction::toggled, chart, [this, chart](bool shown) {
            chart->setShown(shown);
            emit layoutEdited();
        });
    }
}

void ChartsArea::rebuild() {
    const std::vector<presenters::ChartPresenter*> charts = m_experiment.charts();
    for (ChartPanel* panel : m_panels) {
        const bool isGone =
            charts.empty() || std::none_of(charts.begin(), charts.end(), [&](const auto* chart) {
                return panel->objectName() == QStringLiteral("chartPanel:") + chart->metricName();
            });
        if (isGone) {
            m_expanded = m_expanded == panel ? nullptr : m_expanded;
            delete panel;
            std::replace(m_panels.begin(), m_panels.end(), panel, static_cast<ChartPanel*>(nullptr));
        }
    }
    std::erase(m_panels, nullptr);
    std::vector<ChartPanel*> ordered;
    for (presenters::ChartPresenter* chart : charts) {
        const auto known = std::find_if(m_panels.begin(), m_panels.end(), [&](const ChartPanel* panel) {
            return &panel->presenter() == chart;
        });
        if (known != m_panels.end()) {
            ordered.push_back(*known);
            continue;
        }
        auto* panel = new ChartPanel(*chart, m_canvas);
        applyChoices(*panel);
        connect(panel, &ChartPanel::expandToggled, this, [this, panel] {
            m_expanded = m_expanded ? nullptr : panel;
            panel->setExpanded(m_expanded != nullptr);
            arrange();
        });
        connect(panel, &ChartPanel::choicesEdited, this, &ChartsArea::layoutEdited);
        connect(chart, &presenters::ChartPresenter::shownChanged, this, &ChartsArea::arrange);
        connect(panel, &ChartPanel::droppedAt, this,
                [this, panel](QPoint place) { movePanel(*panel, place); });
        ordered.push_back(panel);
    }
    m_panels = ordered;
    sortPanels();
    arrange();
}

void ChartsArea::sortPanels() {
    const auto rank = [this](const ChartPanel* panel) {
        for (qsizetype i = 0; i < m_wantedLayout.size(); ++i) {
            if (m_wantedLayout[i].section(QLatin1Char('='), 0, 0) == panel->presenter().metricName())
                return i;
        }
        return m_wantedLayout.size();
    };
    std::stable_sort(m_panels.begin(), m_panels.end(),
                     [&](const ChartPanel* a, const ChartPanel* b) { return rank(a) < rank(b); });
}

void ChartsArea::arrange() {
    if (m_expanded && !m_expanded->presenter().isShown()) {
        m_expanded->setExpanded(false);
        m_expanded = nullptr;
    }
    const QSize room = viewport()->size();
    std::vector<ChartPanel*> shown;
    for (ChartPanel* panel : m_panels) {
        panel->setVisible(panel->presenter().isShown() && (!m_expanded || panel == m_expanded));
        if (panel->isVisibleTo(m_canvas))
            shown.push_back(panel);
    }
    m_face->setVisible(shown.empty());
    if (shown.empty()) {
        retranslate();
        m_canvas->resize(room);
        m_face->setGeometry(m_canvas->rect());
        return;
    }
    const int count = static_cast<int>(shown.size());
    const int fitting = std::clamp((room.width() + kGap) / (kLeastWidth + kGap), 1, count);
    const int columns = count == 4 && fitting == 3 ? 2 : fitting;
    const int rows = (count + columns - 1) / columns;
    const int height = std::max(kLeastHeight, (room.height() - (rows - 1) * kGap) / rows);
    m_canvas->resize(room.width(), rows * height + (rows - 1) * kGap);
    const int width = (room.width() - (columns - 1) * kGap) / columns;
    for (int i = 0; i < count; ++i) {
        const int left = i % columns * (width + kGap);
        const bool isLast = i % columns == columns - 1;
        shown[static_cast<size_t>(i)]->setGeometry(left, i / columns * (height + kGap),
                                                   isLast ? room.width() - left : width, height);
    }
    for (size_t i = 1; i < shown.size(); ++i)
        setTabOrder(&shown[i - 1]->chart(), &shown[i]->chart());
}

void ChartsArea::movePanel(ChartPanel& panel, QPoint place) {
    const auto target = std::find_if(m_panels.begin(), m_panels.end(), [&](const ChartPanel* each) {
        return each->geometry().contains(place);
    });
    if (target == m_panels.end() || *target == &panel)
        return;
    const auto to = target - m_panels.begin();
    std::erase(m_panels, &panel);
    m_panels.insert(m_panels.begin() + to, &panel);
    m_wantedLayout = saveLayout();
    arrange();
    emit layoutEdited();
}

QStringList ChartsArea::saveLayout() const {
    QStringList layout;
    for (const ChartPanel* panel : m_panels)
        layout << panel->presenter().metricName() + QLatin1Char('=') + panel->saveChoices();
    return layout;
}

void ChartsArea::restoreLayout(const QStringList& layout) {
    m_wantedLayout = layout;
    for (ChartPanel* panel : m_panels)
        applyChoices(*panel);
    sortPanels();
    arrange();
}

void ChartsArea::applyChoices(ChartPanel& panel) {
    for (const QString& entry : m_wantedLayout) {
        if (entry.section(QLatin1Char('='), 0, 0) == panel.presenter().metricName())
            panel.restoreChoices(entry.section(QLatin1Char('='), 1));
    }
}

void ChartsArea::resizeEvent(QResizeEvent* event) {
    QScrollArea::resizeEvent(event);
    arrange();
}

void ChartsArea::changeEvent(QEvent* event) {
    if (event->type() == QEvent::LanguageChange)
        retranslate();
    QScrollArea::changeEvent(event);
}

} // namespace trialdeck::app::views

// SPDX-License-Identifier: Apache-2.0
#include "app/views/charts_bar.h"

#include "app/views/charts_area.h"
#include "app/views/icons.h"
#include "app/views/legend_strip.h"
#include "app/views/state_mark.h"

#include <QEvent>
#include <QHBoxLayout>
#include <QMenu>
#include <QToolButton>

namespace trialdeck::app::views {

ChartsBar::ChartsBar(presenters::ExperimentPresenter& experiment, ChartsArea& charts, QWidget* parent)
    : QWidget(parent), m_choose(new QToolButton) {
    m_choose->setObjectName(QStringLiteral("chartsButton"));
    m_choose->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
    m_choose->setPopupMode(QToolButton::InstantPopup);
    m_choose->setMenu(new QMenu(m_choose));
    m_choose->setFocusPolicy(Qt::TabFocus);
    auto* layout = new QHBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(8);
    layout->addWidget(new LegendStrip(experiment), 1);
    layout->addWidget(m_choose);
    connect(m_choose->menu(), &QMenu::aboutToShow, this, [this, &charts] {
        m_choose->menu()->clear();
        charts.fillChartsMenu(*m_choose->menu());
    });
    retranslate();
}

void ChartsBar::retranslate() {
    //: Button with a list of metrics: which of them have a chart
    m_choose->setText(tr("Charts"));
    m_choose->setAccessibleName(tr("Which charts are shown"));
    m_choose->setIcon(icon(QStringLiteral("chart"), themeOf(*this).muted));
}

void ChartsBar::changeEvent(QEvent* event) {
    if (event->type() == QEvent::LanguageChange || event->type() == QEvent::PaletteChange)
        retranslate();
    QWidget::changeEvent(event);
}

} // namespace trialdeck::app::views

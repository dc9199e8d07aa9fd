// SPDX-License-Identifier: Apache-2.0
#include "app/views/experiment_page.h"

#include "app/views/charts_area.h"
#include "app/views/charts_bar.h"
#include "app/views/experiment_title.h"
#include "app/views/face.h"
#include "app/views/files_tab.h"
#include "app/views/log_tab.h"
#include "app/views/memory.h"
#include "app/views/notices_bar.h"
#include "app/views/setup_tab.h"
#include "app/views/trial_details.h"
#include "app/views/trial_table_panel.h"
#include "app/views/trial_table_view.h"

#include <QEvent>
#include <QFrame>
#include <QSplitter>
#include <QStackedWidget>
#include <QTabBar>
#include <QVBoxLayout>

namespace trialdeck::app::views {

using presenters::ExperimentPresenter;
using presenters::PageFace;

namespace {
/// Charts and table share the height in two halves, however large it is.
constexpr int kHalf = 1000;
} // namespace

ExperimentPage::ExperimentPage(ExperimentPresenter& experiment, Memory& memory, QWidget* parent)
    : QWidget(parent), m_experiment(experiment), m_memory(memory), m_title(new ExperimentTitle(experiment)),
      m_tabs(new QTabBar), m_pages(new QStackedWidget), m_stack(new QStackedWidget), m_face(new Face),
      m_notices(new NoticesBar(experiment)), m_charts(new ChartsArea(experiment)),
      m_overviewTable(new TrialTablePanel(experiment)), m_trialsTable(new TrialTablePanel(experiment)),
      m_details(new TrialDetails(experiment)), m_logs(new LogTab(experiment)),
      m_files(new FilesTab(experiment)), m_setup(new SetupTab(experiment)) {
    setObjectName(QStringLiteral("experimentPage"));
    m_tabs->setObjectName(QStringLiteral("experimentTabs"));
    m_tabs->setDrawBase(false);
    m_tabs->setExpanding(false);
    m_tabs->setFocusPolicy(Qt::TabFocus);
    const bool hasFiles = experiment.head().can("files");
    for (QWidget* page :
         std::initializer_list<QWidget*>{makeOverview(), makeTrials(), m_logs, m_files, m_setup}) {
        m_tabs->addTab(QString());
        m_pages->addWidget(page);
    }
    m_tabs->setTabVisible(static_cast<int>(Tab::files), hasFiles);
    auto* head = new QFrame;
    head->setProperty("role", QStringLiteral("header"));
    auto* headLayout = new QVBoxLayout(head);
    headLayout->setContentsMargins(0, 0, 0, 0);
    headLayout->setSpacing(0);
    headLayout->addWidget(m_title);
    auto* tabLine = new QHBoxLayout;
    tabLine->setContentsMargins(8, 0, 8, 0);
    tabLine->addWidget(m_tabs);
    tabLine->addStretch();
    headLayout->addLayout(tabLine);
    m_stack->addWidget(m_pages);
    m_stack->addWidget(m_face);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    layout->addWidget(head);
    layout->addWidget(m_stack, 1);
    connect(m_tabs, &QTabBar::currentChanged, m_pages, &QStackedWidget::setCurrentIndex);
    connect(m_tabs, &QTabBar::currentChanged, this, &ExperimentPage::remember);
    connect(&experiment, &ExperimentPresenter::faceChanged, this, &ExperimentPage::updateFace);
    connect(m_face, &Face::actionTriggered, &experiment.head(), &client::HeadClient::reconnect);
    connect(m_notices, &NoticesBar::logWanted, this, &ExperimentPage::showLogOf);
    connect(m_charts, &ChartsArea::layoutEdited, this, &ExperimentPage::remember);
    for (TrialTablePanel* panel : {m_overviewTable, m_trialsTable}) {
        connect(&panel->table(), &TrialTableView::trialActivated, this, &ExperimentPage::showLogOf);
        connect(&panel->table(), &TrialTableView::layoutEdited, this, &ExperimentPage::remember);
        connect(panel, &TrialTablePanel::filterEdited, this, [this, panel] {
            // One filter, two tables.
            (panel == m_overviewTable ? m_trialsTable : m_overviewTable)->setFilter(panel->filter());
            remember();
        });
    }
    for (QSplitter* splitter : {m_overviewSplitter, m_trialsSplitter})
        connect(splitter, &QSplitter::splitterMoved, this, &ExperimentPage::remember);
    retranslate();
    recall();
    updateFace();
}

ExperimentPage::~ExperimentPage() = default;

QWidget* ExperimentPage::makeOverview() {
    auto* page = new QWidget;
    m_overviewSplitter = new QSplitter(Qt::Vertical);
    m_overviewSplitter->setChildrenCollapsible(false);
    m_overviewSplitter->setHandleWidth(12);
    auto* lower = new QWidget;
    auto* lowerLayout = new QVBoxLayout(lower);
    lowerLayout->setContentsMargins(0, 0, 0, 0);
    lowerLayout->setSpacing(12);
    lowerLayout->addWidget(m_notices);
    lowerLayout->addWidget(m_overviewTable, 1);
    auto* upper = new QWidget;
    auto* upperLayout = new QVBoxLayout(upper);
    upperLayout->setContentsMargins(0, 0, 0, 0);
    upperLayout->setSpacing(8);
    upperLayout->addWidget(new ChartsBar(m_experiment, *m_charts));
    upperLayout->addWidget(m_charts, 1);
    m_overviewSplitter->addWidget(upper);
    m_overviewSplitter->addWidget(lower);
    m_overviewSplitter->setStretchFactor(0, 1);
    m_overviewSplitter->setStretchFactor(1, 1);
    m_overviewSplitter->setSizes({kHalf, kHalf});
    auto* layout = new QVBoxLayout(page);
    layout->setContentsMargins(16, 12, 16, 12);
    layout->addWidget(m_overviewSplitter);
    return page;
}

QWidget* ExperimentPage::makeTrials() {
    auto* page = new QWidget;
    m_trialsSplitter = new QSplitter(Qt::Horizontal);
    m_trialsSplitter->setChildrenCollapsible(false);
    m_trialsSplitter->setHandleWidth(12);
    m_trialsSplitter->addWidget(m_trialsTable);
    m_trialsSplitter->addWidget(m_details);
    m_trialsSplitter->setStretchFactor(0, 2);
    m_trialsSplitter->setStretchFactor(1, 1);
    m_trialsSplitter->setSizes({700, 360});
    auto* layout = new QVBoxLayout(page);
    layout->setContentsMargins(16, 12, 16, 12);
    layout->addWidget(m_trialsSplitter);
    return page;
}

void ExperimentPage::showTab(Tab tab) {
    m_tabs->setCurrentIndex(static_cast<int>(tab));
}

void ExperimentPage::focusSearch() {
    switch (static_cast<Tab>(m_tabs->currentIndex())) {
    case Tab::logs:
        m_logs->focusSearch();
        break;
    case Tab::trials:
        m_trialsTable->focusFilter();
        break;
    default:
        showTab(Tab::overview);
        m_overviewTable->focusFilter();
    }
}

void ExperimentPage::showLogOf(TrialId trial) {
    m_experiment.selection().setOnly(trial);
    showTab(Tab::logs);
}

void ExperimentPage::updateFace() {
    const QString sentence = m_experiment.faceSentence();
    switch (m_experiment.face()) {
    case PageFace::ready:
        m_stack->setCurrentWidget(m_pages);
        return;
    case PageFace::loading:
        m_face->set(QStringLiteral("chart"), tr("Loading…"), sentence);
        break;
    case PageFace::away:
        m_face->set(QStringLiteral("computer"), tr("Not connected"), sentence, tr("Reconnect"));
        break;
    case PageFace::missing:
        m_face->set(QStringLiteral("folder"), tr("The folder is not there"), sentence);
        break;
    case PageFace::refused:
        m_face->set(QStringLiteral("error"), tr("The head cannot show this experiment"), sentence);
        break;
    }
    m_stack->setCurrentWidget(m_face);
}

void ExperimentPage::retranslate() {
    //: Tab of an experiment's page
    m_tabs->setTabText(static_cast<int>(Tab::overview), tr("Overview"));
    //: Tab of an experiment's page
    m_tabs->setTabText(static_cast<int>(Tab::trials), tr("Trials"));
    //: Tab of an experiment's page
    m_tabs->setTabText(static_cast<int>(Tab::logs), tr("Logs"));
    //: Tab of an experiment's page
    m_tabs->setTabText(static_cast<int>(Tab::files), tr("Files"));
    //: Tab of an experiment's page: experiment.yaml and environment
    m_tabs->setTabText(static_cast<int>(Tab::setup), tr("Set-up"));
    m_tabs->setAccessibleName(tr("Parts of the experiment"));
}

QString ExperimentPage::memoryKey(const QString& name) const {
    return QStringLiteral("experiment/%1/%2").arg(QString::fromStdString(m_experiment.id().raw()), name);
}

void ExperimentPage::remember() {
    if (m_recalling)
        return;
    m_memory.set(memoryKey(QStringLiteral("charts")), m_charts->saveLayout());
    m_memory.set(memoryKey(QStringLiteral("overviewTable")), m_overviewTable->table().saveLayout());
    m_memory.set(memoryKey(QStringLiteral("trialsTable")), m_trialsTable->table().saveLayout());
    m_memory.set(memoryKey(QStringLiteral("filter")), m_overviewTable->filter());
    m_memory.set(memoryKey(QStringLiteral("overviewSplitter")), m_overviewSplitter->saveState());
    m_memory.set(memoryKey(QStringLiteral("trialsSplitter")), m_trialsSplitter->saveState());
    m_memory.set(memoryKey(QStringLiteral("tab")), m_tabs->currentIndex());
}

void ExperimentPage::recall() {
    m_charts->restoreLayout(m_memory.value(memoryKey(QStringLiteral("charts"))).toStringList());
    const auto recallTable = [this](TrialTablePanel& panel, const QString& name) {
        const QByteArray layout = m_memory.value(memoryKey(name)).toByteArray();
        if (!layout.isEmpty())
            panel.table().restoreLayout(layout);
    };
    recallTable(*m_overviewTable, QStringLiteral("overviewTable"));
    recallTable(*m_trialsTable, QStringLiteral("trialsTable"));
    m_overviewTable->setFilter(m_memory.value(memoryKey(QStringLiteral("filter"))).toString());
    m_overviewSplitter->restoreState(
        m_memory.value(memoryKey(QStringLiteral("overviewSplitter"))).toByteArray());
    m_trialsSplitter->restoreState(m_memory.value(memoryKey(QStringLiteral("trialsSplitter"))).toByteArray());
    showTab(static_cast<Tab>(m_memory.value(memoryKey(QStringLiteral("tab")), 0).toInt()));
    m_recalling = false;
}

void ExperimentPage::changeEvent(QEvent* event) {
    if (event->type() == QEvent::LanguageChange) {
        retranslate();
        updateFace();
    }
    QWidget::changeEvent(event);
}

} // namespace trialdeck::app::views

// SPDX-License-Identifier: Apache-2.0
#include "app/views/setup_tab.h"

#include "app/models/number_format.h"
#include "app/views/icons.h"
#include "app/views/state_mark.h"
#include "app/views/yaml_highlighter.h"

#include <QApplication>
#include <QClipboard>
#include <QEvent>
#include <QFontDatabase>
#include <QFrame>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QLabel>
#include <QPlainTextEdit>
#include <QSplitter>
#include <QToolButton>
#include <QTreeWidget>

namespace trialdeck::app::views {

namespace {

void addValue(QTreeWidgetItem* parent, const QString& name, const Value& value) {
    if (const Object* object = value.asObject()) {
        auto* item = new QTreeWidgetItem(parent, {name});
        for (const auto& [key, each] : *object)
            addValue(item, QString::fromStdString(key), each);
        item->setExpanded(true);
        return;
    }
    const QString text = QString::fromStdString(models::exactText(value));
    auto* item = new QTreeWidgetItem(parent, {name, text});
    item->setToolTip(1, text.toHtmlEscaped());
}

QFrame* panelWith(QWidget* head, QWidget* body, QWidget* button = nullptr) {
    auto* panel = new QFrame;
    panel->setProperty("role", QStringLiteral("panel"));
    auto* bar = new QHBoxLayout;
    bar->setContentsMargins(12, 6, 6, 6);
    bar->addWidget(head);
    bar->addStretch();
    if (button)
        bar->addWidget(button);
    auto* layout = new QVBoxLayout(panel);
    layout->setContentsMargins(1, 1, 1, 1);
    layout->setSpacing(0);
    layout->addLayout(bar);
    layout->addWidget(body, 1);
    return panel;
}

} // namespace

SetupTab::SetupTab(presenters::ExperimentPresenter& experiment, QWidget* parent)
    : QWidget(parent), m_experiment(experiment), m_yamlTitle(new QLabel), m_environmentTitle(new QLabel),
      m_copy(new QToolButton), m_yaml(new QPlainTextEdit),
      m_highlighter(new YamlHighlighter(m_yaml->document())), m_environment(new QTreeWidget) {
    for (QLabel* title : {m_yamlTitle, m_environmentTitle})
        title->setProperty("role", QStringLiteral("section"));
    m_yaml->setObjectName(QStringLiteral("setupYaml"));
    m_yaml->setReadOnly(true);
    m_yaml->setFrameShape(QFrame::NoFrame);
    m_yaml->setLineWrapMode(QPlainTextEdit::NoWrap);
    m_yaml->setFont(QFontDatabase::systemFont(QFontDatabase::FixedFont));
    m_environment->setObjectName(QStringLiteral("setupEnvironment"));
    m_environment->setColumnCount(2);
    m_environment->setHeaderHidden(true);
    m_environment->setUniformRowHeights(true);
    m_environment->header()->setSectionResizeMode(0, QHeaderView::ResizeToContents);
    m_copy->setProperty("kind", QStringLiteral("link"));
    m_copy->setFocusPolicy(Qt::TabFocus);
    auto* splitter = new QSplitter(Qt::Horizontal);
    splitter->setChildrenCollapsible(false);
    splitter->setHandleWidth(12);
    splitter->addWidget(panelWith(m_yamlTitle, m_yaml, m_copy));
    splitter->addWidget(panelWith(m_environmentTitle, m_environment));
    splitter->setStretchFactor(0, 3);
    splitter->setStretchFactor(1, 2);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(16, 12, 16, 12);
    layout->addWidget(splitter);
    connect(m_copy, &QToolButton::clicked, this,
            [this] { QApplication::clipboard()->setText(m_yaml->toPlainText()); });
    connect(&experiment, &presenters::ExperimentPresenter::shownReceived, this, &SetupTab::refresh);
    retranslate();
    refresh();
}

void SetupTab::refresh() {
    m_environment->clear();
    const auto& shown = m_experiment.shown();
    if (!shown) {
        m_yaml->setPlainText({});
        return;
    }
    m_yaml->setPlainText(QString::fromStdString(shown->yaml));
    auto* root = m_environment->invisibleRootItem();
    //: Row of an experiment's environment: where it lies
    addValue(root, tr("Folder"), Value(shown->summary.folder));
    //: Row of an experiment's environment: relative paths are read from here
    addValue(root, tr("Relative paths from"), Value(shown->baseDirectory));
    addValue(root, tr("Seed"), Value(shown->seed));
    if (const Object* environment = shown->environment.asObject()) {
        for (const auto& [key, value] : *environment)
            addValue(root, QString::fromStdString(key), value);
    }
}

void SetupTab::retranslate() {
    const Theme& theme = themeOf(*this);
    m_yamlTitle->setText(QStringLiteral("experiment.yaml"));
    //: Title above the host, versions and variables that an experiment was started with
    m_environmentTitle->setText(tr("Environment"));
    //: Button that copies the experiment.yaml
    m_copy->setText(tr("Copy"));
    m_yaml->setAccessibleName(QStringLiteral("experiment.yaml"));
    m_environment->setAccessibleName(m_environmentTitle->text());
    m_highlighter->setTheme(theme);
}

void SetupTab::changeEvent(QEvent* event) {
    if (event->type() == QEvent::LanguageChange || event->type() == QEvent::PaletteChange) {
        retranslate();
        if (event->type() == QEvent::LanguageChange)
            refresh();
    }
    QWidget::changeEvent(event);
}

} // namespace trialdeck::app::views

// SPDX-License-Identifier: Apache-2.0
#include "app/views/setup_tab.h"

#include "app/models/number_format.h"
#include "app/presenters/draft_values.h"
#include "app/text/times.h"
#include "app/views/appearance.h"
#include "app/views/icons.h"
#include "app/views/state_mark.h"
#include "app/views/yaml_highlighter.h"

#include <QApplication>
#include <QClipboard>
#include <QDateTime>
#include <QEvent>
#include <QFrame>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QLabel>
#include <QPlainTextEdit>
#include <QSplitter>
#include <QToolButton>
#include <QTreeWidget>

#include <algorithm>
#include <map>

namespace trialdeck::app::views {

namespace {

/// Longer names of variables end with an ellipsis, so that their values can be read.
constexpr int kWidestName = 200;

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
    item->setToolTip(0, name.toHtmlEscaped());
    item->setToolTip(1, text.toHtmlEscaped());
}

/// Words of a command as a shell would take them.
QString commandText(const Array& words) {
    QStringList texts;
    for (const Value& word : words)
        texts << presenters::textFromScalar(word);
    return presenters::textFromWords(texts);
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
    m_yaml->setProperty("flat", true);
    m_yaml->setFrameShape(QFrame::NoFrame);
    m_yaml->setLineWrapMode(QPlainTextEdit::NoWrap);
    m_yaml->setFont(Appearance::fixedFont());
    m_environment->setObjectName(QStringLiteral("setupEnvironment"));
    m_environment->setColumnCount(2);
    m_environment->setHeaderHidden(true);
    m_environment->setUniformRowHeights(true);
    m_environment->setTextElideMode(Qt::ElideMiddle);
    m_environment->header()->setStretchLastSection(true);
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
            addEntry(QString::fromStdString(key), value);
    }
    m_environment->resizeColumnToContents(0);
    m_environment->setColumnWidth(0, std::min(m_environment->columnWidth(0), kWidestName));
}

/// One entry of environment.json; those that the head always writes have a name in the user's language.
void SetupTab::addEntry(const QString& key, const Value& value) {
    const std::map<QString, QString> names = {
        //: Row of an experiment's environment: when it was started
        {QStringLiteral("recorded"), tr("Recorded")},
        {QStringLiteral("command"), tr("Command")},
        {QStringLiteral("working_directory"), tr("Working directory")},
        //: Row of an experiment's environment: the commit of the working directory
        {QStringLiteral("git"), tr("Git commit")},
        //: Row of an experiment's environment: the head's machine
        {QStringLiteral("host"), tr("Host")},
        //: Row of an experiment's environment: kernel and processor
        {QStringLiteral("system"), tr("System")},
        {QStringLiteral("trialdeck"), QStringLiteral("Trialdeck")},
        //: Row of an experiment's environment: environment variables
        {QStringLiteral("variables"), tr("Variables")},
    };
    const auto name = names.find(key);
    const QString title = name == names.end() ? key : name->second;
    auto* root = m_environment->invisibleRootItem();
    const std::string* text = value.asString();
    const auto time = key == QLatin1String("recorded") && text
                          ? QDateTime::fromString(QString::fromStdString(*text), Qt::ISODateWithMs)
                          : QDateTime();
    if (time.isValid())
        addValue(root, title,
                 Value(text::exactTime(base::WallTime(std::chrono::milliseconds(time.toMSecsSinceEpoch())))
                           .toStdString()));
    else if (key == QLatin1String("command") && value.asArray())
        addValue(root, title, Value(commandText(*value.asArray()).toStdString()));
    else if (value.isNull())
        addValue(root, title, Value("–"));
    else
        addValue(root, title, value);
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

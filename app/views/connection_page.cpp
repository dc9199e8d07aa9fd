// SPDX-License-Identifier: Apache-2.0
#include "app/views/connection_page.h"

#include "app/views/command_panel.h"
#include "app/views/elided_label.h"
#include "app/views/forward_panel.h"
#include "app/views/label_grid.h"
#include "app/views/prompt_panel.h"
#include "app/views/state_mark.h"
#include "app/views/step_list.h"
#include "app/views/sync_panel.h"

#include <QAction>
#include <QEvent>
#include <QGridLayout>
#include <QHBoxLayout>
#include <QScrollArea>
#include <QToolButton>
#include <QVBoxLayout>

namespace trialdeck::app::views {

namespace {
constexpr int kGap = 16;
constexpr int kMark = 16;
/// From this width on head and nodes stand beside the steps.
constexpr int kTwoColumns = 900;
using Align = LabelGrid::Align;
} // namespace

ConnectionPage::ConnectionPage(presenters::ConnectionPresenter& connection,
                               const std::vector<QAction*>& actions, QWidget* parent)
    : QWidget(parent), m_connection(connection), m_mark(new QLabel), m_name(new ElidedLabel),
      m_state(new QLabel), m_address(new ElidedLabel), m_error(new QLabel), m_stale(new QLabel),
      m_prompt(new PromptPanel(connection)), m_steps(new StepList(connection)), m_left(new QWidget),
      m_right(new QWidget), m_facts(new LabelGrid({Align::left, Align::left})),
      m_nodes(new LabelGrid({Align::left, Align::right, Align::right, Align::right})),
      m_body(new QGridLayout) {
    setObjectName(QStringLiteral("connectionPage"));
    m_error->setObjectName(QStringLiteral("connectionError"));
    m_error->setProperty("role", QStringLiteral("bad"));
    m_stale->setObjectName(QStringLiteral("connectionStale"));
    m_stale->setProperty("role", QStringLiteral("warning"));
    m_facts->setObjectName(QStringLiteral("connectionFacts"));
    m_nodes->setObjectName(QStringLiteral("connectionNodes"));
    auto* left = new QVBoxLayout(m_left);
    left->setContentsMargins(0, 0, 0, 0);
    left->setSpacing(kGap);
    left->addWidget(m_steps);
    presenters::HostWorkPresenter* work = connection.saved() ? connection.work() : nullptr;
    if (work) {
        left->addWidget(new ForwardPanel(*work));
        left->addWidget(new CommandPanel(*work));
    }
    left->addStretch();
    auto* right = new QVBoxLayout(m_right);
    right->setContentsMargins(0, 0, 0, 0);
    right->setSpacing(kGap);
    right->addWidget(m_facts);
    right->addWidget(m_nodes);
    if (work)
        right->addWidget(new SyncPanel(*work));
    right->addStretch();
    auto* content = new QWidget;
    content->setProperty("role", QStringLiteral("canvas"));
    auto* column = new QVBoxLayout(content);
    column->setContentsMargins(kGap, 0, kGap, kGap);
    column->setSpacing(12);
    for (QLabel* label : {m_error, m_stale}) {
        label->setWordWrap(true);
        label->setTextFormat(Qt::PlainText);
        label->setTextInteractionFlags(Qt::TextSelectableByMouse);
        column->addWidget(label);
    }
    column->addWidget(m_prompt);
    m_body->setSpacing(kGap);
    column->addLayout(m_body);
    column->addStretch();
    auto* scroll = new QScrollArea;
    scroll->setWidgetResizable(true);
    scroll->setFrameShape(QFrame::NoFrame);
    scroll->setFocusPolicy(Qt::NoFocus);
    scroll->setWidget(content);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    layout->addWidget(makeHeader(actions));
    layout->addWidget(scroll, 1);
    connect(&connection, &presenters::ConnectionPresenter::changed, this, &ConnectionPage::refresh);
    connect(&connection, &presenters::ConnectionPresenter::promptChanged, this, &ConnectionPage::refresh);
    arrange();
    refresh();
}

QWidget* ConnectionPage::makeHeader(const std::vector<QAction*>& actions) {
    auto* header = new QWidget;
    auto* layout = new QHBoxLayout(header);
    layout->setContentsMargins(kGap, 12, kGap, 12);
    layout->setSpacing(8);
    m_name->setObjectName(QStringLiteral("connectionName"));
    m_name->setProperty("role", QStringLiteral("title"));
    m_state->setObjectName(QStringLiteral("connectionState"));
    m_address->setObjectName(QStringLiteral("connectionAddress"));
    m_address->setProperty("role", QStringLiteral("muted"));
    for (QLabel* label : {m_name, m_state, m_address})
        label->setTextFormat(Qt::PlainText);
    layout->addWidget(m_name);
    layout->addSpacing(8);
    layout->addWidget(m_mark);
    layout->addWidget(m_state);
    layout->addSpacing(8);
    layout->addWidget(m_address, 1);
    for (QAction* action : actions) {
        auto* button = new QToolButton;
        button->setObjectName(action->objectName() + QStringLiteral("Button"));
        button->setProperty("kind", QStringLiteral("button"));
        button->setFocusPolicy(Qt::TabFocus);
        button->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
        button->setDefaultAction(action);
        // A tool button shows what its action is not allowed to do; a page has no room for that.
        const auto follow = [button, action] { button->setVisible(action->isVisible()); };
        connect(action, &QAction::changed, button, follow);
        layout->addWidget(button);
        follow();
    }
    return header;
}

void ConnectionPage::refresh() {
    const Theme& theme = themeOf(*this);
    const StateMark mark = markOf(m_connection.state(), theme);
    m_mark->setPixmap(markPixmap(*this, kMark, mark));
    m_name->setText(m_connection.name());
    m_state->setText(m_connection.stateText());
    m_address->setText(m_connection.address());
    m_address->setToolTip(m_connection.address().toHtmlEscaped());
    // The step that failed says it where it arose; here it stands where no step was reached.
    bool isSaid = false;
    for (const presenters::StepRow& step : m_connection.steps())
        isSaid = isSaid || !step.error.isEmpty();
    m_error->setText(m_connection.errorSentence());
    m_error->setVisible(!isSaid && !m_error->text().isEmpty());
    m_stale->setText(m_connection.staleText());
    m_stale->setVisible(!m_stale->text().isEmpty());
    std::vector<QStringList> facts;
    for (const presenters::FactRow& fact : m_connection.facts())
        facts.push_back({fact.name, fact.value});
    //: Title of what a head says of itself
    m_facts->set(tr("Head"), facts, LabelGrid::First::row, m_connection.isStale());
    //: Headers of the list of nodes: the machine's name; CPUs in use of all; memory; number of GPUs
    std::vector<QStringList> nodes = {
        {tr("Node"), QStringLiteral("CPU"), tr("Memory"), QStringLiteral("GPU")}};
    for (const presenters::NodeRow& node : m_connection.nodes())
        nodes.push_back({node.name, node.cpus, node.memory, node.gpus});
    m_nodes->set(tr("Nodes"), nodes, LabelGrid::First::header, m_connection.isStale());
}

void ConnectionPage::focusPrompt() {
    m_prompt->takeFocus();
}

void ConnectionPage::arrange() {
    const int columns = width() >= kTwoColumns ? 2 : 1;
    if (m_body->property("columns").toInt() == columns)
        return;
    m_body->setProperty("columns", columns);
    m_body->removeWidget(m_left);
    m_body->removeWidget(m_right);
    m_body->addWidget(m_left, 0, 0, Qt::AlignTop);
    m_body->addWidget(m_right, columns == 2 ? 0 : 1, columns == 2 ? 1 : 0, Qt::AlignTop);
    m_body->setColumnStretch(0, 3);
    m_body->setColumnStretch(1, columns == 2 ? 2 : 0);
}

void ConnectionPage::resizeEvent(QResizeEvent* event) {
    QWidget::resizeEvent(event);
    arrange();
}

void ConnectionPage::changeEvent(QEvent* event) {
    if (event->type() == QEvent::LanguageChange || event->type() == QEvent::PaletteChange)
        refresh();
    QWidget::changeEvent(event);
}

} // namespace trialdeck::app::views

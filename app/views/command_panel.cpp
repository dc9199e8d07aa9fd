// SPDX-License-Identifier: Apache-2.0
#include "app/views/command_panel.h"

#include "app/views/appearance.h"
#include "app/views/styled.h"

#include <QHBoxLayout>
#include <QKeyEvent>
#include <QLabel>
#include <QLineEdit>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QScrollBar>
#include <QVBoxLayout>

#include <algorithm>

namespace trialdeck::app::views {

namespace {
constexpr int kOutputHeight = 180;
} // namespace

CommandPanel::CommandPanel(presenters::HostWorkPresenter& work, QWidget* parent)
    : QFrame(parent), m_work(work), m_title(new QLabel), m_line(new QLineEdit), m_run(new QPushButton),
      m_output(new QPlainTextEdit), m_note(new QLabel) {
    setObjectName(QStringLiteral("commandPanel"));
    setProperty("role", QStringLiteral("panel"));
    m_title->setProperty("role", QStringLiteral("section"));
    m_line->setObjectName(QStringLiteral("commandLine"));
    m_line->setFont(Appearance::fixedFont());
    m_line->installEventFilter(this);
    m_run->setObjectName(QStringLiteral("commandRun"));
    m_run->setAutoDefault(false);
    m_output->setObjectName(QStringLiteral("commandOutput"));
    m_output->setFont(Appearance::fixedFont());
    m_output->setReadOnly(true);
    m_output->setLineWrapMode(QPlainTextEdit::NoWrap);
    m_output->setFixedHeight(kOutputHeight);
    m_output->setTabChangesFocus(true);
    m_note->setObjectName(QStringLiteral("commandNote"));
    m_note->setTextFormat(Qt::PlainText);
    m_note->setWordWrap(true);
    auto* entry = new QHBoxLayout;
    entry->setSpacing(8);
    entry->addWidget(m_line, 1);
    entry->addWidget(m_run);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(16, 12, 16, 12);
    layout->setSpacing(8);
    layout->addWidget(m_title);
    layout->addLayout(entry);
    layout->addWidget(m_output);
    layout->addWidget(m_note);
    connect(m_line, &QLineEdit::returnPressed, this, [this] {
        if (!m_work.isCommandRunning())
            runOrCancel();
    });
    connect(m_run, &QPushButton::clicked, this, &CommandPanel::runOrCancel);
    connect(m_line, &QLineEdit::textChanged, this, &CommandPanel::refresh);
    connect(&work, &presenters::HostWorkPresenter::commandChanged, this, &CommandPanel::refresh);
    connect(&work, &presenters::HostWorkPresenter::canWorkChanged, this, &CommandPanel::refresh);
    refresh();
}

void CommandPanel::runOrCancel() {
    if (m_work.isCommandRunning()) {
        m_work.cancelCommand();
        return;
    }
    if (!m_work.canWork() || m_line->text().trimmed().isEmpty())
        return;
    const QString line = m_line->text();
    m_recalled = -1;
    m_line->clear();
    m_work.runCommand(line);
}

void CommandPanel::recall(int direction) {
    const QStringList& history = m_work.commandHistory();
    if (history.isEmpty())
        return;
    const qsizetype from = m_recalled < 0 ? history.size() : m_recalled;
    m_recalled = std::clamp<qsizetype>(from + direction, 0, history.size());
    m_line->setText(history.value(m_recalled));
}

bool CommandPanel::eventFilter(QObject* watched, QEvent* event) {
    if (watched == m_line && event->type() == QEvent::KeyPress) {
        const int key = static_cast<QKeyEvent*>(event)->key();
        if (key == Qt::Key_Up || key == Qt::Key_Down) {
            recall(key == Qt::Key_Up ? -1 : 1);
            return true;
        }
    }
    return QFrame::eventFilter(watched, event);
}

void CommandPanel::refresh() {
    //: Title: a command is typed and run on the host
    m_title->setText(tr("Command on the host"));
    m_line->setPlaceholderText(QStringLiteral("nvidia-smi"));
    m_line->setAccessibleName(tr("Command"));
    m_output->setAccessibleName(tr("Output of the command"));
    const bool isRunning = m_work.isCommandRunning();
    //: Buttons: give a running command up; run a command
    m_run->setText(isRunning ? tr("Cancel") : tr("Run"));
    m_run->setEnabled(isRunning || (m_work.canWork() && !m_line->text().trimmed().isEmpty()));
    m_line->setEnabled(m_work.canWork());
    const QString note = m_work.commandNote();
    m_note->setText(note);
    m_note->setVisible(!note.isEmpty());
    setStyled(*m_note, "role",
              m_work.hasCommandFailed() && !isRunning ? QStringLiteral("bad") : QStringLiteral("muted"));
    const QString output = m_work.commandOutput();
    m_output->setVisible(!output.isEmpty());
    if (output == m_output->toPlainText())
        return;
    const QScrollBar* bar = m_output->verticalScrollBar();
    const bool isAtEnd = bar->value() >= bar->maximum();
    const int place = bar->value();
    m_output->setPlainText(output);
    m_output->verticalScrollBar()->setValue(isAtEnd ? bar->maximum() : place);
}

void CommandPanel::changeEvent(QEvent* event) {
    if (event->type() == QEvent::LanguageChange)
        refresh();
    QFrame::changeEvent(event);
}

} // namespace trialdeck::app::views

// SPDX-License-Identifier: Apache-2.0
#include "app/views/command_palette.h"

#include "app/views/line_input.h"

#include <QApplication>
#include <QEvent>
#include <QKeyEvent>
#include <QLabel>
#include <QListWidget>
#include <QVBoxLayout>

#include <algorithm>

namespace trialdeck::app::views {

namespace {
constexpr int kWidth = 560;
constexpr int kHeight = 380;
constexpr int kTop = 56;
} // namespace

CommandPalette::CommandPalette(Source source, QWidget* parent)
    : QFrame(parent), m_source(std::move(source)), m_input(new LineInput), m_list(new QListWidget) {
    setObjectName(QStringLiteral("commandPalette"));
    setProperty("role", QStringLiteral("panel"));
    setAutoFillBackground(true);
    m_input->setObjectName(QStringLiteral("paletteInput"));
    m_list->setObjectName(QStringLiteral("paletteList"));
    m_list->setFocusPolicy(Qt::NoFocus);
    m_list->setUniformItemSizes(true);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(8, 8, 8, 8);
    layout->setSpacing(8);
    layout->addWidget(m_input);
    layout->addWidget(m_list, 1);
    connect(m_input, &LineInput::committed, this, &CommandPalette::refresh);
    connect(m_input, &LineInput::accepted, this, &CommandPalette::runCurrent);
    connect(m_input, &LineInput::escaped, this, &CommandPalette::leave);
    connect(m_input, &LineInput::moved, this, [this](int by) {
        const int last = m_list->count() - 1;
        m_list->setCurrentRow(std::clamp(m_list->currentRow() + by, 0, std::max(0, last)));
    });
    connect(m_list, &QListWidget::itemClicked, this, &CommandPalette::runCurrent);
    m_input->installEventFilter(this);
    retranslate();
    hide();
}

void CommandPalette::open() {
    const int width = std::min(kWidth, parentWidget()->width() - 32);
    const int height = std::min(kHeight, parentWidget()->height() - kTop - 16);
    setGeometry((parentWidget()->width() - width) / 2, kTop, width, height);
    if (!isVisible())
        m_before = QApplication::focusWidget();
    m_input->clear();
    refresh({});
    show();
    raise();
    m_input->setFocus(Qt::ShortcutFocusReason);
}

void CommandPalette::refresh(const QString& words) {
    m_entries = m_source(words);
    m_list->clear();
    for (const presenters::PaletteEntry& entry : m_entries) {
        auto* item = new QListWidgetItem(m_list);
        item->setData(Qt::AccessibleTextRole, entry.text + QStringLiteral(", ") + entry.note);
        auto* text = new QLabel(entry.text);
        text->setTextFormat(Qt::PlainText);
        auto* note = new QLabel(entry.note);
        note->setProperty("role", QStringLiteral("muted"));
        auto* row = new QWidget;
        row->setAttribute(Qt::WA_TransparentForMouseEvents);
        auto* line = new QHBoxLayout(row);
        line->setContentsMargins(8, 2, 8, 2);
        line->addWidget(text, 1);
        line->addWidget(note);
        item->setSizeHint(QSize(0, 30));
        m_list->setItemWidget(item, row);
    }
    m_list->setCurrentRow(0);
}

void CommandPalette::runCurrent() {
    const int row = m_list->currentRow();
    if (row < 0 || static_cast<size_t>(row) >= m_entries.size())
        return;
    const auto run = m_entries[static_cast<size_t>(row)].run;
    leave();
    run();
}

void CommandPalette::leave() {
    if (m_before && m_before->isVisible())
        m_before->setFocus(Qt::OtherFocusReason);
    hide();
}

bool CommandPalette::eventFilter(QObject* watched, QEvent* event) {
    if (watched == m_input && event->type() == QEvent::FocusOut && !m_input->isComposing() &&
        static_cast<QFocusEvent*>(event)->reason() != Qt::ActiveWindowFocusReason)
        hide();
    return QFrame::eventFilter(watched, event);
}

void CommandPalette::retranslate() {
    m_input->setPlaceholderText(tr("Type a command or the name of an experiment"));
    //: Accessible name
    m_input->setAccessibleName(tr("Command palette"));
    m_list->setAccessibleName(tr("Command palette"));
}

void CommandPalette::changeEvent(QEvent* event) {
    if (event->type() == QEvent::LanguageChange)
        retranslate();
    QFrame::changeEvent(event);
}

} // namespace trialdeck::app::views

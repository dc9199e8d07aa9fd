// SPDX-License-Identifier: Apache-2.0
#include "app/views/sync_panel.h"

#include "app/views/appearance.h"
#include "app/views/elided_label.h"
#include "app/views/styled.h"
#include "app/views/sync_dialog.h"

#include <QEvent>
#include <QHBoxLayout>
#include <QPlainTextEdit>
#include <QProgressBar>
#include <QPushButton>
#include <QToolButton>
#include <QVBoxLayout>

namespace trialdeck::app::views {

using transport::SyncDirection;

namespace {
constexpr int kBarSteps = 1000;
constexpr int kDetailsHeight = 160;
} // namespace

SyncPanel::SyncPanel(presenters::HostWorkPresenter& work, QWidget* parent)
    : QFrame(parent), m_work(work), m_title(new QLabel), m_folders(new ElidedLabel), m_bar(new QProgressBar),
      m_sentence(new QLabel), m_current(new ElidedLabel), m_fold(new QToolButton),
      m_details(new QPlainTextEdit), m_up(new QPushButton), m_down(new QPushButton), m_again(new QPushButton),
      m_cancel(new QPushButton) {
    setObjectName(QStringLiteral("syncPanel"));
    setProperty("role", QStringLiteral("panel"));
    m_title->setProperty("role", QStringLiteral("section"));
    m_folders->setObjectName(QStringLiteral("syncFolders"));
    m_bar->setObjectName(QStringLiteral("syncBar"));
    m_bar->setTextVisible(false);
    m_sentence->setObjectName(QStringLiteral("syncSentence"));
    m_sentence->setWordWrap(true);
    m_sentence->setTextInteractionFlags(Qt::TextSelectableByMouse);
    m_current->setProperty("role", QStringLiteral("muted"));
    for (QLabel* label : {m_folders, m_sentence, m_current})
        label->setTextFormat(Qt::PlainText);
    m_fold->setObjectName(QStringLiteral("syncFold"));
    m_fold->setProperty("kind", QStringLiteral("link"));
    m_fold->setCheckable(true);
    m_fold->setFocusPolicy(Qt::TabFocus);
    m_details->setObjectName(QStringLiteral("syncDetails"));
    m_details->setFont(Appearance::fixedFont());
    m_details->setReadOnly(true);
    m_details->setLineWrapMode(QPlainTextEdit::NoWrap);
    m_details->setFixedHeight(kDetailsHeight);
    m_details->setTabChangesFocus(true);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(16, 12, 16, 12);
    layout->setSpacing(8);
    layout->addWidget(m_title);
    layout->addWidget(m_folders);
    layout->addWidget(m_bar);
    layout->addWidget(m_sentence);
    layout->addWidget(m_current);
    layout->addWidget(m_fold, 0, Qt::AlignLeft);
    layout->addWidget(m_details);
    makeButtons();
    connect(m_fold, &QToolButton::toggled, this, &SyncPanel::refresh);
    connect(&work, &presenters::HostWorkPresenter::syncChanged, this, &SyncPanel::refresh);
    connect(&work, &presenters::HostWorkPresenter::canWorkChanged, this, &SyncPanel::refresh);
    refresh();
}

void SyncPanel::makeButtons() {
    m_up->setObjectName(QStringLiteral("syncUp"));
    m_down->setObjectName(QStringLiteral("syncDown"));
    m_again->setObjectName(QStringLiteral("syncAgain"));
    m_cancel->setObjectName(QStringLiteral("syncCancel"));
    auto* buttons = new QHBoxLayout;
    buttons->setSpacing(8);
    for (QPushButton* button : {m_up, m_down, m_again, m_cancel}) {
        button->setAutoDefault(false);
        buttons->addWidget(button);
    }
    buttons->addStretch();
    static_cast<QVBoxLayout*>(layout())->addLayout(buttons);
    connect(m_up, &QPushButton::clicked, this, [this] { openDialog(SyncDirection::up); });
    connect(m_down, &QPushButton::clicked, this, [this] { openDialog(SyncDirection::down); });
    connect(m_again, &QPushButton::clicked, &m_work, &presenters::HostWorkPresenter::syncAgain);
    connect(m_cancel, &QPushButton::clicked, &m_work, &presenters::HostWorkPresenter::cancelSync);
}

void SyncPanel::openDialog(SyncDirection direction) {
    auto* dialog = new SyncDialog(m_work.syncDraft(direction), window());
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    connect(dialog, &SyncDialog::wanted, &m_work, &presenters::HostWorkPresenter::startSync);
    dialog->open();
}

void SyncPanel::refresh() {
    //: Title: folders that are copied to the host and back
    m_title->setText(tr("Folders"));
    const QString folders = m_work.lastSync();
    m_folders->setText(folders.isEmpty() ? tr("Copies what has changed in a folder to the host, or back.")
                                         : folders);
    m_folders->setToolTip(folders.toHtmlEscaped());
    setStyled(*m_folders, "role", folders.isEmpty() ? QStringLiteral("muted") : QString());
    const presenters::SyncWords words = m_work.sync();
    m_bar->setVisible(words.isRunning);
    // Without an end in sight the bar only moves.
    m_bar->setRange(0, words.progress ? kBarSteps : 0);
    m_bar->setValue(static_cast<int>(words.progress.value_or(0) * kBarSteps));
    m_bar->setAccessibleName(words.sentence);
    m_sentence->setText(words.sentence);
    m_sentence->setVisible(!words.sentence.isEmpty());
    setStyled(*m_sentence, "role", words.isBad ? QStringLiteral("bad") : QString());
    m_current->setText(words.current);
    m_current->setVisible(words.isRunning && !words.current.isEmpty());
    m_fold->setVisible(!words.details.isEmpty());
    //: Button that unfolds a list
    m_fold->setText((m_fold->isChecked() ? QStringLiteral("▾ ") : QStringLiteral("▸ ")) + tr("Details"));
    m_fold->setAccessibleName(tr("Details"));
    m_details->setVisible(m_fold->isChecked() && !words.details.isEmpty());
    m_details->setAccessibleName(tr("Details"));
    m_details->setPlainText(words.details.join(QLatin1Char('\n')));
    //: Buttons: open a dialog about copying a folder to the host, or back
    m_up->setText(tr("Sync up…"));
    m_down->setText(tr("Sync down…"));
    //: Button: syncs the same folders once more
    m_again->setText(tr("Again"));
    //: Buttons: end the watching of a folder; give a sync up
    m_cancel->setText(words.isWatching ? tr("Stop") : tr("Cancel"));
    for (QPushButton* button : {m_up, m_down, m_again})
        button->setEnabled(m_work.canWork() && !words.isRunning && !words.isWatching);
    m_again->setVisible(!folders.isEmpty());
    m_cancel->setVisible(words.isRunning || words.isWatching);
}

void SyncPanel::changeEvent(QEvent* event) {
    if (event->type() == QEvent::LanguageChange)
        refresh();
    QFrame::changeEvent(event);
}

} // namespace trialdeck::app::views

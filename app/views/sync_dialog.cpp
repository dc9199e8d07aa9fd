// SPDX-License-Identifier: Apache-2.0
#include "app/views/sync_dialog.h"

#include "app/views/appearance.h"

#include <QCheckBox>
#include <QDir>
#include <QFileDialog>
#include <QGridLayout>
#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QToolButton>
#include <QVBoxLayout>

namespace trialdeck::app::views {

using transport::SyncDirection;

namespace {
constexpr int kFieldWidth = 380;
constexpr int kNameWidth = 120;
} // namespace

SyncDialog::SyncDialog(const presenters::SyncDraft& draft, QWidget* parent)
    : QDialog(parent), m_draft(draft), m_remove(new QCheckBox), m_keep(new QCheckBox), m_problem(new QLabel) {
    setObjectName(QStringLiteral("syncDialog"));
    const bool isUp = draft.direction == SyncDirection::up;
    //: Titles of a dialog: a folder is copied from this computer to the host, or back
    setWindowTitle(isUp ? tr("Sync up: from this computer to the host")
                        : tr("Sync down: from the host to this computer"));
    auto* title = new QLabel(windowTitle());
    title->setProperty("role", QStringLiteral("section"));
    auto* help = new QLabel(tr("Only what has changed is copied. What is newer on the other side is "
                               "overwritten; nothing is removed there unless you say so."));
    help->setProperty("role", QStringLiteral("muted"));
    help->setWordWrap(true);
    auto* grid = new QGridLayout;
    grid->setHorizontalSpacing(12);
    grid->setVerticalSpacing(8);
    //: Name of a field: a folder on this computer
    m_local = addField(*grid, tr("Folder here"), draft.local, "syncLocal");
    m_local->setPlaceholderText(QStringLiteral("~/project"));
    auto* browse = new QToolButton;
    browse->setObjectName(QStringLiteral("syncChoose"));
    browse->setProperty("kind", QStringLiteral("field"));
    browse->setFocusPolicy(Qt::TabFocus);
    //: Button that opens a file chooser
    browse->setText(tr("Choose…"));
    browse->setAccessibleName(tr("Choose the folder here"));
    connect(browse, &QToolButton::clicked, this, &SyncDialog::chooseFolder);
    grid->addWidget(browse, 0, 2);
    //: Name of a field: a folder on the host
    m_remote = addField(*grid, tr("Folder there"), draft.remote, "syncRemote");
    m_remote->setPlaceholderText(QStringLiteral("~/project"));
    //: Name of a field: patterns of files that are not copied
    m_exclude = addField(*grid, tr("Leave out"), draft.exclude, "syncExclude");
    m_exclude->setCursorPosition(0);
    m_exclude->setFont(Appearance::fixedFont());
    m_exclude->setToolTip(tr("Patterns as rsync has them, separated by spaces"));
    m_remove->setObjectName(QStringLiteral("syncRemove"));
    //: Switches of a sync: files that only the target has are deleted there
    m_remove->setText(isUp ? tr("Remove on the host what is not here")
                           : tr("Remove here what is not on the host"));
    grid->addWidget(m_remove, 3, 1, 1, 2);
    m_keep->setObjectName(QStringLiteral("syncKeep"));
    //: Switch of a sync: each later change is copied as well
    m_keep->setText(tr("Keep synced while this window is open"));
    m_keep->setChecked(draft.keepsSynced);
    m_keep->setVisible(isUp);
    grid->addWidget(m_keep, 4, 1, 1, 2);
    m_problem->setObjectName(QStringLiteral("syncProblem"));
    m_problem->setProperty("role", QStringLiteral("muted"));
    m_problem->setWordWrap(true);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(24, 20, 24, 16);
    layout->setSpacing(12);
    layout->addWidget(title);
    layout->addWidget(help);
    layout->addLayout(grid);
    layout->addWidget(m_problem);
    makeButtons();
    layout->setSizeConstraint(QLayout::SetFixedSize);
    edited();
    m_local->setFocus();
}

QLineEdit* SyncDialog::addField(QGridLayout& grid, const QString& name, const QString& text,
                                const char* objectName) {
    auto* edit = new QLineEdit(text);
    edit->setObjectName(QLatin1String(objectName));
    edit->setFixedWidth(kFieldWidth);
    edit->setAccessibleName(name);
    auto* label = new QLabel(name);
    label->setMinimumWidth(kNameWidth);
    label->setBuddy(edit);
    const int row = grid.rowCount() - (grid.count() == 0 ? 1 : 0);
    grid.addWidget(label, row, 0);
    grid.addWidget(edit, row, 1);
    connect(edit, &QLineEdit::textChanged, this, &SyncDialog::edited);
    return edit;
}

void SyncDialog::makeButtons() {
    const bool isUp = m_draft.direction == SyncDirection::up;
    auto* buttons = new QHBoxLayout;
    //: Button: tells what a sync would do, and does nothing
    m_try = new QPushButton(tr("Show what would be done"));
    m_try->setObjectName(QStringLiteral("syncTry"));
    //: Button that leaves everything as it is
    auto* cancel = new QPushButton(tr("Cancel"));
    //: Buttons: copy a folder to the host, or back
    m_sync = new QPushButton(isUp ? tr("Sync up") : tr("Sync down"));
    m_sync->setObjectName(QStringLiteral("syncConfirm"));
    m_sync->setProperty("kind", QStringLiteral("primary"));
    m_sync->setDefault(true);
    m_try->setAutoDefault(false);
    cancel->setAutoDefault(false);
    buttons->addWidget(m_try);
    buttons->addStretch();
    buttons->addWidget(cancel);
    buttons->addWidget(m_sync);
    connect(m_try, &QPushButton::clicked, this, [this] { start(true); });
    connect(cancel, &QPushButton::clicked, this, &QDialog::reject);
    connect(m_sync, &QPushButton::clicked, this, [this] { start(false); });
    static_cast<QVBoxLayout*>(layout())->addLayout(buttons);
}

void SyncDialog::chooseFolder() {
    auto* dialog = new QFileDialog(this, tr("Choose the folder here"),
                                   m_local->text().isEmpty() ? QDir::homePath() : m_local->text());
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setFileMode(QFileDialog::Directory);
    dialog->setOption(QFileDialog::ShowDirsOnly);
    connect(dialog, &QFileDialog::fileSelected, m_local, &QLineEdit::setText);
    dialog->open();
}

void SyncDialog::edited() {
    if (!m_sync)
        return;
    m_draft.local = m_local->text();
    m_draft.remote = m_remote->text();
    m_draft.exclude = m_exclude->text();
    const QString problem = m_draft.problem();
    m_problem->setText(problem);
    m_problem->setVisible(!problem.isEmpty());
    m_try->setEnabled(problem.isEmpty());
    m_sync->setEnabled(problem.isEmpty());
}

void SyncDialog::start(bool isDry) {
    edited();
    m_draft.removeExtra = m_remove->isChecked();
    m_draft.dryRun = isDry;
    m_draft.keepsSynced = m_keep->isChecked();
    if (!m_draft.problem().isEmpty())
        return;
    emit wanted(m_draft);
    accept();
}

} // namespace trialdeck::app::views

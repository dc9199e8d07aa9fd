// SPDX-License-Identifier: Apache-2.0
#include "app/views/connect_dialog.h"

#include "app/text/error_sentences.h"
#include "app/views/styled.h"

#include <QComboBox>
#include <QCompleter>
#include <QDir>
#include <QFileDialog>
#include <QGridLayout>
#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QStringListModel>
#include <QToolButton>
#include <QVBoxLayout>

namespace trialdeck::app::views {

using trialdeck::client::SshWay;

namespace {
constexpr int kFieldWidth = 340;
constexpr int kNameWidth = 96;

QString wordOf(SshWay way) {
    switch (way) {
    case SshWay::automatic:
        //: Which SSH client is used
        return ConnectDialog::tr("Automatic");
    case SshWay::system_ssh:
        //: Which SSH client is used: the program ssh of this computer
        return ConnectDialog::tr("ssh of this computer");
    case SshWay::libssh2:
        break;
    }
    return QStringLiteral("libssh2");
}
} // namespace

ConnectDialog::ConnectDialog(presenters::ConnectionBook& book,
                             const trialdeck::client::SavedConnection& connection, QWidget* parent)
    : QDialog(parent), m_book(book), m_draft(Draft::of(connection)), m_fields(new QGridLayout),
      m_fold(new QToolButton), m_advanced(new QWidget) {
    setObjectName(QStringLiteral("connectDialog"));
    const bool isNew = connection.id.empty();
    //: Title of a dialog
    setWindowTitle(isNew ? tr("Connect a host") : tr("Edit connection"));
    auto* title = new QLabel(windowTitle());
    title->setProperty("role", QStringLiteral("section"));
    auto* help =
        new QLabel(tr("Over SSH, as in a terminal. Nothing has to be installed there: Trialdeck puts "
                      "its head into your home on the host."));
    help->setProperty("role", QStringLiteral("muted"));
    help->setWordWrap(true);
    makeFields();
    makeAdvanced();
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(24, 20, 24, 16);
    layout->setSpacing(12);
    layout->addWidget(title);
    layout->addWidget(help);
    layout->addLayout(m_fields);
    layout->addWidget(m_fold, 0, Qt::AlignLeft);
    layout->addWidget(m_advanced);
    makeButtons();
    layout->setSizeConstraint(QLayout::SetFixedSize);
    m_fold->setChecked(m_draft.transport != SshWay::automatic || !m_draft.remoteHome.isEmpty());
    fold();
    edited();
    m_rows.front().edit->setFocus();
}

void ConnectDialog::makeFields() {
    m_fields->setHorizontalSpacing(12);
    m_fields->setVerticalSpacing(4);
    using Field = Draft::Field;
    //: Name of a field: which host to connect to
    addRow(*m_fields, Field::host, &Draft::host, "connectHostName", tr("Host"),
           //: Example in a field; "or" joins two ways to name a host
           tr("gpu-head or ada@10.0.0.7:2222"));
    completeHosts(*m_rows.back().edit);
    //: In an empty field: what is used then
    const QString fromConfig = tr("as in ~/.ssh/config");
    //: Name of a field: the user on a host
    addRow(*m_fields, Field::user, &Draft::user, "connectUser", tr("User"), fromConfig);
    //: Name of a field: the port of a host's SSH server
    addRow(*m_fields, Field::port, &Draft::port, "connectPort", tr("Port"), fromConfig);
    auto* browse = new QToolButton;
    browse->setObjectName(QStringLiteral("connectChooseKey"));
    browse->setProperty("kind", QStringLiteral("field"));
    browse->setFocusPolicy(Qt::TabFocus);
    //: Button that opens a file chooser
    browse->setText(tr("Choose…"));
    browse->setAccessibleName(tr("Choose the key file"));
    //: Name of a field: a private key's file
    addRow(*m_fields, Field::identityFile, &Draft::identityFile, "connectKeyFile", tr("Key file"), fromConfig,
           browse);
    QLineEdit* key = m_rows.back().edit;
    connect(browse, &QToolButton::clicked, this, [this, key] { chooseKey(*key); });
    //: Name of a field: a host that the way goes through
    addRow(*m_fields, Field::jump, &Draft::jump, "connectJump", tr("Jump host"), fromConfig);
    completeHosts(*m_rows.back().edit);
    //: Name of a field: what the user calls a connection
    addRow(*m_fields, Field::name, &Draft::name, "connectName", tr("Name here"),
           //: In an empty field: what is used then
           tr("as the host"));
}

void ConnectDialog::makeAdvanced() {
    m_fold->setObjectName(QStringLiteral("connectAdvanced"));
    m_fold->setCheckable(true);
    m_fold->setProperty("kind", QStringLiteral("link"));
    m_fold->setFocusPolicy(Qt::TabFocus);
    connect(m_fold, &QToolButton::toggled, this, &ConnectDialog::fold);
    auto* grid = new QGridLayout(m_advanced);
    grid->setContentsMargins(0, 0, 0, 0);
    grid->setHorizontalSpacing(12);
    grid->setVerticalSpacing(4);
    m_way = new QComboBox;
    m_way->setObjectName(QStringLiteral("connectTransport"));
    for (const SshWay way : m_book.ways())
        m_way->addItem(wordOf(way), static_cast<int>(way));
    // One that was pinned by hand, or by a build that has more of them.
    if (m_way->findData(static_cast<int>(m_draft.transport)) < 0)
        m_way->addItem(wordOf(m_draft.transport), static_cast<int>(m_draft.transport));
    m_way->setCurrentIndex(m_way->findData(static_cast<int>(m_draft.transport)));
    connect(m_way, &QComboBox::activated, this, &ConnectDialog::edited);
    //: Name of a field: which SSH client is used
    addLabel(*grid, tr("SSH client"), m_way);
    //: Name of a field: the folder on the host in which the head keeps its own files
    addRow(*grid, Draft::Field::remoteHome, &Draft::remoteHome, "connectRemoteHome", tr("Home there"),
           QStringLiteral("~/.trialdeck"));
}

void ConnectDialog::makeButtons() {
    m_failure = new QLabel;
    m_failure->setObjectName(QStringLiteral("connectFailure"));
    m_failure->setProperty("role", QStringLiteral("bad"));
    m_failure->setWordWrap(true);
    m_failure->hide();
    connect(&m_book, &presenters::ConnectionBook::failed, this, [this](const Error& error) {
        m_failure->setText(text::errorSentence(error));
        m_failure->show();
    });
    layout()->addWidget(m_failure);
    auto* buttons = new QHBoxLayout;
    buttons->addStretch();
    //: Button that leaves everything as it is
    auto* cancel = new QPushButton(tr("Cancel"));
    cancel->setObjectName(QStringLiteral("connectCancel"));
    //: Button: keeps the connection and connects
    m_connect = new QPushButton(m_draft.base.id.empty() ? tr("Connect") : tr("Save and connect"));
    m_connect->setObjectName(QStringLiteral("connectConfirm"));
    m_connect->setProperty("kind", QStringLiteral("primary"));
    m_connect->setDefault(true);
    cancel->setAutoDefault(false);
    buttons->addWidget(cancel);
    buttons->addWidget(m_connect);
    connect(cancel, &QPushButton::clicked, this, &QDialog::reject);
    connect(m_connect, &QPushButton::clicked, this, &ConnectDialog::keep);
    static_cast<QVBoxLayout*>(layout())->addLayout(buttons);
}

void ConnectDialog::addLabel(QGridLayout& grid, const QString& name, QWidget* editor) {
    const int row = grid.rowCount();
    auto* label = new QLabel(name);
    label->setMinimumWidth(kNameWidth);
    label->setBuddy(editor);
    editor->setAccessibleName(name);
    grid.addWidget(label, row, 0);
    grid.addWidget(editor, row, 1);
}

void ConnectDialog::addRow(QGridLayout& grid, Draft::Field field, QString Draft::*text,
                           const char* objectName, const QString& name, const QString& placeholder,
                           QWidget* beside) {
    auto* edit = new QLineEdit(m_draft.*text);
    edit->setObjectName(QLatin1String(objectName));
    edit->setPlaceholderText(placeholder);
    edit->setFixedWidth(kFieldWidth);
    addLabel(grid, name, edit);
    const int row = grid.rowCount();
    if (beside)
        grid.addWidget(beside, row - 1, 2);
    auto* problem = new QLabel;
    problem->setProperty("role", QStringLiteral("bad"));
    problem->setWordWrap(true);
    grid.addWidget(problem, row, 1);
    m_rows.push_back({field, text, edit, problem});
    connect(edit, &QLineEdit::textEdited, this, &ConnectDialog::edited);
    // The completer's choice comes without an edit of the user's.
    connect(edit, &QLineEdit::editingFinished, this, &ConnectDialog::edited);
}

void ConnectDialog::completeHosts(QLineEdit& edit) {
    const QStringList names = m_book.hostNames();
    if (names.isEmpty())
        return;
    auto* completer = new QCompleter(names, &edit);
    completer->setCaseSensitivity(Qt::CaseInsensitive);
    completer->setFilterMode(Qt::MatchContains);
    edit.setCompleter(completer);
    connect(completer, qOverload<const QString&>(&QCompleter::activated), this, &ConnectDialog::edited,
            Qt::QueuedConnection);
}

void ConnectDialog::fold() {
    m_advanced->setVisible(m_fold->isChecked());
    //: Button that unfolds more fields
    m_fold->setText((m_fold->isChecked() ? QStringLiteral("▾ ") : QStringLiteral("▸ ")) + tr("Advanced"));
    m_fold->setAccessibleName(tr("Advanced"));
}

void ConnectDialog::edited() {
    for (const Row& row : m_rows)
        m_draft.*row.text = row.edit->text();
    m_draft.transport = static_cast<SshWay>(m_way->currentData().toInt());
    const auto taken = [this](const QString& name) { return isNameTaken(name); };
    for (const Row& row : m_rows) {
        const QString problem = m_draft.problem(row.field, taken);
        row.problem->setText(problem);
        row.problem->setVisible(!problem.isEmpty());
        row.edit->setAccessibleDescription(problem);
        setStyled(*row.edit, "invalid", !problem.isEmpty());
    }
    if (m_connect)
        m_connect->setEnabled(m_draft.canConnect(taken));
}

bool ConnectDialog::isNameTaken(const QString& name) const {
    return m_book.isNameTaken(name, m_draft.base.id);
}

void ConnectDialog::chooseKey(QLineEdit& edit) {
    auto* dialog =
        new QFileDialog(this, tr("Choose the key file"), QDir::homePath() + QStringLiteral("/.ssh"));
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setFileMode(QFileDialog::ExistingFile);
    dialog->setFilter(QDir::AllEntries | QDir::Hidden);
    connect(dialog, &QFileDialog::fileSelected, &edit, [this, &edit](const QString& file) {
        edit.setText(file);
        edited();
    });
    dialog->open();
}

void ConnectDialog::keep() {
    edited();
    if (m_connect->isEnabled() && m_book.keep(m_draft.connection()))
        accept();
}

} // namespace trialdeck::app::views

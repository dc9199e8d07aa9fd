// SPDX-License-Identifier: Apache-2.0
#include "app/views/connection_desk.h"

#include "app/views/connect_dialog.h"
#include "app/views/connection_page.h"
#include "app/views/window_actions.h"

#include <QApplication>
#include <QClipboard>
#include <QDesktopServices>
#include <QMenu>
#include <QUrl>

namespace trialdeck::app::views {

using presenters::ConnectionPresenter;

ConnectionDesk::ConnectionDesk(presenters::WindowPresenter& presenter, presenters::ConnectionBook* book,
                               WindowActions& actions, QWidget& window)
    : m_presenter(presenter), m_book(book), m_actions(actions), m_window(window) {
    const auto onConnection = [this](QAction* action, auto deed) {
        connect(action, &QAction::triggered, this, [this, deed] {
            if (ConnectionPresenter* shown = m_presenter.connection())
                deed(*shown);
        });
    };
    const auto onSaved = [this, onConnection](QAction* action, auto deed) {
        onConnection(action, [this, deed](ConnectionPresenter& shown) {
            if (m_book && shown.saved())
                deed(shown);
        });
    };
    connect(actions.tensorBoard, &QAction::triggered, this, &ConnectionDesk::openTensorBoard);
    connect(&presenter, &presenters::WindowPresenter::headsChanged, this, &ConnectionDesk::followWork);
    followWork();
    connect(actions.connectHost, &QAction::triggered, this, [this] { openDialog({}); });
    onConnection(actions.testConnection, [](ConnectionPresenter& shown) { shown.testAgain(); });
    onConnection(actions.copyDiagnostics, [](ConnectionPresenter& shown) {
        QApplication::clipboard()->setText(
            QStringLiteral("Trialdeck %1\n").arg(QCoreApplication::applicationVersion()) +
            shown.diagnostics());
    });
    onConnection(actions.forgetSecrets, [](ConnectionPresenter& shown) { shown.forgetSecrets(); });
    onSaved(actions.hangUp, [this](ConnectionPresenter& shown) {
        if (shown.isClosed())
            shown.reconnect();
        else
            m_book->hangUp(shown.head());
    });
    onSaved(actions.editConnection, [this](ConnectionPresenter& shown) { openDialog(*shown.saved()); });
    onSaved(actions.duplicateConnection,
            [this](ConnectionPresenter& shown) { openDialog(m_book->copyOf(*shown.saved())); });
    onSaved(actions.removeConnection, [this](ConnectionPresenter& shown) {
        emit confirmationWanted(m_book->removeQuestion(shown.head()));
    });
}

void ConnectionDesk::followWork() {
    for (const client::HeadClient* head : m_presenter.heads()) {
        const presenters::HostWorkPresenter* work = m_presenter.connectionOf(*head)->work();
        if (!work)
            continue;
        connect(work, &presenters::HostWorkPresenter::addressReady, this, &ConnectionDesk::browse,
                Qt::UniqueConnection);
        connect(work, &presenters::HostWorkPresenter::serviceFailed, this, &ConnectionDesk::failed,
                Qt::UniqueConnection);
    }
}

void ConnectionDesk::browse(const QString& address) {
    QDesktopServices::openUrl(QUrl(address));
}

void ConnectionDesk::openTensorBoard() {
    const presenters::ExperimentPresenter* shown = m_presenter.current();
    presenters::HostWorkPresenter* work = shown ? m_presenter.connectionOf(shown->head())->work() : nullptr;
    if (!work || !work->canWork())
        return;
    client::ForwardWish wish;
    wish.what = client::ForwardWish::What::tensorboard;
    wish.folder = shown->summary().folder;
    work->open(wish);
}

std::vector<QAction*> ConnectionDesk::actionsOfPage() const {
    return {m_actions.hangUp, m_actions.testConnection, m_actions.editConnection, m_actions.copyDiagnostics,
            m_actions.forgetSecrets};
}

ConnectionPage* ConnectionDesk::makePage() const {
    return new ConnectionPage(*m_presenter.connection(), actionsOfPage());
}

void ConnectionDesk::updateActions(bool isShown) {
    const ConnectionPresenter* shown = isShown ? m_presenter.connection() : nullptr;
    const bool isSaved = m_book && shown && shown->saved();
    const presenters::ExperimentPresenter* experiment = m_presenter.current();
    const presenters::HostWorkPresenter* work =
        experiment ? m_presenter.connectionOf(experiment->head())->work() : nullptr;
    m_actions.tensorBoard->setVisible(isShown && work);
    m_actions.tensorBoard->setEnabled(work && work->canWork());
    m_actions.connectHost->setVisible(m_book != nullptr);
    m_actions.connectHost->setEnabled(m_book != nullptr);
    for (QAction* action : {m_actions.testConnection, m_actions.copyDiagnostics})
        action->setVisible(shown != nullptr);
    m_actions.testConnection->setEnabled(shown && shown->canTest());
    m_actions.copyDiagnostics->setEnabled(shown != nullptr);
    for (QAction* action :
         {m_actions.editConnection, m_actions.duplicateConnection, m_actions.removeConnection}) {
        action->setVisible(isSaved);
        action->setEnabled(isSaved);
    }
    const bool hasSecrets = shown && shown->hasRememberedSecrets();
    m_actions.forgetSecrets->setVisible(hasSecrets);
    m_actions.forgetSecrets->setEnabled(hasSecrets);
    m_actions.hangUp->setVisible(isSaved);
    m_actions.hangUp->setEnabled(isSaved);
    m_actions.setHangUpText(isSaved && shown->isClosed() ? WindowActions::HangUp::undo
                                                         : WindowActions::HangUp::end);
    m_actions.testConnection->setVisible(shown && !shown->isClosed());
}

QMenu* ConnectionDesk::makeMenu() const {
    auto* menu = new QMenu(&m_window);
    menu->setObjectName(QStringLiteral("connectionMenu"));
    menu->setAttribute(Qt::WA_DeleteOnClose);
    menu->addActions({m_actions.reconnect, m_actions.testConnection, m_actions.hangUp,
                      m_actions.editConnection, m_actions.duplicateConnection, m_actions.copyDiagnostics,
                      m_actions.forgetSecrets, m_actions.removeConnection});
    return menu;
}

void ConnectionDesk::openMenu(const QPoint& place) const {
    makeMenu()->popup(place);
}

void ConnectionDesk::openDialog(const trialdeck::client::SavedConnection& connection) {
    if (!m_book)
        return;
    auto* dialog = new ConnectDialog(*m_book, connection, &m_window);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->open();
}

} // namespace trialdeck::app::views

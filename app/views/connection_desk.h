// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/presenters/connection_book.h"

#include <QObject>

QT_BEGIN_NAMESPACE
class QAction;
class QMenu;
class QPoint;
class QWidget;
QT_END_NAMESPACE

namespace trialdeck::app::views {

class ConnectionPage;
struct WindowActions;

/// What can be done with connections, as the window's actions: naming a host, and everything about the
/// connection that is shown. Owned by the window.
class ConnectionDesk : public QObject {
    Q_OBJECT

public:
    /// @param book  null where no host can be connected: its actions are not there then
    ConnectionDesk(presenters::WindowPresenter& presenter, presenters::ConnectionBook* book,
                   WindowActions& actions, QWidget& window);

    /// Of the connection that is shown.
    [[nodiscard]] ConnectionPage* makePage() const;
    /// Actions that the connection which is shown has, or none where another page is.
    void updateActions(bool isShown);
    /// The same actions as a menu, which deletes itself when it is closed.
    [[nodiscard]] QMenu* makeMenu() const;
    void openMenu(const QPoint& place) const;
    void openDialog(const trialdeck::client::SavedConnection& connection);

signals:
    void confirmationWanted(const trialdeck::app::presenters::Confirmation& confirmation);
    /// Something on a host that was to be opened in the browser.
    void failed(const trialdeck::Error& error);

private:
    void followWork();
    void browse(const QString& address);
    void openTensorBoard();
    [[nodiscard]] std::vector<QAction*> actionsOfPage() const;

    presenters::WindowPresenter& m_presenter;
    presenters::ConnectionBook* m_book;
    WindowActions& m_actions;
    QWidget& m_window;
};

} // namespace trialdeck::app::views

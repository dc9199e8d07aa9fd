// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/models/connection_tree_model.h"
#include "app/presenters/connection_presenter.h"
#include "app/presenters/experiment_presenter.h"

#include <memory>

namespace trialdeck::app::presenters {

/// The line at the bottom of the window.
struct StatusLine {
    client::LinkStatus::State link = client::LinkStatus::State::connecting;
    QString connection;
    QString nodes;
    /// "2 of 64 CPUs (container limit)"; empty where trials may use all of each machine.
    QString limits;
    QString lastEvent;
    /// Everything about the link, for the tooltip.
    QString details;
};

/// One thing that the command palette offers: an action of the window or an experiment to go to.
struct PaletteEntry {
    QString text;
    /// "Ctrl+N", or the experiment's state.
    QString note;
    std::function<void()> run;
};

/// The window: connections, which experiment is shown, what the status line says. Owned by the composition
/// root; outlives the window.
class WindowPresenter : public QObject {
    Q_OBJECT

public:
    explicit WindowPresenter(const base::Clock& clock, QObject* parent = nullptr);
    ~WindowPresenter() override;

    /// The head outlives the presenter, or is removed before it goes.
    /// @param row  its place among the connections; at the end where it is missing
    ConnectionPresenter& addHead(client::HeadClient& head, std::optional<int> row = {});
    /// Forgets the connection and its experiments; what is shown of it is closed. Says nothing to the head.
    void removeHead(const client::HeadClient& head);
    /// In the order of the sidebar.
    [[nodiscard]] std::vector<client::HeadClient*> heads() const;
    [[nodiscard]] models::ConnectionTreeModel& sidebar() { return *m_sidebar; }
    /// The first connection, "This computer".
    [[nodiscard]] client::HeadClient* localHead() const;
    [[nodiscard]] ExperimentPresenter* current() const { return m_current.get(); }
    /// The connection whose page is shown; null where an experiment or nothing is.
    [[nodiscard]] ConnectionPresenter* connection() const { return m_connection; }
    [[nodiscard]] ConnectionPresenter* connectionOf(const client::HeadClient& head) const;
    /// The first connection that waits for an answer.
    /// @param seen  its question is on the screen already
    [[nodiscard]] ConnectionPresenter* asking(const ConnectionPresenter* seen) const;
    [[nodiscard]] const base::Clock& clock() const { return m_clock; }

    [[nodiscard]] StatusLine status() const;
    /// Why there is nothing to show: the error of this computer's head where it failed or was ended.
    [[nodiscard]] std::optional<Error> linkError() const;
    /// Somebody ended the head on this computer; it stays so until reconnect().
    [[nodiscard]] bool isShutDown() const;
    /// Everything that the palette can do now whose text has all the words, best first.
    [[nodiscard]] std::vector<PaletteEntry> paletteEntries(const std::vector<PaletteEntry>& actions,
                                                           const QString& words);

    void retranslate();
    /// At once, or when the local head has answered for the first time.
    void whenConnected(const std::function<void()>& deed);

public slots:
    /// Shows no experiment and no connection.
    void close();
    /// Shows the page of a connection.
    void showConnection(const trialdeck::app::client::HeadClient& head);
    void open(const trialdeck::ExperimentId& experiment);
    /// The same as that connection shows it: several may lead to one head.
    void openOn(const trialdeck::app::client::HeadClient& head, const trialdeck::ExperimentId& experiment);
    /// By id or name; waits until the experiment is known.
    void openByText(const QString& idOrName);
    /// The experiment that was created last; waits until experiments are known.
    void openNewest();
    /// Sends the text to the local head and shows the new experiment.
    void create(const QString& yaml, const QString& baseDirectory, bool single);
    /// What is shown, where it is not connected; else every connection that is not.
    void reconnect();

signals:
    void headsChanged();
    /// A question of a connection came or went.
    void promptsChanged();
    void currentChanged();
    void statusChanged();
    void linkChanged();
    void created(const trialdeck::ExperimentId& experiment);
    /// The draft was refused: nothing was started.
    void createRefused(const std::vector<trialdeck::protocol::Problem>& problems);
    void createFailed(const trialdeck::Error& error);
    /// openByText() found nothing of that name although all experiments are known.
    void notFound(const QString& idOrName);

private:
    void openWaiting();
    void show(const ExperimentId& experiment, const client::HeadClient* head);

    const base::Clock& m_clock;
    struct Connection {
        client::HeadClient* head;
        std::unique_ptr<ConnectionPresenter> page;
        /// It has said which experiments there are.
        bool isKnown = false;
    };
    [[nodiscard]] client::HeadClient* shownHead() const;
    [[nodiscard]] bool allKnown() const;

    std::vector<Connection> m_connections;
    ConnectionPresenter* m_connection = nullptr;
    std::unique_ptr<models::ConnectionTreeModel> m_sidebar;
    std::unique_ptr<ExperimentPresenter> m_current;
    QString m_waitingFor;
    /// Where it will be; any connection where it is null.
    const client::HeadClient* m_waitingOn = nullptr;
    /// Named by the user; else one that was made just now and will be told of.
    bool m_mustExist = false;
    bool m_wantsNewest = false;
    QTimer m_clockTick;
};

} // namespace trialdeck::app::presenters

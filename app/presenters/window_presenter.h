// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/models/connection_tree_model.h"
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

    /// The head outlives the presenter.
    void addHead(client::HeadClient& head);
    [[nodiscard]] models::ConnectionTreeModel& sidebar() { return *m_sidebar; }
    /// The first connection, "This computer".
    [[nodiscard]] client::HeadClient* localHead() const;
    [[nodiscard]] ExperimentPresenter* current() const { return m_current.get(); }
    [[nodiscard]] const base::Clock& clock() const { return m_clock; }

    [[nodiscard]] StatusLine status() const;
    /// Why there is nothing to show: the error of a connection that failed or was ended.
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
    /// Shows no experiment.
    void close();
    void open(const trialdeck::ExperimentId& experiment);
    /// By id or name; waits until the experiment is known.
    void openByText(const QString& idOrName);
    /// The experiment that was created last; waits until experiments are known.
    void openNewest();
    /// Sends the text to the local head and shows the new experiment.
    void create(const QString& yaml, const QString& baseDirectory, bool single);
    void reconnect();

signals:
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

    const base::Clock& m_clock;
    std::vector<client::HeadClient*> m_heads;
    std::unique_ptr<models::ConnectionTreeModel> m_sidebar;
    std::unique_ptr<ExperimentPresenter> m_current;
    QString m_waitingFor;
    /// Named by the user; else one that was made just now and will be told of.
    bool m_mustExist = false;
    bool m_wantsNewest = false;
    bool m_experimentsKnown = false;
    QTimer m_clockTick;
};

} // namespace trialdeck::app::presenters

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/client/head_client.h"

#include <QAbstractItemModel>

#include <functional>
#include <memory>
#include <optional>
#include <vector>

namespace trialdeck::app::models {

/// The words that the sidebar needs from whoever knows the user's language.
struct ConnectionTreeWords {
    std::function<QString(const client::HeadClient&)> connection;
    /// The short text at the connection's right: "2 CPU", "unknown 12 s".
    std::function<QString(const client::HeadClient&, const std::vector<protocol::NodeState>&)> connectionNote;
    std::function<QString(const protocol::ExperimentSummary&)> state;
    /// Everything about an experiment in one sentence, for tooltips and screen readers.
    std::function<QString(const protocol::ExperimentSummary&)> sentence;
};

/// The sidebar: connections, and under each its experiments, newest first. Follows the heads by itself.
/// Owned by the window's presenter.
class ConnectionTreeModel : public QAbstractItemModel {
    Q_OBJECT

public:
    enum Role {
        /// The experiment's id as text; empty for a connection.
        ExperimentRole = Qt::UserRole,
        /// trialdeck::ExperimentState as int; invalid for a connection.
        StateRole,
        /// Ended trials of all, 0 to 1; invalid where the total is open.
        ProgressRole,
        /// "5/8", or the connection's note.
        NoteRole,
        /// Known only as of some time ago, or its folder is gone.
        StaleRole,
        /// client::LinkStatus::State as int; invalid for an experiment.
        LinkRole,
        /// A connection that waits for an answer of the user.
        AsksRole,
    };

    explicit ConnectionTreeModel(ConnectionTreeWords words, QObject* parent = nullptr);
    ~ConnectionTreeModel() override;

    /// The head outlives the model, or is removed before it goes.
    /// @param row  its place among the connections; at the end where it is missing
    void addHead(client::HeadClient& head, std::optional<int> row = {});
    /// With its experiments.
    void removeHead(const client::HeadClient& head);

    [[nodiscard]] QModelIndex index(int row, int column, const QModelIndex& parent = {}) const override;
    [[nodiscard]] QModelIndex parent(const QModelIndex& child) const override;
    [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] int columnCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const override;
    [[nodiscard]] Qt::ItemFlags flags(const QModelIndex& index) const override;

    /// @param head  where one is reached by several connections; null for the first that has it
    [[nodiscard]] QModelIndex indexOf(const ExperimentId& experiment,
                                      const client::HeadClient* head = nullptr) const;
    [[nodiscard]] QModelIndex indexOf(const client::HeadClient& head) const;
    /// Of a connection or of an experiment's; null for none.
    [[nodiscard]] client::HeadClient* headOf(const QModelIndex& index) const;
    [[nodiscard]] const protocol::ExperimentSummary* summaryOf(const QModelIndex& index) const;
    [[nodiscard]] const protocol::ExperimentSummary* find(const ExperimentId& experiment) const;
    /// By id or by name; of several with one name the newest.
    [[nodiscard]] const protocol::ExperimentSummary* findByText(const QString& idOrName) const;
    [[nodiscard]] std::vector<const protocol::ExperimentSummary*> experiments() const;
    [[nodiscard]] const std::vector<protocol::NodeState>& nodesOf(const client::HeadClient& head) const;

    void retranslate();

signals:
    void experimentChanged(const trialdeck::app::client::HeadClient& head,
                           const trialdeck::protocol::ExperimentSummary& summary);
    void nodesChanged();
    /// The head's answer is there: what is not listed now does not exist there.
    void experimentsKnown(const trialdeck::app::client::HeadClient& head);

private:
    struct Connection;
    void setState(Connection& connection, const protocol::StateSubscribeResult& state);
    void setSummary(Connection& connection, const protocol::ExperimentSummary& summary);
    [[nodiscard]] QModelIndex indexOf(const Connection& connection) const;
    [[nodiscard]] Connection* find(const client::HeadClient& head) const;
    void changed(const Connection& connection);
    void allChanged(const Connection& connection);
    [[nodiscard]] Connection* connectionAt(const QModelIndex& index) const;
    [[nodiscard]] QVariant connectionData(const Connection& connection, int role) const;
    [[nodiscard]] QVariant experimentData(const Connection& connection,
                                          const protocol::ExperimentSummary& summary, int role) const;

    ConnectionTreeWords m_words;
    std::vector<std::unique_ptr<Connection>> m_connections;
};

} // namespace trialdeck::app::models

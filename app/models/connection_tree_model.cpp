// SPDX-License-Identifier: Apache-2.0
#include "app/models/connection_tree_model.h"
#include "app/models/visible_text.h"

#include <algorithm>

namespace trialdeck::app::models {

using client::HeadClient;
using client::LinkStatus;
using protocol::ExperimentSummary;

struct ConnectionTreeModel::Connection {
    HeadClient* head = nullptr;
    /// Newest first.
    std::vector<ExperimentSummary> experiments;
    std::vector<protocol::NodeState> nodes;
};

namespace {

uint64_t endedTrials(const ExperimentSummary& summary) {
    return summary.terminated + summary.errored;
}

uint64_t allTrials(const ExperimentSummary& summary) {
    return summary.plannedTrials.value_or(summary.trials);
}

} // namespace

ConnectionTreeModel::ConnectionTreeModel(ConnectionTreeWords words, QObject* parent)
    : QAbstractItemModel(parent), m_words(std::move(words)) {}

ConnectionTreeModel::~ConnectionTreeModel() = default;

void ConnectionTreeModel::addHead(HeadClient& head, std::optional<int> row) {
    const int place = std::min(row.value_or(rowCount()), rowCount());
    beginInsertRows({}, place, place);
    Connection& connection =
        **m_connections.insert(m_connections.begin() + place, std::make_unique<Connection>());
    connection.head = &head;
    endInsertRows();
    connect(&head, &HeadClient::stateReceived, this,
            [this, &connection](const auto& state) { setState(connection, state); });
    connect(&head, &HeadClient::experimentChanged, this, [this, &connection](const auto& summary) {
        setSummary(connection, summary);
        changed(connection);
    });
    connect(&head, &HeadClient::nodeChanged, this, [this, &connection](const protocol::NodeState& node) {
        const auto known =
            std::find_if(connection.nodes.begin(), connection.nodes.end(),
                         [&](const protocol::NodeState& each) { return each.name == node.name; });
        if (known == connection.nodes.end())
            connection.nodes.push_back(node);
        else
            *known = node;
        changed(connection);
        emit nodesChanged();
    });
    connect(&head, &HeadClient::statusChanged, this, [this, &connection] { allChanged(connection); });
    connect(&head, &HeadClient::promptAsked, this, [this, &connection] { changed(connection); });
    connect(&head, &HeadClient::promptWithdrawn, this, [this, &connection] { changed(connection); });
    connect(&head, &HeadClient::nameChanged, this, [this, &connection] { changed(connection); });
}

void ConnectionTreeModel::removeHead(const HeadClient& head) {
    const QModelIndex index = indexOf(head);
    if (!index.isValid())
        return;
    head.disconnect(this);
    beginRemoveRows({}, index.row(), index.row());
    m_connections.erase(m_connections.begin() + index.row());
    endRemoveRows();
    emit nodesChanged();
}

void ConnectionTreeModel::changed(const Connection& connection) {
    const QModelIndex top = indexOf(connection);
    emit dataChanged(top, top);
}

void ConnectionTreeModel::allChanged(const Connection& connection) {
    changed(connection);
    const QModelIndex top = indexOf(connection);
    if (const int rows = rowCount(top); rows > 0)
        emit dataChanged(index(0, 0, top), index(rows - 1, 0, top));
}

void ConnectionTreeModel::setState(Connection& connection, const protocol::StateSubscribeResult& state) {
    const QModelIndex parent = indexOf(connection);
    for (int row = rowCount(parent) - 1; row >= 0; --row) {
        const ExperimentId id = connection.experiments[static_cast<size_t>(row)].experiment;
        const bool isThere =
            std::any_of(state.experiments.begin(), state.experiments.end(),
                        [&](const ExperimentSummary& each) { return each.experiment == id; });
        if (isThere)
            continue;
        beginRemoveRows(parent, row, row);
        connection.experiments.erase(connection.experiments.begin() + row);
        endRemoveRows();
    }
    for (const ExperimentSummary& summary : state.experiments)
        setSummary(connection, summary);
    connection.nodes = state.nodes;
    changed(connection);
    emit nodesChanged();
    emit experimentsKnown(*connection.head);
}

void ConnectionTreeModel::setSummary(Connection& connection, const ExperimentSummary& summary) {
    const QModelIndex parent = indexOf(connection);
    auto& experiments = connection.experiments;
    const auto known =
        std::find_if(experiments.begin(), experiments.end(),
                     [&](const ExperimentSummary& each) { return each.experiment == summary.experiment; });
    if (known != experiments.end()) {
        *known = summary;
        const QModelIndex changed = index(static_cast<int>(known - experiments.begin()), 0, parent);
        emit dataChanged(changed, changed);
    } else {
        const auto place =
            std::find_if(experiments.begin(), experiments.end(),
                         [&](const ExperimentSummary& each) { return each.created <= summary.created; });
        const int row = static_cast<int>(place - experiments.begin());
        beginInsertRows(parent, row, row);
        experiments.insert(place, summary);
        endInsertRows();
    }
    emit experimentChanged(*connection.head, summary);
}

QModelIndex ConnectionTreeModel::indexOf(const Connection& connection) const {
    for (size_t row = 0; row < m_connections.size(); ++row) {
        if (m_connections[row].get() == &connection)
            return createIndex(static_cast<int>(row), 0);
    }
    return {};
}

ConnectionTreeModel::Connection* ConnectionTreeModel::find(const HeadClient& head) const {
    const auto found = std::find_if(m_connections.begin(), m_connections.end(),
                                    [&](const auto& connection) { return connection->head == &head; });
    return found == m_connections.end() ? nullptr : found->get();
}

QModelIndex ConnectionTreeModel::indexOf(const HeadClient& head) const {
    const Connection* connection = find(head);
    return connection ? indexOf(*connection) : QModelIndex();
}

QModelIndex ConnectionTreeModel::index(int row, int column, const QModelIndex& parent) const {
    if (!hasIndex(row, column, parent))
        return {};
    // An experiment's index names its connection, a connection's own nothing.
    return createIndex(row, column, parent.isValid() ? connectionAt(parent) : nullptr);
}

QModelIndex ConnectionTreeModel::parent(const QModelIndex& child) const {
    if (!child.isValid() || !child.internalPointer())
        return {};
    return indexOf(*static_cast<const Connection*>(child.internalPointer()));
}

int ConnectionTreeModel::rowCount(const QModelIndex& parent) const {
    if (!parent.isValid())
        return static_cast<int>(m_connections.size());
    if (parent.internalPointer())
        return 0;
    return static_cast<int>(connectionAt(parent)->experiments.size());
}

int ConnectionTreeModel::columnCount(const QModelIndex&) const {
    return 1;
}

ConnectionTreeModel::Connection* ConnectionTreeModel::connectionAt(const QModelIndex& index) const {
    if (!index.isValid())
        return nullptr;
    if (void* connection = index.internalPointer())
        return static_cast<Connection*>(connection);
    return m_connections[static_cast<size_t>(index.row())].get();
}

HeadClient* ConnectionTreeModel::headOf(const QModelIndex& index) const {
    const Connection* connection = connectionAt(index);
    return connection ? connection->head : nullptr;
}

const ExperimentSummary* ConnectionTreeModel::summaryOf(const QModelIndex& index) const {
    if (!index.isValid() || !index.internalPointer())
        return nullptr;
    return &connectionAt(index)->experiments[static_cast<size_t>(index.row())];
}

QModelIndex ConnectionTreeModel::indexOf(const ExperimentId& experiment, const HeadClient* head) const {
    for (const auto& connection : m_connections) {
        if (head && connection->head != head)
            continue;
        for (size_t row = 0; row < connection->experiments.size(); ++row) {
            if (connection->experiments[row].experiment == experiment)
                return index(static_cast<int>(row), 0, indexOf(*connection));
        }
    }
    return {};
}

const ExperimentSummary* ConnectionTreeModel::find(const ExperimentId& experiment) const {
    return summaryOf(indexOf(experiment));
}

const ExperimentSummary* ConnectionTreeModel::findByText(const QString& idOrName) const {
    const std::string text = idOrName.toStdString();
    if (const ExperimentSummary* summary = find(ExperimentId(text)))
        return summary;
    for (const ExperimentSummary* summary : experiments()) {
        if (summary->name == text)
            return summary;
    }
    return nullptr;
}

std::vector<const ExperimentSummary*> ConnectionTreeModel::experiments() const {
    std::vector<const ExperimentSummary*> all;
    for (const auto& connection : m_connections) {
        for (const ExperimentSummary& summary : connection->experiments)
            all.push_back(&summary);
    }
    return all;
}

const std::vector<protocol::NodeState>& ConnectionTreeModel::nodesOf(const HeadClient& head) const {
    static const std::vector<protocol::NodeState> none;
    const Connection* connection = find(head);
    return connection ? connection->nodes : none;
}

QVariant ConnectionTreeModel::data(const QModelIndex& index, int role) const {
    const Connection* connection = connectionAt(index);
    if (!connection)
        return {};
    const ExperimentSummary* summary = summaryOf(index);
    return summary ? experimentData(*connection, *summary, role) : connectionData(*connection, role);
}

QVariant ConnectionTreeModel::connectionData(const Connection& connection, int role) const {
    switch (role) {
    case Qt::DisplayRole:
        return m_words.connection(*connection.head);
    case NoteRole:
        return m_words.connectionNote(*connection.head, connection.nodes);
    case Qt::AccessibleTextRole:
        return QStringLiteral("%1, %2").arg(m_words.connection(*connection.head),
                                            m_words.connectionNote(*connection.head, connection.nodes));
    case LinkRole:
        return static_cast<int>(connection.head->status().state);
    case AsksRole:
        return connection.head->prompt() != nullptr;
    default:
        return {};
    }
}

QVariant ConnectionTreeModel::experimentData(const Connection& connection, const ExperimentSummary& summary,
                                             int role) const {
    const QString name = visibleText(QString::fromStdString(summary.name));
    switch (role) {
    case Qt::DisplayRole:
        return name;
    case Qt::ToolTipRole:
    case Qt::AccessibleTextRole:
        return m_words.sentence(summary);
    case ExperimentRole:
        return QString::fromStdString(summary.experiment.raw());
    case StateRole:
        return static_cast<int>(summary.state);
    case ProgressRole:
        if (allTrials(summary) == 0)
            return {};
        return static_cast<double>(endedTrials(summary)) / static_cast<double>(allTrials(summary));
    case NoteRole:
        return QStringLiteral("%1/%2").arg(QString::number(endedTrials(summary)),
                                           summary.plannedTrials || summary.state != ExperimentState::running
                                               ? QString::number(allTrials(summary))
                                               : QStringLiteral("∞"));
    case StaleRole:
        return summary.missing || connection.head->status().state != LinkStatus::State::connected;
    default:
        return {};
    }
}

Qt::ItemFlags ConnectionTreeModel::flags(const QModelIndex& index) const {
    if (!index.isValid())
        return Qt::NoItemFlags;
    return Qt::ItemIsEnabled | Qt::ItemIsSelectable;
}

void ConnectionTreeModel::retranslate() {
    for (const auto& connection : m_connections)
        allChanged(*connection);
}

} // namespace trialdeck::app::models

// SPDX-License-Identifier: Apache-2.0
#include "app/models/trial_order.h"

#include <algorithm>
#include <numeric>

namespace trialdeck::app::models {

namespace {
constexpr std::chrono::milliseconds kSettleInterval{1000};
} // namespace

TrialOrder::TrialOrder(TrialTableModel& table, QObject* parent)
    : QAbstractProxyModel(parent), m_table(table) {
    setSourceModel(&table);
    m_settleTimer.setSingleShot(true);
    m_settleTimer.setInterval(kSettleInterval);
    connect(&m_settleTimer, &QTimer::timeout, this, &TrialOrder::settle);
    connect(&table, &QAbstractItemModel::rowsInserted, this, &TrialOrder::onRowsInserted);
    connect(&table, &QAbstractItemModel::rowsRemoved, this, &TrialOrder::onRowsRemoved);
    connect(&table, &QAbstractItemModel::dataChanged, this, &TrialOrder::onDataChanged);
    connect(&table, &QAbstractItemModel::headerDataChanged, this, &TrialOrder::headerDataChanged);
    connect(&table, &QAbstractItemModel::columnsAboutToBeInserted, this,
            [this](const QModelIndex&, int first, int last) { beginInsertColumns({}, first, last); });
    connect(&table, &QAbstractItemModel::columnsInserted, this, [this] { endInsertColumns(); });
    connect(&table, &QAbstractItemModel::columnsAboutToBeRemoved, this,
            [this](const QModelIndex&, int first, int last) { beginRemoveColumns({}, first, last); });
    connect(&table, &QAbstractItemModel::columnsRemoved, this, [this] { endRemoveColumns(); });
    m_rows.resize(static_cast<size_t>(table.rowCount()));
    std::iota(m_rows.begin(), m_rows.end(), 0);
    indexRows();
}

QModelIndex TrialOrder::mapToSource(const QModelIndex& proxy) const {
    return proxy.isValid() ? m_table.index(sourceRow(proxy.row()), proxy.column()) : QModelIndex();
}

QModelIndex TrialOrder::mapFromSource(const QModelIndex& source) const {
    if (!source.isValid() || static_cast<size_t>(source.row()) >= m_places.size())
        return {};
    const int place = m_places[static_cast<size_t>(source.row())];
    return place < 0 ? QModelIndex() : createIndex(place, source.column());
}

QModelIndex TrialOrder::index(int row, int column, const QModelIndex& parent) const {
    return hasIndex(row, column, parent) ? createIndex(row, column) : QModelIndex();
}

QModelIndex TrialOrder::parent(const QModelIndex&) const {
    return {};
}

int TrialOrder::rowCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : static_cast<int>(m_rows.size());
}

int TrialOrder::columnCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : m_table.columnCount();
}

QVariant TrialOrder::headerData(int section, Qt::Orientation orientation, int role) const {
    return m_table.headerData(section, orientation, role);
}

int TrialOrder::sortColumn() const {
    return m_sortColumn ? m_table.findColumn(*m_sortColumn) : -1;
}

int TrialOrder::rowOf(TrialId trial) const {
    return trial.raw() < m_places.size() ? m_places[trial.raw()] : -1;
}

void TrialOrder::sort(int column, Qt::SortOrder order) {
    m_sortColumn = column < 0 ? std::nullopt : std::optional(m_table.column(column));
    m_order = order;
    m_stale = false;
    reorder(sortedRows(m_rows));
}

std::optional<FilterError> TrialOrder::setFilter(const QString& text) {
    std::vector<std::string> names;
    for (int section = 0; section < m_table.columnCount(); ++section)
        names.push_back(m_table.fieldName(section).toStdString());
    auto parsed = FilterExpression::parse(text.toStdString(), names);
    if (const auto* error = std::get_if<FilterError>(&parsed))
        return *error;
    m_filterText = text;
    m_filter = std::get<FilterExpression>(std::move(parsed));
    moveTo(sortedRows(matchingRows()));
    return std::nullopt;
}

void TrialOrder::setHeld(bool held) {
    m_held = held;
    if (!held && m_stale && !m_settleTimer.isActive())
        m_settleTimer.start();
}

void TrialOrder::settle() {
    if (m_held || !m_stale)
        return;
    m_stale = false;
    moveTo(sortedRows(matchingRows()));
}

bool TrialOrder::matches(int sourceRow) const {
    return m_filter.matches(
        [&](size_t column) { return m_table.cellValue(sourceRow, static_cast<int>(column)); },
        [&] {
            QString text;
            for (int section = 0; section < m_table.columnCount(); ++section)
                text += m_table.index(sourceRow, section).data().toString() + QLatin1Char('\n');
            return text.toStdString();
        });
}

std::vector<int> TrialOrder::matchingRows() const {
    std::vector<int> rows;
    for (int row = 0; row < m_table.rowCount(); ++row) {
        if (m_filter.isEmpty() || matches(row))
            rows.push_back(row);
    }
    return rows;
}

std::vector<int> TrialOrder::sortedRows(std::vector<int> rows) const {
    std::sort(rows.begin(), rows.end());
    if (!m_sortColumn)
        return rows;
    const int section = m_table.findColumn(*m_sortColumn);
    if (section < 0)
        return rows;
    const std::vector<CellSortKey> keys = m_table.sortKeys(section);
    const bool descending = m_order == Qt::DescendingOrder;
    std::stable_sort(rows.begin(), rows.end(), [&](int a, int b) {
        const CellSortKey& left = keys[static_cast<size_t>(a)];
        const CellSortKey& right = keys[static_cast<size_t>(b)];
        const bool leftLast = left.kind >= CellKind::notANumber;
        const bool rightLast = right.kind >= CellKind::notANumber;
        if (leftLast || rightLast)
            return leftLast && rightLast ? left.kind < right.kind : rightLast;
        if (left.kind != right.kind)
            return descending ? left.kind > right.kind : left.kind < right.kind;
        return descending ? left.number > right.number : left.number < right.number;
    });
    return rows;
}

void TrialOrder::indexRows() {
    m_places.assign(static_cast<size_t>(m_table.rowCount()), -1);
    for (size_t place = 0; place < m_rows.size(); ++place)
        m_places[static_cast<size_t>(m_rows[place])] = static_cast<int>(place);
}

void TrialOrder::reorder(std::vector<int> order) {
    if (order == m_rows)
        return;
    emit layoutAboutToBeChanged({}, QAbstractItemModel::VerticalSortHint);
    const QModelIndexList before = persistentIndexList();
    std::vector<int> sourceRows;
    for (const QModelIndex& proxy : before)
        sourceRows.push_back(sourceRow(proxy.row()));
    m_rows = std::move(order);
    indexRows();
    QModelIndexList after;
    for (qsizetype i = 0; i < before.size(); ++i) {
        const int place = m_places[static_cast<size_t>(sourceRows[static_cast<size_t>(i)])];
        after.append(createIndex(place, before[i].column()));
    }
    changePersistentIndexList(before, after);
    emit layoutChanged({}, QAbstractItemModel::VerticalSortHint);
}

void TrialOrder::moveTo(std::vector<int> wanted) {
    std::vector<bool> isWanted(static_cast<size_t>(m_table.rowCount()), false);
    for (const int row : wanted)
        isWanted[static_cast<size_t>(row)] = true;
    std::vector<int> kept = m_rows;
    const auto firstGone = std::stable_partition(kept.begin(), kept.end(),
                                                 [&](int row) { return isWanted[static_cast<size_t>(row)]; });
    const auto keptCount = static_cast<size_t>(firstGone - kept.begin());
    if (keptCount < kept.size()) {
        reorder(kept);
        beginRemoveRows({}, static_cast<int>(keptCount), static_cast<int>(m_rows.size()) - 1);
        m_rows.resize(keptCount);
        indexRows();
        endRemoveRows();
    }
    if (wanted.size() > keptCount) {
        std::vector<int> added;
        for (const int row : wanted) {
            if (m_places[static_cast<size_t>(row)] < 0)
                added.push_back(row);
        }
        beginInsertRows({}, static_cast<int>(keptCount), static_cast<int>(wanted.size()) - 1);
        m_rows.insert(m_rows.end(), added.begin(), added.end());
        indexRows();
        endInsertRows();
    }
    reorder(std::move(wanted));
}

void TrialOrder::onRowsInserted(const QModelIndex&, int first, int last) {
    m_places.resize(static_cast<size_t>(m_table.rowCount()), -1);
    std::vector<int> added;
    for (int row = first; row <= last; ++row) {
        if (m_filter.isEmpty() || matches(row))
            added.push_back(row);
    }
    if (added.empty())
        return;
    const int place = rowCount();
    beginInsertRows({}, place, place + static_cast<int>(added.size()) - 1);
    m_rows.insert(m_rows.end(), added.begin(), added.end());
    indexRows();
    endInsertRows();
    if (m_sortColumn) {
        m_stale = true;
        if (!m_settleTimer.isActive())
            m_settleTimer.start();
    }
}

void TrialOrder::onRowsRemoved() {
    // The table only ever loses all of its rows at once.
    if (m_rows.empty())
        return;
    beginRemoveRows({}, 0, rowCount() - 1);
    m_rows.clear();
    indexRows();
    endRemoveRows();
}

void TrialOrder::onDataChanged(const QModelIndex& topLeft, const QModelIndex& bottomRight,
                               const QList<int>& roles) {
    const bool valuesChanged = roles.isEmpty();
    if (valuesChanged && (m_sortColumn || !m_filter.isEmpty())) {
        m_stale = true;
        if (!m_settleTimer.isActive())
            m_settleTimer.start();
    }
    const int rows = bottomRight.row() - topLeft.row() + 1;
    if (rows > 100 || rows >= rowCount()) {
        if (rowCount() > 0)
            emit dataChanged(index(0, topLeft.column()), index(rowCount() - 1, bottomRight.column()), roles);
        return;
    }
    for (int row = topLeft.row(); row <= bottomRight.row(); ++row) {
        const int place = m_places[static_cast<size_t>(row)];
        if (place >= 0)
            emit dataChanged(index(place, topLeft.column()), index(place, bottomRight.column()), roles);
    }
}

} // namespace trialdeck::app::models

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/models/filter_expression.h"
#include "app/models/trial_table_model.h"

#include <QAbstractProxyModel>
#include <QTimer>

#include <vector>

namespace trialdeck::app::models {

/// The trial table sorted and filtered. Numbers sort as numbers, NaN and missing values last in both
/// directions, ties in the order of the trials. Sorting reads a column once, so that 100,000 rows take
/// tenths of a second. New values move rows at most once a second, and not while a row is held.
/// Persistent indexes (selection, current row) follow the trials through every change; the model is never
/// reset.
class TrialOrder : public QAbstractProxyModel {
    Q_OBJECT

public:
    explicit TrialOrder(TrialTableModel& table, QObject* parent = nullptr);

    [[nodiscard]] QModelIndex mapToSource(const QModelIndex& proxy) const override;
    [[nodiscard]] QModelIndex mapFromSource(const QModelIndex& source) const override;
    [[nodiscard]] QModelIndex index(int row, int column, const QModelIndex& parent = {}) const override;
    [[nodiscard]] QModelIndex parent(const QModelIndex& child) const override;
    [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] int columnCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] QVariant headerData(int section, Qt::Orientation orientation,
                                      int role = Qt::DisplayRole) const override;

    /// Column -1: the order of the trials.
    void sort(int column, Qt::SortOrder order = Qt::AscendingOrder) override;
    [[nodiscard]] int sortColumn() const;
    [[nodiscard]] Qt::SortOrder sortOrder() const { return m_order; }

    /// Shows what matches; a text that cannot be read leaves everything as it is and gives the error.
    std::optional<FilterError> setFilter(const QString& text);
    [[nodiscard]] const QString& filterText() const { return m_filterText; }
    [[nodiscard]] TrialTableModel& table() const { return m_table; }
    [[nodiscard]] int sourceRow(int row) const { return m_rows[static_cast<size_t>(row)]; }
    /// -1 where the filter hides the trial.
    [[nodiscard]] int rowOf(TrialId trial) const;

    /// While held (the pointer is over the rows), new values move no row.
    void setHeld(bool held);
    /// Moves rows to where their new values belong, now.
    void settle();

private:
    void onRowsInserted(const QModelIndex& parent, int first, int last);
    void onRowsRemoved();
    void onDataChanged(const QModelIndex& topLeft, const QModelIndex& bottomRight, const QList<int>& roles);
    [[nodiscard]] std::vector<int> sortedRows(std::vector<int> rows) const;
    [[nodiscard]] std::vector<int> matchingRows() const;
    [[nodiscard]] bool matches(int sourceRow) const;
    /// Brings m_rows to `wanted` in at most four steps that views and selections can follow.
    void moveTo(std::vector<int> wanted);
    void reorder(std::vector<int> order);
    void indexRows();

    TrialTableModel& m_table;
    /// Source rows in the order shown.
    std::vector<int> m_rows;
    /// Place in m_rows by source row; -1: hidden.
    std::vector<int> m_places;
    std::optional<TrialColumn> m_sortColumn;
    Qt::SortOrder m_order = Qt::AscendingOrder;
    FilterExpression m_filter;
    QString m_filterText;
    bool m_held = false;
    bool m_stale = false;
    QTimer m_settleTimer;
};

} // namespace trialdeck::app::models

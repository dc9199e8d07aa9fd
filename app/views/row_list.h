// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QHBoxLayout>
#include <QToolButton>
#include <QVBoxLayout>
#include <QWidget>

#include <memory>
#include <vector>

namespace trialdeck::app::views {

/// Rows of fields that the user adds with the button below them and removes with the cross at their end. Tab
/// goes through the rows in their order and then to the button. What stands in a row is the subclass's.
class RowList : public QWidget {
    Q_OBJECT

public:
    /// @param addName  object name of the button
    explicit RowList(const QString& addName, QWidget* parent = nullptr);
    ~RowList() override;

signals:
    /// By the user.
    void edited();

protected:
    /// The widgets of one row; all are children of `box`.
    struct Row {
        virtual ~Row() = default;
        QWidget* box = nullptr;
        /// For the fields; the cross is its last.
        QHBoxLayout* line = nullptr;
        QToolButton* remove = nullptr;
        bool isPlaced = false;
    };

    /// An empty row with the cursor in its first field.
    virtual void addEmptyRow() = 0;

    /// Makes box, line and cross of a row that the subclass made, at the end; the fields come next.
    void append(std::unique_ptr<Row> row);
    /// Tab goes through the fields in this order, then to the cross.
    void orderFields(Row& row, const std::vector<QWidget*>& fields);
    void clear();
    [[nodiscard]] const std::vector<std::unique_ptr<Row>>& all() const { return m_rows; }
    void setTexts(const QString& add, const QString& remove);

private:
    void removeRow(const Row* row);

    QVBoxLayout* m_lines;
    std::vector<std::unique_ptr<Row>> m_rows;
    QToolButton* m_add;
};

} // namespace trialdeck::app::views

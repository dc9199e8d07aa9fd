// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/presenters/draft_values.h"

#include <QComboBox>
#include <QLineEdit>
#include <QToolButton>
#include <QVBoxLayout>
#include <QWidget>

#include <memory>
#include <vector>

namespace trialdeck::app::views {

/// Conditions that end a trial: any of them is enough.
class StopTable : public QWidget {
    Q_OBJECT

public:
    explicit StopTable(QWidget* parent = nullptr);
    ~StopTable() override;

    void setRows(const std::vector<presenters::StopRow>& rows);
    [[nodiscard]] std::vector<presenters::StopRow> rows() const;
    void retranslate();

signals:
    /// By the user.
    void edited();

private:
    struct Row;

    void addRow(const presenters::StopRow& content);
    void removeRow(const Row* row);

    QVBoxLayout* m_lines;
    std::vector<std::unique_ptr<Row>> m_rows;
    QToolButton* m_add;
};

} // namespace trialdeck::app::views

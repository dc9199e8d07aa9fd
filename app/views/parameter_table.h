// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/presenters/new_experiment_presenter.h"

#include <QComboBox>
#include <QGridLayout>
#include <QLabel>
#include <QLineEdit>
#include <QToolButton>
#include <QWidget>

#include <memory>
#include <vector>

namespace trialdeck::app::views {

/// The search space as rows: parameter, distribution, its arguments, what is wrong. Rows are added and
/// removed by buttons and by keys.
class ParameterTable : public QWidget {
    Q_OBJECT

public:
    explicit ParameterTable(QWidget* parent = nullptr);
    ~ParameterTable() override;

    void setRows(const std::vector<presenters::ParameterRow>& rows);
    [[nodiscard]] std::vector<presenters::ParameterRow> rows() const;
    void showProblems(const presenters::NewExperimentPresenter& presenter);
    void retranslate();

signals:
    /// By the user.
    void edited();

private:
    struct Row;

    Row& addRow(const presenters::ParameterRow& content);
    void removeRow(const Row* row);
    void fillArguments(Row& row, const QStringList& texts);
    [[nodiscard]] static QString distributionTitle(const QString& distribution);
    [[nodiscard]] static QString argumentTitle(const QString& argument);

    QGridLayout* m_grid;
    std::vector<std::unique_ptr<Row>> m_rows;
    QToolButton* m_add;
};

} // namespace trialdeck::app::views

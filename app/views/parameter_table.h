// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/presenters/new_experiment_presenter.h"
#include "app/views/row_list.h"

namespace trialdeck::app::views {

/// The search space as rows: parameter, distribution, its arguments, what is wrong. Rows are added and
/// removed by buttons and by keys.
class ParameterTable : public RowList {
    Q_OBJECT

public:
    explicit ParameterTable(QWidget* parent = nullptr);

    void setRows(const std::vector<presenters::ParameterRow>& rows);
    [[nodiscard]] std::vector<presenters::ParameterRow> rows() const;
    void showProblems(const presenters::NewExperimentPresenter& presenter);
    void retranslate();

protected:
    void addEmptyRow() override;

private:
    struct Fields;

    Fields& addRow(const presenters::ParameterRow& content);
    void fillArguments(Fields& row, const QStringList& texts);
    [[nodiscard]] static QString distributionTitle(const QString& distribution);
    [[nodiscard]] static QString argumentTitle(const QString& argument);
};

} // namespace trialdeck::app::views

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/presenters/draft_values.h"
#include "app/views/row_list.h"

namespace trialdeck::app::views {

/// Conditions that end a trial: any of them is enough.
class StopTable : public RowList {
    Q_OBJECT

public:
    explicit StopTable(QWidget* parent = nullptr);

    void setRows(const std::vector<presenters::StopRow>& rows);
    [[nodiscard]] std::vector<presenters::StopRow> rows() const;
    void retranslate();

protected:
    void addEmptyRow() override;

private:
    struct Fields;

    Fields& addRow(const presenters::StopRow& content);
};

} // namespace trialdeck::app::views

// SPDX-License-Identifier: Apache-2.0
#include "app/views/stop_table.h"

#include <QComboBox>
#include <QLineEdit>

namespace trialdeck::app::views {

struct StopTable::Fields : RowList::Row {
    QLineEdit* metric = nullptr;
    QComboBox* comparison = nullptr;
    QLineEdit* value = nullptr;
};

StopTable::StopTable(QWidget* parent) : RowList(QStringLiteral("addStopRule"), parent) {
    retranslate();
}

void StopTable::addEmptyRow() {
    addRow({}).metric->setFocus();
}

void StopTable::setRows(const std::vector<presenters::StopRow>& rows) {
    if (rows == this->rows())
        return;
    clear();
    for (const presenters::StopRow& row : rows)
        addRow(row);
}

std::vector<presenters::StopRow> StopTable::rows() const {
    std::vector<presenters::StopRow> rows;
    for (const auto& row : all()) {
        const auto& fields = static_cast<const Fields&>(*row);
        rows.push_back({fields.metric->text().trimmed(), fields.comparison->currentData().toString(),
                        fields.value->text()});
    }
    return rows;
}

StopTable::Fields& StopTable::addRow(const presenters::StopRow& content) {
    auto made = std::make_unique<Fields>();
    Fields& row = *made;
    append(std::move(made));
    row.metric = new QLineEdit(content.metric, row.box);
    row.comparison = new QComboBox(row.box);
    row.comparison->addItem(QStringLiteral("≥"), QStringLiteral("ge"));
    row.comparison->addItem(QStringLiteral("≤"), QStringLiteral("le"));
    if (row.comparison->findData(content.comparison) < 0)
        row.comparison->addItem(content.comparison, content.comparison);
    row.comparison->setCurrentIndex(row.comparison->findData(content.comparison));
    row.value = new QLineEdit(content.value, row.box);
    row.line->insertWidget(0, row.metric, 3);
    row.line->insertWidget(1, row.comparison);
    row.line->insertWidget(2, row.value, 2);
    orderFields(row, {row.metric, row.comparison, row.value});
    connect(row.metric, &QLineEdit::textEdited, this, &StopTable::edited);
    connect(row.value, &QLineEdit::textEdited, this, &StopTable::edited);
    connect(row.comparison, &QComboBox::activated, this, &StopTable::edited);
    retranslate();
    return row;
}

void StopTable::retranslate() {
    //: Button below the stop rules
    setTexts(tr("＋ Add stop rule"), tr("Remove this stop rule"));
    for (const auto& row : all()) {
        const auto& fields = static_cast<const Fields&>(*row);
        fields.metric->setPlaceholderText(QStringLiteral("training_iteration"));
        fields.metric->setAccessibleName(tr("Metric"));
        //: At least or at most
        fields.comparison->setAccessibleName(tr("Comparison"));
        fields.value->setPlaceholderText(QStringLiteral("10"));
        fields.value->setAccessibleName(tr("Value"));
    }
}

} // namespace trialdeck::app::views

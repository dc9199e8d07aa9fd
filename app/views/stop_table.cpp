// SPDX-License-Identifier: Apache-2.0
#include "app/views/stop_table.h"

#include <QHBoxLayout>

#include <algorithm>

namespace trialdeck::app::views {

struct StopTable::Row {
    QWidget* box = nullptr;
    QLineEdit* metric = nullptr;
    QComboBox* comparison = nullptr;
    QLineEdit* value = nullptr;
    QToolButton* remove = nullptr;
};

StopTable::StopTable(QWidget* parent)
    : QWidget(parent), m_lines(new QVBoxLayout), m_add(new QToolButton(this)) {
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(8);
    m_lines->setSpacing(8);
    layout->addLayout(m_lines);
    layout->addWidget(m_add, 0, Qt::AlignLeft);
    m_add->setObjectName(QStringLiteral("addStopRule"));
    m_add->setAutoRaise(true);
    connect(m_add, &QToolButton::clicked, this, [this] {
        addRow({});
        m_rows.back()->metric->setFocus();
        emit edited();
    });
    retranslate();
}

StopTable::~StopTable() = default;

void StopTable::setRows(const std::vector<presenters::StopRow>& rows) {
    if (rows == this->rows())
        return;
    for (const auto& row : m_rows)
        row->box->deleteLater();
    m_rows.clear();
    for (const presenters::StopRow& row : rows)
        addRow(row);
}

std::vector<presenters::StopRow> StopTable::rows() const {
    std::vector<presenters::StopRow> rows;
    for (const auto& row : m_rows)
        rows.push_back(
            {row->metric->text().trimmed(), row->comparison->currentData().toString(), row->value->text()});
    return rows;
}

void StopTable::addRow(const presenters::StopRow& content) {
    auto row = std::make_unique<Row>();
    row->box = new QWidget(this);
    auto* line = new QHBoxLayout(row->box);
    line->setContentsMargins(0, 0, 0, 0);
    line->setSpacing(8);
    row->metric = new QLineEdit(content.metric, row->box);
    row->comparison = new QComboBox(row->box);
    row->comparison->addItem(QStringLiteral("≥"), QStringLiteral("ge"));
    row->comparison->addItem(QStringLiteral("≤"), QStringLiteral("le"));
    if (row->comparison->findData(content.comparison) < 0)
        row->comparison->addItem(content.comparison, content.comparison);
    row->comparison->setCurrentIndex(row->comparison->findData(content.comparison));
    row->value = new QLineEdit(content.value, row->box);
    row->remove = new QToolButton(row->box);
    row->remove->setAutoRaise(true);
    row->remove->setText(QStringLiteral("✕"));
    line->addWidget(row->metric, 3);
    line->addWidget(row->comparison);
    line->addWidget(row->value, 2);
    line->addWidget(row->remove);
    connect(row->metric, &QLineEdit::textEdited, this, &StopTable::edited);
    connect(row->value, &QLineEdit::textEdited, this, &StopTable::edited);
    connect(row->comparison, &QComboBox::activated, this, &StopTable::edited);
    connect(row->remove, &QToolButton::clicked, this, [this, added = row.get()] { removeRow(added); });
    m_lines->addWidget(row->box);
    m_rows.push_back(std::move(row));
    retranslate();
}

void StopTable::removeRow(const Row* row) {
    const auto found =
        std::find_if(m_rows.begin(), m_rows.end(), [row](const auto& one) { return one.get() == row; });
    if (found == m_rows.end())
        return;
    (*found)->box->deleteLater();
    m_rows.erase(found);
    m_add->setFocus();
    emit edited();
}

void StopTable::retranslate() {
    //: Button below the stop rules
    m_add->setText(tr("＋ Add stop rule"));
    for (const auto& row : m_rows) {
        row->metric->setPlaceholderText(QStringLiteral("training_iteration"));
        row->metric->setAccessibleName(tr("Metric"));
        //: At least or at most
        row->comparison->setAccessibleName(tr("Comparison"));
        row->value->setPlaceholderText(QStringLiteral("10"));
        row->value->setAccessibleName(tr("Value"));
        row->remove->setToolTip(tr("Remove this stop rule"));
        row->remove->setAccessibleName(tr("Remove this stop rule"));
    }
}

} // namespace trialdeck::app::views

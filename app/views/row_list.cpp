// SPDX-License-Identifier: Apache-2.0
#include "app/views/row_list.h"

#include <algorithm>
#include <utility>

namespace trialdeck::app::views {

namespace {
constexpr int kGap = 8;
} // namespace

RowList::RowList(const QString& addName, QWidget* parent)
    : QWidget(parent), m_lines(new QVBoxLayout), m_add(new QToolButton(this)) {
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(kGap);
    m_lines->setSpacing(kGap);
    layout->addLayout(m_lines);
    layout->addWidget(m_add, 0, Qt::AlignLeft);
    m_add->setObjectName(addName);
    m_add->setAutoRaise(true);
    connect(m_add, &QToolButton::clicked, this, [this] {
        addEmptyRow();
        emit edited();
    });
}

RowList::~RowList() = default;

void RowList::append(std::unique_ptr<Row> row) {
    row->box = new QWidget(this);
    auto* outer = new QVBoxLayout(row->box);
    outer->setContentsMargins(0, 0, 0, 0);
    outer->setSpacing(2);
    row->line = new QHBoxLayout;
    row->line->setSpacing(kGap);
    outer->addLayout(row->line);
    row->remove = new QToolButton(row->box);
    row->remove->setAutoRaise(true);
    row->remove->setText(QStringLiteral("✕"));
    row->line->addWidget(row->remove);
    connect(row->remove, &QToolButton::clicked, this, [this, added = row.get()] { removeRow(added); });
    m_lines->addWidget(row->box);
    m_rows.push_back(std::move(row));
}

void RowList::orderFields(Row& row, const std::vector<QWidget*>& fields) {
    // A new row comes right before the button; one that has its place keeps it.
    QWidget* before = std::exchange(row.isPlaced, true) ? nullptr : m_add->previousInFocusChain();
    for (QWidget* field : fields) {
        if (before)
            setTabOrder(before, field);
        before = field;
    }
    if (before)
        setTabOrder(before, row.remove);
}

void RowList::clear() {
    for (const auto& row : m_rows)
        row->box->deleteLater();
    m_rows.clear();
}

void RowList::setTexts(const QString& add, const QString& remove) {
    m_add->setText(add);
    for (const auto& row : m_rows) {
        row->remove->setToolTip(remove);
        row->remove->setAccessibleName(remove);
    }
}

void RowList::removeRow(const Row* row) {
    const auto found =
        std::find_if(m_rows.begin(), m_rows.end(), [row](const auto& one) { return one.get() == row; });
    if (found == m_rows.end())
        return;
    (*found)->box->deleteLater();
    m_rows.erase(found);
    m_add->setFocus();
    emit edited();
}

} // namespace trialdeck::app::views

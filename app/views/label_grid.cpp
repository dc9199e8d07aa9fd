// SPDX-License-Identifier: Apache-2.0
#include "app/views/label_grid.h"

#include "app/views/elided_label.h"
#include "app/views/styled.h"

#include <QGridLayout>
#include <QLabel>
#include <QVBoxLayout>

namespace trialdeck::app::views {

LabelGrid::LabelGrid(std::vector<Align> columns, QWidget* parent)
    : QFrame(parent), m_columns(std::move(columns)), m_title(new QLabel), m_grid(new QGridLayout) {
    setProperty("role", QStringLiteral("panel"));
    m_title->setProperty("role", QStringLiteral("section"));
    m_grid->setHorizontalSpacing(24);
    m_grid->setVerticalSpacing(6);
    m_grid->setColumnStretch(static_cast<int>(m_columns.size()), 1);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(16, 12, 16, 12);
    layout->setSpacing(8);
    layout->addWidget(m_title);
    layout->addLayout(m_grid);
}

void LabelGrid::set(const QString& title, const std::vector<QStringList>& rows, First first, bool isStale) {
    const bool hasHeader = first == First::header;
    m_title->setText(title);
    setAccessibleName(title);
    setVisible(rows.size() > (hasHeader ? 1 : 0));
    while (m_labels.size() < rows.size()) {
        std::vector<QLabel*>& line = m_labels.emplace_back();
        for (size_t column = 0; column < m_columns.size(); ++column) {
            // What is long, such as a path, gives way before the page gets wider for it.
            const bool isLast = column + 1 == m_columns.size() && m_columns[column] == Align::left;
            QLabel* label = isLast ? new ElidedLabel : new QLabel;
            label->setTextFormat(Qt::PlainText);
            label->setTextInteractionFlags(Qt::TextSelectableByMouse);
            label->setAlignment(Qt::AlignVCenter |
                                (m_columns[column] == Align::left ? Qt::AlignLeft : Qt::AlignRight));
            m_grid->addWidget(label, static_cast<int>(m_labels.size()) - 1, static_cast<int>(column));
            line.push_back(label);
        }
    }
    for (size_t row = 0; row < m_labels.size(); ++row) {
        for (size_t column = 0; column < m_columns.size(); ++column) {
            QLabel* label = m_labels[row][column];
            const auto at = static_cast<qsizetype>(column);
            label->setVisible(row < rows.size());
            if (row >= rows.size())
                continue;
            label->setText(rows[row].value(at));
            label->setToolTip(rows[row].value(at).toHtmlEscaped());
            const bool isQuiet = isStale || (hasHeader ? row == 0 : column == 0);
            setStyled(*label, "role", isQuiet ? QStringLiteral("muted") : QString());
        }
    }
}

} // namespace trialdeck::app::views

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QFrame>
#include <QStringList>

#include <vector>

QT_BEGIN_NAMESPACE
class QGridLayout;
class QLabel;
QT_END_NAMESPACE

namespace trialdeck::app::views {

/// A panel with a title and a few rows of text that can be selected: for facts, not for data that grows.
class LabelGrid : public QFrame {
    Q_OBJECT

public:
    enum class Align { left, right };

    explicit LabelGrid(std::vector<Align> columns, QWidget* parent = nullptr);

    enum class First { header, row };

    /// Hidden while there is no row.
    /// @param isStale  it may not be so any more: greyed
    void set(const QString& title, const std::vector<QStringList>& rows, First first, bool isStale);

private:
    std::vector<Align> m_columns;
    QLabel* m_title;
    QGridLayout* m_grid;
    std::vector<std::vector<QLabel*>> m_labels;
};

} // namespace trialdeck::app::views

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/presenters/experiment_presenter.h"

#include <QFrame>

QT_BEGIN_NAMESPACE
class QLabel;
class QToolButton;
QT_END_NAMESPACE

namespace trialdeck::app::views {

class LineInput;
class TrialTableView;

/// The trial table with its filter, column and export menus.
class TrialTablePanel : public QFrame {
    Q_OBJECT

public:
    explicit TrialTablePanel(presenters::ExperimentPresenter& experiment, QWidget* parent = nullptr);

    [[nodiscard]] TrialTableView& table() { return *m_table; }
    void focusFilter();
    void setFilter(const QString& text);
    [[nodiscard]] QString filter() const;

signals:
    void filterEdited();

protected:
    void changeEvent(QEvent* event) override;

private:
    void retranslate();
    void updateNote();
    void applyFilter(const QString& text);
    void exportCsv();
    [[nodiscard]] QString errorText(const models::FilterError& error) const;

    presenters::ExperimentPresenter& m_experiment;
    LineInput* m_filter;
    QLabel* m_filterLabel;
    QLabel* m_note;
    QToolButton* m_columns;
    QToolButton* m_export;
    TrialTableView* m_table;
    std::optional<models::FilterError> m_error;
};

} // namespace trialdeck::app::views

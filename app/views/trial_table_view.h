// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/presenters/experiment_presenter.h"

#include <QTableView>
#include <QTimer>

namespace trialdeck::app::views {

/// The trial table: sorted by a click on a header, selection shared with the charts, columns hidden, moved
/// and remembered by name. Ctrl+C copies the selected rows with every digit.
class TrialTableView : public QTableView {
    Q_OBJECT

public:
    explicit TrialTableView(presenters::ExperimentPresenter& experiment, QWidget* parent = nullptr);

    /// The selected rows (all of them when none is selected) as tab-separated text, visible columns in their
    /// order, with a header; every digit.
    [[nodiscard]] QString selectionAsText() const;
    /// The whole table in its present order as CSV.
    [[nodiscard]] QByteArray tableAsCsv() const;
    void fillColumnsMenu(QMenu& menu);

    /// Order, width and visibility of the columns and the sorting, by the columns' names.
    [[nodiscard]] QByteArray saveLayout() const;
    void restoreLayout(const QByteArray& layout);

signals:
    void layoutEdited();
    /// Return or double click on a trial.
    void trialActivated(trialdeck::TrialId trial);

protected:
    void keyPressEvent(QKeyEvent* event) override;
    void contextMenuEvent(QContextMenuEvent* event) override;
    void enterEvent(QEnterEvent* event) override;
    void leaveEvent(QEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    bool eventFilter(QObject* watched, QEvent* event) override;
    [[nodiscard]] int sizeHintForColumn(int column) const override;

private:
    void onHeaderClicked(int section);
    void applyToNewColumns();
    void pushSelection();
    void pullSelection();
    void fillTrialMenu(QMenu& menu, TrialId trial);
    void fitColumns();
    [[nodiscard]] int leastHeaderWidth(int section) const;
    void tellEdited();
    [[nodiscard]] std::vector<int> visibleSections() const;
    [[nodiscard]] std::vector<int> rowsToCopy() const;

    presenters::ExperimentPresenter& m_experiment;
    models::TrialOrder& m_order;
    /// Layout of columns that have not come yet.
    QByteArray m_wantedLayout;
    bool m_pulling = false;
    bool m_pushing = false;
    bool m_restoring = false;
    bool m_headerPressed = false;
    /// The user has arranged columns: they stay as they are.
    bool m_edited = false;
    QTimer m_refit;
};

} // namespace trialdeck::app::views

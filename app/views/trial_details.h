// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/presenters/experiment_presenter.h"

#include <QFrame>

QT_BEGIN_NAMESPACE
class QLabel;
class QTreeWidget;
class QTreeWidgetItem;
QT_END_NAMESPACE

namespace trialdeck::app::views {

class Face;

/// Everything about the selected trial: parameters, newest values, attempts, checkpoints, errors. Rows are
/// copied with Ctrl+C.
class TrialDetails : public QFrame {
    Q_OBJECT

public:
    explicit TrialDetails(presenters::ExperimentPresenter& experiment, QWidget* parent = nullptr);

protected:
    void changeEvent(QEvent* event) override;
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void refresh();
    void onChanged(const models::ExperimentChange& change);
    QTreeWidgetItem* section(const QString& title);
    static void row(QTreeWidgetItem* section, const QString& name, const QString& value,
                    const QString& toolTip = {});
    void addState(const models::TrialRow& trial);
    void addParameters(const models::TrialRow& trial);
    void addAttempts(const models::TrialRow& trial);
    void addCheckpoints(const models::TrialRow& trial);
    [[nodiscard]] QString endOf(const models::AttemptRow& attempt) const;
    void copySelected() const;

    presenters::ExperimentPresenter& m_experiment;
    QLabel* m_title;
    QTreeWidget* m_tree;
    Face* m_face;
};

} // namespace trialdeck::app::views

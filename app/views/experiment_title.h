// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/presenters/experiment_presenter.h"

#include <QWidget>

QT_BEGIN_NAMESPACE
class QLabel;
QT_END_NAMESPACE

namespace trialdeck::app::views {

/// The line at the top of an experiment's page: name, state, trials, best, time left.
class ExperimentTitle : public QWidget {
    Q_OBJECT

public:
    explicit ExperimentTitle(presenters::ExperimentPresenter& experiment, QWidget* parent = nullptr);

protected:
    void changeEvent(QEvent* event) override;

private:
    void refresh();

    presenters::ExperimentPresenter& m_experiment;
    QLabel* m_name;
    QLabel* m_mark;
    QLabel* m_state;
    QLabel* m_trials;
    QLabel* m_failed;
    QLabel* m_best;
    QLabel* m_timeLeft;
    QLabel* m_stale;
};

} // namespace trialdeck::app::views

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/presenters/experiment_presenter.h"

#include <QWidget>

QT_BEGIN_NAMESPACE
class QToolButton;
QT_END_NAMESPACE

namespace trialdeck::app::views {

class ChartsArea;

/// The line above the charts: their common legend, and which of them are shown.
class ChartsBar : public QWidget {
    Q_OBJECT

public:
    ChartsBar(presenters::ExperimentPresenter& experiment, ChartsArea& charts, QWidget* parent = nullptr);

protected:
    void changeEvent(QEvent* event) override;

private:
    void retranslate();

    QToolButton* m_choose;
};

} // namespace trialdeck::app::views

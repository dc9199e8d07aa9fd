// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/presenters/host_work_presenter.h"

#include <QFrame>

QT_BEGIN_NAMESPACE
class QLabel;
class QLineEdit;
class QPlainTextEdit;
class QPushButton;
QT_END_NAMESPACE

namespace trialdeck::app::views {

/// A command on the host and what it prints.
class CommandPanel : public QFrame {
    Q_OBJECT

public:
    /// @param work  outlives the panel
    explicit CommandPanel(presenters::HostWorkPresenter& work, QWidget* parent = nullptr);

protected:
    void changeEvent(QEvent* event) override;
    /// Up and Down in the field go through the commands of before.
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void refresh();
    void runOrCancel();
    void recall(int direction);

    presenters::HostWorkPresenter& m_work;
    QLabel* m_title;
    QLineEdit* m_line;
    QPushButton* m_run;
    QPlainTextEdit* m_output;
    QLabel* m_note;
    qsizetype m_recalled = -1;
};

} // namespace trialdeck::app::views

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/presenters/host_work_presenter.h"

#include <QFrame>

QT_BEGIN_NAMESPACE
class QLabel;
class QPlainTextEdit;
class QProgressBar;
class QPushButton;
class QToolButton;
QT_END_NAMESPACE

namespace trialdeck::app::views {

/// Folders that go to the host and back: what is under way, what came of the last one, and the buttons.
class SyncPanel : public QFrame {
    Q_OBJECT

public:
    /// @param work  outlives the panel
    explicit SyncPanel(presenters::HostWorkPresenter& work, QWidget* parent = nullptr);

protected:
    void changeEvent(QEvent* event) override;

private:
    void makeButtons();
    void refresh();
    void openDialog(transport::SyncDirection direction);

    presenters::HostWorkPresenter& m_work;
    QLabel* m_title;
    QLabel* m_folders;
    QProgressBar* m_bar;
    QLabel* m_sentence;
    QLabel* m_current;
    QToolButton* m_fold;
    QPlainTextEdit* m_details;
    QPushButton* m_up;
    QPushButton* m_down;
    QPushButton* m_again;
    QPushButton* m_cancel;
};

} // namespace trialdeck::app::views

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/presenters/connection_presenter.h"

#include <QFrame>

QT_BEGIN_NAMESPACE
class QLabel;
class QProgressBar;
class QVBoxLayout;
QT_END_NAMESPACE

namespace trialdeck::app::views {

/// The way to a head, a line for each step: mark, name, time, what was found; under it why it failed. What is
/// being sent has a bar.
class StepList : public QFrame {
    Q_OBJECT

public:
    explicit StepList(presenters::ConnectionPresenter& connection, QWidget* parent = nullptr);

protected:
    void changeEvent(QEvent* event) override;

private:
    /// Widgets of one step, made once.
    struct Line {
        QWidget* row;
        QLabel* mark;
        QLabel* name;
        QLabel* time;
        QLabel* detail;
        QLabel* error;
    };
    Line makeLine();
    void refresh();
    void showLine(const Line& line, const presenters::StepRow& step);

    presenters::ConnectionPresenter& m_connection;
    QLabel* m_title;
    QVBoxLayout* m_layout;
    std::vector<Line> m_lines;
    QWidget* m_upload;
    QProgressBar* m_bar;
    QLabel* m_uploadText;
};

} // namespace trialdeck::app::views

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/presenters/host_work_presenter.h"

#include <QFrame>

#include <vector>

QT_BEGIN_NAMESPACE
class QLabel;
class QLineEdit;
class QPushButton;
class QToolButton;
class QVBoxLayout;
QT_END_NAMESPACE

namespace trialdeck::app::views {

/// Ports of a host that are brought here, each with its line, and the field that opens one more.
class ForwardPanel : public QFrame {
    Q_OBJECT

public:
    /// @param work  outlives the panel
    explicit ForwardPanel(presenters::HostWorkPresenter& work, QWidget* parent = nullptr);

protected:
    void changeEvent(QEvent* event) override;

private:
    struct Line {
        QWidget* row;
        QLabel* what;
        QLabel* here;
        QLabel* note;
        QToolButton* open;
        QToolButton* close;
        QLabel* error;
        int number = 0;
    };
    void makeFooter();
    [[nodiscard]] size_t makeLine();
    void refresh();
    void showLine(Line& line, const presenters::ForwardRow& row);
    void forward();

    presenters::HostWorkPresenter& m_work;
    QLabel* m_title;
    QLabel* m_empty;
    QVBoxLayout* m_rows;
    std::vector<Line> m_lines;
    QLineEdit* m_port;
    QPushButton* m_forward;
    QPushButton* m_jupyter;
    QPushButton* m_ray;
    QLabel* m_problem;
};

} // namespace trialdeck::app::views

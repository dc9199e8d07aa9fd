// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/presenters/connection_presenter.h"

#include <QWidget>

QT_BEGIN_NAMESPACE
class QAction;
class QGridLayout;
class QLabel;
QT_END_NAMESPACE

namespace trialdeck::app::views {

class LabelGrid;
class PromptPanel;
class StepList;

/// The page of a connection: how it stands and why, the question that it waits with, the way to its head step
/// by step, the head, its nodes.
class ConnectionPage : public QWidget {
    Q_OBJECT

public:
    /// @param actions  what can be done with this connection, in the order of its buttons; of the window
    ConnectionPage(presenters::ConnectionPresenter& connection, const std::vector<QAction*>& actions,
                   QWidget* parent = nullptr);

    [[nodiscard]] presenters::ConnectionPresenter& connection() const { return m_connection; }
    /// To the question, where there is one.
    void focusPrompt();

protected:
    void changeEvent(QEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;

private:
    [[nodiscard]] QWidget* makeHeader(const std::vector<QAction*>& actions);
    void refresh();
    void arrange();

    presenters::ConnectionPresenter& m_connection;
    QLabel* m_mark;
    QLabel* m_name;
    QLabel* m_state;
    QLabel* m_address;
    QLabel* m_error;
    QLabel* m_stale;
    PromptPanel* m_prompt;
    StepList* m_steps;
    QWidget* m_left;
    QWidget* m_right;
    LabelGrid* m_facts;
    LabelGrid* m_nodes;
    QGridLayout* m_body;
};

} // namespace trialdeck::app::views

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/presenters/connection_presenter.h"

#include <QFrame>

QT_BEGIN_NAMESPACE
class QCheckBox;
class QLabel;
class QLineEdit;
class QPushButton;
QT_END_NAMESPACE

namespace trialdeck::app::views {

/// The question that a connection waits with, in the window and in nobody's way: a host's fingerprint, a
/// password, a passphrase, or what a host asks. Hidden while there is none.
class PromptPanel : public QFrame {
    Q_OBJECT

public:
    explicit PromptPanel(presenters::ConnectionPresenter& connection, QWidget* parent = nullptr);
    ~PromptPanel() override;

    /// The field, or the button that does no harm.
    void takeFocus();

protected:
    void changeEvent(QEvent* event) override;

private:
    void refresh();
    void answer();
    void clearField();

    presenters::ConnectionPresenter& m_connection;
    /// Of the question that is shown.
    int m_number = 0;
    QLabel* m_title;
    QLabel* m_sentence;
    QLabel* m_key;
    QLabel* m_refusal;
    QLineEdit* m_field;
    QCheckBox* m_remember;
    QPushButton* m_cancel;
    QPushButton* m_verb;
};

} // namespace trialdeck::app::views

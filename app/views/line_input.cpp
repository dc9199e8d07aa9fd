// SPDX-License-Identifier: Apache-2.0
#include "app/views/line_input.h"

#include <QGuiApplication>
#include <QInputMethod>
#include <QInputMethodEvent>
#include <QKeyEvent>

namespace trialdeck::app::views {

LineInput::LineInput(QWidget* parent) : QLineEdit(parent) {
    connect(this, &QLineEdit::textChanged, this, &LineInput::tellChange);
}

void LineInput::inputMethodEvent(QInputMethodEvent* event) {
    m_composing = !event->preeditString().isEmpty();
    QLineEdit::inputMethodEvent(event);
    tellChange();
}

void LineInput::keyPressEvent(QKeyEvent* event) {
    if (m_composing) {
        // An input method that passes its own keys on must not make us act.
        event->accept();
        return;
    }
    switch (event->key()) {
    case Qt::Key_Return:
    case Qt::Key_Enter:
        emit accepted();
        event->accept();
        return;
    case Qt::Key_Escape:
        emit escaped();
        event->accept();
        return;
    case Qt::Key_Up:
        emit moved(-1);
        event->accept();
        return;
    case Qt::Key_Down:
        emit moved(1);
        event->accept();
        return;
    default:
        QLineEdit::keyPressEvent(event);
    }
}

void LineInput::focusOutEvent(QFocusEvent* event) {
    if (m_composing) {
        QGuiApplication::inputMethod()->reset();
        QInputMethodEvent nothing;
        QLineEdit::inputMethodEvent(&nothing);
        m_composing = false;
    }
    QLineEdit::focusOutEvent(event);
    tellChange();
}

void LineInput::tellChange() {
    if (m_composing || text() == m_told)
        return;
    m_told = text();
    emit committed(m_told);
}

} // namespace trialdeck::app::views

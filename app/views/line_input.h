// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QLineEdit>

namespace trialdeck::app::views {

/// A line of text that tells of committed text only: while an input method composes, nothing is filtered,
/// searched or accepted, and Return, Escape and the arrows belong to the composition.
class LineInput : public QLineEdit {
    Q_OBJECT

public:
    explicit LineInput(QWidget* parent = nullptr);

    [[nodiscard]] bool isComposing() const { return m_composing; }

signals:
    /// Another text, with no composition under way.
    void committed(const QString& text);
    /// Return outside of a composition.
    void accepted();
    /// Escape outside of a composition.
    void escaped();
    /// Up (-1) or Down (1) outside of a composition.
    void moved(int by);

protected:
    void inputMethodEvent(QInputMethodEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void focusOutEvent(QFocusEvent* event) override;

private:
    void tellChange();

    bool m_composing = false;
    QString m_told;
};

} // namespace trialdeck::app::views

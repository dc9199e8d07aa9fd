// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/error.h"

#include <QFrame>

QT_BEGIN_NAMESPACE
class QLabel;
class QToolButton;
QT_END_NAMESPACE

namespace trialdeck::app::views {

/// A line below the toolbar for what belongs to no page: a file that could not be opened, a draft that was
/// refused; or for the state of the head. Stays until dismissed.
class WindowNotice : public QFrame {
    Q_OBJECT

public:
    explicit WindowNotice(QWidget* parent = nullptr);

    void show(const QString& sentence, const QString& details);
    /// Not a failure but a state, with what can be done about it; goes with hide() only.
    void offer(const QString& sentence, const QString& action);

signals:
    void actionTriggered();

protected:
    void changeEvent(QEvent* event) override;

private:
    void retranslate();

    QString m_details;
    bool m_isOffer = false;
    QLabel* m_icon;
    QLabel* m_sentence;
    QToolButton* m_action;
    QToolButton* m_copy;
    QToolButton* m_close;
};

} // namespace trialdeck::app::views

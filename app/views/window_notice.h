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
/// refused. Stays until dismissed.
class WindowNotice : public QFrame {
    Q_OBJECT

public:
    explicit WindowNotice(QWidget* parent = nullptr);

    void show(const QString& sentence, const QString& details);

protected:
    void changeEvent(QEvent* event) override;

private:
    void retranslate();

    QString m_details;
    QLabel* m_icon;
    QLabel* m_sentence;
    QToolButton* m_copy;
    QToolButton* m_close;
};

} // namespace trialdeck::app::views

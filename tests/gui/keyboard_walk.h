// SPDX-License-Identifier: Apache-2.0
// What a window is asked by who has no mouse, or no eyes.
#pragma once

#include <QAbstractButton>
#include <QAbstractItemView>
#include <QApplication>
#include <QComboBox>
#include <QHeaderView>
#include <QLineEdit>
#include <QPlainTextEdit>
#include <QTabBar>
#include <QtTest>

#include <algorithm>
#include <vector>

namespace trialdeck::tests::keyboard {

/// Whoever uses a screen reader hears its name.
inline bool isInteractive(const QWidget& widget) {
    return qobject_cast<const QAbstractButton*>(&widget) || qobject_cast<const QLineEdit*>(&widget) ||
           qobject_cast<const QComboBox*>(&widget) || qobject_cast<const QPlainTextEdit*>(&widget) ||
           qobject_cast<const QAbstractItemView*>(&widget) || qobject_cast<const QTabBar*>(&widget) ||
           widget.focusPolicy() == Qt::StrongFocus;
}

/// Of Qt's own parts, such as the clear button of a field or a scroll area's inside.
inline bool isPartOfQt(const QWidget& widget) {
    return widget.objectName().startsWith(QLatin1String("qt_")) || widget.inherits("QLineEditIconButton") ||
           qobject_cast<const QComboBox*>(widget.parentWidget()) ||
           widget.inherits("QComboBoxPrivateContainer") || widget.inherits("QComboBoxListView") ||
           qobject_cast<const QHeaderView*>(&widget) || widget.inherits("QTableCornerButton") ||
           widget.inherits("QToolBarExtension") ||
           widget.objectName() == QLatin1String("qt_scrollarea_viewport") ||
           (widget.parentWidget() && widget.parentWidget()->inherits("QGraphicsView"));
}

inline QStringList withoutName(const QWidget& root) {
    QStringList found;
    for (const QWidget* widget : root.findChildren<QWidget*>()) {
        if (widget->isHidden() || !isInteractive(*widget) || isPartOfQt(*widget) ||
            !widget->accessibleName().isEmpty())
            continue;
        const auto* button = qobject_cast<const QAbstractButton*>(widget);
        if (button && !button->text().isEmpty())
            continue;
        found << QStringLiteral("%1 %2 in %3")
                     .arg(QLatin1String(widget->metaObject()->className()), widget->objectName(),
                          QLatin1String(widget->parentWidget()->metaObject()->className()));
    }
    return found;
}

inline QString describe(const QWidget* widget) {
    return widget->objectName().isEmpty() ? QLatin1String(widget->metaObject()->className()) +
                                                QLatin1Char(' ') + widget->accessibleName()
                                          : widget->objectName();
}

/// Where Tab leads from where the focus is, until it comes round.
inline std::vector<QWidget*> tabRound() {
    constexpr int kMost = 300;
    std::vector<QWidget*> round;
    for (int i = 0; i < kMost; ++i) {
        QWidget* now = QApplication::focusWidget();
        if (!now || std::find(round.begin(), round.end(), now) != round.end())
            break;
        round.push_back(now);
        QTest::keyClick(now, Qt::Key_Tab);
    }
    return round;
}

/// What can be used, is on the screen and takes the focus by keys, but not by Tab from here.
inline QStringList unreached(const QWidget& root, const std::vector<QWidget*>& round) {
    QStringList found;
    for (QWidget* widget : root.findChildren<QWidget*>()) {
        if (!widget->isVisible() || !widget->isEnabled() || !isInteractive(*widget) || isPartOfQt(*widget))
            continue;
        const QWidget* proxy = widget->focusProxy() ? widget->focusProxy() : widget;
        if (std::find(round.begin(), round.end(), proxy) == round.end())
            found << describe(widget);
    }
    return found;
}

} // namespace trialdeck::tests::keyboard

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QWidget>

QT_BEGIN_NAMESPACE
class QLabel;
class QPushButton;
QT_END_NAMESPACE

namespace trialdeck::app::views {

/// What a page shows when it has nothing to show: what is so, and what to do next.
class Face : public QWidget {
    Q_OBJECT

public:
    explicit Face(QWidget* parent = nullptr);

    /// @param iconName  of resources/icons
    /// @param action  the button's text; empty: no button
    void set(const QString& iconName, const QString& title, const QString& text, const QString& action = {});

    /// Its text gets narrower before a page is made wider for it.
    [[nodiscard]] QSize minimumSizeHint() const override { return {160, 120}; }

signals:
    void actionTriggered();

protected:
    void resizeEvent(QResizeEvent* event) override;
    void changeEvent(QEvent* event) override;

private:
    void updateIcon();

    QString m_iconName;
    QLabel* m_icon;
    QLabel* m_title;
    QLabel* m_text;
    QPushButton* m_button;
};

} // namespace trialdeck::app::views

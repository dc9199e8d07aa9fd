// SPDX-License-Identifier: Apache-2.0
#include "app/views/face.h"

#include "app/views/icons.h"
#include "app/views/state_mark.h"

#include <QEvent>
#include <QLabel>
#include <QPushButton>
#include <QVBoxLayout>

#include <algorithm>

namespace trialdeck::app::views {

namespace {
constexpr int kIconSize = 40;
constexpr int kTextWidth = 480;
constexpr int kMargin = 16;
} // namespace

Face::Face(QWidget* parent)
    : QWidget(parent), m_icon(new QLabel), m_title(new QLabel), m_text(new QLabel),
      m_button(new QPushButton) {
    m_title->setProperty("role", QStringLiteral("section"));
    m_text->setProperty("role", QStringLiteral("muted"));
    m_text->setWordWrap(true);
    m_text->setFixedWidth(kTextWidth);
    m_text->setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
    auto* layout = new QVBoxLayout(this);
    layout->setSpacing(8);
    layout->addStretch(2);
    for (QLabel* label : {m_icon, m_title, m_text}) {
        label->setAlignment(Qt::AlignCenter);
        label->setTextFormat(Qt::PlainText);
        // In a row: one that is aligned in the column is as high as if it had the column's whole width.
        auto* row = new QHBoxLayout;
        row->addStretch();
        row->addWidget(label);
        row->addStretch();
        layout->addLayout(row);
    }
    layout->addWidget(m_button, 0, Qt::AlignHCenter);
    layout->addStretch(3);
    connect(m_button, &QPushButton::clicked, this, &Face::actionTriggered);
}

void Face::set(const QString& iconName, const QString& title, const QString& text, const QString& action) {
    m_iconName = iconName;
    m_title->setText(title);
    m_text->setText(text);
    m_button->setText(action);
    m_button->setVisible(!action.isEmpty());
    updateIcon();
}

void Face::updateIcon() {
    m_icon->setPixmap(
        icon(m_iconName, themeOf(*this).muted).pixmap(QSize(kIconSize, kIconSize), devicePixelRatioF()));
}

void Face::resizeEvent(QResizeEvent* event) {
    QWidget::resizeEvent(event);
    m_text->setFixedWidth(std::clamp(width() - 2 * kMargin, kMargin, kTextWidth));
}

void Face::changeEvent(QEvent* event) {
    if (event->type() == QEvent::PaletteChange)
        updateIcon();
    QWidget::changeEvent(event);
}

} // namespace trialdeck::app::views

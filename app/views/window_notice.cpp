// SPDX-License-Identifier: Apache-2.0
#include "app/views/window_notice.h"

#include "app/views/icons.h"
#include "app/views/state_mark.h"

#include <QApplication>
#include <QClipboard>
#include <QEvent>
#include <QHBoxLayout>
#include <QLabel>
#include <QToolButton>

namespace trialdeck::app::views {

namespace {
constexpr int kIconSize = 16;
} // namespace

WindowNotice::WindowNotice(QWidget* parent)
    : QFrame(parent), m_icon(new QLabel), m_sentence(new QLabel), m_copy(new QToolButton),
      m_close(new QToolButton) {
    setObjectName(QStringLiteral("windowNotice"));
    setProperty("role", QStringLiteral("notice"));
    setProperty("severity", QStringLiteral("error"));
    m_sentence->setObjectName(QStringLiteral("windowNoticeSentence"));
    m_sentence->setWordWrap(true);
    m_sentence->setTextFormat(Qt::PlainText);
    m_copy->setProperty("kind", QStringLiteral("link"));
    auto* layout = new QHBoxLayout(this);
    layout->setContentsMargins(12, 6, 8, 6);
    layout->addWidget(m_icon);
    layout->addWidget(m_sentence, 1);
    layout->addWidget(m_copy);
    layout->addWidget(m_close);
    connect(m_copy, &QToolButton::clicked, this, [this] { QApplication::clipboard()->setText(m_details); });
    connect(m_close, &QToolButton::clicked, this, &QWidget::hide);
    retranslate();
    hide();
}

void WindowNotice::show(const QString& sentence, const QString& details) {
    m_sentence->setText(sentence);
    m_details = details;
    setAccessibleName(sentence);
    setVisible(true);
}

void WindowNotice::retranslate() {
    const Theme& theme = themeOf(*this);
    //: Button that copies everything about an error
    m_copy->setText(tr("Copy details"));
    m_close->setIcon(icon(QStringLiteral("close"), theme.muted));
    m_close->setToolTip(tr("Dismiss message"));
    m_close->setAccessibleName(m_close->toolTip());
    m_icon->setPixmap(
        icon(QStringLiteral("error"), theme.bad).pixmap(QSize(kIconSize, kIconSize), devicePixelRatioF()));
}

void WindowNotice::changeEvent(QEvent* event) {
    if (event->type() == QEvent::LanguageChange || event->type() == QEvent::PaletteChange)
        retranslate();
    QFrame::changeEvent(event);
}

} // namespace trialdeck::app::views

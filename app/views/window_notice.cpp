// SPDX-License-Identifier: Apache-2.0
#include "app/views/window_notice.h"

#include "app/views/icons.h"
#include "app/views/state_mark.h"
#include "app/views/styled.h"

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
    : QFrame(parent), m_icon(new QLabel), m_sentence(new QLabel), m_action(new QToolButton),
      m_copy(new QToolButton), m_close(new QToolButton) {
    setObjectName(QStringLiteral("windowNotice"));
    setProperty("role", QStringLiteral("notice"));
    setProperty("severity", QStringLiteral("error"));
    m_sentence->setObjectName(QStringLiteral("windowNoticeSentence"));
    m_sentence->setWordWrap(true);
    m_sentence->setTextFormat(Qt::PlainText);
    m_copy->setProperty("kind", QStringLiteral("link"));
    m_action->setObjectName(QStringLiteral("windowNoticeAction"));
    m_action->setProperty("kind", QStringLiteral("link"));
    m_action->hide();
    auto* layout = new QHBoxLayout(this);
    layout->setContentsMargins(12, 6, 8, 6);
    layout->addWidget(m_icon);
    layout->addWidget(m_sentence, 1);
    layout->addWidget(m_action);
    layout->addWidget(m_copy);
    layout->addWidget(m_close);
    connect(m_copy, &QToolButton::clicked, this, [this] { QApplication::clipboard()->setText(m_details); });
    connect(m_action, &QToolButton::clicked, this, &WindowNotice::actionTriggered);
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

void WindowNotice::offer(const QString& sentence, const QString& action) {
    m_isOffer = true;
    m_sentence->setText(sentence);
    m_action->setText(action);
    m_action->show();
    m_copy->hide();
    m_close->hide();
    setAccessibleName(sentence);
    setStyled(*this, "severity", QStringLiteral("warning"));
    retranslate();
    setVisible(true);
}

void WindowNotice::retranslate() {
    const Theme& theme = themeOf(*this);
    //: Button that copies everything about an error
    m_copy->setText(tr("Copy details"));
    m_close->setIcon(icon(QStringLiteral("close"), theme.muted));
    m_close->setToolTip(tr("Dismiss message"));
    m_close->setAccessibleName(m_close->toolTip());
    const QIcon mark =
        m_isOffer ? icon(QStringLiteral("warning"), theme.warning) : icon(QStringLiteral("error"), theme.bad);
    m_icon->setPixmap(mark.pixmap(QSize(kIconSize, kIconSize), devicePixelRatioF()));
}

void WindowNotice::changeEvent(QEvent* event) {
    if (event->type() == QEvent::LanguageChange || event->type() == QEvent::PaletteChange)
        retranslate();
    QFrame::changeEvent(event);
}

} // namespace trialdeck::app::views

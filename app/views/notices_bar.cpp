// SPDX-License-Identifier: Apache-2.0
#include "app/views/notices_bar.h"

#include "app/text/error_sentences.h"
#include "app/text/times.h"
#include "app/views/appearance.h"
#include "app/views/icons.h"
#include "app/views/state_mark.h"
#include "app/views/styled.h"

#include <QApplication>
#include <QClipboard>
#include <QEvent>
#include <QHBoxLayout>
#include <QLabel>
#include <QPlainTextEdit>
#include <QToolButton>

#include <algorithm>

namespace trialdeck::app::views {

using models::Notice;
using protocol::Severity;

namespace {

constexpr int kDetailsHeight = 140;
constexpr int kIconSize = 16;

bool isSame(const Notice& a, const Notice& b) {
    return a.trial == b.trial && a.error == b.error && a.severity == b.severity && a.time == b.time;
}

bool contains(const std::vector<Notice>& notices, const Notice& wanted) {
    return std::any_of(notices.begin(), notices.end(),
                       [&](const Notice& each) { return isSame(each, wanted); });
}

} // namespace

NoticesBar::NoticesBar(presenters::ExperimentPresenter& experiment, QWidget* parent)
    : QFrame(parent), m_experiment(experiment), m_icon(new QLabel), m_sentence(new QLabel),
      m_count(new QLabel), m_previous(new QToolButton), m_next(new QToolButton), m_log(new QToolButton),
      m_detailsButton(new QToolButton), m_copy(new QToolButton), m_close(new QToolButton),
      m_details(new QPlainTextEdit) {
    setProperty("role", QStringLiteral("notice"));
    setObjectName(QStringLiteral("notices"));
    m_sentence->setObjectName(QStringLiteral("noticeSentence"));
    m_sentence->setWordWrap(true);
    m_sentence->setTextFormat(Qt::PlainText);
    m_sentence->setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
    m_sentence->setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Minimum);
    m_count->setProperty("role", QStringLiteral("muted"));
    m_detailsButton->setObjectName(QStringLiteral("noticeDetails"));
    m_detailsButton->setCheckable(true);
    for (QToolButton* button : {m_log, m_detailsButton, m_copy})
        button->setProperty("kind", QStringLiteral("link"));
    for (QToolButton* button : {m_previous, m_next, m_log, m_detailsButton, m_copy, m_close})
        button->setFocusPolicy(Qt::TabFocus);
    m_details->setReadOnly(true);
    m_details->setFont(Appearance::fixedFont());
    m_details->setFixedHeight(kDetailsHeight);
    m_details->hide();
    auto* line = new QHBoxLayout;
    line->setContentsMargins(8, 4, 4, 4);
    line->setSpacing(4);
    line->addWidget(m_icon);
    line->addSpacing(4);
    line->addWidget(m_sentence, 1);
    for (QWidget* widget : std::initializer_list<QWidget*>{m_count, m_previous, m_next, m_log,
                                                           m_detailsButton, m_copy, m_close})
        line->addWidget(widget);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(1, 1, 1, 1);
    layout->setSpacing(0);
    layout->addLayout(line);
    layout->addWidget(m_details);

    connect(&experiment, &presenters::ExperimentPresenter::noticesChanged, this, &NoticesBar::refresh);
    connect(&experiment, &presenters::ExperimentPresenter::commandFailed, this, [this](const Error& error) {
        m_own.push_back({Severity::error, std::nullopt, error, m_experiment.clock().wallNow(), {}});
        m_at = 0;
        refresh();
    });
    connect(m_previous, &QToolButton::clicked, this, [this] {
        m_at = m_at == 0 ? m_all.size() - 1 : m_at - 1;
        showNotice();
    });
    connect(m_next, &QToolButton::clicked, this, [this] {
        m_at = (m_at + 1) % m_all.size();
        showNotice();
    });
    connect(m_log, &QToolButton::clicked, this, [this] {
        if (m_at < m_all.size() && m_all[m_at].notice.trial)
            emit logWanted(*m_all[m_at].notice.trial);
    });
    connect(m_detailsButton, &QToolButton::toggled, m_details, &QWidget::setVisible);
    connect(m_copy, &QToolButton::clicked, this,
            [this] { QApplication::clipboard()->setText(m_details->toPlainText()); });
    connect(m_close, &QToolButton::clicked, this, &NoticesBar::dismiss);
    refresh();
}

void NoticesBar::refresh() {
    m_all.clear();
    for (auto own = m_own.rbegin(); own != m_own.rend(); ++own)
        m_all.push_back({*own, true});
    for (const Severity severity : {Severity::error, Severity::warning, Severity::note}) {
        const auto& notices = m_experiment.data().notices();
        for (auto notice = notices.rbegin(); notice != notices.rend(); ++notice) {
            if (notice->severity == severity && !contains(m_dismissed, *notice))
                m_all.push_back({*notice, false});
        }
    }
    m_at = m_all.empty() ? 0 : std::min(m_at, m_all.size() - 1);
    setVisible(!m_all.empty());
    showNotice();
}

void NoticesBar::dismiss() {
    if (m_at >= m_all.size())
        return;
    const Shown shown = m_all[m_at];
    if (shown.isOwn)
        std::erase_if(m_own, [&](const Notice& each) { return isSame(each, shown.notice); });
    else
        m_dismissed.push_back(shown.notice);
    refresh();
}

QString NoticesBar::sentenceOf(const Notice& notice) const {
    QString sentence = text::errorSentence(notice.error);
    if (!notice.trial)
        return sentence;
    //: %1 is a trial's number, %2 a sentence about it
    return tr("Trial %1: %2").arg(QString::number(notice.trial->raw()), sentence);
}

QString NoticesBar::detailsOf(const Notice& notice) const {
    QString details = text::exactTime(notice.time) + QLatin1Char('\n');
    if (notice.trial)
        details += QStringLiteral("trial %1\n").arg(notice.trial->raw());
    details += text::errorDetails(notice.error) + QLatin1Char('\n');
    if (!notice.logTail.empty())
        details += QLatin1Char('\n') + QString::fromStdString(notice.logTail);
    return details;
}

void NoticesBar::showNotice() {
    const Theme& theme = themeOf(*this);
    const bool isMany = m_all.size() > 1;
    //: Button that opens the trial's log
    m_log->setText(tr("Show log"));
    //: Button that shows everything about an error
    m_detailsButton->setText(tr("Details"));
    m_details->setAccessibleName(m_detailsButton->text());
    //: Button that copies everything about an error
    m_copy->setText(tr("Copy"));
    const auto decorate = [&](QToolButton* button, const char* name, const QString& text) {
        button->setIcon(icon(QLatin1String(name), theme.muted));
        button->setToolTip(text);
        button->setAccessibleName(text);
    };
    decorate(m_previous, "up", tr("Previous message"));
    decorate(m_next, "down", tr("Next message"));
    decorate(m_close, "close", tr("Dismiss message"));
    for (QToolButton* button : {m_previous, m_next})
        button->setVisible(isMany);
    m_count->setVisible(isMany);
    if (m_all.empty())
        return;
    const Notice& notice = m_all[m_at].notice;
    const bool isError = notice.severity == Severity::error;
    //: Which of how many messages is shown, such as "1 of 3"
    m_count->setText(tr("%1 of %2").arg(m_at + 1).arg(m_all.size()));
    m_sentence->setText(sentenceOf(notice));
    m_details->setPlainText(detailsOf(notice));
    m_log->setVisible(notice.trial.has_value());
    m_icon->setPixmap(icon(isError ? QStringLiteral("error") : QStringLiteral("warning"),
                           isError ? theme.bad : theme.warning)
                          .pixmap(QSize(kIconSize, kIconSize), devicePixelRatioF()));
    setStyled(*this, "severity", QString::fromUtf8(protocol::nameOf(notice.severity).data()));
    setAccessibleName(m_sentence->text());
}

void NoticesBar::changeEvent(QEvent* event) {
    if (event->type() == QEvent::LanguageChange || event->type() == QEvent::PaletteChange)
        showNotice();
    QFrame::changeEvent(event);
}

} // namespace trialdeck::app::views

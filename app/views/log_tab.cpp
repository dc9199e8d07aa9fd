// SPDX-License-Identifier: Apache-2.0
#include "app/views/log_tab.h"

#include "app/views/face.h"
#include "app/views/icons.h"
#include "app/views/line_input.h"
#include "app/views/log_view.h"
#include "app/views/state_mark.h"
#include "app/views/styled.h"

#include <QComboBox>
#include <QEvent>
#include <QFrame>
#include <QHBoxLayout>
#include <QLabel>
#include <QSignalBlocker>
#include <QStackedLayout>
#include <QToolButton>

namespace trialdeck::app::views {

using presenters::LogPresenter;
using protocol::OutputStream;

LogTab::LogTab(presenters::ExperimentPresenter& experiment, QWidget* parent)
    : QWidget(parent), m_experiment(experiment), m_log(experiment), m_title(new QLabel),
      m_attempt(new QComboBox), m_rank(new QComboBox), m_stream(new QComboBox), m_encoding(new QComboBox),
      m_search(new LineInput), m_hits(new QLabel), m_previous(new QToolButton), m_next(new QToolButton),
      m_follow(new QToolButton), m_view(new LogView(m_log)), m_face(new Face), m_stack(new QStackedLayout) {
    m_title->setProperty("role", QStringLiteral("section"));
    m_title->setObjectName(QStringLiteral("logTitle"));
    m_hits->setProperty("role", QStringLiteral("muted"));
    m_hits->setObjectName(QStringLiteral("logHits"));
    m_attempt->setObjectName(QStringLiteral("logAttempt"));
    m_rank->setObjectName(QStringLiteral("logRank"));
    m_stream->setObjectName(QStringLiteral("logStream"));
    m_stream->addItems({QStringLiteral("stdout"), QStringLiteral("stderr")});
    m_encoding->setObjectName(QStringLiteral("logEncoding"));
    m_encoding->addItems({QStringLiteral("UTF-8"), QStringLiteral("GB18030")});
    m_search->setObjectName(QStringLiteral("logSearch"));
    m_search->setClearButtonEnabled(true);
    m_search->setMaximumWidth(280);
    m_follow->setObjectName(QStringLiteral("logFollow"));
    m_follow->setCheckable(true);
    m_follow->setChecked(true);
    m_follow->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
    for (QToolButton* button : {m_previous, m_next, m_follow})
        button->setFocusPolicy(Qt::TabFocus);

    auto* panel = new QFrame;
    panel->setProperty("role", QStringLiteral("panel"));
    auto* bar = new QHBoxLayout;
    bar->setContentsMargins(12, 4, 4, 4);
    bar->setSpacing(8);
    bar->addWidget(m_title);
    for (QComboBox* box : {m_attempt, m_rank, m_stream, m_encoding})
        bar->addWidget(box);
    bar->addStretch();
    bar->addWidget(m_hits);
    bar->addWidget(m_search);
    bar->addWidget(m_previous);
    bar->addWidget(m_next);
    bar->addWidget(m_follow);
    m_stack->addWidget(m_view);
    m_stack->addWidget(m_face);
    auto* inside = new QVBoxLayout(panel);
    inside->setContentsMargins(1, 1, 1, 1);
    inside->setSpacing(0);
    inside->addLayout(bar);
    inside->addLayout(m_stack, 1);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(16, 12, 16, 12);
    layout->addWidget(panel);

    connect(&m_log, &LogPresenter::addressChanged, this, &LogTab::refresh);
    connect(&m_log, &LogPresenter::textChanged, this, &LogTab::refresh);
    connect(&m_log, &LogPresenter::hitsChanged, this, &LogTab::updateHits);
    connect(&m_log, &LogPresenter::failed, &experiment, &presenters::ExperimentPresenter::commandFailed);
    connect(m_attempt, &QComboBox::activated, &m_log, &LogPresenter::setAttempt);
    connect(m_rank, &QComboBox::activated, &m_log, &LogPresenter::setRank);
    connect(m_stream, &QComboBox::activated, this, [this](int index) {
        m_log.setStream(index == 0 ? OutputStream::standardOutput : OutputStream::standardError);
    });
    connect(m_encoding, &QComboBox::activated, this,
            [this](int index) { m_log.setEncoding(static_cast<models::LogEncoding>(index)); });
    connect(m_search, &LineInput::committed, &m_log, &LogPresenter::search);
    connect(m_search, &LineInput::accepted, this, [this] { m_view->goToHit(1); });
    connect(m_search, &LineInput::moved, this, [this](int by) { m_view->goToHit(by); });
    connect(m_search, &LineInput::escaped, this, [this] {
        m_search->clear();
        m_view->setFocus();
    });
    connect(m_previous, &QToolButton::clicked, this, [this] { m_view->goToHit(-1); });
    connect(m_next, &QToolButton::clicked, this, [this] { m_view->goToHit(1); });
    connect(m_follow, &QToolButton::toggled, m_view, &LogView::setFollowing);
    connect(m_view, &LogView::followingChanged, m_follow, &QToolButton::setChecked);
    retranslate();
}

LogTab::~LogTab() = default;

void LogTab::focusSearch() {
    m_search->setFocus();
    m_search->selectAll();
}

void LogTab::showEvent(QShowEvent* event) {
    QWidget::showEvent(event);
    m_log.setShown(true);
    refresh();
}

void LogTab::hideEvent(QHideEvent* event) {
    QWidget::hideEvent(event);
    m_log.setShown(false);
}

void LogTab::refresh() {
    const auto& address = m_log.address();
    const auto trial = m_log.trial();
    //: Title above a log; %1 is the trial's number
    m_title->setText(trial ? tr("Trial %1").arg(trial->raw()) : tr("No trial"));
    const auto fill = [](QComboBox& box, size_t count, size_t first, const QString& text) {
        if (static_cast<size_t>(box.count()) == count && (count == 0 || box.itemText(0) == text.arg(first)))
            return;
        const QSignalBlocker quiet(&box);
        box.clear();
        for (size_t i = 0; i < count; ++i)
            box.addItem(text.arg(first + i));
    };
    //: One start of a trial's workers; %1 counts from 1
    fill(*m_attempt, m_log.attempts(), 1, tr("Attempt %1"));
    //: One worker process of a trial; %1 counts from 0
    fill(*m_rank, m_log.ranks(), 0, tr("Rank %1"));
    if (address) {
        m_attempt->setCurrentIndex(static_cast<int>(address->attempt.raw()));
        m_rank->setCurrentIndex(static_cast<int>(address->rank));
        m_stream->setCurrentIndex(address->stream == OutputStream::standardOutput ? 0 : 1);
    }
    m_attempt->setVisible(m_log.attempts() > 1);
    m_rank->setVisible(m_log.ranks() > 1);
    m_encoding->setCurrentIndex(static_cast<int>(m_log.encoding()));
    m_encoding->setVisible(m_log.encoding() != models::LogEncoding::utf8 ||
                           m_log.guessedEncoding() != models::LogEncoding::utf8);
    setStyled(*m_encoding, "invalid", m_log.encoding() != m_log.guessedEncoding());
    const bool hasText = address && m_log.text().lineCount() > 0;
    m_stack->setCurrentIndex(hasText ? 0 : 1);
    if (!address)
        m_face->set(
            QStringLiteral("terminal"), tr("No log yet"),
            tr("What a trial prints appears here as soon as it has started. Select a trial in the table."));
    else if (!hasText && m_log.isComplete())
        m_face->set(QStringLiteral("terminal"), tr("Nothing was printed"),
                    tr("The worker ended without a line on this stream."));
    else if (!hasText)
        m_face->set(QStringLiteral("terminal"), tr("Nothing printed yet"),
                    tr("Lines appear here as the worker prints them."));
    updateHits();
}

void LogTab::updateHits() {
    if (m_log.needle().isEmpty())
        m_hits->clear();
    else if (m_log.isSearching())
        m_hits->setText(tr("%n hit(s), searching…", nullptr, static_cast<int>(m_log.hits().size())));
    else
        m_hits->setText(tr("%n hit(s)", nullptr, static_cast<int>(m_log.hits().size())));
    for (QToolButton* button : {m_previous, m_next})
        button->setEnabled(!m_log.hits().empty());
}

void LogTab::retranslate() {
    const Theme& theme = themeOf(*this);
    m_search->setPlaceholderText(tr("Search the log"));
    m_search->setAccessibleName(m_search->placeholderText());
    m_attempt->setAccessibleName(tr("Which attempt"));
    m_rank->setAccessibleName(tr("Which rank"));
    m_stream->setAccessibleName(tr("Which stream"));
    m_encoding->setAccessibleName(tr("Encoding"));
    m_encoding->setToolTip(tr("Some of this log is no UTF-8. It looks like GB18030."));
    m_follow->setText(tr("Follow"));
    m_follow->setToolTip(tr("Stay at the end as new lines come"));
    m_follow->setIcon(icon(QStringLiteral("follow"), theme.muted));
    m_previous->setIcon(icon(QStringLiteral("up"), theme.muted));
    m_next->setIcon(icon(QStringLiteral("down"), theme.muted));
    m_previous->setToolTip(tr("Previous hit"));
    m_next->setToolTip(tr("Next hit"));
    for (QToolButton* button : {m_previous, m_next})
        button->setAccessibleName(button->toolTip());
    refresh();
}

void LogTab::changeEvent(QEvent* event) {
    if (event->type() == QEvent::LanguageChange || event->type() == QEvent::PaletteChange)
        retranslate();
    QWidget::changeEvent(event);
}

} // namespace trialdeck::app::views

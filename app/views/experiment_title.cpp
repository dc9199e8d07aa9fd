// SPDX-License-Identifier: Apache-2.0
#include "app/views/experiment_title.h"

#include "app/text/times.h"
#include "app/views/elided_label.h"
#include "app/views/state_mark.h"
#include "app/views/styled.h"

#include <QEvent>
#include <QHBoxLayout>
#include <QLabel>
#include <QPixmap>

namespace trialdeck::app::views {

namespace {
constexpr int kMark = 16;
} // namespace

ExperimentTitle::ExperimentTitle(presenters::ExperimentPresenter& experiment, QWidget* parent)
    : QWidget(parent), m_experiment(experiment), m_name(new ElidedLabel), m_mark(new QLabel),
      m_state(new QLabel), m_trials(new QLabel), m_failed(new QLabel), m_best(new QLabel),
      m_timeLeft(new QLabel), m_stale(new QLabel) {
    m_name->setProperty("role", QStringLiteral("title"));
    m_name->setObjectName(QStringLiteral("experimentName"));
    m_name->setTextFormat(Qt::PlainText);
    m_state->setObjectName(QStringLiteral("experimentState"));
    m_trials->setObjectName(QStringLiteral("experimentTrials"));
    m_failed->setObjectName(QStringLiteral("experimentFailed"));
    m_best->setObjectName(QStringLiteral("experimentBest"));
    m_best->setTextFormat(Qt::RichText);
    m_timeLeft->setProperty("role", QStringLiteral("muted"));
    m_stale->setProperty("role", QStringLiteral("warning"));
    m_stale->setObjectName(QStringLiteral("experimentStale"));
    auto* layout = new QHBoxLayout(this);
    layout->setContentsMargins(16, 12, 16, 4);
    layout->setSpacing(4);
    layout->addWidget(m_name);
    layout->addSpacing(12);
    layout->addWidget(m_mark);
    layout->addWidget(m_state);
    for (QLabel* label : {m_trials, m_failed, m_best, m_timeLeft, m_stale}) {
        // Its own, so that what is hidden leaves no gap.
        label->setContentsMargins(12, 0, 0, 0);
        layout->addWidget(label);
    }
    layout->addStretch();
    connect(&experiment, &presenters::ExperimentPresenter::headerChanged, this, &ExperimentTitle::refresh);
    connect(&experiment.data(), &models::ExperimentData::changed, this,
            [this](const models::ExperimentChange& change) {
                if (change.bestTrial || !change.changedTrials.empty())
                    refresh();
            });
    refresh();
}

void ExperimentTitle::refresh() {
    const Theme& theme = themeOf(*this);
    const presenters::ExperimentHeader header = m_experiment.header();
    const StateMark mark = m_experiment.isStale() ? unknownMark(theme) : markOf(header.state, theme);
    m_mark->setPixmap(markPixmap(*this, kMark, mark));
    m_name->setText(header.name);
    m_name->setToolTip(QString::fromStdString(m_experiment.summary().folder).toHtmlEscaped());
    m_state->setText(header.stateReason.isEmpty()
                         ? header.stateWord
                         : QStringLiteral("%1 (%2)").arg(header.stateWord, header.stateReason));
    QPalette colour = m_state->palette();
    colour.setColor(QPalette::WindowText, mark.colour);
    m_state->setPalette(colour);
    m_state->setStyleSheet(QStringLiteral("color: %1").arg(mark.colour.name()));
    m_trials->setText(header.trials);
    m_failed->setText(header.failed);
    const bool isStale = m_experiment.isStale();
    m_failed->setStyleSheet(QStringLiteral("color: %1").arg((isStale ? theme.muted : theme.bad).name()));
    for (QLabel* label : {m_trials, m_best})
        setStyled(*label, "role", isStale ? QStringLiteral("muted") : QString());
    m_best->setText(header.best);
    m_timeLeft->setText(header.timeLeft);
    m_stale->setText(header.stale);
    m_trials->setToolTip(tr("Created %1").arg(text::exactTime(m_experiment.summary().created)));
    for (QLabel* label : {m_failed, m_best, m_timeLeft, m_stale})
        label->setVisible(!label->text().isEmpty());
}

void ExperimentTitle::changeEvent(QEvent* event) {
    if (event->type() == QEvent::LanguageChange || event->type() == QEvent::PaletteChange)
        refresh();
    QWidget::changeEvent(event);
}

} // namespace trialdeck::app::views

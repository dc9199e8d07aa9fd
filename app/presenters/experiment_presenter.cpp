// SPDX-License-Identifier: Apache-2.0
#include "app/presenters/experiment_presenter.h"

#include "app/models/number_format.h"
#include "app/models/visible_text.h"
#include "app/presenters/ctl_command.h"
#include "app/presenters/questions.h"
#include "app/presenters/table_words.h"
#include "app/text/durations.h"
#include "app/text/error_sentences.h"
#include "app/text/states.h"
#include "app/text/times.h"

#include <algorithm>
#include <array>

namespace trialdeck::app::presenters {

using client::HeadClient;
using client::LinkStatus;

namespace {

constexpr std::chrono::milliseconds kClockTick{1000};

/// Bookkeeping says little as a curve: it comes last.
int chartRank(const std::string& name, const std::string& ownMetric) {
    if (name == "loss")
        return 0;
    if (name == ownMetric || name == "accuracy")
        return 1;
    return models::isBookkeeping(name) ? 3 : 2;
}

} // namespace

ExperimentPresenter::ExperimentPresenter(HeadClient& head, const protocol::ExperimentSummary& summary,
                                         const base::Clock& clock, QObject* parent)
    : QObject(parent), m_head(head), m_clock(clock), m_summary(summary), m_data(summary.experiment) {
    m_data.setSummary(summary);
    m_table = std::make_unique<models::TrialTableModel>(m_data, clock, tableWords());
    m_order = std::make_unique<models::TrialOrder>(*m_table);
    connect(&m_data, &models::ExperimentData::changed, this, &ExperimentPresenter::onDataChanged);
    connect(&head, &HeadClient::recordsReceived, this,
            [this](const ExperimentId& experiment, const std::vector<protocol::Record>& records) {
                if (experiment != id())
                    return;
                m_data.apply(records);
                if (!std::exchange(m_hasRecords, true))
                    emit faceChanged();
            });
    connect(&head, &HeadClient::recordsRestarted, this, [this](const ExperimentId& experiment) {
        if (experiment == id())
            m_data.restart();
    });
    connect(&head, &HeadClient::statusChanged, this, &ExperimentPresenter::followLink);
    m_clockTick.setInterval(kClockTick);
    connect(&m_clockTick, &QTimer::timeout, this, [this] {
        m_table->updateTimes();
        emit headerChanged();
    });
    m_clockTick.start();
    head.subscribeRecords(id());
    m_wasStale = isStale();
    m_table->setUnknownSince(m_wasStale ? std::optional(asOf()) : std::nullopt);
    show();
}

ExperimentPresenter::~ExperimentPresenter() {
    m_head.unsubscribeRecords(id());
}

void ExperimentPresenter::followLink() {
    m_table->setUnknownSince(isStale() ? std::optional(asOf()) : std::nullopt);
    if (!m_shown && !isStale())
        show();
    emit headerChanged();
    if (std::exchange(m_wasStale, isStale()) == isStale())
        return;
    emit faceChanged();
    emit staleChanged();
}

void ExperimentPresenter::show() {
    m_head.ask(this, protocol::ExperimentShowRequest{id()},
               [this](Expected<protocol::ExperimentShowResult> result) {
                   if (result) {
                       m_shown = std::move(*result);
                       m_refusal.reset();
                   } else {
                       m_refusal = result.error();
                   }
                   emit shownReceived();
                   emit faceChanged();
               });
}

void ExperimentPresenter::setSummary(const protocol::ExperimentSummary& summary) {
    m_summary = summary;
    m_data.setSummary(summary);
    emit faceChanged();
}

std::vector<ChartPresenter*> ExperimentPresenter::charts() const {
    std::vector<ChartPresenter*> charts;
    for (const auto& chart : m_charts)
        charts.push_back(chart.get());
    const auto rank = [this](const ChartPresenter* chart) {
        return chartRank(m_data.metrics()[chart->metric()], m_summary.metric);
    };
    std::stable_sort(charts.begin(), charts.end(), [&](const ChartPresenter* a, const ChartPresenter* b) {
        return std::pair(rank(a), a->metric()) < std::pair(rank(b), b->metric());
    });
    return charts;
}

void ExperimentPresenter::onDataChanged(const models::ExperimentChange& change) {
    if (change.restarted) {
        m_selection.clear();
        const auto gone = std::exchange(m_charts, {});
        emit chartsChanged();
    }
    for (const auto& chart : m_charts)
        chart->onDataChanged(change);
    addCharts();
    if (change.header)
        emit headerChanged();
    if (change.notices)
        emit noticesChanged();
}

void ExperimentPresenter::addCharts() {
    bool added = false;
    for (size_t metric = 0; metric < m_data.metrics().size(); ++metric) {
        const bool isThere = std::any_of(m_charts.begin(), m_charts.end(),
                                         [&](const auto& chart) { return chart->metric() == metric; });
        if (isThere || !m_data.metricCells(metric).hasNumbers())
            continue;
        m_charts.push_back(std::make_unique<ChartPresenter>(m_data, metric, m_steps, m_selection));
        added = true;
    }
    if (added)
        emit chartsChanged();
}

bool ExperimentPresenter::isStale() const {
    return m_head.status().state != LinkStatus::State::connected;
}

base::WallTime ExperimentPresenter::asOf() const {
    return isStale() ? m_head.status().since : m_clock.wallNow();
}

PageFace ExperimentPresenter::face() const {
    const auto faceOf = [](const std::optional<Error>& error) {
        return !error || error->code == ErrorCode::experiment_missing ? PageFace::missing : PageFace::refused;
    };
    if (m_summary.missing)
        return faceOf(m_summary.error);
    if (!m_hasRecords && isStale())
        return PageFace::away;
    if (m_refusal && !m_hasRecords)
        return faceOf(m_refusal);
    return m_hasRecords ? PageFace::ready : PageFace::loading;
}

QString ExperimentPresenter::faceSentence() const {
    switch (face()) {
    case PageFace::ready:
        return {};
    case PageFace::loading:
        return tr("The head is sending what happened so far.");
    case PageFace::away:
        //: %1 is a connection such as "This computer"
        return tr("%1 is not connected. The experiment is shown as soon as it is.").arg(m_head.name());
    case PageFace::missing:
        //: %1 is a folder
        return tr("%1 was moved, deleted, or is on a disk that is not mounted. It appears again as soon as "
                  "the folder is back.")
            .arg(QString::fromStdString(m_summary.folder));
    case PageFace::refused:
        return refusal() ? text::errorSentence(*refusal()) : QString();
    }
    return {};
}

ExperimentHeader ExperimentPresenter::header() const {
    ExperimentHeader header;
    header.name = models::visibleText(QString::fromStdString(m_summary.name));
    header.state = m_summary.state;
    header.stateWord = text::stateWord(m_summary.state);
    header.stateReason = text::reasonPhrase(m_summary.reason);
    const uint64_t ended = m_summary.terminated + m_summary.errored;
    if (m_summary.plannedTrials)
        //: Progress of an experiment, such as "5 of 8 trials"
        header.trials =
            tr("%1 of %n trial(s)", nullptr, static_cast<int>(*m_summary.plannedTrials)).arg(ended);
    else
        //: Progress of an experiment whose number of trials is open
        header.trials = tr("%n trial(s) ended", nullptr, static_cast<int>(ended));
    if (m_summary.errored > 0)
        //: How many trials ended with an error
        header.failed = tr("%n failed", nullptr, static_cast<int>(m_summary.errored));
    const auto best = m_data.bestTrial();
    const auto metric = m_data.curves().findMetric(m_summary.metric);
    if (best && metric) {
        const double value = m_data.metricCells(*metric).number(best->raw());
        //: %1 is a metric such as accuracy, %2 its value, %3 the trial's number
        header.best = tr("best %1 <b>%2</b> (trial %3)")
                          .arg(QString::fromStdString(m_summary.metric).toHtmlEscaped(),
                               QString::fromStdString(models::shortNumber(value)))
                          .arg(best->raw());
    }
    if (m_summary.state == ExperimentState::running && m_summary.secondsLeft && !isStale())
        //: %1 is a time span such as "4 m"
        header.timeLeft = tr("about %1 left").arg(text::roughDuration(*m_summary.secondsLeft));
    const LinkStatus::State link = m_head.status().state;
    if (link == LinkStatus::State::lost || link == LinkStatus::State::ended ||
        link == LinkStatus::State::closed)
        //: %1 is a time of day
        header.stale = tr("unknown since %1").arg(text::shortTime(m_head.status().since, m_clock.wallNow()));
    return header;
}

const models::TrialRow* ExperimentPresenter::find(std::optional<TrialId> trial) const {
    return trial && trial->raw() < m_data.trials().size() ? &m_data.trials()[trial->raw()] : nullptr;
}

bool ExperimentPresenter::canPause(std::optional<TrialId> trial) const {
    if (isStale() || !m_head.can("pause") || m_summary.state != ExperimentState::running)
        return false;
    const models::TrialRow* row = find(trial);
    return !trial || (row && (row->state == TrialState::running || row->state == TrialState::pending));
}

bool ExperimentPresenter::canResume(std::optional<TrialId> trial) const {
    if (isStale() || !m_head.can("pause"))
        return false;
    const models::TrialRow* row = find(trial);
    if (!trial)
        return m_summary.state == ExperimentState::paused;
    // One that was told to pause and still runs goes on, or starts again once it has ended.
    return row && (row->state == TrialState::paused ||
                   (row->state == TrialState::running && row->reason == TrialReason::user_paused));
}

bool ExperimentPresenter::canStop(std::optional<TrialId> trial) const {
    if (isStale() || protocol::isFinished(m_summary.state))
        return false;
    const models::TrialRow* row = find(trial);
    return !trial || (row && !protocol::isFinished(row->state));
}

QString ExperimentPresenter::asCommand(const QString& verb, std::optional<TrialId> trial) const {
    QString command =
        QStringLiteral("%1 %2 %3").arg(ctlCommand(m_head), verb, QString::fromStdString(id().raw()));
    if (trial)
        command += QStringLiteral(" --trial %1").arg(trial->raw());
    return command;
}

std::function<void(Expected<protocol::EmptyResult>)> ExperimentPresenter::tellFailure() {
    return [this](Expected<protocol::EmptyResult> result) {
        if (!result)
            emit commandFailed(result.error());
    };
}

void ExperimentPresenter::pause(std::optional<TrialId> trial) {
    m_head.ask(this, protocol::WorkAtRiskRequest{id(), trial},
               [this, trial](Expected<protocol::WorkAtRiskResult> risk) {
                   if (!risk) {
                       emit commandFailed(risk.error());
                   } else if (risk->withoutCheckpoint.empty()) {
                       sendPause(trial, false);
                   } else {
                       Confirmation question = pauseQuestion(*risk);
                       question.proceed = [this, trial] { sendPause(trial, false); };
                       question.proceedOtherwise = [this, trial] { sendPause(trial, true); };
                       emit confirmationWanted(question);
                   }
               });
}

void ExperimentPresenter::sendPause(std::optional<TrialId> trial, bool withoutCheckpoint) {
    m_head.ask(this, protocol::PauseRequest{id(), trial, withoutCheckpoint}, tellFailure());
}

void ExperimentPresenter::resume(std::optional<TrialId> trial) {
    m_head.ask(this, protocol::ResumeRequest{id(), trial}, tellFailure());
}

void ExperimentPresenter::stop(std::optional<TrialId> trial) {
    m_head.ask(this, protocol::WorkAtRiskRequest{id(), trial},
               [this, trial](Expected<protocol::WorkAtRiskResult> risk) {
                   if (!risk) {
                       emit commandFailed(risk.error());
                       return;
                   }
                   Confirmation question = stopQuestion(*risk, header().name, trial);
                   question.proceed = [this, trial] { sendStop(trial); };
                   emit confirmationWanted(question);
               });
}

void ExperimentPresenter::sendStop(std::optional<TrialId> trial) {
    m_head.ask(this, protocol::StopRequest{id(), trial}, tellFailure());
}

void ExperimentPresenter::retranslate() {
    m_table->retranslate();
    emit headerChanged();
    emit noticesChanged();
}

} // namespace trialdeck::app::presenters

// SPDX-License-Identifier: Apache-2.0
#include "core/tuner/tuner_loop.h"

#include "core/storage/segment_file.h"
#include "core/tuner/open_journal.h"
#include "core/tuner/summary.h"

#include <algorithm>

namespace trialdeck::tuner {

using engine::AttemptKey;
using std::chrono::milliseconds;

namespace {

using namespace std::chrono_literals;

constexpr auto kHeartbeat = 10s;
/// While reports come, followers hear of a new summary at most this often; of trials that start and end
/// sooner, but not of each of many short ones: a summary looks at all trials.
constexpr auto kSummaryDelay = 100ms;
constexpr auto kUrgentDelay = 20ms;
constexpr std::string_view kTimeBudget = "time_budget_s";

} // namespace

Expected<void> TunerLoop::Opened::compilePattern() {
    const std::string& text = ledger->spec().trial.report.stdoutPattern;
    if (text.empty())
        return {};
    auto compiled = model::OutputPattern::compile(text);
    if (!compiled)
        return tl::make_unexpected(std::move(compiled).error());
    pattern = std::move(*compiled);
    return {};
}

TunerLoop::TunerLoop(const Services& services, Opened opened)
    : m_services(services), m_ledger(std::move(opened.ledger)), m_files(std::move(opened.files)),
      m_reader(std::move(opened.reader)), m_identity(std::move(opened.identity)),
      m_records(*m_ledger, *m_files, services), m_warnings(*m_ledger, m_records),
      m_runner(*m_ledger, m_records, m_warnings, *m_files, services, m_ledger->experiment().id().raw(),
               std::move(opened.loginEnvironment)),
      m_checkpoints(*m_ledger, m_records, m_warnings, *m_files, services),
      m_check(*m_ledger, m_records, m_warnings, *m_files, services),
      m_judge(*m_ledger, m_records, m_runner, services.clock),
      m_reports({*m_ledger, m_records, m_warnings, m_runner, m_checkpoints, m_judge},
                std::move(opened.pattern)),
      m_admission(*m_ledger, m_records, m_warnings, m_runner, m_check, services),
      m_lookTimer(services.timers), m_heartbeat(services.timers), m_budget(services.timers),
      m_summaryTimer(services.timers) {
    m_records.setOnRefused([this](const Error& error) { onRefused(error); });
    m_records.setOnTaken([this](const protocol::RecordBody& body) { noteChange(body); });
    m_runner.setHooks(
        {[this](TrialId trial) { return m_checkpoints.busy(trial); }, [this](TrialId) { look(); }});
    m_checkpoints.setHooks({[this](TrialId trial) { m_runner.stopIfDue(trial); },
                            [this](TrialId trial) { m_runner.concludeIfOver(trial); },
                            [this](const Error& error) { pauseForStorage(error); }});
    m_check.setOnDone([this] { look(); });
    m_admission.setOnDue([this] { look(); });
    if (opened.writer)
        m_records.open(std::move(opened.writer));
}

TunerLoop::~TunerLoop() {
    if (m_joined)
        m_services.router.leave(m_ledger->experiment().id().raw());
}

void TunerLoop::setListener(Tuner& tuner, TunerListener* listener) {
    m_tuner = &tuner;
    m_listener = listener;
    m_records.setOnAppended(listener ? std::function<void()>([this] { m_listener->onRecords(*m_tuner); })
                                     : nullptr);
}

// ---- beginning and end ----

Expected<void> TunerLoop::start() {
    if (m_ledger->finished() && m_ledger->open().empty()) {
        // The daemon before may have died with its last records in the journal alone.
        m_files->followJournal(*m_reader);
        m_records.flushProjections();
        return {};
    }
    TRIALDECK_TRY(openJournal());
    m_services.router.join(m_ledger->experiment().id().raw(), *this);
    m_joined = true;
    m_judge.judgeNewest();
    takeUpAttempts();
    finishCommand();
    beat();
    watchBudget();
    look();
    return {};
}

Expected<void> TunerLoop::openJournal() {
    if (m_records.isOpen())
        return {};
    auto writer = resumeJournal(m_services, *m_reader, m_ledger->experiment().id());
    if (!writer)
        return tl::make_unexpected(std::move(writer).error());
    m_records.open(std::move(*writer));
    if (m_identity)
        m_records.add(*std::exchange(m_identity, std::nullopt));
    return {};
}

void TunerLoop::takeUpAttempts() {
    for (const model::Trial& trial : m_ledger->experiment().trials()) {
        if (!protocol::isFinished(trial.state()))
            m_checkpoints.takeUp(trial.id());
    }
    // A copy: an attempt whose ranks have all ended is concluded at once.
    const std::set<TrialId> open = m_ledger->open();
    for (const TrialId trial : open) {
        if (!m_ledger->openAttempt(trial)->allEnded())
            m_runner.adopt(trial);
    }
    m_services.engine.stopForgotten(m_ledger->experiment().id().raw());
    for (const TrialId trial : open) {
        m_runner.stopIfDue(trial);
        if (m_checkpoints.busy(trial))
            m_checkpoints.advance(trial);
        m_runner.concludeIfOver(trial);
    }
}

Expected<void> TunerLoop::close() {
    for (Timer* timer : {&m_lookTimer, &m_heartbeat, &m_budget, &m_summaryTimer})
        timer->stop();
    m_admission.stop();
    return m_records.close();
}

void TunerLoop::beat() {
    m_heartbeat.start(kHeartbeat, [this] { beat(); });
    lookAtFolder();
    if (m_givenUp)
        return;
    if (m_records.refusal())
        (void)m_records.retry();
    else
        m_records.add(protocol::Heartbeat{});
}

void TunerLoop::look() {
    if (!m_lookTimer.active())
        m_lookTimer.start(0ms, [this] { lookNow(); });
}

void TunerLoop::lookNow() {
    if (m_ledger->finished())
        return;
    lookAtFolder();
    if (m_givenUp)
        return;
    failFast();
    if (const auto filled = m_admission.fill(); !filled)
        pauseForStorage(filled.error());
    endIfDone();
}

void TunerLoop::endIfDone() {
    const bool idle = m_ledger->open().empty();
    if (!idle || m_ledger->finished())
        return;
    const model::Experiment& experiment = m_ledger->experiment();
    if (m_ledger->stopping() && experiment.reason() == ExperimentReason::fail_fast) {
        setState(ExperimentState::failed, ExperimentReason::fail_fast, experiment.error());
        return;
    }
    if (m_ledger->stopping()) {
        const auto planned = m_ledger->plannedTrials();
        const bool all = planned && m_ledger->experiment().trials().size() >= *planned;
        const ExperimentState outcome = experiment.outcome();
        setState(all ? outcome : ExperimentState::interrupted, ExperimentReason::user);
        return;
    }
    if (!m_ledger->waiting().empty() || m_admission.proposalsLeft())
        return;
    if (experiment.counts().paused == 0) {
        const bool hopeless = m_runner.failedStarts() > 0;
        setState(experiment.outcome(), ExperimentReason::none,
                 hopeless ? m_runner.lastStartFailure() : std::nullopt);
    } else if (experiment.state() == ExperimentState::running) {
        setState(ExperimentState::paused, ExperimentReason::user);
    }
}

void TunerLoop::setState(ExperimentState state, ExperimentReason reason, std::optional<Error> error) {
    m_records.add(protocol::ExperimentStateChanged{state, reason, std::move(error)});
    if (state == ExperimentState::running)
        watchBudget();
    if (!protocol::isFinished(state))
        return;
    // Whoever sees that it has finished finds its files complete.
    m_records.flushProjections();
    m_heartbeat.stop();
    m_budget.stop();
    m_admission.stop();
}

// ---- time and room ----

void TunerLoop::watchBudget() {
    const auto& budget = m_ledger->spec().search.timeBudget;
    if (!budget || m_ledger->experiment().state() != ExperimentState::running)
        return;
    const milliseconds left = *budget - m_ledger->activeTime(m_services.clock.wallNow());
    m_budget.start(std::max(left, milliseconds(0)), [this] { onBudgetOver(); });
}

void TunerLoop::onBudgetOver() {
    const auto& budget = m_ledger->spec().search.timeBudget;
    if (m_ledger->finished() || m_ledger->experiment().state() != ExperimentState::running)
        return;
    if (m_ledger->activeTime(m_services.clock.wallNow()) < *budget) {
        watchBudget();
        return;
    }
    m_admission.endProposals();
    for (const TrialId trial : std::set(m_ledger->open())) {
        const OpenAttempt& open = *m_ledger->openAttempt(trial);
        if (open.startsAgain())
            m_runner.end(trial, TrialReason::stop_rule);
        if (open.isEnding())
            continue;
        m_records.add(protocol::DecisionMade{trial, m_ledger->trial(trial).iteration(),
                                             protocol::DecisionAction::stop, std::string(kTimeBudget)});
        m_runner.stopIfDue(trial);
    }
    for (const TrialId trial : std::set(m_ledger->waiting()))
        m_records.add(protocol::TrialStateChanged{trial, TrialState::terminated, TrialReason::stop_rule, {}});
    look();
}

void TunerLoop::onRefused(const Error& error) {
    // Another daemon has the experiment now, and its workers.
    if (error.code == ErrorCode::experiment_held)
        giveUp(error);
    else
        pauseForStorage(error);
}

void TunerLoop::lookAtFolder() {
    if (m_givenUp || !m_records.isOpen())
        return;
    const base::Path journal = m_files->folder() / storage::kJournalFolder;
    const auto status = m_files->files().status(journal);
    if (status || (status.error().code != ErrorCode::file_not_found &&
                   status.error().code != ErrorCode::not_a_directory))
        return;
    // What is still open can be written, and is lost: workers would train for nothing.
    giveUp(Error{ErrorCode::experiment_missing,
                 {{"path", m_files->folder().native()}},
                 "its folder was removed, moved or unmounted while it was open"});
    for (const TrialId trial : m_ledger->open())
        m_runner.stopForgotten(trial);
    m_services.log.error("tuner", *m_givenUp);
}

void TunerLoop::giveUp(const Error& error) {
    m_records.abandon(error);
    for (Timer* timer : {&m_lookTimer, &m_heartbeat, &m_budget})
        timer->stop();
    m_admission.stop();
    if (std::exchange(m_joined, false))
        m_services.router.leave(m_ledger->experiment().id().raw());
    m_givenUp = error;
    if (m_listener)
        m_summaryTimer.start(0ms, [this] { tellSummary(); });
}

void TunerLoop::pauseForStorage(const Error& error) {
    if (m_ledger->finished() || isPausedForStorage())
        return;
    const bool full = error.code == ErrorCode::disk_full;
    setState(ExperimentState::paused, full ? ExperimentReason::disk_full : ExperimentReason::none, error);
    endForStorage();
}

bool TunerLoop::isPausedForStorage() const {
    const model::Experiment& experiment = m_ledger->experiment();
    return experiment.state() == ExperimentState::paused && experiment.error();
}

void TunerLoop::endForStorage() {
    const model::Experiment& experiment = m_ledger->experiment();
    const bool full = experiment.reason() == ExperimentReason::disk_full;
    endRunning(full ? TrialReason::disk_full : TrialReason::interrupted, experiment.error());
}

// ---- what followers see ----

void TunerLoop::noteChange(const protocol::RecordBody& body) {
    if (!m_listener || std::holds_alternative<protocol::Heartbeat>(body))
        return;
    const bool urgent = !std::holds_alternative<protocol::ReportReceived>(body);
    if (m_summaryTimer.active() && (m_summaryUrgent || !urgent))
        return;
    m_summaryUrgent = urgent;
    const auto sinceLast = std::chrono::floor<milliseconds>(m_services.clock.steadyNow() - m_summaryTold);
    const milliseconds rest = std::clamp<milliseconds>(kUrgentDelay - sinceLast, 0ms, kUrgentDelay);
    m_summaryTimer.start(urgent ? rest : milliseconds(kSummaryDelay), [this] { tellSummary(); });
}

void TunerLoop::tellSummary() {
    m_summaryUrgent = false;
    m_summaryTold = m_services.clock.steadyNow();
    m_listener->onSummaryChanged(*m_tuner);
}

storage::JournalReader TunerLoop::journal() const {
    return m_records.isOpen() ? m_records.writer()->reader() : *m_reader;
}

protocol::Cursor TunerLoop::cursor() const {
    return m_records.isOpen() ? m_records.writer()->last() : m_reader->last();
}

protocol::ExperimentSummary TunerLoop::summary() const {
    protocol::ExperimentSummary summary = summaryOf(*m_ledger, m_services.clock.wallNow());
    summary.folder = m_files->folder().native();
    summary.cursor = cursor();
    if (m_givenUp) {
        summary.missing = true;
        summary.error = m_givenUp;
    }
    return summary;
}

Expected<void> TunerLoop::mayCommand() const {
    return m_givenUp ? tl::make_unexpected(*m_givenUp) : Expected<void>();
}

Expected<protocol::WorkAtRiskResult> TunerLoop::atRisk(std::optional<TrialId> trial) const {
    if (trial) {
        if (const auto found = find(*trial); !found)
            return tl::make_unexpected(found.error());
    }
    return workAtRisk(*m_ledger, trial, m_services.clock.wallNow());
}

// ---- the engine's events ----

void TunerLoop::onAttemptStarted(const AttemptKey& key, const std::string& node,
                                 std::optional<int> masterPort) {
    m_runner.onAttemptStarted(key, node, masterPort);
}

void TunerLoop::onReportLine(const AttemptKey& key, uint32_t rank, std::string_view line,
                             uint64_t endOffset) {
    m_reports.onReportLine(key, rank, line, endOffset);
}

void TunerLoop::onOutputLine(const AttemptKey& key, uint32_t rank, std::string_view line,
                             uint64_t endOffset) {
    m_reports.onOutputLine(key, rank, line, endOffset);
}

void TunerLoop::onNoOutputYet(const AttemptKey& key, uint32_t rank) {
    const TrialId trial(key.trial);
    if (m_ledger->knows(trial))
        m_warnings.raise(trial, Error{ErrorCode::no_output_yet, {{"rank", std::to_string(rank)}}, {}});
}

void TunerLoop::onWorkerEnded(const AttemptKey& key, uint32_t rank, const engine::WorkerEnd& end) {
    m_runner.onWorkerEnded(key, rank, end);
    const TrialId trial(key.trial);
    // A checkpoint may have waited for this rank.
    if (m_ledger->knows(trial) && m_checkpoints.busy(trial))
        m_checkpoints.advance(trial);
}

void TunerLoop::onAttemptEnded(const AttemptKey& key) {
    m_runner.onAttemptEnded(key);
}

void TunerLoop::onStartFailed(const AttemptKey& key, const Error& error) {
    m_runner.onStartFailed(key, error);
}

void TunerLoop::onNodesChanged() {
    look();
}

} // namespace trialdeck::tuner

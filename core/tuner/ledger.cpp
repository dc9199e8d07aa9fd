// SPDX-License-Identifier: Apache-2.0
#include "core/tuner/ledger.h"

#include "core/schedule/make_scheduler.h"

#include <algorithm>
#include <charconv>

namespace trialdeck::tuner {

using protocol::DecisionAction;
using std::chrono::milliseconds;

namespace {

constexpr std::string_view kIteration = "training_iteration";

/// A whole number among the values of an error; nothing where it is missing or none.
template<typename Integer>
std::optional<Integer> argument(const base::ErrorArguments& arguments, std::string_view name) {
    const auto found = arguments.find(name);
    if (found == arguments.end())
        return std::nullopt;
    const std::string& text = found->second;
    Integer value{};
    const auto result = std::from_chars(text.data(), text.data() + text.size(), value);
    if (result.ec != std::errc() || result.ptr != text.data() + text.size())
        return std::nullopt;
    return value;
}

/// Other ranks' files lie in rank_K/.
bool holdsRank(const protocol::CheckpointCommitted& checkpoint, uint32_t rank) {
    const std::string prefix = "rank_" + std::to_string(rank) + "/";
    return std::any_of(
        checkpoint.files.begin(), checkpoint.files.end(),
        [&prefix](const protocol::ManifestEntry& entry) { return entry.path.starts_with(prefix); });
}

/// What rank 0's report said when it named the checkpoint.
std::optional<double> scoreOf(const OpenAttempt* open, const protocol::CheckpointCommitted& record) {
    if (!open || open->number != record.attempt)
        return std::nullopt;
    const auto named = std::find_if(open->checkpoints.begin(), open->checkpoints.end(),
                                    [&record](const NamedCheckpoint& candidate) {
                                        return candidate.rank == 0 && candidate.iteration == record.iteration;
                                    });
    return named == open->checkpoints.end() ? std::nullopt : named->score;
}

} // namespace

bool OpenAttempt::allEnded() const {
    return std::all_of(ranks.begin(), ranks.end(),
                       [](const RankProgress& rank) { return rank.end.has_value(); });
}

TrialState stateAfter(TrialReason reason) {
    switch (reason) {
    case TrialReason::none:
        return TrialState::running;
    case TrialReason::queued:
    case TrialReason::waits_for_resources:
    case TrialReason::retry:
    case TrialReason::preempted:
        return TrialState::pending;
    case TrialReason::user_paused:
    case TrialReason::scheduler_paused:
    case TrialReason::disk_full:
    case TrialReason::interrupted:
        return TrialState::paused;
    case TrialReason::completed:
    case TrialReason::stop_rule:
    case TrialReason::scheduler:
    case TrialReason::user:
        return TrialState::terminated;
    case TrialReason::exit:
    case TrialReason::signal:
    case TrialReason::oom:
    case TrialReason::lost:
    case TrialReason::no_report:
    case TrialReason::bad_report:
    case TrialReason::nan:
    case TrialReason::not_started:
        break;
    }
    return TrialState::error;
}

Expected<std::unique_ptr<Ledger>> Ledger::open(const ExperimentId& id,
                                               const protocol::ExperimentCreated& created,
                                               base::WallTime time,
                                               std::shared_ptr<const model::ExperimentSpec> spec) {
    auto searcher = search::makeSearcher(spec, created.seed);
    if (!searcher)
        return tl::make_unexpected(std::move(searcher).error());
    auto scheduler = schedule::makeScheduler(*spec);
    if (!scheduler)
        return tl::make_unexpected(std::move(scheduler).error());
    return std::unique_ptr<Ledger>(
        new Ledger(id, created, time, std::move(spec), std::move(*searcher), std::move(*scheduler)));
}

Ledger::Ledger(const ExperimentId& id, protocol::ExperimentCreated created, base::WallTime time,
               std::shared_ptr<const model::ExperimentSpec> spec, std::unique_ptr<search::Searcher> searcher,
               std::unique_ptr<schedule::Scheduler> scheduler)
    : m_created(std::move(created)), m_createdAt(time), m_experiment(id, std::move(spec), m_created.seed),
      m_searcher(std::move(searcher)), m_scheduler(std::move(scheduler)) {}

double Ledger::secondsRun(TrialId id, base::WallTime now) const {
    const TrialEntry& entry = m_entries[id.raw()];
    return entry.secondsBefore + (entry.open ? base::secondsBetween(entry.open->began, now) : 0);
}

bool Ledger::stopping() const {
    return m_experiment.state() == ExperimentState::running &&
           (m_experiment.reason() == ExperimentReason::user ||
            m_experiment.reason() == ExperimentReason::fail_fast);
}

milliseconds Ledger::activeTime(base::WallTime now) const {
    const milliseconds pausedNow = m_pausedSince ? now - *m_pausedSince : milliseconds(0);
    return now - m_createdAt - m_pausedTime - pausedNow;
}

std::optional<uint64_t> Ledger::plannedTrials() const {
    const auto size = m_searcher->size();
    return m_created.single ? std::min<uint64_t>(1, size.value_or(1)) : size;
}

std::vector<search::Outcome> Ledger::history() const {
    std::vector<search::Outcome> outcomes;
    if (!m_searcher->usesHistory())
        return outcomes;
    const auto& metric = spec().search.metric;
    outcomes.reserve(m_experiment.trials().size());
    for (const model::Trial& trial : m_experiment.trials()) {
        const bool counts = metric && trial.state() == TrialState::terminated;
        outcomes.push_back(
            {trial.id(), &trial.configuration(), counts ? trial.value(metric->mode) : std::nullopt});
    }
    return outcomes;
}

Expected<void> Ledger::take(const protocol::RecordBody& body, base::WallTime time) {
    const bool leavesUnjudged = std::holds_alternative<protocol::Heartbeat>(body) ||
                                std::holds_alternative<protocol::SegmentHeader>(body);
    if (!leavesUnjudged && !std::holds_alternative<protocol::DecisionMade>(body))
        m_unjudged.reset();
    return std::visit([this, time](const auto& record) { return takeBody(record, time); }, body);
}

Expected<model::Trial*> Ledger::find(TrialId id) {
    if (model::Trial* trial = m_experiment.find(id))
        return trial;
    return base::fail(ErrorCode::trial_not_found, {{"trial", std::to_string(id.raw())}});
}

Expected<void> Ledger::takeBody(const protocol::ExperimentCreated& record, base::WallTime) {
    m_created = record;
    return {};
}

Expected<void> Ledger::takeBody(const protocol::ExperimentStateChanged& record, base::WallTime time) {
    TRIALDECK_TRY(m_experiment.moveTo(record.state, record.reason, record.error));
    if (record.state == ExperimentState::paused) {
        m_pausedSince = m_pausedSince.value_or(time);
    } else if (m_pausedSince) {
        m_pausedTime += time - *std::exchange(m_pausedSince, std::nullopt);
    }
    m_endedAt = protocol::isFinished(record.state) ? std::optional(time) : std::nullopt;
    return {};
}

Expected<void> Ledger::takeBody(const protocol::TrialCreated& record, base::WallTime) {
    auto added = m_experiment.addTrial(record.trial, model::Configuration(record.configuration), record.seed);
    if (!added)
        return tl::make_unexpected(std::move(added).error());
    m_entries.emplace_back();
    m_waiting.insert(record.trial);
    return {};
}

Expected<void> Ledger::takeBody(const protocol::AttemptStarted& record, base::WallTime time) {
    auto trial = find(record.trial);
    if (!trial)
        return tl::make_unexpected(std::move(trial).error());
    TrialEntry& entry = m_entries[record.trial.raw()];
    if (entry.open && entry.open->number == record.attempt) {
        entry.open->confirmed = true;
        return {};
    }
    (*trial)->beginAttempt(record.attempt, record.firstIteration);
    auto open = std::make_unique<OpenAttempt>();
    open->number = record.attempt;
    open->resumeFrom = record.resumeFrom;
    open->firstIteration = record.firstIteration;
    open->began = time;
    open->safeUntil = time;
    open->ranks.resize(record.workers);
    for (RankProgress& rank : open->ranks)
        rank.iteration = record.firstIteration;
    entry.open = std::move(open);
    m_open.insert(record.trial);
    m_waiting.erase(record.trial);
    return {};
}

Expected<void> Ledger::takeBody(const protocol::TrialStateChanged& record, base::WallTime time) {
    const model::Trial* before = m_experiment.find(record.trial);
    const bool runsAgain = before && protocol::isFinished(before->state());
    TRIALDECK_TRY(m_experiment.moveTrial(record.trial, record.state, record.reason, record.error));
    TrialEntry& entry = m_entries[record.trial.raw()];
    if (runsAgain)
        entry.counts = AttemptCounts();
    if (record.state != TrialState::running) {
        if (entry.open)
            countAttempt(*m_experiment.find(record.trial), record);
        if (record.reason != TrialReason::waits_for_resources)
            entry.notBefore = record.notBefore.value_or(base::WallTime());
        closeAttempt(record.trial, time);
        if (record.state == TrialState::pending)
            m_waiting.insert(record.trial);
        else
            m_waiting.erase(record.trial);
        return {};
    }
    if (!entry.open)
        return {};
    if (record.reason == TrialReason::none) {
        entry.open->ending.reset();
        return {};
    }
    const bool pauses =
        record.reason == TrialReason::user_paused || record.reason == TrialReason::scheduler_paused;
    const bool waits = pauses && !entry.open->isEnding();
    entry.open->ending = Ending{stateAfter(record.reason), record.reason, record.error, waits};
    return {};
}

void Ledger::countAttempt(model::Trial& trial, const protocol::TrialStateChanged& record) {
    const OpenAttempt& open = *m_entries[record.trial.raw()].open;
    AttemptCounts& counts = m_entries[record.trial.raw()].counts;
    const bool begun = open.confirmed || open.reports > 0 || open.ending;
    counts.unbegun = begun ? 0 : counts.unbegun + 1;
    const bool preempted = record.reason == TrialReason::preempted;
    const bool failed = record.reason == TrialReason::retry || record.state == TrialState::error;
    if (!preempted && !failed)
        return;
    ++counts.inRow;
    ++(preempted ? counts.preemptions : counts.failures);
    if (failed && record.reason != TrialReason::not_started && open.resumeFrom && open.reports == 0)
        trial.noteFruitless(*open.resumeFrom);
}

void Ledger::closeAttempt(TrialId id, base::WallTime time) {
    TrialEntry& entry = m_entries[id.raw()];
    if (!entry.open)
        return;
    entry.secondsBefore += base::secondsBetween(entry.open->began, time);
    entry.open.reset();
    m_open.erase(id);
    if (protocol::isFinished(m_experiment.find(id)->state())) {
        entry.warnings.clear();
        entry.warnings.shrink_to_fit();
        entry.removed.clear();
        entry.removed.shrink_to_fit();
    }
}

Expected<void> Ledger::takeBody(const protocol::ReportReceived& record, base::WallTime time) {
    auto trial = find(record.trial);
    if (!trial)
        return tl::make_unexpected(std::move(trial).error());
    OpenAttempt* open = m_entries[record.trial.raw()].open.get();
    if (!open || open->number != record.attempt || record.rank >= open->ranks.size())
        return {};
    RankProgress& rank = open->ranks[record.rank];
    uint64_t& read =
        record.source == protocol::ReportSource::file ? rank.read.report : rank.read.standardOutput;
    read = record.endOffset;
    rank.iteration = std::max(rank.iteration, record.iteration);
    if (!record.checkpoint.empty()) {
        rank.namedCheckpoint = true;
        const std::string& attribute = spec().checkpoint.scoreAttribute;
        const auto score = attribute == kIteration ? std::optional(static_cast<double>(record.iteration))
                                                   : model::numericMetric(record.metrics, attribute);
        open->checkpoints.push_back({record.rank, record.iteration, record.checkpoint, score});
    }
    if (record.rank == 0 && !record.flags.repeated && !record.flags.superseded)
        takeReportOfRank0(**trial, record, time);
    return {};
}

void Ledger::takeReportOfRank0(model::Trial& trial, const protocol::ReportReceived& report,
                               base::WallTime time) {
    TrialEntry& entry = m_entries[report.trial.raw()];
    trial.addReport(report.iteration, report.metrics, spec().search.metric);
    ++entry.open->reports;
    UnjudgedReport unjudged{report.trial, {}, true};
    if (report.iteration > entry.highestShown) {
        entry.highestShown = report.iteration;
        if (auto observation = observe(report, time)) {
            unjudged.observation = *observation;
            unjudged.schedulerDone = false;
        }
    }
    m_unjudged = unjudged;
}

std::optional<schedule::Observation> Ledger::observe(const protocol::ReportReceived& report,
                                                     base::WallTime time) const {
    schedule::Observation observation;
    observation.trial = report.trial;
    observation.iteration = report.iteration;
    observation.time = static_cast<double>(report.iteration);
    if (const std::string_view attribute = m_scheduler->timeAttribute(); attribute != kIteration) {
        const auto reported = model::numericMetric(report.metrics, attribute);
        if (!reported && attribute != kTotalTime)
            return std::nullopt;
        observation.time = reported.value_or(secondsRun(report.trial, time));
    }
    const auto& metric = spec().search.metric;
    std::optional<double> value;
    if (metric)
        value = metric->name == kIteration ? std::optional(static_cast<double>(report.iteration))
                                           : model::numericMetric(report.metrics, metric->name);
    if (!value && m_scheduler->needsMetric())
        return std::nullopt;
    observation.value = value.value_or(std::numeric_limits<double>::quiet_NaN());
    return observation;
}

Expected<void> Ledger::takeBody(const protocol::DecisionMade& record, base::WallTime) {
    auto trial = find(record.trial);
    if (!trial)
        return tl::make_unexpected(std::move(trial).error());
    const bool byScheduler = record.by == "scheduler";
    const bool ofUnjudged = m_unjudged && m_unjudged->trial == record.trial;
    if (byScheduler && ofUnjudged && !m_unjudged->schedulerDone) {
        m_scheduler->apply(m_unjudged->observation, record.action);
        m_unjudged->schedulerDone = true;
    }
    OpenAttempt* open = m_entries[record.trial.raw()].open.get();
    if (record.action == DecisionAction::proceed || !open)
        return {};
    m_unjudged.reset();
    if (open->isEnding())
        return {};
    if (record.action == DecisionAction::pause)
        open->ending = Ending{TrialState::paused, TrialReason::scheduler_paused, {}, true};
    else
        open->ending = Ending{
            TrialState::terminated, byScheduler ? TrialReason::scheduler : TrialReason::stop_rule, {}, false};
    return {};
}

Expected<void> Ledger::takeBody(const protocol::CheckpointCommitted& record, base::WallTime time) {
    auto trial = find(record.trial);
    if (!trial)
        return tl::make_unexpected(std::move(trial).error());
    const auto& known = (*trial)->checkpoints();
    const bool grows =
        std::any_of(known.begin(), known.end(), [&record](const model::Checkpoint& checkpoint) {
            return checkpoint.index == record.index;
        });
    OpenAttempt* open = m_entries[record.trial.raw()].open.get();
    if (!grows)
        (*trial)->addCheckpoint({record.index, record.attempt, record.iteration, scoreOf(open, record)});
    if (!open || open->number != record.attempt)
        return {};
    // The first that each rank named: one named while the commit was under way is still to come.
    std::set<uint32_t> done;
    std::erase_if(open->checkpoints, [&record, &done](const NamedCheckpoint& named) {
        return named.iteration == record.iteration && (named.rank == 0 || holdsRank(record, named.rank)) &&
               done.insert(named.rank).second;
    });
    open->safeUntil = time;
    m_entries[record.trial.raw()].counts.inRow = 0;
    if (open->ending)
        open->ending->afterCheckpoint = false;
    return {};
}

Expected<void> Ledger::takeBody(const protocol::CheckpointRemoved& record, base::WallTime) {
    auto trial = find(record.trial);
    if (!trial)
        return tl::make_unexpected(std::move(trial).error());
    (*trial)->removeCheckpoint(record.index);
    if (!protocol::isFinished((*trial)->state()))
        m_entries[record.trial.raw()].removed.push_back(record.index);
    return {};
}

Expected<void> Ledger::takeBody(const protocol::CheckpointUnusable& record, base::WallTime) {
    auto trial = find(record.trial);
    if (!trial)
        return tl::make_unexpected(std::move(trial).error());
    (*trial)->markUnusable(record.index);
    return {};
}

Expected<void> Ledger::takeBody(const protocol::WorkerEnded& record, base::WallTime) {
    auto trial = find(record.trial);
    if (!trial)
        return tl::make_unexpected(std::move(trial).error());
    OpenAttempt* open = m_entries[record.trial.raw()].open.get();
    if (open && open->number == record.attempt && record.rank < open->ranks.size())
        open->ranks[record.rank].end = RankEnd{record.cause, record.stoppedByUs};
    return {};
}

Expected<void> Ledger::takeBody(const protocol::WarningRaised& record, base::WallTime) {
    if (!record.trial) {
        m_warned.insert(record.error.code);
        return {};
    }
    auto trial = find(*record.trial);
    if (!trial)
        return tl::make_unexpected(std::move(trial).error());
    takeTrialWarning(record);
    return {};
}

void Ledger::takeTrialWarning(const protocol::WarningRaised& record) {
    TrialEntry& entry = m_entries[record.trial->raw()];
    const ErrorCode code = record.error.code;
    const base::ErrorArguments& arguments = record.error.arguments;
    auto known = std::find_if(entry.warnings.begin(), entry.warnings.end(),
                              [code](const WarningCount& warning) { return warning.code == code; });
    if (known == entry.warnings.end())
        known = entry.warnings.insert(known, WarningCount{code, 0, 0, {}});
    known->recorded = argument<uint64_t>(arguments, "count").value_or(known->recorded + 1);
    known->count = std::max(known->count, known->recorded);
    OpenAttempt* open = entry.open.get();
    const auto rank = argument<uint32_t>(arguments, "rank").value_or(0);
    if (!open || rank >= open->ranks.size())
        return;
    if (const auto offset = argument<uint64_t>(arguments, "offset")) {
        engine::ReadPositions& read = open->ranks[rank].read;
        (arguments.contains("stdout") ? read.standardOutput : read.report) = *offset;
    }
    if (const auto iteration = argument<int64_t>(arguments, "checkpoint_iteration")) {
        std::erase_if(open->checkpoints, [rank, iteration](const NamedCheckpoint& named) {
            return named.rank == rank && named.iteration == *iteration;
        });
    }
}

} // namespace trialdeck::tuner

// SPDX-License-Identifier: Apache-2.0
#include "core/tuner/trial_runner.h"

#include "core/base/json.h"
#include "core/model/placeholders.h"
#include "core/storage/folder_names.h"
#include "core/tuner/attempt_outcome.h"

#include <algorithm>

namespace trialdeck::tuner {

using engine::AttemptKey;
using engine::AttemptRequest;
using std::chrono::milliseconds;

engine::WorkerResources resourcesPerWorker(const model::TrialSpec& trial) {
    const auto convert = [](const model::Resources& resources) {
        return engine::WorkerResources{resources.cpu, resources.gpu, resources.memoryBytes, resources.custom};
    };
    if (trial.bundles.empty())
        return convert(trial.resourcesPerWorker);
    engine::WorkerResources largest = convert(trial.bundles.front());
    for (const model::Resources& bundle : trial.bundles) {
        largest.cpu = std::max(largest.cpu, bundle.cpu);
        largest.gpu = std::max(largest.gpu, bundle.gpu);
        largest.memoryBytes = std::max(largest.memoryBytes, bundle.memoryBytes);
        for (const auto& [name, amount] : bundle.custom)
            largest.custom[name] = std::max(largest.custom[name], amount);
    }
    return largest;
}

TrialRunner::TrialRunner(Ledger& ledger, RecordLog& records, WarningLog& warnings, ExperimentFiles& files,
                         const Services& services, std::string experiment, base::Environment login)
    : m_ledger(ledger), m_records(records), m_warnings(warnings), m_files(files), m_services(services),
      m_experiment(std::move(experiment)), m_login(std::move(login)) {}

// ---- beginning ----

AttemptKey TrialRunner::keyOf(TrialId trial) const {
    return {m_experiment, trial.raw(), m_ledger.openAttempt(trial)->number.raw()};
}

const OpenAttempt* TrialRunner::openAttempt(const AttemptKey& key) const {
    const TrialId trial(key.trial);
    const OpenAttempt* open = m_ledger.knows(trial) ? m_ledger.openAttempt(trial) : nullptr;
    return open && open->number.raw() == key.attempt ? open : nullptr;
}

Expected<AttemptRequest> TrialRunner::request(TrialId trial, uint32_t workers, AttemptNumber attempt,
                                              std::optional<CheckpointIndex> resumeFrom) const {
    const model::ExperimentSpec& spec = m_ledger.spec();
    const model::Trial& known = m_ledger.trial(trial);
    const base::Path baseDirectory(m_ledger.created().baseDirectory);
    const AttemptFacts facts{m_files.configPath(trial),
                             resumeFrom ? m_files.checkpointPath(trial, *resumeFrom) : base::Path()};
    auto command = model::fillCommand(spec.trial.command, known.configuration(),
                                      {known.seed(), facts.configPath.native()});
    if (!command)
        return tl::make_unexpected(std::move(command).error());
    AttemptRequest result;
    result.key = {m_experiment, trial.raw(), attempt.raw()};
    result.workers = workers;
    result.perWorker = resourcesPerWorker(spec.trial);
    result.command = std::move(*command);
    result.environment = attemptEnvironment(m_login, spec, baseDirectory, known, facts);
    result.workingDirectory = workingDirectory(spec, baseDirectory, m_login);
    result.attemptFolder = m_files.attemptPath(trial, attempt);
    result.terminal = spec.trial.report.terminal;
    result.stopGrace = spec.trial.stopGrace;
    return result;
}

Expected<void> TrialRunner::start(TrialId trial, uint32_t workers) {
    const model::Trial& known = m_ledger.trial(trial);
    const model::Checkpoint* checkpoint = known.newestCheckpoint();
    protocol::AttemptStarted started;
    started.trial = trial;
    started.attempt = known.nextAttempt();
    started.workers = workers;
    if (checkpoint) {
        started.resumeFrom = checkpoint->index;
        started.firstIteration = checkpoint->iteration;
    }
    TRIALDECK_TRY(m_files.prepareAttempt(known, started.attempt));
    auto wanted = request(trial, workers, started.attempt, started.resumeFrom);
    if (!wanted) {
        refuseStart(trial, std::move(wanted).error());
        return {};
    }
    m_records.add(started);
    beginLive(trial);
    if (auto accepted = m_services.engine.start(*wanted); !accepted) {
        refuseStart(trial, std::move(accepted).error());
        return {};
    }
    if (!m_ledger.spec().trial.report.stdoutPattern.empty())
        m_services.engine.watchOutput(wanted->key);
    return {};
}

void TrialRunner::refuseStart(TrialId trial, Error error) {
    ++m_failedStarts;
    m_lastStartFailure = error;
    m_live.erase(trial);
    m_records.add(
        protocol::TrialStateChanged{trial, TrialState::error, TrialReason::not_started, std::move(error)});
    m_hooks.concluded(trial);
}

void TrialRunner::adopt(TrialId trial) {
    const OpenAttempt& open = *m_ledger.openAttempt(trial);
    const auto workers = static_cast<uint32_t>(open.ranks.size());
    auto wanted = request(trial, workers, open.number, open.resumeFrom);
    if (!wanted) {
        // It was filled once; only an experiment.yaml that was changed by hand can refuse it now.
        wanted = AttemptRequest();
        wanted->key = keyOf(trial);
        wanted->workers = workers;
        wanted->attemptFolder = m_files.attemptPath(trial, open.number);
    }
    std::vector<engine::ReadPositions> positions;
    for (const RankProgress& rank : open.ranks)
        positions.push_back(rank.read);
    beginLive(trial);
    if (m_ledger.trial(trial).state() == TrialState::pending)
        m_records.add(protocol::TrialStateChanged{trial, TrialState::running, TrialReason::none, {}});
    m_services.engine.adopt(*wanted, positions);
    if (!m_ledger.spec().trial.report.stdoutPattern.empty())
        m_services.engine.watchOutput(wanted->key);
    watchSilence(trial);
}

TrialRunner::Live& TrialRunner::beginLive(TrialId trial) {
    Live& live = m_live.try_emplace(trial, m_services.timers).first->second;
    live.lastSign = m_services.clock.steadyNow();
    return live;
}

void TrialRunner::onAttemptStarted(const AttemptKey& key, const std::string& node,
                                   std::optional<int> masterPort) {
    const OpenAttempt* open = openAttempt(key);
    if (!open)
        return;
    const TrialId trial(key.trial);
    m_failedStarts = 0;
    protocol::AttemptStarted started;
    started.trial = trial;
    started.attempt = open->number;
    started.workers = static_cast<uint32_t>(open->ranks.size());
    started.node = node;
    started.resumeFrom = open->resumeFrom;
    started.firstIteration = open->firstIteration;
    started.masterPort = masterPort;
    m_records.add(started);
    if (m_ledger.trial(trial).state() == TrialState::pending)
        m_records.add(protocol::TrialStateChanged{trial, TrialState::running, TrialReason::none, {}});
    noteSign(trial);
    watchSilence(trial);
}

void TrialRunner::onStartFailed(const AttemptKey& key, const Error& error) {
    const OpenAttempt* open = openAttempt(key);
    if (!open)
        return;
    const TrialId trial(key.trial);
    if (!open->isEnding()) {
        refuseStart(trial, error);
        return;
    }
    m_live.erase(trial);
    m_records.add(
        protocol::TrialStateChanged{trial, open->ending->state, open->ending->reason, open->ending->error});
    m_hooks.concluded(trial);
}

// ---- silence ----

void TrialRunner::noteSign(TrialId trial) {
    const auto live = m_live.find(trial);
    if (live != m_live.end())
        live->second.lastSign = m_services.clock.steadyNow();
}

void TrialRunner::watchSilence(TrialId trial) {
    const auto& timeout = m_ledger.spec().trial.noReportTimeout;
    if (timeout)
        m_live.at(trial).silence.start(*timeout, [this, trial] { onSilence(trial); });
}

void TrialRunner::onSilence(TrialId trial) {
    const OpenAttempt* open = m_ledger.openAttempt(trial);
    Live& live = m_live.at(trial);
    const milliseconds timeout = *m_ledger.spec().trial.noReportTimeout;
    const auto quiet = std::chrono::ceil<milliseconds>(m_services.clock.steadyNow() - live.lastSign);
    if (!open || open->isEnding() || open->allEnded())
        return;
    if (quiet < timeout) {
        live.silence.start(timeout - quiet, [this, trial] { onSilence(trial); });
        return;
    }
    const auto seconds = std::chrono::duration<double>(timeout).count();
    end(trial, TrialReason::no_report,
        Error{ErrorCode::no_report, {{"seconds", base::toJson(Value(seconds))}}, {}});
}

// ---- ending ----

void TrialRunner::end(TrialId trial, TrialReason reason, std::optional<Error> error) {
    m_records.add(protocol::TrialStateChanged{trial, TrialState::running, reason, std::move(error)});
    stopIfDue(trial);
}

void TrialRunner::stopIfDue(TrialId trial) {
    const OpenAttempt* open = m_ledger.openAttempt(trial);
    if (open && open->isEnding())
        m_services.engine.stop(keyOf(trial));
}

void TrialRunner::stopWithoutCheckpoint(TrialId trial) {
    OpenAttempt* open = m_ledger.entry(trial).open.get();
    if (!open || !open->ending)
        return;
    open->ending->afterCheckpoint = false;
    stopIfDue(trial);
}

void TrialRunner::onWorkerEnded(const AttemptKey& key, uint32_t rank, const engine::WorkerEnd& end) {
    const OpenAttempt* open = openAttempt(key);
    if (!open || rank >= open->ranks.size() || open->ranks[rank].end)
        return;
    protocol::WorkerEnded ended;
    ended.trial = TrialId(key.trial);
    ended.attempt = open->number;
    ended.rank = rank;
    ended.exitCode = end.exit.code;
    ended.signal = end.exit.signal;
    ended.cause = end.cause;
    ended.stoppedByUs = end.stoppedByUs;
    ended.peakMemoryBytes = end.peakMemoryBytes;
    ended.seconds = std::chrono::duration<double>(end.duration).count();
    ended.logTail = end.logTail;
    m_records.add(std::move(ended));
}

void TrialRunner::onAttemptEnded(const AttemptKey& key) {
    if (!openAttempt(key))
        return;
    const TrialId trial(key.trial);
    m_live.at(trial).engineDone = true;
    concludeIfOver(trial);
}

void TrialRunner::concludeIfOver(TrialId trial) {
    const OpenAttempt* open = m_ledger.openAttempt(trial);
    if (!open)
        return;
    const auto live = m_live.find(trial);
    const bool engineDone = live == m_live.end() ? open->allEnded() : live->second.engineDone;
    if (engineDone && !m_hooks.busyWithCheckpoints(trial))
        conclude(trial);
}

bool TrialRunner::giveUpCheckpoint(TrialId trial, const protocol::TrialStateChanged& outcome) {
    const OpenAttempt& open = *m_ledger.openAttempt(trial);
    const bool failed = outcome.state == TrialState::error || outcome.reason == TrialReason::retry;
    if (!failed || !open.resumeFrom || open.reports > 0)
        return false;
    const model::Checkpoint* checkpoint = m_ledger.trial(trial).findCheckpoint(*open.resumeFrom);
    if (!checkpoint || checkpoint->unusable || checkpoint->fruitlessAttempts + 1 < kMostFruitless)
        return false;
    const Error error{ErrorCode::checkpoint_fruitless,
                      {{"checkpoint", storage::checkpointFolderName(checkpoint->index)},
                       {"times", std::to_string(checkpoint->fruitlessAttempts + 1)}},
                      {}};
    m_warnings.raise(trial, error);
    m_records.add(protocol::CheckpointUnusable{trial, *open.resumeFrom, error});
    return true;
}

void TrialRunner::conclude(TrialId trial) {
    const model::Trial& known = m_ledger.trial(trial);
    const OpenAttempt& open = *m_ledger.openAttempt(trial);
    const auto decide = [&] {
        return outcomeOf(known, open, m_ledger.spec(), m_ledger.entry(trial).counts,
                         m_services.clock.wallNow());
    };
    protocol::TrialStateChanged outcome = decide();
    if (giveUpCheckpoint(trial, outcome))
        outcome = decide();
    for (const NamedCheckpoint& left : std::vector(open.checkpoints))
        m_warnings.raise(trial, Error{ErrorCode::checkpoint_missing,
                                      {{"checkpoint", left.name},
                                       {"rank", std::to_string(left.rank)},
                                       {"checkpoint_iteration", std::to_string(left.iteration)}},
                                      "rank 0 named no checkpoint of this iteration"});
    m_warnings.settle(trial);
    if (outcome.reason == TrialReason::completed && known.reportCount() == 0)
        m_warnings.raise(trial,
                         Error{ErrorCode::no_report, {}, "the program ended with 0 and reported nothing"});
    m_live.erase(trial);
    m_records.add(std::move(outcome));
    m_hooks.concluded(trial);
}

} // namespace trialdeck::tuner

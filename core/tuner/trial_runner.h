// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/process.h"
#include "core/tuner/attempt_environment.h"
#include "core/tuner/warning_log.h"

#include <functional>
#include <map>

namespace trialdeck::tuner {

/// Starts, adopts, ends and concludes the attempts of trials. Each step is recorded before it is done, so
/// that whoever replays the journal can do it again. Owned by one Tuner, on its loop.
class TrialRunner {
public:
    struct Hooks {
        /// Work on checkpoints of this trial is under way: its state has to wait.
        std::function<bool(TrialId)> busyWithCheckpoints;
        /// The trial has its next state; there may be room for another.
        std::function<void(TrialId)> concluded;
    };

    TrialRunner(Ledger& ledger, RecordLog& records, WarningLog& warnings, ExperimentFiles& files,
                const Services& services, std::string experiment, base::Environment login);

    void setHooks(Hooks hooks) { m_hooks = std::move(hooks); }

    /// Starts the next attempt of a trial that waits. A start that the engine or the trial itself makes
    /// impossible becomes the trial's state.
    /// @return errors of the disk, with the trial as it was
    [[nodiscard]] Expected<void> start(TrialId trial, uint32_t workers);
    /// Takes up the open attempt that an earlier daemon began.
    void adopt(TrialId trial);

    /// Tells the trial's open attempt to end for this reason (none: to go on after all). For user_paused and
    /// scheduler_paused the next checkpoint is waited for.
    void end(TrialId trial, TrialReason reason, std::optional<Error> error = std::nullopt);
    /// SIGTERM, where the ledger says that it is time.
    void stopIfDue(TrialId trial);
    /// SIGTERM to a trial whose experiment is given up: what becomes of it is not told.
    void stopForgotten(TrialId trial) { m_services.engine.stop(keyOf(trial)); }
    /// SIGTERM although no checkpoint has come.
    void stopWithoutCheckpoint(TrialId trial);

    /// A report came: the trial is not silent.
    void noteSign(TrialId trial);
    /// Gives the trial its next state where everything of its attempt is over.
    void concludeIfOver(TrialId trial);

    /// So many starts in a row were refused for what all trials share, a missing command for example.
    [[nodiscard]] uint32_t failedStarts() const { return m_failedStarts; }
    [[nodiscard]] const std::optional<Error>& lastStartFailure() const { return m_lastStartFailure; }

    void onAttemptStarted(const engine::AttemptKey& key, const std::string& node,
                          std::optional<int> masterPort);
    void onWorkerEnded(const engine::AttemptKey& key, uint32_t rank, const engine::WorkerEnd& end);
    void onAttemptEnded(const engine::AttemptKey& key);
    void onStartFailed(const engine::AttemptKey& key, const Error& error);

private:
    /// What lives no longer than this daemon.
    struct Live {
        explicit Live(TimerService& timers) : silence(timers) {}
        base::SteadyTime lastSign;
        Timer silence;
        bool engineDone = false;
    };

    /// Null where the key is not that of an open attempt.
    [[nodiscard]] const OpenAttempt* openAttempt(const engine::AttemptKey& key) const;
    [[nodiscard]] engine::AttemptKey keyOf(TrialId trial) const;
    [[nodiscard]] Expected<engine::AttemptRequest> request(TrialId trial, uint32_t workers,
                                                           AttemptNumber attempt,
                                                           std::optional<CheckpointIndex> resumeFrom) const;
    void refuseStart(TrialId trial, Error error);
    Live& beginLive(TrialId trial);
    void watchSilence(TrialId trial);
    void onSilence(TrialId trial);
    void conclude(TrialId trial);
    /// Records the checkpoint that the attempt went on from as unusable where attempts fail of it.
    /// @return whether it did
    bool giveUpCheckpoint(TrialId trial, const protocol::TrialStateChanged& outcome);

    Ledger& m_ledger;
    RecordLog& m_records;
    WarningLog& m_warnings;
    ExperimentFiles& m_files;
    Services m_services;
    std::string m_experiment;
    base::Environment m_login;
    Hooks m_hooks;
    std::map<TrialId, Live> m_live;
    uint32_t m_failedStarts = 0;
    std::optional<Error> m_lastStartFailure;
};

/// What one worker asks for, in the engine's terms; of several bundles the largest of each kind.
[[nodiscard]] engine::WorkerResources resourcesPerWorker(const model::TrialSpec& trial);

} // namespace trialdeck::tuner

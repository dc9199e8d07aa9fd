// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/process.h"
#include "core/model/experiment.h"
#include "core/protocol/messages.h"
#include "core/storage/journal.h"
#include "core/tuner/services.h"

#include <memory>
#include <optional>
#include <string>

namespace trialdeck::tuner {

class Tuner;
class TunerLoop;

/// What a Tuner tells the head. Called on the loop, never from inside a call to the Tuner.
class TunerListener {
public:
    virtual ~TunerListener() = default;
    /// Records were appended, up to cursor(): journal() has them. Merged: one call for what the loop did in
    /// one go.
    virtual void onRecords(Tuner& tuner) = 0;
    /// summary() has changed: at most 10 times a second while reports come, at once when a state changes or
    /// the experiment is given up: another daemon has taken it over, or its folder is gone (missing, with
    /// experiment_held or experiment_missing as its error).
    virtual void onSummaryChanged(Tuner& tuner) = 0;
};

/// What a new experiment begins with.
struct NewExperiment {
    /// Checked, without errors.
    std::shared_ptr<const model::ExperimentSpec> spec;
    /// experiment.yaml as the user wrote it.
    std::string yaml;
    /// Absolute; does not exist yet, its parent may be missing too. The head expands `~` and appends the
    /// name.
    base::Path folder;
    /// spec->name, or "<name>-try-<n>" for a single one.
    std::string name;
    /// Absolute folder against which the user's relative paths are read.
    base::Path baseDirectory;
    /// "Try one configuration": the first proposal alone.
    bool single = false;
    /// The user's login environment, captured now.
    base::Environment loginEnvironment;
    /// Content of environment.json; null: none is written.
    Value environmentRecord;
};

/// When a pause ends a running trial that has no checkpoint yet.
enum class PauseMode {
    /// Once it has one.
    afterCheckpoint,
    /// Now: it will start anew. Trials with a checkpoint still end after their next one.
    withoutCheckpoint,
};

/// Runs one experiment: lets the Searcher propose, starts trials where the Engine has room, journals what
/// their workers report, lets the Scheduler and the stop rules decide, commits checkpoints, and says what is
/// going on. The journal is the truth: every step is appended before anything rests on it, so that a daemon
/// that died goes on where the journal ends.
///
/// Owned by the head, one an experiment that is not finished (or that somebody looks at); used on the
/// daemon's loop. The engine is shared by all experiments: the head gives it one EngineRouter
/// (engine_router.h), which every Tuner joins by itself. Destroying a Tuner leaves its workers running; the
/// next daemon adopts them.
class Tuner {
public:
    /// Makes the folder with experiment.yaml, environment.json and the first record. Nothing runs before
    /// start(); after an error nothing is left behind.
    /// @return experiment_name_taken (name, path) where the folder is there already, storage_not_writable,
    /// disk_full
    [[nodiscard]] static Expected<std::unique_ptr<Tuner>> create(const Services& services,
                                                                 NewExperiment experiment);

    /// Takes up an experiment from its journal, finished or not. Nothing is written before start() and no new
    /// epoch begins where it is finished.
    /// @param loginEnvironment  captured anew; only used where trials may start
    /// @param spec  null: read from experiment.yaml
    /// @return experiment_missing, journal_damaged, journal_version, bad_configuration (the experiment.yaml
    /// is not readable any more), file errors
    [[nodiscard]] static Expected<std::unique_ptr<Tuner>>
    reopen(const Services& services, base::Path folder, base::Environment loginEnvironment,
           std::shared_ptr<const model::ExperimentSpec> spec = nullptr);

    ~Tuner();
    Tuner(const Tuner&) = delete;
    Tuner& operator=(const Tuner&) = delete;

    /// Null: nobody listens. Before start().
    void setListener(TunerListener* listener);
    /// Begins: adopts what an earlier daemon left running, then starts trials. Once. Where the experiment is
    /// finished only the files that Ray Tune's tools read are completed.
    /// @return the error of the first append where the journal cannot be written
    [[nodiscard]] Expected<void> start();

    // ---- what is ----

    [[nodiscard]] const ExperimentId& id() const;
    /// Absolute.
    [[nodiscard]] const base::Path& folder() const;
    [[nodiscard]] base::Path baseDirectory() const;
    /// Trials, states, best: what the records add up to.
    [[nodiscard]] const model::Experiment& experiment() const;
    [[nodiscard]] protocol::ExperimentSummary summary() const;
    /// Newest record appended.
    [[nodiscard]] protocol::Cursor cursor() const;
    /// Looks whether the folder is there, as each heartbeat does by itself, so that summary() says so at
    /// once.
    void lookAtFolder();
    /// Reads all records, also those that are appended from now on.
    [[nodiscard]] storage::JournalReader journal() const;
    /// The folder of a trial, relative to folder(); attempt_N/rank_K and checkpoint_00000N lie in it.
    [[nodiscard]] std::string trialFolder(TrialId trial) const;
    /// What stopping now would lose. @return trial_not_found
    [[nodiscard]] Expected<protocol::WorkAtRiskResult> workAtRisk(std::optional<TrialId> trial) const;

    // ---- commands; without a trial they mean the experiment; experiment_held where another daemon has it,
    // experiment_missing where its folder is gone ----

    /// Nothing new starts; each running trial ends after its next checkpoint and is PAUSED. A queued trial is
    /// PAUSED at once when it is the one meant.
    /// @return trial_not_found; wrong_state (arguments state, command) where it is finished or paused already
    [[nodiscard]] Expected<void> pause(std::optional<TrialId> trial, PauseMode mode);
    /// Goes on after a pause, also one by a full disk: attempt N+1 from the newest checkpoint; trials paused
    /// one by one stay so unless named. A pause that still waits for a checkpoint is taken back.
    /// @return trial_not_found; wrong_state where nothing is paused; disk_full while there is still no room
    [[nodiscard]] Expected<void> resume(std::optional<TrialId> trial);
    /// SIGTERM, after stop_grace_s SIGKILL. A stopped trial is TERMINATED (user); a stopped experiment
    /// becomes INTERRUPTED (COMPLETED or FAILED where every planned trial had ended) when the last worker is
    /// gone.
    /// @return trial_not_found; wrong_state where it is finished
    [[nodiscard]] Expected<void> stop(std::optional<TrialId> trial);

    /// Writes projections and waits until the journal is on the disk: for the end of the daemon. Running
    /// trials go on. Nothing may be called afterwards.
    [[nodiscard]] Expected<void> close();

private:
    explicit Tuner(std::unique_ptr<TunerLoop> loop);
    std::unique_ptr<TunerLoop> m_loop;
};

} // namespace trialdeck::tuner

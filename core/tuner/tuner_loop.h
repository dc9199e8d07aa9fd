// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/tuner/admission.h"
#include "core/tuner/checkpoint_intake.h"
#include "core/tuner/judge.h"
#include "core/tuner/report_intake.h"
#include "core/tuner/tuner.h"

#include <memory>
#include <optional>

namespace trialdeck::tuner {

/// What a Tuner is made of: joins the parts, gives each engine event to the one that knows what to do, and
/// keeps the experiment's own state. Owned by the Tuner; on its loop.
class TunerLoop final : public engine::EngineListener {
public:
    struct Opened {
        std::unique_ptr<Ledger> ledger;
        std::unique_ptr<ExperimentFiles> files;
        base::Environment loginEnvironment;
        std::optional<model::OutputPattern> pattern;
        /// Who the experiment is from now on, where its folder was moved or copied.
        std::optional<protocol::ExperimentCreated> identity;
        /// Of an experiment that was just created.
        std::unique_ptr<storage::JournalWriter> writer;
        /// Of one that was there.
        std::optional<storage::JournalReader> reader;

        /// Sets pattern from the specification. @return bad_pattern
        [[nodiscard]] Expected<void> compilePattern();
    };

    TunerLoop(const Services& services, Opened opened);
    ~TunerLoop() override;

    void setListener(Tuner& tuner, TunerListener* listener);
    Expected<void> start();
    Expected<void> close();

    [[nodiscard]] const Ledger& ledger() const { return *m_ledger; }
    [[nodiscard]] const ExperimentFiles& files() const { return *m_files; }
    [[nodiscard]] storage::JournalReader journal() const;
    [[nodiscard]] protocol::Cursor cursor() const;
    [[nodiscard]] protocol::ExperimentSummary summary() const;
    [[nodiscard]] Expected<protocol::WorkAtRiskResult> atRisk(std::optional<TrialId> trial) const;
    /// @return experiment_held, experiment_missing
    [[nodiscard]] Expected<void> mayCommand() const;
    void lookAtFolder();

    Expected<void> pauseTrial(TrialId trial, PauseMode mode);
    Expected<void> pauseAll(PauseMode mode);
    Expected<void> resumeTrial(TrialId trial);
    Expected<void> resumeAll();
    Expected<void> stopTrial(TrialId trial);
    Expected<void> stopAll();

    void onAttemptStarted(const engine::AttemptKey& key, const std::string& node,
                          std::optional<int> masterPort) override;
    void onReportLine(const engine::AttemptKey& key, uint32_t rank, std::string_view line,
                      uint64_t endOffset) override;
    void onOutputLine(const engine::AttemptKey& key, uint32_t rank, std::string_view line,
                      uint64_t endOffset) override;
    void onNoOutputYet(const engine::AttemptKey& key, uint32_t rank) override;
    void onWorkerEnded(const engine::AttemptKey& key, uint32_t rank, const engine::WorkerEnd& end) override;
    void onAttemptEnded(const engine::AttemptKey& key) override;
    void onStartFailed(const engine::AttemptKey& key, const Error& error) override;
    void onNodesChanged() override;

private:
    [[nodiscard]] Expected<void> openJournal();
    void takeUpAttempts();
    /// The daemon before may have died in the middle of a command that means all trials.
    void finishCommand();
    /// Ends what runs and takes back what waits, for a stop of the experiment.
    void interruptAll();
    /// Starts what fits and ends the experiment where nothing is left, once the loop is done with what it
    /// does now.
    void look();
    void lookNow();
    void endIfDone();
    void setState(ExperimentState state, ExperimentReason reason, std::optional<Error> error = std::nullopt);
    void beat();
    void watchBudget();
    void onBudgetOver();
    void onRefused(const Error& error);
    /// The journal is another daemon's or gone: nothing is written, decided or told any more but this.
    void giveUp(const Error& error);
    /// Nothing can be written: PAUSED, with disk_full as the reason or, where it is another, with the error
    /// alone.
    void pauseForStorage(const Error& error);
    [[nodiscard]] bool isPausedForStorage() const;
    void endForStorage();
    void noteChange(const protocol::RecordBody& body);
    void tellSummary();
    void pauseRunning(TrialId trial, PauseMode mode);
    /// fail_fast: stops everything once a trial has failed.
    void failFast();
    void endRunning(TrialReason reason, const std::optional<Error>& error = std::nullopt);
    /// @return trial_not_found
    [[nodiscard]] Expected<const model::Trial*> find(TrialId trial) const;
    [[nodiscard]] base::Unexpected wrongState(std::string_view command, std::optional<TrialId> trial) const;

    Services m_services;
    std::unique_ptr<Ledger> m_ledger;
    std::unique_ptr<ExperimentFiles> m_files;
    std::optional<storage::JournalReader> m_reader;
    std::optional<protocol::ExperimentCreated> m_identity;
    RecordLog m_records;
    WarningLog m_warnings;
    TrialRunner m_runner;
    CheckpointIntake m_checkpoints;
    CheckpointCheck m_check;
    Judge m_judge;
    ReportIntake m_reports;
    Admission m_admission;

    Tuner* m_tuner = nullptr;
    TunerListener* m_listener = nullptr;
    Timer m_lookTimer;
    Timer m_heartbeat;
    Timer m_budget;
    Timer m_summaryTimer;
    bool m_summaryUrgent = false;
    base::SteadyTime m_summaryTold{};
    bool m_joined = false;
    /// Why this daemon has given the experiment up: experiment_held, experiment_missing.
    std::optional<Error> m_givenUp;
};

} // namespace trialdeck::tuner

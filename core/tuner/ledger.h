// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/model/experiment.h"
#include "core/protocol/record.h"
#include "core/schedule/scheduler.h"
#include "core/search/searcher.h"
#include "core/tuner/open_attempt.h"

#include <deque>
#include <limits>
#include <memory>
#include <optional>
#include <set>
#include <vector>

namespace trialdeck::tuner {

/// How often one thing went wrong in a trial.
struct WarningCount {
    ErrorCode code = ErrorCode::internal;
    uint64_t count = 0;
    /// The count that the journal knows.
    uint64_t recorded = 0;
    /// The newest one, where it is not in the journal.
    Error newest;
};

/// How often the attempts of a trial came to nothing, since the user last told it to run again.
struct AttemptCounts {
    /// In a row: they went back to the queue before anything came of them.
    uint32_t unbegun = 0;
    /// What max_failures counts.
    uint32_t failures = 0;
    /// What max_preemption_failures counts.
    uint32_t preemptions = 0;
    /// Failures and preemptions since the newest checkpoint: the wait before the next attempt grows with
    /// them.
    uint32_t inRow = 0;
};

/// What the tuner knows of a trial beside model::Trial. Small once the trial has finished.
struct TrialEntry {
    /// Present from the record of an attempt until the trial's state after it.
    std::unique_ptr<OpenAttempt> open;
    /// Highest iteration that the Scheduler was to see.
    int64_t highestShown = std::numeric_limits<int64_t>::min();
    AttemptCounts counts;
    /// A trial that is tried again waits until then.
    base::WallTime notBefore;
    /// Checkpoints whose records say that they are gone: a crash may have left their files. Empty once the
    /// trial has finished.
    std::vector<CheckpointIndex> removed;
    /// Sum over the attempts before the open one.
    double secondsBefore = 0;
    std::vector<WarningCount> warnings;
};

/// A report that counts and of which the journal does not say yet what came of it.
struct UnjudgedReport {
    TrialId trial;
    schedule::Observation observation;
    /// The Scheduler need not (its decision is recorded) or cannot see it.
    bool schedulerDone = false;
};

/// What the records of one experiment add up to. Records that are just made and records that are read from a
/// journal go through the same take(), so that a restarted daemon knows exactly what the one before knew;
/// nothing in here is computed a second time. Owned by one Tuner, on its loop; does no I/O.
class Ledger {
public:
    /// @param id  that of the newest segment: a copied folder has another one than its first record says
    /// @return not_available_yet, metric_required: the specification wants what is not built
    [[nodiscard]] static Expected<std::unique_ptr<Ledger>>
    open(const ExperimentId& id, const protocol::ExperimentCreated& created, base::WallTime time,
         std::shared_ptr<const model::ExperimentSpec> spec);

    /// @return wrong_state, trial_not_found, bad_configuration where the record cannot follow the ones
    /// before; the record then changes nothing
    [[nodiscard]] Expected<void> take(const protocol::RecordBody& body, base::WallTime time);

    [[nodiscard]] const protocol::ExperimentCreated& created() const { return m_created; }
    [[nodiscard]] base::WallTime createdAt() const { return m_createdAt; }
    [[nodiscard]] std::optional<base::WallTime> endedAt() const { return m_endedAt; }
    /// Told to stop by the user, workers still ending.
    [[nodiscard]] bool stopping() const;
    [[nodiscard]] bool finished() const { return protocol::isFinished(m_experiment.state()); }
    /// Time since the beginning, without that spent paused.
    [[nodiscard]] std::chrono::milliseconds activeTime(base::WallTime now) const;

    [[nodiscard]] const model::Experiment& experiment() const { return m_experiment; }
    [[nodiscard]] const model::ExperimentSpec& spec() const { return m_experiment.spec(); }
    [[nodiscard]] const model::Trial& trial(TrialId id) const { return *m_experiment.find(id); }
    [[nodiscard]] bool knows(TrialId id) const { return m_experiment.find(id) != nullptr; }
    [[nodiscard]] const TrialEntry& entry(TrialId id) const { return m_entries[id.raw()]; }
    /// For what is no part of the truth: warnings that are counted and not recorded each.
    [[nodiscard]] TrialEntry& entry(TrialId id) { return m_entries[id.raw()]; }
    /// Null where the trial has no open attempt.
    [[nodiscard]] const OpenAttempt* openAttempt(TrialId id) const { return m_entries[id.raw()].open.get(); }
    /// Seconds that the trial has run, over all its attempts.
    [[nodiscard]] double secondsRun(TrialId id, base::WallTime now) const;
    /// Trials with an open attempt.
    [[nodiscard]] const std::set<TrialId>& open() const { return m_open; }
    /// PENDING trials without an open attempt.
    [[nodiscard]] const std::set<TrialId>& waiting() const { return m_waiting; }

    [[nodiscard]] const search::Searcher& searcher() const { return *m_searcher; }
    [[nodiscard]] const schedule::Scheduler& scheduler() const { return *m_scheduler; }
    /// How many trials there will be; nothing where that is open.
    [[nodiscard]] std::optional<uint64_t> plannedTrials() const;
    /// What the Searcher may know now; empty where it does not want to.
    [[nodiscard]] std::vector<search::Outcome> history() const;
    /// Where the newest record is a report that counts, or the Scheduler's word to it: what is to be judged.
    [[nodiscard]] const std::optional<UnjudgedReport>& unjudged() const { return m_unjudged; }
    /// Experiment-wide warnings that were raised.
    [[nodiscard]] bool warned(ErrorCode code) const { return m_warned.contains(code); }

private:
    Ledger(const ExperimentId& id, protocol::ExperimentCreated created, base::WallTime time,
           std::shared_ptr<const model::ExperimentSpec> spec, std::unique_ptr<search::Searcher> searcher,
           std::unique_ptr<schedule::Scheduler> scheduler);

    Expected<void> takeBody(const protocol::ExperimentCreated& record, base::WallTime time);
    Expected<void> takeBody(const protocol::ExperimentStateChanged& record, base::WallTime time);
    Expected<void> takeBody(const protocol::TrialCreated& record, base::WallTime time);
    Expected<void> takeBody(const protocol::AttemptStarted& record, base::WallTime time);
    Expected<void> takeBody(const protocol::TrialStateChanged& record, base::WallTime time);
    Expected<void> takeBody(const protocol::ReportReceived& record, base::WallTime time);
    Expected<void> takeBody(const protocol::DecisionMade& record, base::WallTime time);
    Expected<void> takeBody(const protocol::CheckpointCommitted& record, base::WallTime time);
    Expected<void> takeBody(const protocol::CheckpointRemoved& record, base::WallTime time);
    Expected<void> takeBody(const protocol::CheckpointUnusable& record, base::WallTime time);
    Expected<void> takeBody(const protocol::WorkerEnded& record, base::WallTime time);
    Expected<void> takeBody(const protocol::WarningRaised& record, base::WallTime time);
    /// Kinds that change nothing here.
    template<typename Other>
    Expected<void> takeBody(const Other&, base::WallTime) {
        return {};
    }

    [[nodiscard]] Expected<model::Trial*> find(TrialId id);
    void takeReportOfRank0(model::Trial& trial, const protocol::ReportReceived& report, base::WallTime time);
    void takeTrialWarning(const protocol::WarningRaised& record);
    /// The open attempt has ended with this state of its trial.
    void countAttempt(model::Trial& trial, const protocol::TrialStateChanged& record);
    void closeAttempt(TrialId id, base::WallTime time);
    [[nodiscard]] std::optional<schedule::Observation> observe(const protocol::ReportReceived& report,
                                                               base::WallTime time) const;

    protocol::ExperimentCreated m_created;
    base::WallTime m_createdAt;
    std::optional<base::WallTime> m_endedAt;
    std::optional<base::WallTime> m_pausedSince;
    std::chrono::milliseconds m_pausedTime{0};
    model::Experiment m_experiment;
    std::unique_ptr<search::Searcher> m_searcher;
    std::unique_ptr<schedule::Scheduler> m_scheduler;
    std::deque<TrialEntry> m_entries;
    std::set<TrialId> m_open;
    std::set<TrialId> m_waiting;
    std::optional<UnjudgedReport> m_unjudged;
    std::set<ErrorCode> m_warned;
};

/// Time since the trial's first start in seconds, without what lay between attempts: Ray's name for it, used
/// where a report does not have it.
constexpr std::string_view kTotalTime = "time_total_s";

/// What a running trial becomes that has been told to end for this reason.
[[nodiscard]] TrialState stateAfter(TrialReason reason);

} // namespace trialdeck::tuner

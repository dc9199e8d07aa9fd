// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/tuner/warning_log.h"

#include <functional>
#include <map>
#include <memory>

namespace trialdeck::tuner {

/// Makes checkpoints of the folders that reports name: hashed and renamed away from the loop, one after the
/// other for each trial, then recorded. Folders of other ranks join rank 0's of the same iteration. Owned by
/// one Tuner, on its loop.
class CheckpointIntake {
public:
    struct Hooks {
        /// A checkpoint is recorded: a pause may have waited for it.
        std::function<void(TrialId)> committed;
        /// Nothing is under way for the trial any more.
        std::function<void(TrialId)> idle;
        /// The disk has no room for checkpoints.
        std::function<void(const Error&)> diskFull;
    };

    CheckpointIntake(Ledger& ledger, RecordLog& records, WarningLog& warnings, ExperimentFiles& files,
                     const Services& services);

    void setHooks(Hooks hooks) { m_hooks = std::move(hooks); }

    /// Begins with what the ledger says is named and not committed; nothing where that is under way.
    void advance(TrialId trial);
    /// Lets go what an earlier daemon did not come to, or recorded as removed and may not have deleted.
    void takeUp(TrialId trial);
    /// Something of the trial is under way, or can be begun.
    [[nodiscard]] bool busy(TrialId trial) const;

private:
    struct Work {
        explicit Work(TimerService& timers) : patience(timers) {}
        bool committing = false;
        /// Other ranks were waited for long enough.
        bool impatient = false;
        Timer patience;
    };
    struct Result;

    /// The next named checkpoint of rank 0, or of another rank whose iteration is committed already; null
    /// where there is none.
    [[nodiscard]] const NamedCheckpoint* next(TrialId trial) const;
    /// A rank that names checkpoints has not come to this iteration yet.
    [[nodiscard]] bool othersAreToCome(TrialId trial, int64_t iteration) const;
    void commit(TrialId trial, const NamedCheckpoint& first);
    void finish(TrialId trial, const Result& result);
    /// Lets go what num_to_keep does not keep.
    void thinOut(TrialId trial);
    void removeFiles(TrialId trial, CheckpointIndex index);
    void tellLeftOut(TrialId trial, const Result& result);
    void refuse(TrialId trial, const Result& result, const Error& error);
    /// These are dealt with, also where no record says so of each: a warning may only be counted, and an
    /// empty folder of another rank is in no manifest.
    void settle(TrialId trial, const Result& result);

    Ledger& m_ledger;
    RecordLog& m_records;
    WarningLog& m_warnings;
    ExperimentFiles& m_files;
    Services m_services;
    Hooks m_hooks;
    std::map<TrialId, Work> m_work;
    /// Work in the background outlives this object; what it comes back with is then for nobody.
    std::shared_ptr<CheckpointIntake*> m_self;

public:
    ~CheckpointIntake() { *m_self = nullptr; }
    CheckpointIntake(const CheckpointIntake&) = delete;
    CheckpointIntake& operator=(const CheckpointIntake&) = delete;
};

} // namespace trialdeck::tuner

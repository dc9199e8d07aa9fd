// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/tuner/warning_log.h"

#include <functional>
#include <map>
#include <memory>

namespace trialdeck::tuner {

/// Looks whether the checkpoint that a trial is to go on from is still what was committed, away from the
/// loop, before each start. A damaged one is told and recorded as unusable, and the one before is looked at.
/// Owned by one Tuner, on its loop.
class CheckpointCheck {
public:
    CheckpointCheck(Ledger& ledger, RecordLog& records, WarningLog& warnings, ExperimentFiles& files,
                    const Services& services);
    ~CheckpointCheck() { *m_self = nullptr; }
    CheckpointCheck(const CheckpointCheck&) = delete;
    CheckpointCheck& operator=(const CheckpointCheck&) = delete;

    /// A look that passed() began is over.
    void setOnDone(std::function<void()> action) { m_onDone = std::move(action); }

    /// The trial may start: it has no usable checkpoint, or its newest is whole. Otherwise begins to look,
    /// unless it looks already.
    [[nodiscard]] bool passed(TrialId trial);
    /// The trial was started; its next start is looked at anew.
    void forget(TrialId trial) { m_looks.erase(trial); }

private:
    enum class Look { underWay, whole };
    struct Found;

    void begin(TrialId trial, CheckpointIndex index);
    void finish(const Found& found);

    Ledger& m_ledger;
    RecordLog& m_records;
    WarningLog& m_warnings;
    ExperimentFiles& m_files;
    Services m_services;
    std::function<void()> m_onDone;
    std::map<TrialId, std::pair<CheckpointIndex, Look>> m_looks;
    /// Work in the background outlives this object; what it comes back with is then for nobody.
    std::shared_ptr<CheckpointCheck*> m_self;
};

} // namespace trialdeck::tuner

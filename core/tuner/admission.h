// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/tuner/checkpoint_check.h"
#include "core/tuner/trial_runner.h"

namespace trialdeck::tuner {

/// Decides what starts next: trials that wait first, in order of their ids, then what the Searcher proposes,
/// as long as the engine has room and max_concurrent_trials allows. Owned by one Tuner, on its loop.
class Admission {
public:
    Admission(Ledger& ledger, RecordLog& records, WarningLog& warnings, TrialRunner& runner,
              CheckpointCheck& checkpoints, const Services& services);

    /// Something that waited for a while may start now: fill() is to be called.
    void setOnDue(std::function<void()> action) { m_onDue = std::move(action); }
    /// Nothing becomes due any more.
    void stop() { m_dueTimer.stop(); }

    /// Starts what fits now.
    /// @return errors of the disk
    [[nodiscard]] Expected<void> fill();

    /// Whether trials are still to be proposed.
    [[nodiscard]] bool proposalsLeft() const;
    /// Nothing is proposed any more; trials that wait may start.
    void endProposals() { m_proposalsEnded = true; }

private:
    [[nodiscard]] bool mayStart() const;
    /// How many workers the next trial gets; where it does not fit now, what it waits for.
    [[nodiscard]] tl::expected<uint32_t, std::string> workersThatFit();
    /// The first trial that waits and need not wait longer; sets the timer for those before it.
    [[nodiscard]] std::optional<TrialId> dueTrial();
    /// Time until the trial may start: none, or how long it still waits after a failure.
    [[nodiscard]] std::chrono::milliseconds timeUntilDue(TrialId trial) const;
    [[nodiscard]] std::optional<TrialId> propose();
    void noteWaiting(std::optional<TrialId> trial, std::string waitsFor);

    Ledger& m_ledger;
    RecordLog& m_records;
    WarningLog& m_warnings;
    TrialRunner& m_runner;
    CheckpointCheck& m_checkpoints;
    Services m_services;
    std::function<void()> m_onDue;
    Timer m_dueTimer;
    bool m_proposalsEnded = false;
};

} // namespace trialdeck::tuner

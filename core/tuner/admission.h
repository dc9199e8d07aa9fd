// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/tuner/trial_runner.h"

namespace trialdeck::tuner {

/// Decides what starts next: trials that wait first, in order of their ids, then what the Searcher proposes,
/// as long as the engine has room and max_concurrent_trials allows. Owned by one Tuner, on its loop.
class Admission {
public:
    Admission(Ledger& ledger, RecordLog& records, WarningLog& warnings, TrialRunner& runner,
              const Services& services);

    /// Starts what fits now.
    /// @return errors of the disk
    [[nodiscard]] Expected<void> fill();

    /// Whether trials are still to be proposed.
    [[nodiscard]] bool proposalsLeft() const;
    /// Nothing is proposed any more; trials that wait may start.
    void endProposals() { m_proposalsEnded = true; }

private:
    [[nodiscard]] bool mayStart() const;
    /// How many workers the next trial gets; nothing where it does not fit now.
    [[nodiscard]] std::optional<uint32_t> workersThatFit();
    /// A trial that waits; a new one where none does. Nothing where there is none to come.
    [[nodiscard]] std::optional<TrialId> nextTrial();
    [[nodiscard]] std::optional<TrialId> propose();
    void noteWaiting();

    Ledger& m_ledger;
    RecordLog& m_records;
    WarningLog& m_warnings;
    TrialRunner& m_runner;
    Services m_services;
    bool m_proposalsEnded = false;
};

} // namespace trialdeck::tuner

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/tuner/record_log.h"

namespace trialdeck::tuner {

/// Says what went wrong without changing a state. A flood stays a trickle: one kind of warning is recorded
/// once a trial, and again with its count at 10, 100, 1,000, … times and when the attempt ends. Owned by one
/// Tuner, on its loop.
class WarningLog {
public:
    WarningLog(Ledger& ledger, RecordLog& records) : m_ledger(ledger), m_records(records) {}

    void raise(TrialId trial, Error error);
    /// Records the counts that the journal does not know yet.
    void settle(TrialId trial);
    /// Once an experiment.
    void raiseOnce(Error error);

private:
    void record(TrialId trial, WarningCount& warning, Error error);

    Ledger& m_ledger;
    RecordLog& m_records;
};

} // namespace trialdeck::tuner

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/tuner/trial_runner.h"

namespace trialdeck::tuner {

/// Says what becomes of a trial after a report that counts: on_nan first, then the Scheduler, then the stop
/// rules. Asked right after the record of the report, and once more after a restart where the journal ends
/// there. Owned by one Tuner, on its loop.
class Judge {
public:
    Judge(Ledger& ledger, RecordLog& records, TrialRunner& runner, const base::Clock& clock)
        : m_ledger(ledger), m_records(records), m_runner(runner), m_clock(clock) {}

    /// Judges the report that the ledger says is unjudged; nothing where there is none.
    void judgeNewest();

private:
    /// @return whether the trial ends by it
    [[nodiscard]] bool endsByNan(TrialId trial);
    [[nodiscard]] bool endsByScheduler(const UnjudgedReport& report);
    void endByStopRule(TrialId trial);
    void stopBy(TrialId trial, std::string_view what);

    Ledger& m_ledger;
    RecordLog& m_records;
    TrialRunner& m_runner;
    const base::Clock& m_clock;
};

} // namespace trialdeck::tuner

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/model/report.h"
#include "core/tuner/checkpoint_intake.h"
#include "core/tuner/judge.h"

#include <optional>
#include <string_view>

namespace trialdeck::tuner {

/// Turns lines of report files and of standard output into records, each once and none silently lost: what
/// cannot be read is refused by name and counted. Owned by one Tuner, on its loop; the daemon's hottest path.
class ReportIntake {
public:
    struct Parts {
        Ledger& ledger;
        RecordLog& records;
        WarningLog& warnings;
        TrialRunner& runner;
        CheckpointIntake& checkpoints;
        Judge& judge;
    };

    /// @param pattern  of trial.report.stdout; nothing: only report files
    ReportIntake(Parts parts, std::optional<model::OutputPattern> pattern);

    void onReportLine(const engine::AttemptKey& key, uint32_t rank, std::string_view line,
                      uint64_t endOffset);
    void onOutputLine(const engine::AttemptKey& key, uint32_t rank, std::string_view line,
                      uint64_t endOffset);

private:
    /// Where a line comes from.
    struct Origin {
        TrialId trial;
        AttemptNumber attempt;
        uint32_t rank = 0;
        protocol::ReportSource source = protocol::ReportSource::file;
        uint64_t endOffset = 0;
    };

    void accept(const Origin& origin, model::Report report);
    /// Iteration and flags that the report gets.
    void place(const Origin& origin, const model::Report& report, protocol::ReportReceived& record) const;
    /// A number as a text ("nan") is the number where the trial's column holds numbers.
    void readNumberWords(TrialId trial, model::Report& report) const;
    /// After the record of the report: a warning moves the place to read on from behind the line.
    void tellOddities(const Origin& origin, const std::vector<Error>& notes, protocol::ReportFlags flags,
                      int64_t iteration);
    void raise(const Origin& origin, Error error);
    void tellMissingMetric(const Origin& origin);

    Parts m_parts;
    std::optional<model::OutputPattern> m_pattern;
};

} // namespace trialdeck::tuner

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/client/experiment_mirror.h"
#include "core/ctl/text_table.h"
#include "core/protocol/messages.h"

#include <functional>
#include <string>

namespace trialdeck::ctl {

/// An experiment's trials as rows: trial, state, parameters, metrics (the objective first), iteration, time.
/// The best trial has a star.
/// @param isShown  which trials; all without
[[nodiscard]] TextTable trialTable(const client::ExperimentMirror& mirror, const std::string& objective,
                                   base::WallTime now,
                                   const std::function<bool(const client::MirroredTrial&)>& isShown = {});

/// "lr-sweep  RUNNING  5/8 trials  1 failed  best accuracy 0.861 (trial 3)  4 m 00 s left"
[[nodiscard]] std::string headline(const client::ExperimentMirror& mirror,
                                   const protocol::ExperimentSummary& summary);

/// "[##########..........] 5/8"; empty where the number of trials is open.
[[nodiscard]] std::string progressBar(const client::ExperimentMirror& mirror, size_t columns);

/// "trial 3 iteration 4: loss 0.3548, accuracy 0.8748", of its newest report
[[nodiscard]] std::string reportLine(const client::ExperimentMirror& mirror,
                                     const client::MirroredTrial& trial, const std::string& objective);

/// "trial 3 TERMINATED after 41 s: loss 0.3548, accuracy 0.8748"
[[nodiscard]] std::string trialLine(const client::ExperimentMirror& mirror,
                                    const client::MirroredTrial& trial, const std::string& objective,
                                    base::WallTime now);

/// "warning: trial 3: rank 1: a report was not valid JSON … [report_not_json] (10 times so far)"
[[nodiscard]] std::string warningLine(const client::MirroredWarning& warning);

/// For programs: numbers exact.
/// @param withReports  every report of the newest attempt; the mirror must have kept them
[[nodiscard]] Object trialObject(const client::ExperimentMirror& mirror, const client::MirroredTrial& trial,
                                 base::WallTime now, bool withReports);
/// The summary's fields, and its id as "id".
[[nodiscard]] Object summaryObject(const protocol::ExperimentSummary& summary);

/// RFC 4180, with a header line: one row a trial, or one a report (the mirror must have kept them). Numbers
/// exact, NaN, Infinity and -Infinity as the trial contract spells them. Parameters are columns config/NAME.
[[nodiscard]] std::string trialsCsv(const client::ExperimentMirror& mirror, base::WallTime now,
                                    bool withReports);

} // namespace trialdeck::ctl

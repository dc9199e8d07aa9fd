// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/protocol/messages.h"

#include <chrono>
#include <string>

namespace trialdeck::ctl {

/// "12 s", "4 m 12 s", "2 h 05 m", "3 d 4 h".
[[nodiscard]] std::string durationText(double seconds);
/// Whole numbers as they are, others with four significant digits: "0.8612", "3.2e-4", "NaN".
[[nodiscard]] std::string numberText(const Value& value);
/// Any value in one line: text bare but for its control characters, lists and maps as JSON.
[[nodiscard]] std::string valueText(const Value& value);
/// Control characters as \n, \t, \x1b, \u202e, bytes that are not UTF-8 as \xff: what others wrote must not
/// break a line, steer the terminal or turn the text around.
[[nodiscard]] std::string visibleText(std::string_view text);
/// "bad_line" as "bad line".
[[nodiscard]] std::string spacedText(std::string_view name);
/// "1 trial", "2 trials".
[[nodiscard]] std::string counted(uint64_t count, std::string_view thing);
/// "RUNNING", "ERROR (oom)".
[[nodiscard]] std::string stateText(TrialState state, TrialReason reason);
[[nodiscard]] std::string stateText(ExperimentState state, ExperimentReason reason);

/// "what happened [code]: detail; what to do"
[[nodiscard]] std::string toldText(const Error& error);
/// One sentence that says what happened, with code and what to do: "error: … [code]\n".
[[nodiscard]] std::string errorText(const Error& error);
/// "FILE:3:7: error: unknown key …\n".
[[nodiscard]] std::string problemText(std::string_view file, const protocol::Problem& problem);
/// What stopping would lose, in one sentence; empty where nothing runs.
[[nodiscard]] std::string lossText(const protocol::WorkAtRiskResult& risk);

} // namespace trialdeck::ctl

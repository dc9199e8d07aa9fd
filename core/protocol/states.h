// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string_view>

namespace trialdeck::protocol {

/// As Ray Tune names them: PENDING, RUNNING, PAUSED, TERMINATED, ERROR.
enum class TrialState { pending, running, paused, terminated, error };

/// Why a trial is in its state. The first line goes with pending and paused, the second with terminated,
/// the third with error.
enum class TrialReason {
    none,
    queued,
    waits_for_resources,
    retry,
    preempted,
    user_paused,
    scheduler_paused,
    disk_full,
    interrupted,
    completed,
    stop_rule,
    scheduler,
    user,
    exit,
    signal,
    oom,
    lost,
    no_report,
    bad_report,
    nan,
    not_started,
};

/// RUNNING, PAUSED, COMPLETED (all trials terminated), FAILED (ended with any error), INTERRUPTED (trials
/// left unfinished).
enum class ExperimentState { running, paused, completed, failed, interrupted };

enum class ExperimentReason { none, user, disk_full, crash, fail_fast };

/// What a Scheduler or stop rule says to a report.
enum class DecisionAction { proceed, pause, stop };

/// Where a report came from: the report file or a line of standard output.
enum class ReportSource { file, output };

enum class OutputStream { standardOutput, standardError };

enum class Severity { note, warning, error };

[[nodiscard]] std::string_view nameOf(TrialState state);
[[nodiscard]] std::string_view nameOf(TrialReason reason);
[[nodiscard]] std::string_view nameOf(ExperimentState state);
[[nodiscard]] std::string_view nameOf(ExperimentReason reason);
[[nodiscard]] std::string_view nameOf(DecisionAction action);
[[nodiscard]] std::string_view nameOf(ReportSource source);
/// "stdout" and "stderr".
[[nodiscard]] std::string_view nameOf(OutputStream stream);
[[nodiscard]] std::string_view nameOf(Severity severity);

/// The enumerator of that name. Specialised for each enum above.
template<typename Enum>
[[nodiscard]] std::optional<Enum> fromName(std::string_view name);

/// TERMINATED and ERROR: nothing more happens without a new command.
[[nodiscard]] bool isFinished(TrialState state);
[[nodiscard]] bool isFinished(ExperimentState state);

} // namespace trialdeck::protocol

namespace trialdeck {
using protocol::ExperimentReason;
using protocol::ExperimentState;
using protocol::TrialReason;
using protocol::TrialState;
} // namespace trialdeck

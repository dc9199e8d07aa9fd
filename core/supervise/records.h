// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/clock.h"
#include "core/base/value.h"
#include "core/supervise/end_cause.h"

#include <map>

namespace trialdeck::supervise {

/// supervisor.json and the greeting on its socket: who looks after this worker.
struct SupervisorRecord {
    std::string attempt;
    uint32_t rank = 0;
    /// Only for show: that the supervisor lives is told by its lock.
    int64_t supervisorPid = 0;
    int64_t workerPid = 0;
    uint64_t workerStartTicks = 0;
    std::string host;
    std::string bootId;
    base::Path socket;
    base::Path lock;
    base::WallTime startedAt;
    std::map<std::string, std::string, std::less<>> notes;
    friend bool operator==(const SupervisorRecord&, const SupervisorRecord&) = default;
};

/// exit.json: written once, when nothing of the worker's tree is left.
struct ExitRecord {
    std::string attempt;
    uint32_t rank = 0;
    /// Exit code or signal, who stopped it, memory, last lines of the log.
    EndEvidence evidence;
    /// Set where the worker never started: command_not_found, spawn_failed, …
    std::optional<Error> startFailure;
    base::WallTime startedAt;
    base::WallTime endedAt;
    /// By the steady clock, so right when the wall clock was set meanwhile.
    std::chrono::milliseconds duration{0};
    uint64_t outputBytes = 0;
    uint64_t errorBytes = 0;
    /// Of both streams; not 0 where the disk was full.
    uint64_t lostLogBytes = 0;
    friend bool operator==(const ExitRecord&, const ExitRecord&) = default;
};

[[nodiscard]] Object toObject(const SupervisorRecord& record);
[[nodiscard]] Object toObject(const ExitRecord& record);
/// @return missing_field or wrong_type.
[[nodiscard]] Expected<SupervisorRecord> supervisorRecordFrom(const Value& value);
[[nodiscard]] Expected<ExitRecord> exitRecordFrom(const Value& value);

inline constexpr std::string_view kSupervisorFile = "supervisor.json";
inline constexpr std::string_view kExitFile = "exit.json";
inline constexpr std::string_view kReportFile = "report.jsonl";

/// Reads <folder>/exit.json. @return file_not_found where the worker has not ended; bad_json, … where a
/// machine that went down left half of it.
[[nodiscard]] Expected<ExitRecord> readExitRecord(base::FileSystem& files, const base::Path& folder);
[[nodiscard]] Expected<SupervisorRecord> readSupervisorRecord(base::FileSystem& files,
                                                              const base::Path& folder);

} // namespace trialdeck::supervise

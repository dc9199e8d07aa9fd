// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/process.h"

#include <cstdint>
#include <optional>
#include <string>

namespace trialdeck::supervise {

/// Whom the kernel's log blames, where it can be read.
enum class KernelLog {
    unreadable,
    /// Readable, and none of the worker's processes is in it.
    silent,
    /// A process of the worker was killed because its memory group was full.
    groupVictim,
    /// A process of the worker was killed because the machine was out of memory.
    machineVictim,
};

/// What is known of memory at the end of a worker. Counters are read before its start and after its end.
struct MemoryEvidence {
    /// oom_kill of the memory group.
    std::optional<uint64_t> groupKillsBefore;
    std::optional<uint64_t> groupKillsAfter;
    /// oom_kill of the whole machine (vmstat): counts the kills in all groups too.
    std::optional<uint64_t> machineKillsBefore;
    std::optional<uint64_t> machineKillsAfter;
    /// Whether the group holds nothing but this worker: then its counter speaks of nobody else.
    bool groupIsOurs = false;
    /// Most that the group, or else the worker's processes together, used (bytes).
    std::optional<uint64_t> peakBytes;
    /// Strictest limit of the group and those above it (bytes); nothing where there is none.
    std::optional<uint64_t> limitBytes;
    KernelLog kernelLog = KernelLog::unreadable;
    std::optional<uint64_t> machineBytes;
    /// Lowest MemAvailable in the last ten seconds (bytes).
    std::optional<uint64_t> lowestAvailableBytes;
    friend bool operator==(const MemoryEvidence&, const MemoryEvidence&) = default;
};

/// All that a supervisor knows of how its worker ended.
struct EndEvidence {
    base::ProcessExit exit;
    bool stoppedByUs = false;
    MemoryEvidence memory;
    /// Last lines of what the worker wrote.
    std::string logTail;
    friend bool operator==(const EndEvidence&, const EndEvidence&) = default;
};

/// Why a worker is gone, for a person; nothing where it was no failure (exit code 0, or we stopped it).
/// Pure: the same evidence gives the same cause. Codes and arguments:
///  worker_out_of_memory   scope "limit" or "machine"; sure "yes" or "no"; limit_bytes, peak_bytes,
///                         machine_bytes where known
///  worker_exit            exit_code; hint "killed_code" (above 128: perhaps a shell speaking of its child)
///  or
///                         "gpu_memory" with the argument quote
///  worker_signal          signal; for signal 9 that was no lack of memory hint "killed_by_someone" with
///                         limit_bytes and peak_bytes where known
///  worker_killed_unknown  signal 9 and nothing is known of memory
[[nodiscard]] std::optional<Error> classifyEnd(const EndEvidence& evidence);

} // namespace trialdeck::supervise

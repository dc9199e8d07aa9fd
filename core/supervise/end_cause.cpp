// SPDX-License-Identifier: Apache-2.0
#include "core/supervise/end_cause.h"

#include "core/base/words.h"

#include <algorithm>
#include <csignal>

namespace trialdeck::supervise {

namespace {

constexpr int kShellSignalBase = 128;
constexpr int kLastSignal = 64;

void addFigure(Error& error, const char* name, const std::optional<uint64_t>& bytes) {
    if (bytes)
        error.arguments[name] = std::to_string(*bytes);
}

bool rose(const std::optional<uint64_t>& before, const std::optional<uint64_t>& after) {
    return after && *after > before.value_or(0);
}

/// The kernel killed nothing while the worker lived, by a counter that would have seen it.
bool noKillsSeen(const MemoryEvidence& memory) {
    const bool groupQuiet = memory.groupKillsBefore && memory.groupKillsAfter == memory.groupKillsBefore;
    const bool machineQuiet =
        memory.machineKillsBefore && memory.machineKillsAfter == memory.machineKillsBefore;
    return machineQuiet || (groupQuiet && !rose(memory.machineKillsBefore, memory.machineKillsAfter));
}

bool machineWasFull(const MemoryEvidence& memory) {
    // Below this share of the machine nothing can be allocated any more.
    constexpr uint64_t kFullShare = 50;
    return memory.machineBytes && memory.lowestAvailableBytes &&
           *memory.lowestAvailableBytes < *memory.machineBytes / kFullShare;
}

bool nearLimit(const MemoryEvidence& memory) {
    // Pages that are being freed keep the peak a little below the limit.
    return memory.limitBytes && memory.peakBytes && *memory.peakBytes >= *memory.limitBytes / 20 * 19;
}

/// The last line of the log that speaks of a full accelerator.
std::optional<std::string> gpuMemoryLine(std::string_view log) {
    while (!log.empty()) {
        const size_t begin = log.rfind('\n') + 1;
        const std::string_view line = log.substr(begin);
        const std::string lower = base::lowerCase(line);
        const auto has = [&lower](std::string_view word) { return lower.find(word) != std::string::npos; };
        const bool device = has("cuda") || has("gpu") || has("hip") || has("device") || has("xla");
        if (device && (has("out of memory") || has("no memory left") || has("outofmemory") ||
                       has("resource_exhausted") || has("resource exhausted")))
            return std::string(line);
        log = log.substr(0, begin == 0 ? 0 : begin - 1);
    }
    return std::nullopt;
}

std::optional<Error> outOfMemory(const EndEvidence& evidence) {
    const MemoryEvidence& memory = evidence.memory;
    const bool killed = evidence.exit.signal == SIGKILL || evidence.exit.code == kShellSignalBase + SIGKILL;
    const bool groupRose = rose(memory.groupKillsBefore, memory.groupKillsAfter);
    const bool machineRose = rose(memory.machineKillsBefore, memory.machineKillsAfter);
    const bool named =
        memory.kernelLog == KernelLog::groupVictim || memory.kernelLog == KernelLog::machineVictim;
    const bool ours = groupRose && memory.groupIsOurs;
    // A counter that others share speaks of this worker only where it was killed and the log does not deny
    // it.
    const bool likely = killed && (groupRose || machineRose) && memory.kernelLog != KernelLog::silent;
    if (!named && !ours && !likely)
        return std::nullopt;

    const bool ofMachine =
        memory.kernelLog == KernelLog::machineVictim ||
        (memory.kernelLog != KernelLog::groupVictim &&
         (machineWasFull(memory) || !memory.limitBytes || (!groupRose && !nearLimit(memory))));
    Error error{ErrorCode::worker_out_of_memory};
    error.arguments["scope"] = ofMachine ? "machine" : "limit";
    error.arguments["sure"] = named || ours ? "yes" : "no";
    addFigure(error, "limit_bytes", memory.limitBytes);
    addFigure(error, "peak_bytes", memory.peakBytes);
    if (ofMachine)
        addFigure(error, "machine_bytes", memory.machineBytes);
    error.detail = ofMachine ? "the machine was out of memory" : "the memory limit was reached";
    if (!named && !ours)
        error.detail += ", as far as shared counters tell";
    return error;
}

Error killedBySignal(const EndEvidence& evidence) {
    const int signal = *evidence.exit.signal;
    if (signal == SIGKILL && !noKillsSeen(evidence.memory)) {
        Error error{ErrorCode::worker_killed_unknown, {{"signal", std::to_string(signal)}}};
        error.detail =
            "killed by signal 9; nothing is known of memory, so a lack of it is likely when nobody "
            "killed it";
        return error;
    }
    Error error{ErrorCode::worker_signal, {{"signal", std::to_string(signal)}}};
    if (signal == SIGKILL) {
        error.arguments["hint"] = "killed_by_someone";
        error.detail = "killed from outside; there was no lack of memory";
        addFigure(error, "limit_bytes", evidence.memory.limitBytes);
        addFigure(error, "peak_bytes", evidence.memory.peakBytes);
    }
    return error;
}

Error endedWithCode(const EndEvidence& evidence) {
    Error error{ErrorCode::worker_exit, {{"exit_code", std::to_string(*evidence.exit.code)}}};
    if (auto line = gpuMemoryLine(evidence.logTail)) {
        error.arguments["hint"] = "gpu_memory";
        error.arguments["quote"] = std::move(*line);
        error.detail = "the log speaks of a full accelerator";
    } else if (*evidence.exit.code > kShellSignalBase &&
               *evidence.exit.code <= kShellSignalBase + kLastSignal) {
        error.arguments["hint"] = "killed_code";
        error.detail = "ended with that code itself, or a shell speaks of its child";
        if (*evidence.exit.code == kShellSignalBase + SIGKILL)
            error.detail += "; no sign of lack of memory";
    }
    return error;
}

} // namespace

std::optional<Error> classifyEnd(const EndEvidence& evidence) {
    if (evidence.stoppedByUs || evidence.exit.code == 0)
        return std::nullopt;
    if (auto error = outOfMemory(evidence))
        return error;
    if (evidence.exit.signal)
        return killedBySignal(evidence);
    if (evidence.exit.code)
        return endedWithCode(evidence);
    return Error{ErrorCode::worker_lost, {}, "no record of its end"};
}

} // namespace trialdeck::supervise

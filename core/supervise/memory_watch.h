// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/clock.h"
#include "core/base/control_group.h"
#include "core/supervise/end_cause.h"

#include <deque>
#include <set>
#include <sys/types.h>

namespace trialdeck::supervise {

/// Collects what tells at a worker's end whether it lacked memory. Owned by one supervisor.
class MemoryWatch {
public:
    /// Reads the counters before the worker starts.
    /// @param root  stands for "/"
    MemoryWatch(base::FileSystem& files, const base::Clock& clock, base::Path root);

    /// Looks at the worker's processes, which are those below this pid: every two seconds is enough.
    void sample(pid_t above);

    /// Reads the counters after the end; asks the kernel's log only where the end looks like a kill.
    [[nodiscard]] MemoryEvidence finish(const base::ProcessExit& exit);

    /// A process of the worker: the kernel's log names victims by pid.
    void addProcess(pid_t pid);
    /// Peak of one process (bytes), as the kernel counted it.
    void addProcessPeak(uint64_t bytes);
    /// Most that the worker's processes had in RAM together (bytes).
    [[nodiscard]] uint64_t peakBytes() const { return m_peakBytes; }
    /// Time that the worker's living processes have spent on processors.
    [[nodiscard]] std::chrono::milliseconds processorTime() const { return m_processorTime; }

private:
    struct Available {
        base::SteadyTime when;
        uint64_t bytes;
    };

    [[nodiscard]] std::optional<uint64_t> groupKills() const;
    [[nodiscard]] std::optional<uint64_t> groupPeak() const;
    [[nodiscard]] std::optional<uint64_t> groupLimit() const;
    [[nodiscard]] std::optional<uint64_t> machineKills() const;
    [[nodiscard]] KernelLog askKernelLog() const;
    void noteAvailable();

    base::FileSystem& m_files;
    const base::Clock& m_clock;
    base::Path m_root;
    base::SteadyTime m_begin;
    base::ControlGroup m_group;
    MemoryEvidence m_evidence;
    std::deque<Available> m_available;
    std::set<pid_t> m_processes;
    uint64_t m_peakBytes = 0;
    std::chrono::milliseconds m_processorTime{0};
};

/// Whether one record of the kernel's log says that one of these processes was killed for memory.
/// @param record  "6,1034,8123456,-;Memory cgroup out of memory: Killed process 501 (python3) …"; the third
///                number is microseconds since the machine's start
/// @param since   older records speak of earlier processes with the same numbers
[[nodiscard]] KernelLog victimInRecord(std::string_view record, const std::set<pid_t>& processes,
                                       std::chrono::microseconds since);

} // namespace trialdeck::supervise

// SPDX-License-Identifier: Apache-2.0
#include "core/supervise/memory_watch.h"

#include "core/base/unique_fd.h"
#include "core/supervise/process_tree.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <charconv>
#include <csignal>
#include <fcntl.h>
#include <unistd.h>

namespace trialdeck::supervise {

namespace {

constexpr uint64_t kKibibyte = 1024;
/// A worker with more processes than this is named by its first ones alone.
constexpr size_t kMaxProcesses = 4096;
/// cgroup v1 writes its largest whole page count where there is no limit.
constexpr uint64_t kNoLimit = uint64_t{1} << 60;

bool looksKilled(const base::ProcessExit& exit) {
    return exit.signal == SIGKILL || (exit.code && *exit.code != 0);
}

} // namespace

MemoryWatch::MemoryWatch(base::FileSystem& files, const base::Clock& clock, base::Path root)
    : m_files(files), m_clock(clock), m_root(std::move(root)), m_begin(clock.steadyNow()),
      m_group(base::findControlGroup(files, m_root, "memory")) {
    m_evidence.groupKillsBefore = groupKills();
    m_evidence.machineKillsBefore = machineKills();
}

std::optional<uint64_t> MemoryWatch::groupKills() const {
    if (m_group.levels.empty())
        return std::nullopt;
    const char* file =
        m_group.version == base::ControlGroupVersion::v2 ? "memory.events" : "memory.oom_control";
    const auto text = base::readWholeFile(m_files, m_group.levels.front() / file);
    return text ? base::findCounter(*text, "oom_kill") : std::nullopt;
}

std::optional<uint64_t> MemoryWatch::groupPeak() const {
    if (m_group.levels.empty())
        return std::nullopt;
    const char* file =
        m_group.version == base::ControlGroupVersion::v2 ? "memory.peak" : "memory.max_usage_in_bytes";
    return base::readKernelNumber(m_files, m_group.levels.front() / file);
}

std::optional<uint64_t> MemoryWatch::groupLimit() const {
    const char* file =
        m_group.version == base::ControlGroupVersion::v2 ? "memory.max" : "memory.limit_in_bytes";
    std::optional<uint64_t> strictest;
    for (const base::Path& level : m_group.levels) {
        const auto limit = base::readKernelNumber(m_files, level / file);
        if (limit && *limit < kNoLimit)
            strictest = std::min(strictest.value_or(*limit), *limit);
    }
    return strictest;
}

std::optional<uint64_t> MemoryWatch::machineKills() const {
    const auto text = base::readWholeFile(m_files, m_root / "proc/vmstat");
    return text ? base::findCounter(*text, "oom_kill") : std::nullopt;
}

void MemoryWatch::noteAvailable() {
    constexpr std::chrono::seconds kAvailableWindow(10);
    const auto text = base::readWholeFile(m_files, m_root / "proc/meminfo");
    if (!text)
        return;
    if (const auto total = base::findCounter(*text, "MemTotal"))
        m_evidence.machineBytes = *total * kKibibyte;
    const base::SteadyTime now = m_clock.steadyNow();
    if (const auto available = base::findCounter(*text, "MemAvailable"))
        m_available.push_back({now, *available * kKibibyte});
    while (!m_available.empty() && m_available.front().when < now - kAvailableWindow)
        m_available.pop_front();
}

void MemoryWatch::sample(pid_t above) {
    noteAvailable();
    uint64_t resident = 0;
    uint64_t ticks = 0;
    for (const pid_t pid : descendantsOf(above)) {
        addProcess(pid);
        resident += residentBytes(pid);
        ticks += processorTicks(pid);
    }
    m_peakBytes = std::max(m_peakBytes, resident);
    const auto perSecond = static_cast<uint64_t>(sysconf(_SC_CLK_TCK));
    m_processorTime = std::chrono::milliseconds(ticks * 1000 / std::max<uint64_t>(perSecond, 1));
}

void MemoryWatch::addProcess(pid_t pid) {
    if (m_processes.size() < kMaxProcesses)
        m_processes.insert(pid);
}

void MemoryWatch::addProcessPeak(uint64_t bytes) {
    m_peakBytes = std::max(m_peakBytes, bytes);
}

MemoryEvidence MemoryWatch::finish(const base::ProcessExit& exit) {
    m_evidence.groupKillsAfter = groupKills();
    m_evidence.machineKillsAfter = machineKills();
    m_evidence.limitBytes = groupLimit();
    // A group that others share has a peak of its own history, which says nothing of this worker.
    m_evidence.peakBytes = m_evidence.groupIsOurs ? groupPeak() : std::optional(m_peakBytes);
    if (!looksKilled(exit))
        return m_evidence;
    noteAvailable();
    for (const Available& sample : m_available)
        m_evidence.lowestAvailableBytes =
            std::min(m_evidence.lowestAvailableBytes.value_or(sample.bytes), sample.bytes);
    m_evidence.kernelLog = askKernelLog();
    return m_evidence;
}

KernelLog MemoryWatch::askKernelLog() const {
    const bool nothingHappened =
        m_evidence.machineKillsBefore && m_evidence.machineKillsAfter == m_evidence.machineKillsBefore;
    const base::UniqueFd log(::open((m_root / "dev/kmsg").c_str(), O_RDONLY | O_NONBLOCK | O_CLOEXEC));
    if (!log)
        return KernelLog::unreadable;
    // Without a kill the log need not be read.
    if (nothingHappened)
        return KernelLog::silent;
    // The kernel stamps its records by a clock of its own, which stays within a second of the steady one.
    const auto since = std::chrono::duration_cast<std::chrono::microseconds>(m_begin.time_since_epoch() -
                                                                             std::chrono::seconds(1));
    KernelLog found = KernelLog::silent;
    std::array<char, 8192> record;
    for (;;) {
        const ssize_t count = read(log.get(), record.data(), record.size());
        // EPIPE: records were overwritten while we read; the next call goes on behind them.
        if (count < 0 && (errno == EINTR || errno == EPIPE))
            continue;
        if (count < 0 && errno != EAGAIN)
            return KernelLog::unreadable;
        if (count <= 0)
            return found;
        const KernelLog blamed =
            victimInRecord(std::string_view(record.data(), static_cast<size_t>(count)), m_processes, since);
        if (blamed != KernelLog::silent)
            found = blamed;
    }
}

KernelLog victimInRecord(std::string_view record, const std::set<pid_t>& processes,
                         std::chrono::microseconds since) {
    constexpr std::string_view kVictim = "illed process ";
    const std::string_view line = record.substr(0, record.find('\n'));
    const size_t sequence = line.find(',');
    const size_t time = sequence == std::string_view::npos ? sequence : line.find(',', sequence + 1);
    const size_t victim = line.find(kVictim);
    if (time == std::string_view::npos || victim == std::string_view::npos ||
        line.find("ut of memory") == std::string_view::npos)
        return KernelLog::silent;
    const auto numberAt = [line](size_t at) {
        int64_t number = -1;
        std::from_chars(line.data() + at, line.data() + line.size(), number);
        return number;
    };
    const auto pid = static_cast<pid_t>(numberAt(victim + kVictim.size()));
    if (numberAt(time + 1) < since.count() || processes.count(pid) == 0)
        return KernelLog::silent;
    return line.find("emory cgroup") != std::string_view::npos ? KernelLog::groupVictim
                                                               : KernelLog::machineVictim;
}

} // namespace trialdeck::supervise

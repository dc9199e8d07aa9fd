// SPDX-License-Identifier: Apache-2.0
#include "core/engine/node_capacity.h"

#include "core/base/control_group.h"

#include <algorithm>
#include <charconv>
#include <sched.h>

namespace trialdeck::engine {

namespace {

std::string readText(base::FileSystem& files, const base::Path& path) {
    constexpr uint64_t kMaxBytes = uint64_t{1} << 20;
    std::string text = base::readWholeFile(files, path, kMaxBytes).value_or("");
    text.erase(text.find_last_not_of(" \n") + 1);
    return text;
}

std::optional<double> asNumber(std::string_view text) {
    double number = 0;
    const auto result = std::from_chars(text.data(), text.data() + text.size(), number);
    return result.ec == std::errc() ? std::optional(number) : std::nullopt;
}

/// quota / period of one level; nothing where there is no limit.
std::optional<double> cpuQuota(base::FileSystem& files, const base::ControlGroup& group,
                               const base::Path& level) {
    std::optional<double> quota;
    std::optional<double> period;
    if (group.version == base::ControlGroupVersion::v2) {
        const std::string text = readText(files, level / "cpu.max");
        const size_t blank = text.find(' ');
        if (blank == std::string::npos)
            return std::nullopt;
        quota = asNumber(std::string_view(text).substr(0, blank));
        period = asNumber(std::string_view(text).substr(blank + 1));
    } else {
        quota = asNumber(readText(files, level / "cpu.cfs_quota_us"));
        period = asNumber(readText(files, level / "cpu.cfs_period_us"));
    }
    if (!quota || !period || *quota <= 0 || *period <= 0)
        return std::nullopt;
    return *quota / *period;
}

void limitCpus(base::FileSystem& files, const base::Path& root, NodeCapacity& capacity) {
    const base::ControlGroup quota = base::findControlGroup(files, root, "cpu");
    for (const base::Path& level : quota.levels) {
        if (const auto cpus = cpuQuota(files, quota, level))
            capacity.cpus = std::min(capacity.cpus, *cpus);
    }
    const base::ControlGroup set = base::findControlGroup(files, root, "cpuset");
    const char* name = set.version == base::ControlGroupVersion::v2 ? "cpuset.cpus.effective" : "cpuset.cpus";
    for (const base::Path& level : set.levels) {
        if (const auto cpus = countCpuList(readText(files, level / name)); cpus && *cpus > 0)
            capacity.cpus = std::min(capacity.cpus, static_cast<double>(*cpus));
    }
    if (quota.outOfReach || set.outOfReach)
        capacity.note = "the container's CPU limit cannot be read";
}

void limitMemory(base::FileSystem& files, const base::Path& root, NodeCapacity& capacity) {
    const base::ControlGroup group = base::findControlGroup(files, root, "memory");
    const char* name =
        group.version == base::ControlGroupVersion::v2 ? "memory.max" : "memory.limit_in_bytes";
    for (const base::Path& level : group.levels) {
        if (const auto bytes = base::readKernelNumber(files, level / name); bytes && *bytes > 0)
            capacity.memoryBytes = std::min(capacity.memoryBytes, *bytes);
    }
    if (group.outOfReach)
        capacity.note +=
            (capacity.note.empty() ? "" : "; ") + std::string("the container's memory limit cannot be read");
}

} // namespace

std::optional<int> countCpuList(std::string_view list) {
    int count = 0;
    while (!list.empty()) {
        const size_t comma = std::min(list.find(','), list.size());
        const std::string_view range = list.substr(0, comma);
        list.remove_prefix(std::min(comma + 1, list.size()));
        int first = 0;
        int last = 0;
        const char* end = range.data() + range.size();
        auto parsed = std::from_chars(range.data(), end, first);
        last = first;
        if (parsed.ec == std::errc() && parsed.ptr != end && *parsed.ptr == '-')
            parsed = std::from_chars(parsed.ptr + 1, end, last);
        if (parsed.ec != std::errc() || parsed.ptr != end || last < first)
            return std::nullopt;
        count += last - first + 1;
    }
    return count;
}

std::optional<int> affinityCpuCount() {
    // Large machines need more room than cpu_set_t has.
    for (int cpus = CPU_SETSIZE; cpus <= (1 << 20); cpus *= 4) {
        cpu_set_t* set = CPU_ALLOC(cpus);
        const size_t bytes = CPU_ALLOC_SIZE(cpus);
        const int result = sched_getaffinity(0, bytes, set);
        const int count = result == 0 ? CPU_COUNT_S(bytes, set) : 0;
        CPU_FREE(set);
        if (count > 0)
            return count;
    }
    return std::nullopt;
}

NodeCapacity readNodeCapacity(base::FileSystem& files, const base::Path& root,
                              std::optional<int> affinityCpus) {
    NodeCapacity capacity;
    capacity.machineCpus = std::max(countCpuList(readText(files, root / "sys/devices/system/cpu/online"))
                                        .value_or(affinityCpus.value_or(1)),
                                    1);
    capacity.cpus = capacity.machineCpus;
    const std::string memory = readText(files, root / "proc/meminfo");
    capacity.machineMemoryBytes = base::findCounter(memory, "MemTotal").value_or(0) * 1024;
    capacity.memoryBytes = capacity.machineMemoryBytes;
    limitCpus(files, root, capacity);
    limitMemory(files, root, capacity);
    if (affinityCpus)
        capacity.cpus = std::min(capacity.cpus, static_cast<double>(*affinityCpus));
    return capacity;
}

} // namespace trialdeck::engine

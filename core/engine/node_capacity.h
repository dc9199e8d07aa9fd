// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/files.h"

#include <optional>
#include <string>

namespace trialdeck::engine {

/// What this process may use of its machine.
struct NodeCapacity {
    /// After container limits and affinity; may be fractional.
    double cpus = 1;
    double machineCpus = 1;
    uint64_t memoryBytes = 0;
    uint64_t machineMemoryBytes = 0;
    /// English, for the node view: a limit exists that cannot be read; empty otherwise.
    std::string note;
};

/// The strictest of CPU quota, CPU set and affinity, and of the memory limits, from the own control group up
/// to the root (v1 and v2). A limit above the machine is the machine. Looked up anew whenever a trial starts:
/// limits change.
/// @param root  stands for "/"
/// @param affinityCpus  CPUs of this process's affinity mask; nothing to leave it out
[[nodiscard]] NodeCapacity readNodeCapacity(base::FileSystem& files, const base::Path& root,
                                            std::optional<int> affinityCpus);

/// CPUs that sched_getaffinity allows this process.
[[nodiscard]] std::optional<int> affinityCpuCount();

/// How many CPUs a kernel list such as "0-3,8,10-11" names. @return nothing for what is no list
[[nodiscard]] std::optional<int> countCpuList(std::string_view list);

} // namespace trialdeck::engine

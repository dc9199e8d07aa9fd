// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/files.h"

#include <optional>

namespace trialdeck::base {

enum class ControlGroupVersion { none, v1, v2 };

/// Where the limits of one controller ("cpu", "memory", "cpuset") that bind this process can be read.
struct ControlGroup {
    ControlGroupVersion version = ControlGroupVersion::none;
    /// The own group first, then each one above it; all exist. Empty where the group cannot be told.
    std::vector<Path> levels;
    /// The kernel names a group that cannot be reached from here: limits may exist but are not known.
    bool outOfReach = false;
};

/// @param root  stands for "/", so that tests and other mount namespaces can be read
[[nodiscard]] ControlGroup findControlGroup(FileSystem& files, const Path& root, std::string_view controller);

/// A whole number in the first line of a file of the kernel; nothing for "max", "-1" and what is no number.
[[nodiscard]] std::optional<uint64_t> readKernelNumber(FileSystem& files, const Path& path);

/// The number behind a word at the start of a line: "oom_kill 3" in memory.events.
[[nodiscard]] std::optional<uint64_t> findCounter(std::string_view text, std::string_view word);

} // namespace trialdeck::base

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/files.h"
#include "core/base/unique_fd.h"

#include <optional>
#include <string>
#include <sys/types.h>
#include <utility>
#include <vector>

namespace trialdeck::base {

/// "NAME=value" by name.
using Environment = std::map<std::string, std::string, std::less<>>;

/// The environment of this process.
[[nodiscard]] Environment currentEnvironment();

struct SpawnOptions {
    /// argv[0] is looked up in the PATH of `environment` unless it has a slash.
    std::vector<std::string> command;
    Environment environment;
    /// Empty: this process's own.
    Path workingDirectory;
    /// (descriptor here, descriptor in the child); all others are closed in the child. 0, 1 and 2 become
    /// /dev/null where they are not given.
    std::vector<std::pair<int, int>> descriptors;
    /// setsid: the child leads a session and a process group of its own.
    bool newSession = false;
    /// Runs this file, and argv[0] is only a name. Empty: argv[0] is looked up.
    Path program = {};
};

/// Starts a program by posix_spawn (never fork: the callers have threads). The caller reaps it.
/// @return command_not_found, command_not_executable, working_directory_missing or spawn_failed, with the
/// arguments command, path and reason.
[[nodiscard]] Expected<pid_t> spawn(const SpawnOptions& options);

/// The file that spawn() would run. @return command_not_found, command_not_executable.
[[nodiscard]] Expected<Path> findProgram(std::string_view name, const Environment& environment,
                                         const Path& workingDirectory);

/// How a process ended. Exit code and signal are kept apart: 137 is not signal 9.
struct ProcessExit {
    std::optional<int> code;
    std::optional<int> signal;
    friend bool operator==(const ProcessExit&, const ProcessExit&) = default;
};
[[nodiscard]] ProcessExit processExitFromStatus(int waitStatus);

/// Runs a program to its end and collects what it prints; for short probes at start-up, never on a loop.
/// @return timed_out after timeoutMs (the program is killed), too_large past maxBytes.
struct CommandOutput {
    std::string standardOutput;
    ProcessExit exit;
};
[[nodiscard]] Expected<CommandOutput> runAndCollect(const SpawnOptions& options, int timeoutMs,
                                                    size_t maxBytes = size_t{1} << 20);

} // namespace trialdeck::base

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/process.h"
#include "core/base/unique_fd.h"
#include "core/supervise/launch_order.h"

namespace trialdeck::supervise {

struct StartedWorker {
    pid_t pid = 0;
    /// Non-blocking read ends. With a terminal both streams come as one, by `output`.
    base::UniqueFd output;
    base::UniqueFd errors;
};

/// Starts the order's program in a session of its own, so that it dies with this process. posix_spawn cannot
/// ask the kernel for that, so this program is started once more in between (runStarter), which becomes the
/// worker.
/// @param self  the words that lead to superviseMain() of this program: its name, "supervise"
/// @return what exec said: command_not_found, command_not_executable, working_directory_missing,
/// spawn_failed.
[[nodiscard]] Expected<StartedWorker> startWorker(const LaunchOrder& order,
                                                  const std::vector<std::string>& self);

/// `starter <pid of the supervisor> <plain|terminal> <file> <argv…>`: ties itself to the supervisor's life
/// and becomes the program. Descriptor 3 takes the errno of a failed exec. Returns only on failure.
int runStarter(int argc, char** argv);

/// Starts a program that is no child of this process and not in its tree: it outlives us and is not mistaken
/// for a part of the worker. For single-threaded programs that are a child subreaper.
/// @return spawn_failed, …
[[nodiscard]] Expected<void> startDetached(const std::vector<std::string>& command,
                                           const std::vector<std::string>& self);

/// `detacher <command…>`: starts the command in a session of its own and ends.
int runDetacher(int argc, char** argv);

inline constexpr std::string_view kStarterWord = "--starter";
inline constexpr std::string_view kDetacherWord = "--detacher";

} // namespace trialdeck::supervise

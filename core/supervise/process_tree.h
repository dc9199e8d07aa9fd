// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/files.h"

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <sys/types.h>
#include <vector>

namespace trialdeck::supervise {

/// Every process has the name of its attempt in this variable, so that one that left its tree is found.
inline constexpr std::string_view kAttemptVariable = "TRIALDECK_ATTEMPT";

/// All processes below this one, parents before their children. A process that is being born while it is
/// asked may be missing: whoever wants all of them gone asks again until nothing is left.
[[nodiscard]] std::vector<pid_t> descendantsOf(pid_t root);

/// Memory that the process has in RAM (bytes), shared pages included; 0 where it is gone.
[[nodiscard]] uint64_t residentBytes(pid_t pid);

/// Time on processors so far, in clock ticks (sysconf(_SC_CLK_TCK) a second); 0 where it is gone.
[[nodiscard]] uint64_t processorTicks(pid_t pid);

/// Sends the signal to each; those that are gone are passed over.
void signalEach(std::span<const pid_t> pids, int signal);

/// The attempt that the process carries; nothing where it carries none or is somebody else's.
[[nodiscard]] std::optional<std::string> attemptOf(pid_t pid);
/// A variable that the process was started with.
[[nodiscard]] std::optional<std::string> startVariableOf(pid_t pid, std::string_view name);

struct AttemptProcess {
    pid_t pid = 0;
    std::string attempt;
};

/// Processes of this user, except this one, that carry the attempt, or any attempt below it where
/// `attempt` is only the front part ("<experiment>" or "<experiment>/<trial>").
[[nodiscard]] std::vector<AttemptProcess> processesOfAttempt(std::string_view attempt);

} // namespace trialdeck::supervise

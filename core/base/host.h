// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/process.h"

#include <cstdint>
#include <optional>
#include <string>

namespace trialdeck::base {

[[nodiscard]] std::string hostName();
/// /etc/machine-id, else D-Bus's copy; "unknown" where neither exists. Tells hosts of one home apart.
[[nodiscard]] std::string machineId();
/// Changes with each start of the machine.
[[nodiscard]] std::string bootId();
/// Start of the process in clock ticks since boot: with pid and boot id it names a process for good.
[[nodiscard]] std::optional<uint64_t> processStartTicks(pid_t pid);
/// HOME, else what `getent passwd` says of this user (statically linked programs have no getpwuid).
[[nodiscard]] Expected<Path> homeDirectory();
/// The user's login shell from `getent passwd`, else SHELL, else /bin/sh.
[[nodiscard]] std::string loginShell();
/// TRIALDECK_HOME, else ~/.trialdeck; absolute. @return also what expandPath() does
[[nodiscard]] Expected<Path> trialdeckHome();
/// Makes TRIALDECK_HOME of this process, and so of all that it starts elsewhere, absolute. Before threads
/// are.
/// @return trialdeckHome()
Expected<Path> settleTrialdeckHome();
/// Replaces a leading "~", "$HOME" or "${HOME}".
[[nodiscard]] Path expandHome(std::string_view path, const Path& home);
/// The same, and a leading "~user" becomes that user's home. May ask `getent`: not for a loop.
/// @return unknown_value (value, allowed) for a user that is not known and for any other variable, which a
/// shell would have replaced
[[nodiscard]] Expected<Path> expandPath(std::string_view path, const Path& home);
/// The running program's file.
[[nodiscard]] Path executablePath();
/// A random version 4 UUID, lower case.
[[nodiscard]] std::string newUuid();

} // namespace trialdeck::base

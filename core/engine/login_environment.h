// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/process.h"

#include <string>

namespace trialdeck::engine {

/// What the user's programs would see in a terminal.
struct LoginEnvironment {
    base::Environment variables;
    /// Empty, or why these are only the daemon's own variables: login_shell's name and what went wrong.
    std::string note;
};

/// Runs the login shell with one line that every shell reads alike (`exec /bin/sh -c '…'`) and takes what
/// stands between two markers, so that greetings, csh and fish do not matter. Blocks; not for the loop.
/// @param shell  absolute path of the login shell
/// @param own  variables to start from, and the answer where the shell gives none within timeoutMs
[[nodiscard]] LoginEnvironment captureLoginEnvironment(const std::string& shell, const base::Environment& own,
                                                       int timeoutMs = 10'000);

/// The command that captureLoginEnvironment runs: the shell with the options that make it read its login
/// files.
[[nodiscard]] std::vector<std::string> loginCommand(const std::string& shell, const std::string& line);

} // namespace trialdeck::engine

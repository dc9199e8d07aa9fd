// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/error.h"

#include <string>
#include <string_view>

namespace trialdeck::transport {

/// The one command line that is handed to login shells. Bourne shells, csh, tcsh and fish read it alike, and
/// it starts a /bin/sh that takes one line from its standard input as its program; what follows that line is
/// left for the program's own input.
inline constexpr std::string_view kShellCommand = "exec /bin/sh -c 'IFS= read -r line;eval \"$line\"'";

/// One line for kShellCommand's input: the script with its lines joined.
/// @param script  POSIX shell, each command with its own ";"; no here-documents, comments or words with line
///                breaks
[[nodiscard]] std::string asShellLine(std::string_view script);

/// Why no shell ran the command: the line broke, the account has none, or its login script keeps commands
/// away.
/// @param isCut  it ended, and nobody knows with which code
[[nodiscard]] Error whyNoShell(const std::string& host, std::string printed, const std::string& errors,
                               bool isCut);

/// A word that /bin/sh reads back as exactly these bytes (no NUL).
[[nodiscard]] std::string shellQuoted(std::string_view word);

} // namespace trialdeck::transport

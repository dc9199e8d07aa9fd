// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/client/experiment_mirror.h"
#include "core/client/saved_connections.h"
#include "core/ctl/exit_code.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace trialdeck::ctl {

enum class Verb {
    run,
    list,
    show,
    watch,
    logs,
    stop,
    pause,
    resume,
    best,
    exportTrials,
    check,
    exec,
    forward,
    doctor,
    shutdown,
    syncUp,
    syncDown
};

/// What one command line asks for. Fields that its verb does not have keep their defaults.
struct Command {
    Verb verb = Verb::list;
    bool json = false;
    /// Whose head is meant: a saved connection, a name of ~/.ssh/config, "user@host" or an address. Empty:
    /// this computer.
    std::string host;
    uint16_t port = 0;
    /// Which SSH client; nothing: as the saved connection says.
    std::optional<client::SshWay> transport;
    /// Says which SSH client made the connection, and why.
    bool verbose = false;
    /// A head on that host, even where its home has one on another.
    bool here = false;
    /// "-": standard input.
    std::string file;
    /// An id, the beginning of one, or a name.
    std::string experiment;
    std::optional<uint32_t> trial;
    std::optional<uint32_t> attempt;
    uint32_t rank = 0;
    bool standardError = false;
    bool follow = false;
    /// Only so many lines from the end.
    std::optional<uint32_t> lines;
    bool detach = false;
    /// "Try one configuration".
    bool single = false;
    /// Do not ask.
    bool yes = false;
    /// Pause at once, also what has no checkpoint.
    bool now = false;
    bool csv = false;
    /// Every report, not only each trial.
    bool reports = false;
    bool stopTrials = false;
    /// None or both: source, then destination.
    std::vector<std::string> folders;
    std::vector<std::string> include;
    std::vector<std::string> exclude;
    bool dryRun = false;
    bool removeExtra = false;
    /// Sync again at each change.
    bool watch = false;
    /// exec: the command and its arguments. forward: what, and its argument.
    std::vector<std::string> words;
    /// Where the command runs there.
    std::string folder;
    /// By what the best trial is chosen.
    client::BestScope scope = client::BestScope::last;
};

/// Nothing more to do: help, version or a wrong command line.
struct Told {
    ExitCode code = ExitCode::ok;
    std::string text;
};

/// @param words  without the program's name
/// @param version  for --version
[[nodiscard]] std::variant<Command, Told> parseCommandLine(std::vector<std::string> words,
                                                           std::string_view version);

} // namespace trialdeck::ctl

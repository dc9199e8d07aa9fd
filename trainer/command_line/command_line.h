// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "trainer/collective/open.h"
#include "trainer/train_loop/train_loop.h"

#include <filesystem>
#include <span>
#include <string>
#include <variant>

namespace trialdeck::trainer::command_line {

struct Settings {
    std::filesystem::path data = "/usr/share/datasets/fashion-mnist";
    train_loop::Hyperparameters hyperparameters;
    collective::Transport transport = collective::Transport::automatic;

    /// Everything that the workers of one trial must agree on, as one line.
    [[nodiscard]] std::string agreement() const;
};

/// The program has nothing more to do than to print this and end.
struct Ending {
    std::string text;
    int exitCode = 0;
};

/// Reads the arguments (without the program's name). Numbers may be written as Python prints them (1e-05),
/// and whole ones with a fraction of zero (32.0).
/// @param defaultSeed  TRIALDECK_SEED, or empty
/// @return an Ending for --help (exit code 0) and for everything wrong (one sentence, exit code 2).
[[nodiscard]] std::variant<Settings, Ending> parse(std::span<const std::string> arguments,
                                                   const std::string& defaultSeed);

/// Exit code of bad arguments and a bad environment.
inline constexpr int kUsageExitCode = 2;

} // namespace trialdeck::trainer::command_line

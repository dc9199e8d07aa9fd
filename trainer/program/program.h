// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <string>

namespace trialdeck::trainer::program {

/// The whole of trialdeck-train: reads arguments and environment, meets the other workers, loads the data,
/// trains, reports. Prints to standard output and, where it fails, one sentence to standard error.
/// @param arguments  without the program's name
/// @return the exit code
[[nodiscard]] int run(std::span<const std::string> arguments);

} // namespace trialdeck::trainer::program

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

namespace trialdeck::supervise {

/// `trialdeck-head supervise <attempt> <rank>`: the words behind it are only for people who list processes.
/// Descriptor 3 is a unix socket: the order comes in by it, lines go both ways behind that. Descriptor 4 is
/// a FileLock that says the supervisor lives.
inline constexpr int kChannelDescriptor = 3;
inline constexpr int kLockDescriptor = 4;

/// @param argc, argv  behind the word "supervise"
/// @param self        the words that lead here: the program's name, "supervise"
/// @return the program's exit code
int superviseMain(int argc, char** argv, const std::vector<std::string>& self);

} // namespace trialdeck::supervise

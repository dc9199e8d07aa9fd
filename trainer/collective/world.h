// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/process.h"

#include <cstdint>
#include <string>

namespace trialdeck::trainer::collective {

/// Which of how many workers this process is, and where they meet, as torchrun sets it.
struct World {
    int rank = 0;
    int size = 1;
    /// Host name or address of rank 0; rank 0 listens there.
    std::string masterAddress = "127.0.0.1";
    uint16_t masterPort = 0;
};

/// Reads RANK, WORLD_SIZE, MASTER_ADDR and MASTER_PORT. Without any of them: a world of one.
/// @return value_out_of_range or missing_field with the argument name and a sentence as detail, where one of
/// them is no number, they contradict each other, or a world of several lacks one of them.
[[nodiscard]] Expected<World> worldFromEnvironment(const base::Environment& environment);

} // namespace trialdeck::trainer::collective

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "trainer/collective/open.h"

#include <functional>
#include <string>
#include <vector>

namespace trialdeck::tests {

/// How the ranks of one test are joined.
struct Gang {
    int size = 1;
    trainer::collective::Transport transport = trainer::collective::Transport::automatic;
    trainer::collective::Patience patience = {std::chrono::seconds(20), std::chrono::seconds(20)};
};

using Work = std::function<Expected<void>(std::unique_ptr<trainer::collective::Collective>& workers)>;

/// Runs the work once for each rank, each in a thread with a Collective of its own; all meet at a free port
/// of 127.0.0.1. The Collective of a rank whose work returns is destroyed at once, as when its process ends.
/// @return for each rank "" or "code: detail"
[[nodiscard]] std::vector<std::string> runRanks(const Gang& gang, const Work& work);

} // namespace trialdeck::tests

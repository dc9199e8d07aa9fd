// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/log.h"
#include "core/engine/engine.h"
#include "core/head/experiments.h"
#include "core/head/head_home.h"

#include <asio/io_context.hpp>
#include <functional>
#include <memory>
#include <string>

namespace trialdeck::head {

struct ServeOptions {
    std::string version;
    std::string buildId;
    /// Where to write "ready", or why not; closed then. -1: nobody asks.
    int readyDescriptor = -1;
    /// Started again by a supervisor: respects the mark that `shutdown` leaves.
    bool again = false;
};

/// What the composition root chooses.
struct ServeParts {
    std::function<Expected<std::unique_ptr<engine::Engine>>(asio::io_context& loop, base::FileSystem& files,
                                                            const base::Clock& clock, base::Log& log,
                                                            const HeadHome& home)>
        makeEngine;
    /// Runs the login shell; a note where it gave no answer.
    std::function<std::pair<base::Environment, std::string>()> captureEnvironment;
};

/// `trialdeck-head serve`: the daemon. Returns when it was told to end, or at once where another one serves.
/// @return the program's exit code
[[nodiscard]] int serve(const ServeOptions& options, const ServeParts& parts);

} // namespace trialdeck::head

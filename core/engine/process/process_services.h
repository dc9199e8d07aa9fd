// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/clock.h"
#include "core/base/log.h"
#include "core/engine/file_watch.h"
#include "core/engine/process/process_options.h"
#include "core/engine/process/read_turns.h"

#include <set>
#include <sys/types.h>

namespace trialdeck::engine::process {

/// What the parts of one process engine share. Outlives them.
struct ProcessServices {
    asio::io_context& loop;
    base::FileSystem& files;
    const base::Clock& clock;
    base::Log& log;
    FileWatch& watch;
    ReadTurns& turns;
    const ProcessOptions& options;
    /// Supervisors that are our children and have not been reaped.
    std::set<pid_t>& children;
};

} // namespace trialdeck::engine::process

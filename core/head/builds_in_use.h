// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/files.h"

#include <chrono>

namespace trialdeck::head {

inline constexpr std::chrono::hours kMarkBuildsEvery{12};

/// Renews the mark "used" of each build beside ours from which a process of this host runs. Who removes old
/// builds from a home sees the processes of his own host only; the daemon speaks for those of this one.
/// @param program  <place>/heads/<build>/trialdeck-head; programs that lie elsewhere have no builds beside
/// them
/// @param processes  "/proc", another folder in tests
void markBuildsInUse(const base::Path& program, const base::Path& processes);

} // namespace trialdeck::head

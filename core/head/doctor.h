// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/engine/engine.h"
#include "core/head/head_home.h"
#include "core/protocol/messages.h"

namespace trialdeck::head {

/// What `trialdeckctl doctor` shows: one line for each thing that experiments on this host need.
/// @param missingFolders  experiments of the index whose folder is not there
[[nodiscard]] protocol::DoctorResult examine(base::FileSystem& files, const HeadHome& home,
                                             const engine::Engine& engine, size_t missingFolders);

} // namespace trialdeck::head

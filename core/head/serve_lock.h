// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/file_lock.h"
#include "core/head/head_home.h"

#include <optional>

namespace trialdeck::head {

/// The lock that decides who serves; never the socket's existence. Taken in the home, or in /tmp where the
/// home's file system has no locks (home.locksInHome() then says so).
/// @return nothing where another daemon holds it.
[[nodiscard]] Expected<std::optional<base::FileLock>> acquireServeLock(base::FileSystem& files,
                                                                       HeadHome& home);

/// Whether a daemon serves now; takes nothing. Decides between home and /tmp in the same way.
[[nodiscard]] Expected<bool> isServed(base::FileSystem& files, HeadHome& home);

} // namespace trialdeck::head

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/files.h"
#include "core/base/unique_fd.h"

#include <optional>

namespace trialdeck::base {

/// Says that its holder lives: the kernel releases it when the last process that has the descriptor is gone,
/// however it went. It belongs to the open file, so a program started with the descriptor holds it on.
/// Open file description locks; flock where the kernel (before 3.15) has none.
class FileLock {
public:
    /// Creates the file where it is missing, readable by this user alone.
    /// @return nothing where another holder has it; no_lock_support where the file system has no locks.
    [[nodiscard]] static Expected<std::optional<FileLock>> tryAcquire(const Path& path);

    /// Whether somebody holds the lock now; takes nothing and creates nothing. A missing file is not held.
    [[nodiscard]] static Expected<bool> isHeld(const Path& path);

    /// Takes up a lock that this process was started with.
    [[nodiscard]] static FileLock adopt(UniqueFd fd) { return FileLock(std::move(fd)); }

    /// To hand on to a program that shall hold it too.
    [[nodiscard]] int descriptor() const { return m_fd.get(); }

private:
    explicit FileLock(UniqueFd fd) : m_fd(std::move(fd)) {}

    UniqueFd m_fd;
};

} // namespace trialdeck::base

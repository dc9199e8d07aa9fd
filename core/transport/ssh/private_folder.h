// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/file_lock.h"

#include <string_view>
#include <utility>

namespace trialdeck::transport {

/// A folder of this user alone for sockets, whose paths may have no more than 108 bytes. Removed with its
/// object; that of a process that was killed is removed when this user's next one is made.
class PrivateFolder {
public:
    [[nodiscard]] static Expected<PrivateFolder> make();
    PrivateFolder(PrivateFolder&& other) noexcept
        : m_path(std::exchange(other.m_path, {})), m_owned(std::move(other.m_owned)) {}
    PrivateFolder& operator=(PrivateFolder&&) = delete;
    ~PrivateFolder();

    [[nodiscard]] base::Path file(std::string_view name) const { return m_path / name; }

private:
    PrivateFolder(base::Path path, base::FileLock owned)
        : m_path(std::move(path)), m_owned(std::move(owned)) {}

    base::Path m_path;
    /// Held by this process alone, so that others see whether it lives.
    base::FileLock m_owned;
};

} // namespace trialdeck::transport

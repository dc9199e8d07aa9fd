// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/clock.h"
#include "core/base/files.h"

#include <functional>
#include <map>
#include <memory>
#include <set>

namespace asio {
class io_context;
}

namespace trialdeck::engine {

/// Tells when files may have grown, so that their readers look: by inotify, and by looking around each
/// second where the file system tells nothing. Many changes are told as one. Owned by an engine or a head;
/// lives on its loop.
class FileWatch {
public:
    using Id = uint64_t;
    using OnChange = std::function<void()>;

    FileWatch(asio::io_context& loop, const base::Clock& clock);
    ~FileWatch();
    FileWatch(const FileWatch&) = delete;
    FileWatch& operator=(const FileWatch&) = delete;

    /// Calls onChange on the loop, never from in here, after changes of the file, or of what lies in the
    /// directory. A file that is missing or replaced is found again when it is there.
    [[nodiscard]] Id add(base::Path path, OnChange onChange);
    void remove(Id id);

private:
    struct State;
    std::shared_ptr<State> m_state;
};

} // namespace trialdeck::engine

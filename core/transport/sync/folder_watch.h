// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/files.h"

#include <asio/awaitable.hpp>
#include <chrono>
#include <memory>

namespace trialdeck::transport {

/// Notices changes below a folder here, for "keep synced while it runs". Owned by who syncs, on its loop;
/// outlives its change(). The kernel watches each folder by itself and can be out of watches.
class FolderWatch {
public:
    /// Quiet for so long after a change before it counts: programs write in bursts.
    static constexpr std::chrono::milliseconds kQuiet{300};
    /// A folder that is written all the time counts as changed each so often.
    static constexpr std::chrono::milliseconds kLongest{3'000};

    /// What changes from now on is not missed.
    /// @return file_not_found, unavailable (reason) where the system allows no more watches, …
    [[nodiscard]] static Expected<std::unique_ptr<FolderWatch>> start(const asio::any_io_executor& executor,
                                                                      const base::Path& folder);
    ~FolderWatch();
    FolderWatch(const FolderWatch&) = delete;
    FolderWatch& operator=(const FolderWatch&) = delete;

    /// Waits for the next change, also one since the last call.
    /// @return cancelled; what start() returns, for folders that are new
    [[nodiscard]] asio::awaitable<Expected<void>> change();
    void cancel();

private:
    class State;
    explicit FolderWatch(std::shared_ptr<State> state);
    std::shared_ptr<State> m_state;
};

} // namespace trialdeck::transport

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <asio/io_context.hpp>
#include <functional>
#include <memory>

namespace trialdeck::client {

/// Notices that this computer has got a way to others again: an interface came up, got an address or a route
/// (Linux: rtnetlink(7)). Several such messages close together are told once. Where the system does not tell,
/// nothing ever comes. Owned by whoever would try again then; on the loop.
class NetworkWatch {
public:
    /// @param loop      outlives the watch
    /// @param onReturn  from the loop; not after the watch is gone
    NetworkWatch(asio::io_context& loop, std::function<void()> onReturn);
    ~NetworkWatch();
    NetworkWatch(const NetworkWatch&) = delete;
    NetworkWatch& operator=(const NetworkWatch&) = delete;

private:
    class Listener;
    std::shared_ptr<Listener> m_listener;
};

} // namespace trialdeck::client

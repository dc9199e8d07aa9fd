// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/unique_fd.h"
#include "core/supervise/lines.h"

#include <functional>
#include <memory>

namespace asio {
class io_context;
}

namespace trialdeck::engine::process {

/// The conversation with one supervisor. Lives on the loop; calls back from it, never from inside a call, and
/// not after its destruction.
class SupervisorLink {
public:
    struct Handlers {
        std::function<void(const supervise::SupervisorLine& line)> onLine;
        /// The other end is gone; the last call.
        std::function<void()> onClosed;
    };

    /// @param socket  a connected unix socket
    SupervisorLink(asio::io_context& loop, base::UniqueFd socket, Handlers handlers);
    ~SupervisorLink();
    SupervisorLink(const SupervisorLink&) = delete;
    SupervisorLink& operator=(const SupervisorLink&) = delete;

    /// Sends as fast as it is taken.
    void send(std::string_view bytes);

private:
    struct State;
    std::shared_ptr<State> m_state;
};

} // namespace trialdeck::engine::process

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/error.h"

#include <asio/awaitable.hpp>
#include <string>
#include <string_view>

namespace trialdeck::transport {

/// What came before the head's first frame: a login shell's greeting, as text for people.
struct LoginChatter {
    size_t bytes = 0;
    std::string text;
};

/// Both directions of one connection, cut into frames; knows no messages. Belongs to one event loop. One
/// receive() and one send() may be under way at a time; the channel lives until both have come back, which
/// close() makes them do.
class FrameChannel {
public:
    virtual ~FrameChannel() = default;

    /// The next frame's payload, valid until the next call.
    /// @return connection_lost at the end of the stream (argument reason: what the other end printed, if it
    ///         said anything), bad_frame where the stream holds something else.
    [[nodiscard]] virtual asio::awaitable<Expected<std::string_view>> receive() = 0;

    /// Comes back when the payload has been handed to the system, which says nothing of its arrival.
    /// @param payload  1 byte to protocol::kMaxFrameBytes
    [[nodiscard]] virtual asio::awaitable<Expected<void>> send(std::string payload) = 0;

    /// Ends both directions at once; may be called twice.
    virtual void close() = 0;

    [[nodiscard]] virtual LoginChatter chatter() const { return {}; }

    /// Whether the other end is on another computer, so that packing what is large pays.
    [[nodiscard]] virtual bool crossesNetwork() const { return false; }
};

} // namespace trialdeck::transport

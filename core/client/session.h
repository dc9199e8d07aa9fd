// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/protocol/envelope.h"
#include "core/transport/frame_channel.h"

#include <asio/any_io_executor.hpp>
#include <asio/steady_timer.hpp>
#include <deque>
#include <functional>
#include <memory>
#include <optional>

namespace trialdeck::client {

/// One connection from its first frame to its last: sends what it is given in order, hands on what comes,
/// and says why it ended. Shared by the coroutines that read and write; lives on the client's loop.
class Session : public std::enable_shared_from_this<Session> {
public:
    using Receiver = std::function<void(protocol::Envelope)>;

    Session(const asio::any_io_executor& executor, std::unique_ptr<transport::FrameChannel> channel,
            Receiver receiver);

    void start();
    /// Queues a frame's payload. After the end it goes nowhere.
    void send(std::string payload);
    /// Ends the session with that reason, unless it has ended already.
    void close(Error reason);
    /// Comes back when the session has ended, with the reason.
    [[nodiscard]] asio::awaitable<Error> ended();

    [[nodiscard]] transport::LoginChatter chatter() const { return m_channel->chatter(); }
    [[nodiscard]] bool crossesNetwork() const { return m_channel->crossesNetwork(); }

private:
    static asio::awaitable<void> read(std::shared_ptr<Session> self);
    static asio::awaitable<void> write(std::shared_ptr<Session> self);

    std::unique_ptr<transport::FrameChannel> m_channel;
    Receiver m_receiver;
    std::deque<std::string> m_outgoing;
    bool m_writing = false;
    std::optional<Error> m_reason;
    /// Never ring: cancelled to wake who waits for it.
    asio::steady_timer m_endedSignal;
};

} // namespace trialdeck::client

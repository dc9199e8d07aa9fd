// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/unique_fd.h"
#include "core/protocol/frame.h"
#include "core/transport/frame_channel.h"

#include <asio/local/stream_protocol.hpp>
#include <chrono>

namespace trialdeck::transport {

/// Frames over one end of a unix stream socket: a child program's standard input and output, or the daemon's
/// socket. (Sockets and not pipes, because writing to a closed one raises no signal.)
class SocketChannel final : public FrameChannel {
public:
    /// @param socket  connected, any descriptor flags
    /// @return connection_lost where the descriptor is no such socket.
    [[nodiscard]] static Expected<std::unique_ptr<SocketChannel>> adopt(const asio::any_io_executor& executor,
                                                                        base::UniqueFd socket);

    explicit SocketChannel(asio::local::stream_protocol::socket socket) : m_socket(std::move(socket)) {}

    /// Reads up to and with the start marker, before the first receive(); what lies before it is chatter().
    /// May be called again for a second marker behind the first one.
    /// @return head_did_not_answer at the end of the stream, past the bound on chatter or after the timeout.
    [[nodiscard]] asio::awaitable<Expected<void>> findStart(std::string nonce,
                                                            std::chrono::milliseconds timeout);

    /// After a findStart() that failed: the other end closed the stream, so its last words are still to come.
    [[nodiscard]] bool ended() const { return m_ended; }

    [[nodiscard]] asio::awaitable<Expected<std::string_view>> receive() override;
    [[nodiscard]] asio::awaitable<Expected<void>> send(std::string payload) override;
    void close() override;
    [[nodiscard]] LoginChatter chatter() const override { return m_chatter; }

private:
    asio::awaitable<std::error_code> readMore(std::string& bytes);

    asio::local::stream_protocol::socket m_socket;
    protocol::FrameReader m_reader;
    /// Came behind a marker.
    std::string m_rest;
    LoginChatter m_chatter;
    bool m_ended = false;
};

} // namespace trialdeck::transport

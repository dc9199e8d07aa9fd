// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/transport/remote/remote_host.h"
#include "core/transport/socket_channel.h"

namespace trialdeck::transport {

/// The frames of a relay, on this computer or on another host, together with the relay, whose last words
/// explain why it ended.
class ProgramChannel final : public FrameChannel {
public:
    ProgramChannel(std::unique_ptr<RemoteProgram> program, std::unique_ptr<SocketChannel> socket)
        : m_program(std::move(program)), m_socket(std::move(socket)) {}

    asio::awaitable<Expected<std::string_view>> receive() override;
    asio::awaitable<Expected<void>> send(std::string payload) override;
    void close() override;
    LoginChatter chatter() const override { return m_socket->chatter(); }
    bool crossesNetwork() const override { return true; }

private:
    std::unique_ptr<RemoteProgram> m_program;
    std::unique_ptr<SocketChannel> m_socket;
    bool m_closed = false;
};

} // namespace trialdeck::transport

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/transport/libssh2/libssh_session.h"
#include "core/transport/remote/remote_host.h"

namespace trialdeck::transport {

/// A channel of a session whose two directions are carried to and from a unix socket. Keeps 64 KiB at most
/// in each direction; what the other side does not take stays with its sender.
class LibsshProgram final : public RemoteProgram {
public:
    /// Opens a channel and hands it the command line.
    /// @return too_many_sessions, connection_lost
    [[nodiscard]] static asio::awaitable<Expected<std::unique_ptr<LibsshProgram>>>
    start(std::shared_ptr<LibsshSession> session, std::string commandLine);

    /// Opens a connection from the host to a port that it reaches, whose each direction ends by itself. The
    /// program's socket is the connection.
    /// @return forwarding_refused, port_not_listening, connection_lost
    [[nodiscard]] static asio::awaitable<Expected<std::unique_ptr<LibsshProgram>>>
    connect(std::shared_ptr<LibsshSession> session, std::string host, uint16_t port);

    ~LibsshProgram() override;

    base::UniqueFd takeSocket() override;
    std::string errors() const override;
    void setErrorListener(std::function<void(std::string_view)> listener) override;
    asio::awaitable<base::ProcessExit> finish(std::chrono::milliseconds timeout) override;

private:
    class Channel;
    enum class Carries { program, stream };
    explicit LibsshProgram(std::shared_ptr<Channel> channel, base::UniqueFd socket);
    static Expected<std::unique_ptr<LibsshProgram>> pumped(std::shared_ptr<LibsshSession> session,
                                                           LIBSSH2_CHANNEL* raw, Carries carries);

    std::shared_ptr<Channel> m_channel;
    base::UniqueFd m_socket;
};

} // namespace trialdeck::transport

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/process.h"
#include "core/base/unique_fd.h"
#include "core/transport/connection_steps.h"

#include <asio/awaitable.hpp>
#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

namespace trialdeck::transport {

/// So long a program whose streams are closed may take to end and to say why.
inline constexpr std::chrono::milliseconds kLastWordsTimeout{2'000};

/// A program that runs on another host. Ended at the latest when destroyed. Belongs to one event loop.
class RemoteProgram {
public:
    virtual ~RemoteProgram() = default;

    /// Our end of its standard input and output, a unix stream socket; given away once. Shutting down its
    /// writing side is the end of the program's input.
    [[nodiscard]] virtual base::UniqueFd takeSocket() = 0;

    /// What it has written to standard error so far, cleaned.
    [[nodiscard]] virtual std::string errors() const = 0;

    /// Who hears what it writes to standard error, as it comes and beginning with what has come already. Not
    /// called after the destructor.
    virtual void setErrorListener(std::function<void(std::string_view)> listener) = 0;

    /// Waits for its end and the last of its errors; gives it up when it lives on after the timeout. A code
    /// is the program's own; neither code nor signal where the line broke before it ended.
    [[nodiscard]] virtual asio::awaitable<base::ProcessExit> finish(std::chrono::milliseconds timeout) = 0;
};

/// A TCP connection that the host makes to one of its ports, carried over the login. Ended at the latest when
/// destroyed. Belongs to one event loop.
class RemoteStream {
public:
    virtual ~RemoteStream() = default;

    /// Our end, a unix stream socket; given away once. Each direction ends by itself.
    [[nodiscard]] virtual base::UniqueFd takeSocket() = 0;

    /// Asked where it ended before a byte came: why the host could not connect. Some clients learn that only
    /// after openTcp().
    /// @return port_not_listening, forwarding_refused; nothing where there was a connection
    [[nodiscard]] virtual asio::awaitable<std::optional<Error>> refusal() = 0;
};

/// Another host of the same pool: login2 beside login1. What is true of the one is tried at the other.
struct NeighbourHost {
    std::string name;
    /// Empty, 0: as the first one's.
    std::string user;
    uint16_t port = 0;
};

enum class NeighbourWay {
    /// Over the first one's connection, which must stay open.
    throughThisOne,
    direct,
};

/// A host that this user is logged in to over SSH, whichever client does it. Shared by a transport and what
/// else uses its login, all on one event loop.
class RemoteHost {
public:
    virtual ~RemoteHost() = default;

    /// Where it leads, for logs: "ssh gpu-head".
    [[nodiscard]] virtual std::string destination() const = 0;

    /// Logs in: the steps name, tcp, host_key and login. May be called again after the connection was lost.
    /// @return host_not_found, host_unreachable, connection_refused, timed_out, host_key_changed,
    ///         host_key_revoked, host_key_refused, login_refused, cancelled, …
    [[nodiscard]] virtual asio::awaitable<Expected<void>> open(StepListener listener) = 0;

    [[nodiscard]] virtual bool isOpen() const = 0;

    /// Hands one command line to the login shell; remote_shell.h knows which lines all shells read alike.
    /// @return too_many_sessions, connection_lost
    [[nodiscard]] virtual asio::awaitable<Expected<std::unique_ptr<RemoteProgram>>>
    start(std::string commandLine) = 0;

    /// Makes the host connect to a port of its own or of another that it reaches. Not counted by MaxSessions.
    /// @param host  as the far side names it: "localhost"
    /// @return forwarding_refused, port_not_listening (or later, by refusal()), connection_lost
    [[nodiscard]] virtual asio::awaitable<Expected<std::unique_ptr<RemoteStream>>> openTcp(std::string host,
                                                                                           uint16_t port) = 0;

    /// A login at another host with all settings of this one; not open yet. Null where this client has none.
    /// @param way  throughThisOne: while this host is open
    [[nodiscard]] virtual std::unique_ptr<RemoteHost> neighbour(const NeighbourHost&, NeighbourWay) {
        return nullptr;
    }

    /// Ends the connection and all programs on it; an open() that is under way fails soon.
    virtual void close() = 0;
};

} // namespace trialdeck::transport

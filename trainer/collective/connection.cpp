// SPDX-License-Identifier: Apache-2.0
#include "trainer/collective/connection.h"

#include <algorithm>
#include <cerrno>
#include <climits>
#include <cstring>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>

namespace trialdeck::trainer::collective {

namespace {

/// Between two attempts to reach a peer that does not listen yet.
constexpr int kRetryMilliseconds = 50;
constexpr int kOneAttemptMilliseconds = 10'000;
/// A machine that vanished is noticed after idle + count × interval while nothing is under way, and after the
/// last of these while something is.
constexpr int kKeepAliveIdleSeconds = 10;
constexpr int kKeepAliveIntervalSeconds = 10;
constexpr int kKeepAliveCount = 5;
constexpr int kUnacknowledgedMilliseconds = 60'000;

void setOption(int socket, int level, int option, int value) {
    // Each of these only sharpens or speeds up what TCP does anyway: a kernel that lacks one is no error.
    setsockopt(socket, level, option, &value, sizeof value);
}

int pollFor(std::span<pollfd> events, int milliseconds) {
    int ready = 0;
    do {
        ready = poll(events.data(), events.size(), milliseconds);
    } while (ready < 0 && errno == EINTR);
    return ready;
}

bool wouldBlock(int errnoValue) {
    return errnoValue == EAGAIN || errnoValue == EINTR;
}

base::Unexpected silent(const Connection& peer, std::chrono::milliseconds silence) {
    return base::fail(ErrorCode::timed_out, {{"peer", peer.peer()}},
                      peer.peer() + " is connected but has been silent for " +
                          std::to_string(std::chrono::duration_cast<std::chrono::seconds>(silence).count()) +
                          " s");
}

base::UniqueFd newSocket(int family) {
    base::UniqueFd socket(::socket(family, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0));
    setOption(socket.get(), SOL_SOCKET, SO_REUSEADDR, 1);
    return socket;
}

/// One attempt. @return 0 or an errno.
int tryConnect(const base::UniqueFd& socket, const Address& address, int milliseconds) {
    if (!socket)
        return errno;
    if (connect(socket.get(), address.get(), address.length) != 0) {
        if (errno != EINPROGRESS)
            return errno;
        pollfd event{socket.get(), POLLOUT, 0};
        if (pollFor({&event, 1}, milliseconds) == 0)
            return ETIMEDOUT;
        int problem = 0;
        socklen_t size = sizeof problem;
        getsockopt(socket.get(), SOL_SOCKET, SO_ERROR, &problem, &size);
        if (problem != 0)
            return problem;
    }
    // On its own machine a socket may be given the port that it looks for, and then meets itself.
    return localAddress(socket.get()).text() == address.text() ? ECONNREFUSED : 0;
}

} // namespace

int pollTimeout(base::SteadyTime deadline, const base::Clock& clock) {
    const auto left = std::chrono::ceil<std::chrono::milliseconds>(deadline - clock.steadyNow()).count();
    return static_cast<int>(std::clamp<decltype(left)>(left, 0, INT_MAX));
}

Connection::Connection(base::UniqueFd socket, std::string peer)
    : m_socket(std::move(socket)), m_peer(std::move(peer)) {
    setOption(m_socket.get(), IPPROTO_TCP, TCP_NODELAY, 1);
    setOption(m_socket.get(), SOL_SOCKET, SO_KEEPALIVE, 1);
    setOption(m_socket.get(), IPPROTO_TCP, TCP_KEEPIDLE, kKeepAliveIdleSeconds);
    setOption(m_socket.get(), IPPROTO_TCP, TCP_KEEPINTVL, kKeepAliveIntervalSeconds);
    setOption(m_socket.get(), IPPROTO_TCP, TCP_KEEPCNT, kKeepAliveCount);
    setOption(m_socket.get(), IPPROTO_TCP, TCP_USER_TIMEOUT, kUnacknowledgedMilliseconds);
}

Expected<void> Connection::send(std::span<const std::byte> bytes, std::chrono::milliseconds silence) const {
    return exchange(*this, bytes, *this, {}, silence);
}

Expected<void> Connection::receive(std::span<std::byte> bytes, std::chrono::milliseconds silence) const {
    return exchange(*this, {}, *this, bytes, silence);
}

bool Connection::ended() const {
    pollfd event{m_socket.get(), POLLRDHUP, 0};
    return pollFor({&event, 1}, 0) > 0;
}

Error Connection::lost() const {
    return Error{ErrorCode::connection_lost,
                 {{"peer", m_peer}},
                 "the connection to " + m_peer + " was lost: it ended, or its machine cannot be reached"};
}

Expected<void> exchange(const Connection& to, std::span<const std::byte> out, const Connection& from,
                        std::span<std::byte> in, std::chrono::milliseconds silence) {
    while (!out.empty() || !in.empty()) {
        bool moved = false;
        if (!out.empty()) {
            const ssize_t sent = ::send(to.socket(), out.data(), out.size(), MSG_NOSIGNAL | MSG_DONTWAIT);
            if (sent < 0 && !wouldBlock(errno))
                return tl::make_unexpected(to.lost());
            if (sent > 0) {
                out = out.subspan(static_cast<size_t>(sent));
                moved = true;
            }
        }
        if (!in.empty()) {
            const ssize_t received = ::recv(from.socket(), in.data(), in.size(), MSG_DONTWAIT);
            if (received == 0 || (received < 0 && !wouldBlock(errno)))
                return tl::make_unexpected(from.lost());
            if (received > 0) {
                in = in.subspan(static_cast<size_t>(received));
                moved = true;
            }
        }
        if (moved)
            continue;
        pollfd events[2];
        size_t count = 0;
        if (!out.empty())
            events[count++] = {to.socket(), POLLOUT, 0};
        if (!in.empty())
            events[count++] = {from.socket(), POLLIN, 0};
        if (pollFor({events, count}, static_cast<int>(silence.count())) == 0)
            return silent(in.empty() ? to : from, silence);
    }
    return {};
}

Expected<Listener> Listener::open(const Address& address) {
    base::UniqueFd socket = newSocket(address.family());
    int bound = bind(socket.get(), address.get(), address.length);
    if (bound != 0 && errno == EADDRNOTAVAIL) {
        const Address everywhere = address.onAllInterfaces();
        bound = bind(socket.get(), everywhere.get(), everywhere.length);
    }
    if (bound != 0 || listen(socket.get(), SOMAXCONN) != 0)
        return base::fail(ErrorCode::unavailable,
                          {{"address", address.text()}, {"reason", std::strerror(errno)}},
                          "cannot listen on " + address.text() + ": " + std::strerror(errno));
    return Listener(std::move(socket));
}

Expected<Connection> Listener::accept(base::SteadyTime deadline, const base::Clock& clock) const {
    for (;;) {
        base::UniqueFd socket(accept4(m_socket.get(), nullptr, nullptr, SOCK_CLOEXEC | SOCK_NONBLOCK));
        if (socket) {
            const std::string peer = peerAddress(socket.get()).text();
            return Connection(std::move(socket), peer);
        }
        const int problem = errno;
        const int milliseconds = pollTimeout(deadline, clock);
        if (!wouldBlock(problem) && problem != ECONNABORTED) {
            // Mostly no descriptor is free, and the connection still waits: at once it would fail again.
            if (milliseconds == 0)
                return base::fail(ErrorCode::timed_out, {},
                                  std::string("a connection could not be taken: ") + std::strerror(problem));
            pollFor({}, std::min(milliseconds, kRetryMilliseconds));
            continue;
        }
        pollfd event{m_socket.get(), POLLIN, 0};
        if (milliseconds == 0 || pollFor({&event, 1}, milliseconds) == 0)
            return base::fail(ErrorCode::timed_out, {}, "nobody connected in time");
    }
}

Expected<Connection> connectTo(const Address& address, base::SteadyTime deadline, const base::Clock& clock) {
    for (;;) {
        base::UniqueFd socket = newSocket(address.family());
        const int left = pollTimeout(deadline, clock);
        const int problem = tryConnect(socket, address, std::min(left, kOneAttemptMilliseconds));
        if (problem == 0)
            return Connection(std::move(socket), address.text());
        if (left == 0)
            return base::fail(ErrorCode::timed_out, {{"peer", address.text()}},
                              "nobody answered at " + address.text() + ": " + std::strerror(problem));
        socket.reset();
        pollFor({}, std::min(left, kRetryMilliseconds));
    }
}

} // namespace trialdeck::trainer::collective

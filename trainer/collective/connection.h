// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/clock.h"
#include "core/base/unique_fd.h"
#include "trainer/collective/address.h"

#include <chrono>
#include <cstddef>
#include <span>
#include <string>

namespace trialdeck::trainer::collective {

/// How long a rank waits for others before it gives up. Generous: ranks start on different machines, and one
/// may be held up by others' work; a peer that ended is noticed at once, without these.
struct Patience {
    /// From this rank's start until all have met.
    std::chrono::milliseconds meeting = std::chrono::minutes(5);
    /// For a peer that lives and is connected, but neither sends nor takes a byte.
    std::chrono::milliseconds silence = std::chrono::minutes(5);
};

/// One TCP connection to another worker. Sends at once (no delay), and notices a machine that vanished
/// without a word within about a minute. One thread at a time.
class Connection {
public:
    Connection() = default;
    /// @param peer  who is at the other end, for sentences: "rank 1 (10.0.0.4:4711)"
    Connection(base::UniqueFd socket, std::string peer);

    /// All bytes, or connection_lost or timed_out with the argument peer.
    [[nodiscard]] Expected<void> send(std::span<const std::byte> bytes,
                                      std::chrono::milliseconds silence) const;
    [[nodiscard]] Expected<void> receive(std::span<std::byte> bytes, std::chrono::milliseconds silence) const;

    /// Whether the peer ended or cut the connection; never blocks.
    [[nodiscard]] bool ended() const;
    [[nodiscard]] Error lost() const;

    [[nodiscard]] int socket() const { return m_socket.get(); }
    [[nodiscard]] const std::string& peer() const { return m_peer; }
    void renamePeer(std::string peer) { m_peer = std::move(peer); }

private:
    base::UniqueFd m_socket;
    std::string m_peer;
};

/// Sends and receives at the same time, so that two peers that send to each other never block each other.
/// @return the errors of send and receive.
[[nodiscard]] Expected<void> exchange(const Connection& to, std::span<const std::byte> out,
                                      const Connection& from, std::span<std::byte> in,
                                      std::chrono::milliseconds silence);

/// A listening socket.
class Listener {
public:
    Listener() = default;
    /// Listens on the address; where that belongs to no interface of this machine (it is behind a translator
    /// of addresses) on all of them. Port 0 takes a free one.
    /// @return unavailable with the argument address, where the port is taken.
    static Expected<Listener> open(const Address& address);

    /// @return timed_out when nobody came until the deadline.
    [[nodiscard]] Expected<Connection> accept(base::SteadyTime deadline, const base::Clock& clock) const;

    [[nodiscard]] uint16_t port() const { return localAddress(m_socket.get()).port(); }
    [[nodiscard]] int socket() const { return m_socket.get(); }

private:
    explicit Listener(base::UniqueFd socket) : m_socket(std::move(socket)) {}

    base::UniqueFd m_socket;
};

/// Connects, trying again while nobody listens there yet.
/// @return timed_out at the deadline, with what the last attempt met.
[[nodiscard]] Expected<Connection> connectTo(const Address& address, base::SteadyTime deadline,
                                             const base::Clock& clock);

/// Milliseconds for poll() until the deadline; 0 when it has passed.
[[nodiscard]] int pollTimeout(base::SteadyTime deadline, const base::Clock& clock);

} // namespace trialdeck::trainer::collective

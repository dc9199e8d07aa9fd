// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/error.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <sys/socket.h>

namespace trialdeck::trainer::collective {

/// Where a TCP socket is or leads: IPv4 or IPv6.
struct Address {
    sockaddr_storage storage = {};
    socklen_t length = 0;

    [[nodiscard]] const sockaddr* get() const { return reinterpret_cast<const sockaddr*>(&storage); }
    [[nodiscard]] int family() const { return storage.ss_family; }
    [[nodiscard]] uint16_t port() const;
    [[nodiscard]] Address withPort(uint16_t port) const;
    /// The same port on every address of this machine.
    [[nodiscard]] Address onAllInterfaces() const;
    /// "10.0.0.4:29500", "[fe80::1]:29500".
    [[nodiscard]] std::string text() const;
};

/// Numbers are read here, "localhost" is 127.0.0.1, and every other name is asked of `getent ahosts`:
/// statically linked, this program has no getaddrinfo. Blocks for as long as getent does, at most 30 s.
/// @return unavailable with the argument host, where the name leads nowhere.
[[nodiscard]] Expected<Address> resolve(std::string_view host, uint16_t port);

/// This machine's end of a connected or listening socket.
[[nodiscard]] Address localAddress(int socket);
/// The other end of a connected socket.
[[nodiscard]] Address peerAddress(int socket);

} // namespace trialdeck::trainer::collective

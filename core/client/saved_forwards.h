// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/client/saved_connections.h"

namespace trialdeck::client {

/// What is brought here from a host.
enum class ForwardKind { port, tensorboard, jupyter, dashboard };

/// "port", "tensorboard", "jupyter", "dashboard".
[[nodiscard]] std::string_view nameOf(ForwardKind kind);
[[nodiscard]] std::optional<ForwardKind> forwardKindFromString(std::string_view name);

/// A forward that a connection remembers, so that it has the same port here the next time. Holds no token.
struct SavedForward {
    ForwardKind kind = ForwardKind::port;
    /// As the host names it; of `port` alone.
    std::string host = "localhost";
    /// The port there; 0 for services, which choose their own.
    uint16_t port = 0;
    uint16_t localPort = 0;

    friend bool operator==(const SavedForward&, const SavedForward&) = default;
};

/// Those that the connection remembers; entries that are not known here are passed over.
[[nodiscard]] std::vector<SavedForward> savedForwards(const SavedConnection& connection);

/// The port here that one of this kind, host and port had last, else the customary one: 6006, 8888, 8265, or
/// that of the host.
[[nodiscard]] uint16_t localPortFor(const SavedConnection& connection, const SavedForward& wanted);

/// Remembers it in place of the one of its kind, host and port.
/// @return whether that changed the connection
bool rememberForward(SavedConnection& connection, const SavedForward& forward);
bool forgetForward(SavedConnection& connection, const SavedForward& forward);

} // namespace trialdeck::client

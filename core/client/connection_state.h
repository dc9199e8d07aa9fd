// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/clock.h"
#include "core/protocol/messages/hello.h"
#include "core/transport/connection_steps.h"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace trialdeck::client {

enum class ConnectionPhase {
    /// Not started, or stopped.
    idle,
    /// The attempt-th try is under way.
    connecting,
    connected,
    /// A try failed or the line was lost: the next try comes at nextAttempt, or at once on reconnectNow().
    /// Without nextAttempt only reconnectNow() tries again: the head was shut down, or another try would
    /// fail, or ask, as this one did.
    waiting,
};

/// How a client stands with its head. What it heard before stays; since `unknownSince` nobody knows whether
/// it still holds.
struct ConnectionState {
    ConnectionPhase phase = ConnectionPhase::idle;
    /// Tries since the last connection, from 1; 0 while connected.
    int attempt = 0;
    /// When the last connection ended; missing while connected and before the first.
    std::optional<base::WallTime> unknownSince;
    std::optional<base::WallTime> nextAttempt;
    /// Why the last try or connection ended; missing while connected.
    std::optional<Error> error;
    /// What the head said of itself at the newest hello.
    std::optional<protocol::HelloResult> head;
    /// How far the head's clock is ahead of ours, in halves of a round trip; missing before the first hello
    /// and where the head does not tell. Add it to our clock before comparing that with a time of a record.
    std::optional<std::chrono::milliseconds> clockAhead;
    /// What the user should know of this head although it works: its own findings, and clock_differs.
    std::vector<Error> findings;
    /// What a login script printed before the head's first byte, where it prints anything: worth a hint.
    std::string loginChatter;
    size_t loginChatterBytes = 0;
    /// Of the newest try, as far as it has come, in their order.
    std::vector<transport::StepState> steps;
};

/// "idle", "connecting", "connected", "waiting".
[[nodiscard]] std::string_view nameOf(ConnectionPhase phase);

} // namespace trialdeck::client

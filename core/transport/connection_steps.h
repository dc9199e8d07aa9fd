// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/error.h"
#include "core/transport/ssh_client.h"

#include <chrono>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

namespace trialdeck::transport {

/// The way to a head, in the order in which it is walked. A way over a pipe has only the last two.
enum class ConnectionStep {
    /// The name is turned into an address. detail: the address.
    name,
    tcp,
    /// detail: "ED25519 SHA256:…".
    host_key,
    /// detail: by what the login was made, "publickey".
    login,
    /// The login shell runs a command. detail: the shell.
    shell,
    /// Where the head's program lies or can lie. detail: the folder.
    home,
    /// The program is put there and started; doneBytes and totalBytes while it is uploaded. detail: its
    /// build.
    head,
    /// The daemon has answered. detail: its version.
    version,
};

enum class StepPhase { running, done, failed };

/// How far one step has come.
struct StepState {
    ConnectionStep step = ConnectionStep::name;
    StepPhase phase = StepPhase::running;
    /// Since the step began.
    std::chrono::milliseconds time{0};
    std::string detail;
    /// Both 0 where there is nothing to count.
    uint64_t doneBytes = 0;
    uint64_t totalBytes = 0;
    std::optional<Error> error;
    /// Which SSH client walks the way, from name to login; nothing where only one could.
    std::optional<SshClientChoice> ssh = {};

    friend bool operator==(const StepState&, const StepState&) = default;
};

/// Hears each change of a step; called on the transport's loop.
using StepListener = std::function<void(const StepState&)>;

/// "name", "tcp", "host_key", "login", "shell", "home", "head", "version".
[[nodiscard]] std::string_view nameOf(ConnectionStep step);
[[nodiscard]] std::string_view nameOf(StepPhase phase);

} // namespace trialdeck::transport

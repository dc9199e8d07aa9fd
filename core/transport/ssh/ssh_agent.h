// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/files.h"

#include <asio/awaitable.hpp>
#include <chrono>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace trialdeck::transport {

/// A key that an agent holds.
struct SshAgentKey {
    std::string type;
    /// As it goes over the wire.
    std::string blob;
    std::string comment;
    friend bool operator==(const SshAgentKey&, const SshAgentKey&) = default;
};

/// Asks an agent which keys it has.
/// @param socket  a unix socket's path; one on which nobody listens has no keys
/// @return nothing where something listens and says in time nothing that an agent would
/// Source: draft-miller-ssh-agent, section 4.4.
[[nodiscard]] asio::awaitable<std::optional<std::vector<SshAgentKey>>>
listSshAgentKeys(base::Path socket, std::chrono::milliseconds timeout);

/// Reads an agent's answer without its length. @return nothing where it is no such answer
[[nodiscard]] std::optional<std::vector<SshAgentKey>> parseSshAgentKeys(std::string_view answer);

} // namespace trialdeck::transport

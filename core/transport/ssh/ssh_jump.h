// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace trialdeck::transport {

/// A host on the way to another. What is missing comes from the configuration for this host.
struct SshJump {
    std::string host;
    std::string user;
    std::optional<uint16_t> port;
    friend bool operator==(const SshJump&, const SshJump&) = default;
};

/// 1 to 65535, or "ssh".
[[nodiscard]] std::optional<uint16_t> parseSshPort(std::string_view text);

/// "user@host:port", "[address]:port" or "ssh://user@host:port".
[[nodiscard]] std::optional<SshJump> parseSshJump(std::string_view text);

/// The value of ProxyJump in the order in which the hosts are passed; empty for "none".
/// @return nothing where one of them is not a host
[[nodiscard]] std::optional<std::vector<SshJump>> parseSshJumps(std::string_view text);

} // namespace trialdeck::transport

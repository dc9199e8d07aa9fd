// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace trialdeck::protocol {

/// Where the daemon of a home lives that several hosts share.
struct DaemonElsewhere {
    std::string host;
    /// As on the host that says so; empty where it does not know.
    std::string user;
    /// The port at which the SSH server of the host that says so was reached; 0 where there was none.
    uint16_t port = 0;
    friend bool operator==(const DaemonElsewhere&, const DaemonElsewhere&) = default;
};

/// What `attach` prints in the place of the start marker. The nonce keeps a login message from saying it.
[[nodiscard]] std::string elsewhereLine(std::string_view nonce, const DaemonElsewhere& place);

/// Finds that line in what was printed.
[[nodiscard]] std::optional<DaemonElsewhere> findElsewhereLine(std::string_view printed,
                                                               std::string_view nonce);

} // namespace trialdeck::protocol

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/files.h"

#include <cstdint>
#include <optional>
#include <string>

namespace trialdeck::transport {

/// Which host is meant. What is missing comes from ~/.ssh/config, and then from OpenSSH's defaults.
struct SshDestination {
    /// A name, an address, or an alias of ~/.ssh/config.
    std::string host;
    std::string user;
    std::optional<uint16_t> port;
    /// A private key to use before others.
    base::Path identityFile;
    /// Hosts to go through, as in ProxyJump.
    std::string jump;
    std::optional<bool> compression;
    /// In the place of ~/.ssh/config.
    base::Path configFile;
};

} // namespace trialdeck::transport

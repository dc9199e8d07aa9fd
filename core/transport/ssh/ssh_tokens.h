// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/transport/ssh/ssh_config.h"

#include <tl/expected.hpp>

namespace trialdeck::transport {

/// What "%" and a letter stand for in a value of the configuration.
using SshTokens = std::map<char, std::string>;

/// Those of ssh_config(5), "TOKENS", that are known before a connection.
/// @param host  the name to connect to so far
/// @param alias  HostKeyAlias so far, else what goes in its place
[[nodiscard]] SshTokens sshTokens(const SshConfigPlace& place, const SshConfigQuestion& question,
                                  const std::string& host, const std::string& alias, const std::string& user,
                                  uint16_t port, const std::string& jumpHost);

/// @param environment  for ${NAME}; null where that is no variable
/// @return unknown_token or unknown_variable
[[nodiscard]] tl::expected<std::string, SshConfigProblem>
expandSshTokens(std::string_view text, const SshTokens& tokens, const base::Environment* environment);

} // namespace trialdeck::transport

// SPDX-License-Identifier: Apache-2.0
// The lists of algorithms of ssh_config, which may change OpenSSH's own instead of naming all.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace trialdeck::transport {

enum class SshAlgorithmKind { key_exchange, host_key, cipher, mac };

/// What OpenSSH 9.2 offers where nothing is configured, in its order.
[[nodiscard]] const std::vector<std::string>& usualSshAlgorithms(SshAlgorithmKind kind);
/// All that it can do, which "+", "^" and patterns may take from.
[[nodiscard]] const std::vector<std::string>& knownSshAlgorithms(SshAlgorithmKind kind);

/// What a list means: "+" adds behind the usual ones, "^" puts before them, "-" takes away from them, and
/// patterns stand for all that fit.
/// @param said  as it is configured; empty: the usual ones
[[nodiscard]] std::vector<std::string> assembleSshAlgorithms(SshAlgorithmKind kind, std::string_view said);

/// The parts between commas; none for an empty text.
[[nodiscard]] std::vector<std::string> splitAtCommas(std::string_view text);

} // namespace trialdeck::transport

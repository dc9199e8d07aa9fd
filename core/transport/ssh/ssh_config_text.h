// SPDX-License-Identifier: Apache-2.0
// The grammar of OpenSSH's client configuration: words of a line, known keywords, forms of values.
#pragma once

#include <chrono>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace trialdeck::transport {

/// What a keyword sets, with its other spellings. `other` is known to OpenSSH and of no use here.
enum class SshOption {
    other,
    host,
    match,
    include,
    ignore_unknown,
    host_name,
    user,
    port,
    identity_file,
    certificate_file,
    identities_only,
    identity_agent,
    proxy_jump,
    proxy_command,
    host_key_alias,
    user_known_hosts_file,
    global_known_hosts_file,
    known_hosts_command,
    hash_known_hosts,
    revoked_host_keys,
    strict_host_key_checking,
    host_key_algorithms,
    kex_algorithms,
    ciphers,
    macs,
    batch_mode,
    bind_address,
    accepted_key_algorithms,
    server_alive_interval,
    server_alive_count_max,
    compression,
    connect_timeout,
    address_family,
    preferred_authentications,
    pubkey_authentication,
    password_authentication,
    kbd_interactive_authentication,
    gssapi_authentication,
    host_based_authentication,
    canonicalize_host_name,
    pkcs11_provider,
    security_key_provider,
};

/// @param keyword  in lower case
/// @return nothing where OpenSSH (up to 10, with Debian's additions) knows no such keyword
[[nodiscard]] std::optional<SshOption> sshOptionFromString(std::string_view keyword);

/// A line that is not empty and no comment.
struct SshConfigLine {
    /// In lower case.
    std::string keyword;
    /// Behind keyword and separator, as it stands there.
    std::string_view rest;
};

/// @param line  without its end; blanks at both ends are allowed
[[nodiscard]] std::optional<SshConfigLine> splitSshConfigLine(std::string_view line);

/// The words of a value: quotes of both kinds are taken off, "\" escapes quotes, itself and a blank, a word
/// that begins with # ends the line.
/// @return nothing where a quote is not closed
[[nodiscard]] std::optional<std::vector<std::string>> splitSshWords(std::string_view text);

/// "90", "90s", "1h30m": digits with the units s, m, h, d and w.
[[nodiscard]] std::optional<std::chrono::seconds> parseSshDuration(std::string_view text);

/// yes, no, true and false in any case.
[[nodiscard]] std::optional<bool> parseSshFlag(std::string_view text);

} // namespace trialdeck::transport

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace trialdeck::transport {

/// What makes a connection over SSH.
enum class SshClient {
    /// The library in this process.
    libssh2,
    /// The OpenSSH client of this computer.
    system_ssh,
};

/// Why one client was taken and not the other. All but the first two name what libssh2 does not do.
enum class SshReason {
    /// libssh2 can serve the host.
    none,
    /// Somebody asked for this client.
    pinned,

    // The configuration asks for it.
    proxy_command,
    match_exec,
    unsupported_match,
    gssapi,
    host_based,
    certificate,
    pkcs11,
    known_hosts_command,
    revoked_host_keys,
    canonical_host_name,
    bind_address,
    accepted_key_algorithms,
    /// Its algorithms are none of the library's.
    algorithms,
    /// Its ways to log in are none of the library's.
    login_methods,
    /// A file of it cannot be read, or must not.
    configuration,
    jump_loop,

    // A key that may be offered.
    security_key,
    /// It would sign with SHA-1, which today's hosts refuse.
    rsa_key,
    key_cipher,
    key_type,
    /// The file is damaged, open to others, or in a format of other programs.
    key_file,
    /// The agent does not answer.
    agent,

    // What is on file of the host.
    host_certificate,
    host_key_type,

    /// The host offered nothing that both know.
    no_common_algorithm,
};

struct SshClientChoice {
    SshClient client = SshClient::libssh2;
    SshReason reason = SshReason::none;
    /// What the reason speaks of: a key's file, or the host on the way.
    std::string about = {};
    friend bool operator==(const SshClientChoice&, const SshClientChoice&) = default;
};

/// "libssh2", "system_ssh".
[[nodiscard]] std::string_view nameOf(SshClient client);
/// As the enumerators are called.
[[nodiscard]] std::string_view nameOf(SshReason reason);

} // namespace trialdeck::transport

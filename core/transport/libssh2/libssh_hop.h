// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/files.h"
#include "core/transport/libssh2/libssh_session.h"
#include "core/transport/prompts.h"
#include "core/transport/remote/step_trace.h"

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace trialdeck::transport {

/// What is known of a key that a host shows.
struct HostKeyAnswer {
    enum class Verdict {
        known,
        unknown,
        changed,
        revoked,
        /// Keys of other types are on file, and the host did not show one of those.
        other_type,
    };
    Verdict verdict = Verdict::unknown;
    /// Where the key that does not fit stands.
    base::Path file;
    int line = 0;
    /// Of that key, "SHA256:…".
    std::string fingerprint;
};

/// The known hosts of this user. Outlives its users; on their loop.
class HostKeys {
public:
    virtual ~HostKeys() = default;
    /// @param type  "ssh-ed25519"
    /// @param blob  the key as it goes over the wire
    [[nodiscard]] virtual HostKeyAnswer check(const std::string& host, uint16_t port, std::string_view type,
                                              std::string_view blob) = 0;
    /// Types on file for a host, best first: a host that is known by one is asked for that one.
    [[nodiscard]] virtual std::vector<std::string> typesOf(const std::string& host, uint16_t port) = 0;
    /// Somebody said yes.
    virtual Expected<void> add(const std::string& host, uint16_t port, std::string_view type,
                               std::string_view blob) = 0;
};

/// A private key's file.
struct LibsshKey {
    base::Path file;
    /// The public half as it goes over the wire, where it is known without the passphrase.
    std::string publicBlob = {};
    bool needsPassphrase = false;
};

/// What is offered to a host, best first and with commas; empty: what the library likes.
struct LibsshAlgorithms {
    std::string keyExchanges;
    std::string hostKeys;
    std::string ciphers;
    std::string macs;
};

/// One host on the way, with everything that its login needs.
struct LibsshHop {
    /// As the user names it, for questions and errors.
    std::string name;
    std::string address;
    uint16_t port = 22;
    std::string user;
    /// The name in known_hosts where it is not the address.
    std::string hostKeyAlias;
    /// In the order in which they are offered.
    std::vector<LibsshKey> keys;
    /// Only those keys, even where the agent has others.
    bool identitiesOnly = false;
    /// The agent's socket; empty for none.
    base::Path agentSocket;
    LibsshAlgorithms algorithms;
    /// The ways to log in, in the order in which they are tried.
    std::vector<std::string> methods = {"publickey", "keyboard-interactive", "password"};
    /// In the place of those that the host's owner gave.
    std::shared_ptr<HostKeys> hostKeys;
    bool compression = false;
};

/// Checks the host's key and logs in: the steps host_key and login.
/// @return host_key_changed, host_key_revoked, host_key_refused, no_common_algorithm (also of ways to log in,
///         before one is tried), not_an_ssh_server, login_refused, cancelled, connection_lost
[[nodiscard]] asio::awaitable<Expected<void>> loginOver(std::shared_ptr<LibsshSession> session,
                                                        const LibsshHop& hop, HostKeys& hostKeys,
                                                        Prompts& prompts, StepTrace& trace);

} // namespace trialdeck::transport

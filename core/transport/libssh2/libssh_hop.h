// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/files.h"
#include "core/transport/libssh2/libssh_session.h"
#include "core/transport/prompts.h"
#include "core/transport/remote/step_trace.h"

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace trialdeck::transport {

/// What is known of a key that a host shows.
struct HostKeyAnswer {
    enum class Verdict { known, unknown, changed, revoked };
    Verdict verdict = Verdict::unknown;
    /// Where the key that does not fit stands.
    base::Path file;
    int line = 0;
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

/// One host on the way, with everything that its login needs.
struct LibsshHop {
    /// As the user names it, for questions and errors.
    std::string name;
    std::string address;
    uint16_t port = 22;
    std::string user;
    /// The name in known_hosts where it is not the address.
    std::string hostKeyAlias;
    /// Private keys, in the order in which they are offered.
    std::vector<base::Path> keys;
    /// Only those keys, even where the agent has others.
    bool identitiesOnly = false;
    /// The agent's socket; empty for none.
    base::Path agentSocket;
    bool compression = false;
};

/// Checks the host's key and logs in: the steps host_key and login.
/// @return host_key_changed, host_key_revoked, host_key_refused, no_common_algorithm, not_an_ssh_server,
///         login_refused, key_unusable, cancelled, connection_lost
[[nodiscard]] asio::awaitable<Expected<void>> loginOver(std::shared_ptr<LibsshSession> session,
                                                        const LibsshHop& hop, HostKeys& hostKeys,
                                                        Prompts& prompts, StepTrace& trace);

} // namespace trialdeck::transport

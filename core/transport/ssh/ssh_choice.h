// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/transport/ssh/known_hosts.h"
#include "core/transport/ssh/ssh_agent.h"
#include "core/transport/ssh/ssh_route.h"
#include "core/transport/ssh_client.h"

namespace trialdeck::transport {

/// What a libssh2 can do, in the order of its liking.
struct LibsshSkills {
    /// From 1.11 on.
    bool signsRsaWithSha2 = false;
    std::vector<std::string> keyExchanges;
    std::vector<std::string> hostKeys;
    std::vector<std::string> ciphers;
    std::vector<std::string> macs;
};

/// What the library shall offer a host: what the configuration allows, in its order, and the library can do.
struct LibsshOffer {
    std::vector<std::string> keyExchanges;
    std::vector<std::string> hostKeys;
    std::vector<std::string> ciphers;
    std::vector<std::string> macs;
    /// Of publickey, keyboard-interactive and password.
    std::vector<std::string> loginMethods;
};
[[nodiscard]] LibsshOffer libsshOfferFor(const SshHostSettings& settings, const LibsshSkills& skills);

/// What is known of one host on the way before anything is sent.
struct SshPrognosis {
    const SshStation* station = nullptr;
    /// Nothing where the agent did not answer.
    std::optional<std::vector<SshAgentKey>> agentKeys;
    const KnownHosts* knownHosts = nullptr;
};

struct SshObstacle {
    SshReason reason = SshReason::none;
    std::string about = {};
    /// Without it there is no way at all over libssh2.
    bool isFinal = false;
};

/// Why libssh2 should not try a host: the first of all reasons, whose kinds are the members of SshReason.
/// Pure. A key that the library cannot use counts even where others are at hand: which one the host wants is
/// only known after one of its few attempts is spent.
[[nodiscard]] std::optional<SshObstacle> libsshObstacle(const SshPrognosis& prognosis,
                                                        const LibsshSkills& skills);

} // namespace trialdeck::transport

// SPDX-License-Identifier: Apache-2.0
#include "core/ctl/ssh_words.h"

#include "core/ctl/words.h"

namespace trialdeck::ctl {

namespace {

using transport::SshReason;

/// "{}" stands for what the reason speaks of.
std::string_view reasonText(SshReason reason) {
    switch (reason) {
    case SshReason::none:
        return "";
    case SshReason::pinned:
        return "as asked for";
    case SshReason::proxy_command:
        return "the configuration of {} has a ProxyCommand";
    case SshReason::match_exec:
        return "the configuration of {} depends on a program (Match exec)";
    case SshReason::unsupported_match:
        return "the configuration of {} has a condition that only the system's ssh knows";
    case SshReason::gssapi:
        return "the configuration of {} asks for GSSAPI";
    case SshReason::host_based:
        return "the configuration of {} asks for host-based logins";
    case SshReason::certificate:
        return "libssh2 logs in with no certificate ({})";
    case SshReason::pkcs11:
        return "the keys for {} lie in a PKCS#11 device";
    case SshReason::known_hosts_command:
        return "the configuration of {} has a KnownHostsCommand";
    case SshReason::revoked_host_keys:
        return "the configuration of {} names revoked host keys";
    case SshReason::canonical_host_name:
        return "the configuration of {} asks for canonical names";
    case SshReason::bind_address:
        return "the configuration of {} binds connections to an address";
    case SshReason::accepted_key_algorithms:
        return "the configuration of {} limits the algorithms of keys";
    case SshReason::algorithms:
        return "the configuration of {} allows no algorithm that libssh2 has";
    case SshReason::login_methods:
        return "the configuration of {} allows no way to log in that libssh2 has";
    case SshReason::configuration:
        return "{} cannot be read";
    case SshReason::jump_loop:
        return "the way to {} leads over itself";
    case SshReason::security_key:
        return "the key {} lies in a device";
    case SshReason::rsa_key:
        return "this libssh2 signs with the RSA key {} in a way that hosts refuse (SHA-1)";
    case SshReason::key_cipher:
        return "libssh2 cannot decrypt the key {}";
    case SshReason::key_type:
        return "libssh2 does not know the kind of the key {}";
    case SshReason::key_file:
        return "the key {} is damaged, open to others or in another program's format";
    case SshReason::agent:
        return "the agent does not answer";
    case SshReason::host_certificate:
        return "{} is to prove itself by a certificate";
    case SshReason::host_key_type:
        return "the key that is on file of {} is of a kind that libssh2 cannot check";
    case SshReason::no_common_algorithm:
        return "{} and libssh2 have no algorithm in common";
    }
    return "";
}

} // namespace

std::string sshClientText(const transport::SshClientChoice& choice) {
    const bool isLibrary = choice.client == transport::SshClient::libssh2;
    std::string text = isLibrary ? "SSH by libssh2" : "SSH by the system's ssh";
    std::string reason(reasonText(choice.reason));
    if (reason.empty())
        return text;
    if (const size_t at = reason.find("{}"); at != std::string::npos)
        reason.replace(at, 2, visibleText(choice.about));
    return text + ": " + reason;
}

} // namespace trialdeck::ctl

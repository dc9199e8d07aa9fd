// SPDX-License-Identifier: Apache-2.0
#include "core/transport/ssh_client.h"

#include "core/base/enum_names.h"

namespace trialdeck::transport {

namespace {

constexpr base::EnumNames<SshReason, 27> kReasonNames({"none",
                                                       "pinned",
                                                       "proxy_command",
                                                       "match_exec",
                                                       "unsupported_match",
                                                       "gssapi",
                                                       "host_based",
                                                       "certificate",
                                                       "pkcs11",
                                                       "known_hosts_command",
                                                       "revoked_host_keys",
                                                       "canonical_host_name",
                                                       "bind_address",
                                                       "accepted_key_algorithms",
                                                       "algorithms",
                                                       "login_methods",
                                                       "configuration",
                                                       "jump_loop",
                                                       "security_key",
                                                       "rsa_key",
                                                       "key_cipher",
                                                       "key_type",
                                                       "key_file",
                                                       "agent",
                                                       "host_certificate",
                                                       "host_key_type",
                                                       "no_common_algorithm"});

} // namespace

std::string_view nameOf(SshClient client) {
    return client == SshClient::libssh2 ? "libssh2" : "system_ssh";
}

std::string_view nameOf(SshReason reason) {
    return kReasonNames.name(reason);
}

} // namespace trialdeck::transport

// SPDX-License-Identifier: Apache-2.0
#include "app/presenters/ssh_words.h"

#include "app/presenters/connection_words.h"

#include <QCoreApplication>

#include <array>

namespace trialdeck::app::presenters {

using transport::SshClient;
using transport::SshReason;

namespace {

struct SshClients {
    Q_DECLARE_TR_FUNCTIONS(SshClients)
};

struct ReasonWords {
    SshReason reason;
    /// %1 is what the reason speaks of, where it speaks of something.
    const char* text;
};

constexpr auto kReasons = std::to_array<ReasonWords>({
    {SshReason::none, ""},
    {SshReason::pinned, QT_TRANSLATE_NOOP("SshClients", "as the connection says")},
    {SshReason::proxy_command, QT_TRANSLATE_NOOP("SshClients", "the settings of %1 have a ProxyCommand")},
    {SshReason::match_exec,
     QT_TRANSLATE_NOOP("SshClients", "the settings of %1 depend on a program (Match exec)")},
    {SshReason::unsupported_match,
     QT_TRANSLATE_NOOP("SshClients", "the settings of %1 have a condition that only this client knows")},
    {SshReason::gssapi, QT_TRANSLATE_NOOP("SshClients", "the settings of %1 ask for GSSAPI")},
    {SshReason::host_based, QT_TRANSLATE_NOOP("SshClients", "the settings of %1 ask for host-based logins")},
    {SshReason::certificate,
     QT_TRANSLATE_NOOP("SshClients", "libssh2 cannot log in with a certificate (%1)")},
    {SshReason::pkcs11, QT_TRANSLATE_NOOP("SshClients", "the keys for %1 are in a PKCS#11 device")},
    {SshReason::known_hosts_command,
     QT_TRANSLATE_NOOP("SshClients", "the settings of %1 have a KnownHostsCommand")},
    {SshReason::revoked_host_keys,
     QT_TRANSLATE_NOOP("SshClients", "the settings of %1 name revoked host keys")},
    {SshReason::canonical_host_name,
     QT_TRANSLATE_NOOP("SshClients", "the settings of %1 ask for canonical host names")},
    {SshReason::bind_address,
     QT_TRANSLATE_NOOP("SshClients", "the settings of %1 bind connections to an address")},
    {SshReason::accepted_key_algorithms,
     QT_TRANSLATE_NOOP("SshClients", "the settings of %1 limit the algorithms of keys")},
    {SshReason::algorithms,
     QT_TRANSLATE_NOOP("SshClients", "the settings of %1 allow no algorithm that libssh2 knows")},
    {SshReason::login_methods,
     QT_TRANSLATE_NOOP("SshClients", "the settings of %1 allow no way to log in that libssh2 knows")},
    {SshReason::configuration, QT_TRANSLATE_NOOP("SshClients", "%1 cannot be read")},
    {SshReason::jump_loop, QT_TRANSLATE_NOOP("SshClients", "the way to %1 leads over itself")},
    {SshReason::security_key, QT_TRANSLATE_NOOP("SshClients", "the key %1 is in a security device")},
    {SshReason::rsa_key,
     QT_TRANSLATE_NOOP("SshClients", "%1 is an RSA key, which this libssh2 can only use with SHA-1")},
    {SshReason::key_cipher, QT_TRANSLATE_NOOP("SshClients", "libssh2 cannot decrypt the key %1")},
    {SshReason::key_type, QT_TRANSLATE_NOOP("SshClients", "libssh2 does not know the type of the key %1")},
    {SshReason::key_file,
     QT_TRANSLATE_NOOP("SshClients",
                       "the key file %1 is damaged, open to others or in another program's format")},
    {SshReason::agent, QT_TRANSLATE_NOOP("SshClients", "the SSH agent does not answer")},
    {SshReason::host_certificate,
     QT_TRANSLATE_NOOP("SshClients", "libssh2 cannot check the certificate of %1")},
    {SshReason::host_key_type,
     QT_TRANSLATE_NOOP("SshClients", "the known host key of %1 is of a type that libssh2 cannot check")},
    {SshReason::no_common_algorithm,
     QT_TRANSLATE_NOOP("SshClients", "%1 and libssh2 have no algorithm in common")},
});

} // namespace

QString sshClientWords(const transport::SshClientChoice& choice) {
    const QString client = choice.client == SshClient::libssh2
                               ? QStringLiteral("libssh2")
                               //: Which SSH client is used: the program ssh of this computer
                               : SshClients::tr("ssh of this computer");
    for (const ReasonWords& each : kReasons) {
        if (each.reason != choice.reason || *each.text == '\0')
            continue;
        const QString text = SshClients::tr(each.text);
        const QString reason = text.contains(QLatin1String("%1")) ? text.arg(shown(choice.about)) : text;
        //: %1 is an SSH client, %2 why it is used
        return SshClients::tr("%1: %2").arg(client, reason);
    }
    return client;
}

} // namespace trialdeck::app::presenters

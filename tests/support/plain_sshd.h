// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QByteArray>
#include <QProcess>
#include <QTemporaryDir>

#include <string>

namespace trialdeck::tests {

/// A real sshd on 127.0.0.1 that lets the present user in by key. Ended with its sessions when destroyed.
class PlainSshd {
public:
    static constexpr const char* kPassphrase = "pass 短语";

    /// @param more  lines for sshd_config
    explicit PlainSshd(const QByteArray& more = {});
    ~PlainSshd();
    PlainSshd(const PlainSshd&) = delete;
    PlainSshd& operator=(const PlainSshd&) = delete;

    [[nodiscard]] static bool available();
    [[nodiscard]] uint16_t port() const { return m_port; }
    [[nodiscard]] std::string user() const;
    /// A private key: id_ed25519, id_ecdsa, id_locked (with kPassphrase), id_stranger (not let in).
    [[nodiscard]] std::string key(const std::string& name) const;
    /// A configuration for the OpenSSH client: the host "lab" is this computer, with that key and a
    /// known_hosts of the test's own.
    [[nodiscard]] std::string clientConfig(const std::string& key) const;
    /// What the server has said so far.
    [[nodiscard]] QByteArray log() const;
    /// Connections that it serves now.
    [[nodiscard]] int connections() const;
    /// kill -9 for every connection's process; the server goes on.
    void killSessions();

private:
    QTemporaryDir m_folder;
    uint16_t m_port = 0;
    QProcess m_server;
};

} // namespace trialdeck::tests

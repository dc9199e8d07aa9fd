// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/process.h"
#include "core/transport/ssh/ssh_destination.h"
#include "tests/support/private_host.h"

#include <QTemporaryDir>
#include <map>

namespace trialdeck::tests {

/// Who can log in there.
struct SshAccount {
    std::string name = "anna";
    /// The login shell's path, which need not exist.
    std::string shell = "/bin/bash";
    /// Empty: no password lets this account in.
    std::string password = {};
    /// The home's name below the server's folder; empty: as the account.
    std::string home = {};
};

struct SshServerOptions {
    std::vector<SshAccount> accounts = {SshAccount()};
    /// Lines of sshd_config that come before the server's own, whose first value wins: "MaxSessions 1".
    std::vector<std::string> config = {};
    /// Lines of the client's configuration, likewise: "PubkeyAuthentication no".
    std::vector<std::string> clientConfig = {};
    /// Kinds of host keys as ssh-keygen names them; the first one is in known_hosts.
    std::vector<std::string> hostKeys = {"ed25519"};
    /// Not empty: logging in without a key takes the password and then this, as two questions of PAM.
    std::string secondFactor = {};
    /// Said before the question for the second factor.
    std::string secondFactorInfo = {};
    /// false: the first connection meets an unknown host key.
    bool isKnown = true;
    /// Its hostname; empty: the machine's.
    std::string hostName = {};
    /// Folders in memory over others, see PrivateHost::Options::fresh. "~" is the first account's home.
    std::vector<std::pair<std::string, std::string>> fresh = {};
    /// Its /etc/hosts; empty: the machine's.
    std::string hosts = {};
    /// With a network of its own: the server's address there, on port 22. Empty: 127.0.0.1 and a free port.
    std::string address = {};
    /// Brings up that network, once the host exists and before sshd listens.
    std::function<void(pid_t host)> bringUp = {};
};

/// A real OpenSSH server on a host of its own (PrivateHost), with accounts, homes, keys, and the client's
/// files. Everything lies in one temporary folder, at the same paths on both sides; what its users start
/// (a daemon for example) lives until this object goes. Needs root. Owned by a test, on its thread.
class SshServer {
public:
    static constexpr const char* kPassphrase = "pass 短语";

    /// Why this machine cannot run it, for QSKIP; empty where it can.
    [[nodiscard]] static std::string whyNot();

    /// Starts it; the test fails, with the server's log, where it does not listen.
    explicit SshServer(SshServerOptions options = {});
    ~SshServer();
    SshServer(const SshServer&) = delete;
    SshServer& operator=(const SshServer&) = delete;

    [[nodiscard]] bool isListening() const { return m_listens; }
    [[nodiscard]] uint16_t port() const { return m_port; }
    [[nodiscard]] base::Path folder() const { return m_folder.path().toStdString(); }
    /// What sshd has said so far (LogLevel VERBOSE).
    [[nodiscard]] std::string log() const;

    /// Where an account logs in: the host is called "lab", its settings are in clientFolder()/config.
    /// @param account  empty: the first one
    [[nodiscard]] transport::SshDestination destination(const std::string& account = {}) const;
    [[nodiscard]] base::Path clientFolder() const { return folder() / "client"; }
    [[nodiscard]] base::Path knownHosts() const { return clientFolder() / "known_hosts"; }
    /// This process's environment with the client's folder as home and no agent.
    [[nodiscard]] base::Environment clientEnvironment() const;

    /// A private key that lets every account in, made when it is asked for first: "id_ed25519", "id_ecdsa",
    /// "id_rsa", "id_locked" (with kPassphrase), "id_locked_rsa"; "id_stranger" lets nobody in.
    base::Path key(const std::string& name);
    /// Makes known_hosts know this server also at another port of 127.0.0.1: a proxy's.
    void trustAt(uint16_t port);
    /// "SHA256:…" of the first host key.
    [[nodiscard]] std::string fingerprint() const;
    /// Gives the server another first host key; restart() makes it count.
    void changeHostKey();

    /// Another sshd at the same port; sessions and what they have started live on.
    void restart();
    /// Nobody listens until restart().
    void stop();
    /// kill -9 of the processes of sshd that serve connections.
    void killSessions();
    /// The processes of sshd that serve connections.
    [[nodiscard]] std::vector<pid_t> sessions() const;

    [[nodiscard]] base::Path home(const std::string& account = {}) const;
    [[nodiscard]] uid_t uid(const std::string& account = {}) const;
    /// A file in the home that belongs to the account; folders are made.
    void write(const std::string& name, const std::string& content, const std::string& account = {});
    /// Copies a program to a place that all accounts can read, whatever folder this build lies in.
    base::Path install(const base::Path& program);

    /// The daemon trialdeck-head, or 0.
    [[nodiscard]] pid_t daemonPid() const;
    [[nodiscard]] std::vector<pid_t> relayPids() const;
    [[nodiscard]] const PrivateHost& host() const { return *m_host; }

private:
    void makeFolders();
    void writeAccounts();
    void writePam();
    void writeServerConfig();
    void writeClientConfig();
    void makeKey(const base::Path& path, const std::string& kind, const std::string& passphrase);
    bool makeHost();
    [[nodiscard]] std::string publicKey(const base::Path& path) const;
    [[nodiscard]] const SshAccount& account(const std::string& name) const;
    [[nodiscard]] size_t indexOf(const std::string& name) const;
    void fail(const std::string& what) const;

    SshServerOptions m_options;
    QTemporaryDir m_folder;
    uid_t m_firstUid;
    uint16_t m_port = 0;
    std::unique_ptr<PrivateHost> m_host;
    bool m_listens = false;
};

} // namespace trialdeck::tests

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/files.h"
#include "core/base/process.h"
#include "core/transport/ssh/ssh_jump.h"

#include <chrono>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace trialdeck::transport {

/// What is wrong with a line of the configuration. OpenSSH would refuse the whole file; here the line is left
/// out and the rest counts.
enum class SshConfigProblem {
    unknown_word,
    no_value,
    open_quote,
    bad_value,
    extra_words,
    bad_match,
    /// A condition that only newer clients know; taken as not fulfilled.
    unsupported_match,
    include_too_deep,
    unreadable_file,
    /// Others than the owner may write to the file: it is not read.
    unsafe_permissions,
    unknown_token,
    unknown_variable,
    /// The way to the host leads over the host itself.
    jump_loop,
};

struct SshConfigNote {
    SshConfigProblem problem = SshConfigProblem::unknown_word;
    base::Path file;
    /// From 1; 0 where the whole file is meant.
    size_t line = 0;
    /// The word it is about.
    std::string word;
    friend bool operator==(const SshConfigNote&, const SshConfigNote&) = default;
};

/// What a host's settings ask for that the OpenSSH client can do and libssh2 cannot.
enum class SshFeature {
    proxy_command,
    /// A condition of these settings hangs on a program.
    match_exec,
    unsupported_match,
    /// Asked for in the user's own file. Debian switches GSSAPI on for every host, where it says nothing.
    gssapi,
    host_based,
    certificate,
    pkcs11,
    security_key,
    known_hosts_command,
    revoked_host_keys,
    canonical_host_name,
    bind_address,
    accepted_key_algorithms,
};

/// Where the program of `Match exec` is asked; each command once, whatever is read. Owned by a connection or
/// by the session, used on one thread.
class SshMatchExec {
public:
    /// Runs a shell's command line. @return whether it ended with 0; nothing where it may not or cannot be
    /// run
    using Run = std::function<std::optional<bool>(const std::string& command)>;

    explicit SshMatchExec(Run run) : m_run(std::move(run)) {}
    [[nodiscard]] std::optional<bool> answer(const std::string& command);

private:
    Run m_run;
    std::map<std::string, std::optional<bool>> m_answers;
};

/// The user and the computer whose configuration is read.
struct SshConfigPlace {
    base::Path home;
    std::string localUser;
    /// As gethostname() says; %l, and %L without its domain.
    std::string localHost = {};
    /// The number of the user; %i.
    std::string userId = {};
    /// For ${NAME} and for IdentityAgent.
    base::Environment environment = {};
    /// Read in the place of ~/.ssh/config and systemConfigFile, as `ssh -F` does. "none": no file at all.
    base::Path configFile = {};
    base::Path systemConfigFile = "/etc/ssh/ssh_config";
};

/// What the user asks for; user and port go before all configuration.
struct SshConfigQuestion {
    /// As typed: a name, an address or an alias.
    std::string host;
    std::string user = {};
    std::optional<uint16_t> port = {};
};

enum class SshAddressFamily { any, inet, inet6 };
enum class SshHostKeyChecking { ask, yes, accept_new, no };
enum class SshAgentChoice { environment, socket, none };

/// What OpenSSH's configuration says of one host, with OpenSSH's defaults where it says nothing.
struct SshHostSettings {
    std::string host;
    /// The name or address to connect to.
    std::string hostName;
    std::string user;
    uint16_t port = 22;

    /// Private keys in the order in which they are tried; need not exist.
    std::vector<base::Path> identityFiles;
    /// No file was named: these are the ones that OpenSSH looks for.
    bool identityFilesAreDefaults = false;
    std::vector<base::Path> certificateFiles;
    /// Keys of the agent count only where they are among identityFiles.
    bool identitiesOnly = false;
    SshAgentChoice agent = SshAgentChoice::environment;
    base::Path agentSocket;

    /// Hosts to go through, nearest first. Each has settings of its own, but only the first of them is
    /// reached through jumps of its own.
    std::vector<SshJump> jumps;
    /// Before its tokens are replaced. Empty where there is none.
    std::string proxyCommand;

    /// The name under which host keys are kept; empty: hostName.
    std::string hostKeyAlias;
    std::vector<base::Path> userKnownHostsFiles;
    std::vector<base::Path> globalKnownHostsFiles;
    bool hashKnownHosts = false;
    SshHostKeyChecking strictHostKeyChecking = SshHostKeyChecking::ask;

    /// Lists with commas as they stand there, with "+", "-" or "^" before them; empty: not set.
    std::string hostKeyAlgorithms;
    std::string kexAlgorithms;
    std::string ciphers;
    std::string macs;

    /// 0: none are sent.
    std::chrono::seconds serverAliveInterval{0};
    int serverAliveCountMax = 3;
    std::optional<std::chrono::seconds> connectTimeout;
    bool compression = false;
    SshAddressFamily addressFamily = SshAddressFamily::any;

    /// In order; empty: the client's own.
    std::vector<std::string> preferredAuthentications;
    bool pubkeyAuthentication = true;
    bool passwordAuthentication = true;
    bool kbdInteractiveAuthentication = true;
    bool gssapiAuthentication = false;
    bool hostBasedAuthentication = false;
    std::string pkcs11Provider;
    /// Empty: the client's own.
    std::string securityKeyProvider;

    std::set<SshFeature> onlySystemSsh;
    std::vector<SshConfigNote> notes;
};

/// Reads ~/.ssh/config, then the system's file, as OpenSSH 9.2 does; asks no name server.
/// @param exec  asked only where all other conditions of the line are fulfilled
[[nodiscard]] SshHostSettings readSshConfig(base::FileSystem& files, const SshConfigPlace& place,
                                            const SshConfigQuestion& question, SshMatchExec& exec);

/// The hosts that the configuration names (patterns and negations are no names), each once: those of a file,
/// then those of the files it includes. Runs nothing.
[[nodiscard]] std::vector<std::string> listSshHosts(base::FileSystem& files, const SshConfigPlace& place);

} // namespace trialdeck::transport

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/clock.h"
#include "core/base/process.h"
#include "core/transport/prompts.h"
#include "core/transport/remote/remote_host.h"
#include "core/transport/ssh/ssh_choice.h"

namespace trialdeck::transport {

struct SshHostOptions {
    SshDestination destination;
    /// Nothing: libssh2 wherever it can serve the host, the system's ssh elsewhere.
    std::optional<SshClient> pinned;
    /// The OpenSSH client, looked up in the PATH of `environment`.
    std::string program = "ssh";
    /// trialdeck-askpass's file.
    base::Path askpass;
    base::Environment environment;
    std::chrono::seconds keepaliveInterval{3};
    /// A login in which the host says nothing for so long is given up.
    std::chrono::seconds patience{15};
};

/// For composition roots: a host over the client that can serve it. Which one that is, is found out at each
/// open(), from the configuration, the keys at hand and what is on file of the host, before a login is tried;
/// where the host turns out to have no algorithm in common with the library, the system's ssh goes on.
/// StepState::ssh of its steps tells the choice.
/// @param files, clock, prompts  outlive the host
[[nodiscard]] std::unique_ptr<RemoteHost> makeSshHost(SshHostOptions options, base::FileSystem& files,
                                                      const base::Clock& clock, Prompts& prompts);

/// Of the library that this program runs with.
[[nodiscard]] const LibsshSkills& libsshSkills();

/// The user whose configuration counts. Like the OpenSSH client, by the system's list of users and not by
/// HOME.
[[nodiscard]] SshConfigPlace sshConfigPlace(const base::Environment& environment);

} // namespace trialdeck::transport

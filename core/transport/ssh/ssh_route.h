// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/transport/ssh/key_file.h"
#include "core/transport/ssh/ssh_config.h"
#include "core/transport/ssh/ssh_destination.h"

namespace trialdeck::transport {

/// A host on the way, with what its configuration says and the keys that it names.
struct SshStation {
    SshHostSettings settings;
    /// Of settings.identityFiles, those that exist.
    std::vector<KeyFile> keys;

    /// The name and port under which known_hosts has it.
    [[nodiscard]] const std::string& knownName() const {
        return settings.hostKeyAlias.empty() ? settings.hostName : settings.hostKeyAlias;
    }
    [[nodiscard]] uint16_t knownPort() const {
        return settings.hostKeyAlias.empty() ? settings.port : uint16_t{22};
    }
};

/// The way to a host through all others.
struct SshRoute {
    /// In the order in which they are passed; the host itself is the last.
    std::vector<SshStation> stations;
    /// It leads over itself; there are no stations then.
    bool loops = false;
};

/// Reads what the configuration says of a destination and of each host before it, as `ssh -J` does: all but
/// the first of several jumps are reached through those before them, the first one as its own settings say.
/// Runs no program: a condition that hangs on one counts as not fulfilled and is among the features.
[[nodiscard]] SshRoute readSshRoute(base::FileSystem& files, SshConfigPlace place,
                                    const SshDestination& destination);

} // namespace trialdeck::transport

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/files.h"
#include "core/base/process.h"
#include "core/base/value.h"
#include "core/transport/ssh/ssh_destination.h"
#include "core/transport/ssh_client.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace trialdeck::client {

/// Which SSH client makes a connection.
enum class SshWay {
    /// The library in this process wherever it can serve the host, the system's ssh elsewhere.
    automatic,
    system_ssh,
    libssh2,
};

/// "auto", "system_ssh", "libssh2".
[[nodiscard]] std::string_view nameOf(SshWay way);
[[nodiscard]] std::optional<SshWay> sshWayFromString(std::string_view name);

/// Nothing: whichever can serve the host.
[[nodiscard]] std::optional<transport::SshClient> pinnedClient(SshWay way);

/// The pair of folders that was synced last.
struct SyncedFolders {
    std::string local;
    std::string remote;
    /// rsync's patterns.
    std::vector<std::string> include = {};
    std::vector<std::string> exclude = {};
    friend bool operator==(const SyncedFolders&, const SyncedFolders&) = default;
};

/// A host that the user connected to once and may want again. Never holds a secret. Empty fields leave the
/// choice to ~/.ssh/config and to defaults.
struct SavedConnection {
    /// A UUID; of an entry that somebody wrote by hand without one, its name.
    std::string id;
    /// As the user calls it; the host where it was not named.
    std::string name;
    /// As typed: a name, an address, or an alias of ~/.ssh/config.
    std::string host;
    std::string user;
    std::optional<uint16_t> port;
    std::string identityFile;
    /// As in ProxyJump.
    std::string jump;
    SshWay transport = SshWay::automatic;
    std::optional<bool> compression;
    /// TRIALDECK_HOME there.
    std::string remoteHome;
    /// For every environment that is made there.
    std::string packageIndex;
    std::string extraIndex;
    std::string proxy;
    std::string registryMirror;
    /// Ports that are forwarded, as they were written.
    Array forwards;
    std::optional<SyncedFolders> lastSync;
    /// Connected to when the window opens; not where the user disconnected it.
    bool isWanted = true;

    friend bool operator==(const SavedConnection&, const SavedConnection&) = default;
};

/// What an SSH client needs to know of it.
[[nodiscard]] transport::SshDestination destinationOf(const SavedConnection& connection);

/// $XDG_CONFIG_HOME/trialdeck/connections.json, else ~/.config/trialdeck/connections.json.
/// @return what base::homeDirectory() does
[[nodiscard]] Expected<base::Path> savedConnectionsFile(const base::Environment& environment);

/// The connections that window and terminal share, in a file of JSON that people may edit. Each change reads
/// the file again, so that several windows do not undo each other's, and keeps keys that are not known here.
/// Owned by a composition root; one thread at a time.
class SavedConnections {
public:
    /// @param files  outlives this
    SavedConnections(base::FileSystem& files, base::Path file);

    /// Reads the file; a missing one has no connections. One that is no JSON is moved aside first, so that
    /// nothing overwrites it.
    /// @return connections_set_aside (path, kept_at, reason) where that happened: the list is empty then and
    ///         can be used; any other error: the file cannot be read and will not be written
    [[nodiscard]] Expected<void> load();

    /// In the order of the file. Entries without a host are left alone and not listed.
    [[nodiscard]] const std::vector<SavedConnection>& all() const { return m_all; }
    /// By id, else by name; null where there is none.
    [[nodiscard]] const SavedConnection* find(std::string_view idOrName) const;

    /// Replaces the entry of that id or adds one at the end. An empty id becomes a new one.
    /// @return the connection as it is kept
    [[nodiscard]] Expected<SavedConnection> put(SavedConnection connection);
    [[nodiscard]] Expected<void> remove(std::string_view id);

private:
    [[nodiscard]] Expected<void> read();
    [[nodiscard]] Expected<void> write();

    base::FileSystem& m_files;
    base::Path m_file;
    /// All that stands in the file, known or not.
    Object m_document;
    std::vector<SavedConnection> m_all;
};

} // namespace trialdeck::client

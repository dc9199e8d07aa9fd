// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/transport/child_process.h"
#include "core/transport/sync/folder_sync.h"
#include "core/transport/sync/remote_folder.h"
#include "core/transport/sync/rsync_output.h"

namespace trialdeck::transport {

/// What the parts of one sync share. Owned by its FolderSync, on the host's loop.
struct SyncRun {
    RemoteHost& host;
    base::FileSystem& files;
    const base::Clock& clock;
    SyncMeans means;
    SyncRequest request;
    SyncListener listener = {};
    RemoteFolder folder = {};
    RemoteFolderFacts facts = {};
    /// A dry run finds nothing here, and makes nothing.
    bool isLocalMissing = false;
    bool hasZstdHere = false;
    bool isCancelled = false;
    /// Over there; its end ends the tool here as a lost line does, which puts away what is half done.
    std::unique_ptr<RemoteProgram> program = nullptr;
    base::SteadyTime lastTold{};

    /// "gpu-head:~/x"
    [[nodiscard]] std::string remoteName() const { return means.hostName + ":" + request.remote; }

    /// Ten times a second at most, and always where it is the last.
    void tell(const SyncProgress& progress, bool isLast);
};

/// POSIX shell that enters the folder and prints a marker; a command follows. Where a dry run finds no folder
/// it enters the home.
[[nodiscard]] std::string enterScript(const SyncRun& run, const std::string& nonce);

/// Both sides have rsync: ours runs with a bridge for its remote shell, so that no client logs in again.
[[nodiscard]] asio::awaitable<Expected<SyncReport>> syncByRsync(std::shared_ptr<SyncRun> run);
/// A head on each side does it; the one there is put there where it is missing.
[[nodiscard]] asio::awaitable<Expected<SyncReport>> syncByHead(std::shared_ptr<SyncRun> run);
/// The rsync here, by what it says of itself.
[[nodiscard]] asio::awaitable<RsyncHere> findRsyncHere(const base::Environment& environment);

} // namespace trialdeck::transport

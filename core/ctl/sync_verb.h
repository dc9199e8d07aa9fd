// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/client/saved_connections.h"
#include "core/ctl/command_line.h"
#include "core/ctl/terminal.h"
#include "core/transport/sync/folder_sync.h"
#include "core/transport/sync/folder_watch.h"

#include <asio/steady_timer.hpp>

namespace asio {
class io_context;
}

namespace trialdeck::ctl {

/// What sync-up and sync-down work with; all outlive the verb.
struct SyncDesk {
    asio::io_context& loop;
    transport::RemoteHost& host;
    base::FileSystem& files;
    const base::Clock& clock;
    Terminal& terminal;
    const Command& command;
};

/// sync-up and sync-down: logs in, syncs, goes on after a line that broke, and with --watch again and again.
/// Needs no head over there. On the program's one loop.
class SyncVerb {
public:
    SyncVerb(SyncDesk desk, transport::SyncMeans means, transport::SyncRequest request);

    [[nodiscard]] asio::awaitable<ExitCode> run();
    /// The folders were synced at least once: they may be remembered.
    [[nodiscard]] bool hasSynced() const { return m_hasSynced; }
    /// Ctrl-C.
    void interrupt();

private:
    asio::awaitable<Expected<void>> openHost();
    asio::awaitable<Expected<transport::SyncReport>> syncOnce();
    asio::awaitable<void> pause(std::chrono::milliseconds time);
    void showProgress(const transport::SyncProgress& progress);
    void clearProgress();
    void tell(const transport::SyncReport& report);
    ExitCode fail(const Error& error);

    SyncDesk m_desk;
    transport::SyncMeans m_means;
    transport::SyncRequest m_request;
    asio::steady_timer m_pause;
    std::unique_ptr<transport::FolderSync> m_sync;
    std::unique_ptr<transport::FolderWatch> m_watch;
    bool m_hasOpened = false;
    bool m_hasSynced = false;
    bool m_showsProgress = false;
    bool m_interrupted = false;
};

/// The folders of the command line, else those of the last sync.
/// @param last  of the connection
/// @return missing_key (option) where there are none; what base::expandPath() returns
[[nodiscard]] Expected<transport::SyncRequest> syncRequestOf(const Command& command,
                                                             const std::optional<client::SyncedFolders>& last,
                                                             const base::Path& home,
                                                             const base::Path& workingDirectory);

} // namespace trialdeck::ctl

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/clock.h"
#include "core/transport/remote/head_deployment.h"
#include "core/transport/sync/sync_report.h"

#include <span>

namespace trialdeck::transport {

struct SyncRun;

/// Which way the files go: up is from here to the host.
enum class SyncDirection { up, down };

/// What is to be made alike. The contents of one folder go into the other one, which is made where it is
/// missing.
struct SyncRequest {
    /// A folder here, absolute.
    base::Path local;
    /// A folder there: absolute, "~", "~/x", "~anna/x", or relative to the home there.
    std::string remote;
    SyncDirection direction = SyncDirection::up;
    /// rsync's patterns. What an `include` fits is taken, else what an `exclude` fits is left alone on both
    /// sides, with all that lies below; everything else is taken.
    std::vector<std::string> include;
    std::vector<std::string> exclude;
    /// Finds out what would be done and does nothing.
    bool dryRun = false;
    /// Removes over there (or here, downwards) what the source does not have.
    bool removeExtra = false;

    friend bool operator==(const SyncRequest&, const SyncRequest&) = default;
};

/// Customary excludes that a form may be filled with; nothing is excluded by itself.
[[nodiscard]] std::span<const std::string_view> customaryExcludes();

/// What a sync works with.
struct SyncMeans {
    /// As the user named the host, for errors.
    std::string hostName;
    /// trialdeck-head here, and how it is put there where rsync is missing.
    HeadPrograms programs;
    /// trialdeck-askpass here.
    base::Path askpass;
    /// PATH finds rsync here.
    base::Environment environment;
    /// Uses this tool and no other; missing: rsync where both sides have it, the head elsewhere.
    std::optional<SyncTool> only;
};

using SyncListener = std::function<void(const SyncProgress&)>;

/// One sync of two folders over a host that is logged in. Owned by who wants it, on the host's loop; outlives
/// its run(). A file appears under its name when it is whole. After a cut the next sync of the same folders
/// goes on with the file that was on its way, of which both keep what came in ".trialdeck-part" beside it.
class FolderSync {
public:
    /// @param host, files, clock  outlive the sync
    FolderSync(RemoteHost& host, base::FileSystem& files, const base::Clock& clock, SyncMeans means,
               SyncRequest request);
    ~FolderSync();
    FolderSync(const FolderSync&) = delete;
    FolderSync& operator=(const FolderSync&) = delete;

    /// To its end, once.
    /// @param listener  told on the loop, ten times a second at most, and at the end
    /// @return cancelled, connection_lost (run another one when the line is back), file_not_found,
    ///         not_a_directory, file_permission, disk_full, sync_failed, …; files that could not be copied
    ///         while others could are in the report's failures
    [[nodiscard]] asio::awaitable<Expected<SyncReport>> run(SyncListener listener);

    /// run() ends soon with `cancelled`; what is whole stays.
    void cancel();

private:
    std::shared_ptr<SyncRun> m_run;
};

} // namespace trialdeck::transport

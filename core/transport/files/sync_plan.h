// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/transport/files/file_tree.h"

namespace trialdeck::transport {

/// One thing that makes the destination what the source is.
struct SyncStep {
    enum class Kind { remove, folder, link, file, adjust };
    Kind kind = Kind::file;
    /// Of the source; of the destination for what is removed.
    FileEntry entry;
    /// A folder's mode and time once more, because something was done in it: no change of its own.
    bool isRepair = false;
    /// So many bytes of the file are there from an earlier sync.
    uint64_t offset = 0;
};

/// What a sync has to do.
struct SyncPlan {
    /// In the order in which it works: removals from below, then folders before what is in them, then
    /// folders' modes and times from below.
    std::vector<SyncStep> steps;
    /// Of the source.
    uint64_t totalEntries = 0;
    uint64_t totalBytes = 0;
    uint64_t unchangedFiles = 0;
    /// Extras stay, because the source could not be read whole.
    bool keepsExtras = false;
};

/// Compares size and time of files, targets of links, and modes. Times that one side knows to the second
/// alone are compared to the second. Pure.
[[nodiscard]] SyncPlan planSync(const FileTree& source, const FileTree& destination, bool removeExtra);

} // namespace trialdeck::transport

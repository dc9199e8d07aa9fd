// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/files.h"
#include "core/protocol/record.h"

#include <functional>
#include <string>
#include <vector>

namespace trialdeck::storage {

/// What one rank named as its part of a checkpoint.
struct CheckpointSource {
    uint32_t rank = 0;
    /// <trial>/attempt_N/rank_K: TRIALDECK_CHECKPOINT_DIR of that rank.
    base::Path rankFolder;
    /// As reported: relative to the rank's folder, one part or more.
    std::string name;
};

/// What is to become checkpoint_00000N of a trial.
struct CheckpointOrder {
    base::Path trialFolder;
    CheckpointIndex index;
    /// Rank 0's folder becomes the checkpoint, the others' folders become rank_K/ in it. Without rank 0 where
    /// others join a checkpoint that is there already.
    std::vector<CheckpointSource> sources;
    /// Bytes hashed so far and all in all; stops the commit by returning false. May be empty.
    std::function<bool(uint64_t done, uint64_t total)> progress;
    /// Told of each link, socket, pipe and device, relative to the checkpoint: it is not in the manifest.
    /// May be empty.
    std::function<void(const std::string& path)> leftOut = {};
};

/// Makes a checkpoint of folders that workers wrote: all files hashed and synced, the manifest written beside
/// (checkpoint_00000N.manifest.json), the folder renamed. Either all of it happens or the sources are left
/// where they were; the folder checkpoint_00000N is never there half. Called again after an interruption
/// with the same order it completes what had begun. Blocks for as long as hashing takes: for a thread off
/// the loop; two orders for one trial never at the same time.
///
/// Regular files only are hashed. Links stay as they are and are not followed, sockets and the like stay,
/// .nfs… names are nobody's. A folder that lies at the target and is not of this order (a crash came between
/// its commit and its record) is kept as orphan_checkpoint_00000N_K.
/// @return the manifest in order of path; checkpoint_bad_name (name, reason), checkpoint_missing (name,
/// path),
///         checkpoint_unreadable (name, path, reason), disk_full, cancelled, other file errors
[[nodiscard]] Expected<std::vector<protocol::ManifestEntry>> commitCheckpoint(base::FileSystem& files,
                                                                              const CheckpointOrder& order);

enum class CheckpointDamageKind { missing, other_size, other_content, unreadable };

/// "missing", …
[[nodiscard]] std::string_view nameOf(CheckpointDamageKind kind);

struct CheckpointDamage {
    CheckpointDamageKind kind = CheckpointDamageKind::missing;
    /// Relative to the checkpoint's folder.
    std::string path;
    friend bool operator==(const CheckpointDamage&, const CheckpointDamage&) = default;
};

/// Compares a checkpoint with its manifest; nothing where all is as it was. What is there beside is not
/// looked at. Sizes are compared first: content is read only where they agree. Blocks like commitCheckpoint.
[[nodiscard]] std::vector<CheckpointDamage>
verifyCheckpoint(base::FileSystem& files, const base::Path& folder,
                 const std::vector<protocol::ManifestEntry>& manifest);

/// The same by the manifest beside the checkpoint; one that cannot be read is damage by its own name.
[[nodiscard]] std::vector<CheckpointDamage>
verifyCommitted(base::FileSystem& files, const base::Path& trialFolder, CheckpointIndex index);

/// Deletes a checkpoint's folder and its manifest; called again it deletes what an interruption left.
[[nodiscard]] Expected<void> removeCheckpoint(base::FileSystem& files, const base::Path& trialFolder,
                                              CheckpointIndex index);

} // namespace trialdeck::storage

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/files.h"
#include "core/protocol/record.h"

#include <functional>
#include <string>
#include <vector>

namespace trialdeck::storage {

/// What lies below a folder that is to be part of a checkpoint.
struct FolderContent {
    /// Regular files, relative, in order.
    std::vector<std::string> filePaths;
    /// The folder itself ("") and those below, deepest first.
    std::vector<std::string> folderPaths;
    /// Links, sockets, pipes and devices, relative: they stay and are not read.
    std::vector<std::string> otherPaths = {};
    uint64_t bytes = 0;
};

/// Lists without following links. What vanishes meanwhile is left out.
[[nodiscard]] Expected<FolderContent> listContent(base::FileSystem& files, const base::Path& folder);

struct HashedFile {
    uint64_t bytes = 0;
    std::string sha256;
};

enum class SyncFile { no, yes };

/// Reads all of a file. @param onRead  bytes of each piece; false stops with cancelled
[[nodiscard]] Expected<HashedFile> hashFile(base::FileSystem& files, const base::Path& path, SyncFile sync,
                                            const std::function<bool(uint64_t bytes)>& onRead);

/// A checkpoint's manifest as it lies beside it.
struct CheckpointManifest {
    /// Where rank 0's part came from, relative to the trial's folder: tells an interrupted commit from the
    /// remains of another one.
    std::string from;
    std::vector<protocol::ManifestEntry> entries;
};

[[nodiscard]] Expected<void> writeManifest(base::FileSystem& files, const base::Path& path,
                                           const CheckpointManifest& manifest);
/// @return bad_json where it is none
[[nodiscard]] Expected<CheckpointManifest> readManifest(base::FileSystem& files, const base::Path& path);

} // namespace trialdeck::storage

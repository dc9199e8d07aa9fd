// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/unique_fd.h"
#include "core/transport/files/sync_patterns.h"

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace trialdeck::transport {

/// One thing of a tree that is synced.
struct FileEntry {
    enum class Kind { file, folder, link };
    /// From the top; any bytes but NUL.
    std::string path;
    Kind kind = Kind::file;
    uint64_t bytes = 0;
    /// Since 1970 UTC.
    int64_t nanoseconds = 0;
    /// Permission bits.
    uint32_t mode = 0;
    /// Of a link.
    std::string target;
};

/// What lies in a tree.
struct FileTree {
    /// Folders before what is in them.
    std::vector<FileEntry> entries;
    /// Bytes that came of a file in an earlier sync, by its path.
    std::map<std::string, uint64_t, std::less<>> kept;
    struct Failure {
        std::string path;
        std::string reason;
        /// There may be more: a folder that could not be read, and not only something that is no file.
        bool isUnread = true;
    };
    std::vector<Failure> failures;
};

/// Reads a whole tree; links are not followed.
/// @param root  a descriptor of the folder
[[nodiscard]] FileTree readFileTree(int root, const SyncFilter& filter);

/// The folder at a path, each part of which has to be a folder itself: a link on the way would lead out of
/// the tree.
/// @param path  from the root; empty for the root. ".." and the like are refused
/// @return empty, and errno says why
[[nodiscard]] base::UniqueFd openFolderBelow(int root, std::string_view path);

/// The folder of a path and its last name.
struct SplitPath {
    std::string_view folder;
    std::string name;
};
[[nodiscard]] SplitPath splitPath(std::string_view path);

/// What errno means, in English.
[[nodiscard]] std::string reasonOf(int errnoValue);

} // namespace trialdeck::transport

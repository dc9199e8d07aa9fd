// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace trialdeck::transport {

/// What carries the files.
enum class SyncTool {
    /// rsync on both sides.
    rsync,
    /// trialdeck-head on both sides.
    head,
};
/// "rsync", "head".
[[nodiscard]] std::string_view nameOf(SyncTool tool);

/// How far a sync is.
struct SyncProgress {
    /// Files, folders and links that are done, whether they were copied or were alike already.
    uint64_t doneFiles = 0;
    /// 0 while nobody knows.
    uint64_t totalFiles = 0;
    /// Contents that were copied, in bytes.
    uint64_t doneBytes = 0;
    /// That are to be copied; missing where the tool does not say.
    std::optional<uint64_t> totalBytes;
    /// The name that was worked on last, from the folder on; any bytes but NUL.
    std::string current;

    friend bool operator==(const SyncProgress&, const SyncProgress&) = default;
};

/// One thing that was done, or would be in a dry run.
struct SyncChange {
    enum class Kind {
        copied,
        /// A folder or a symbolic link was made.
        made,
        /// Mode or time of something that was there.
        adjusted,
        removed,
    };
    Kind kind = Kind::copied;
    /// From the folder on; any bytes but NUL.
    std::string name;
    /// Of a file that is copied.
    uint64_t bytes = 0;

    friend bool operator==(const SyncChange&, const SyncChange&) = default;
};
/// "copied", "made", "adjusted", "removed".
[[nodiscard]] std::string_view nameOf(SyncChange::Kind kind);

/// Something that stayed as it was, and why; the reason is English, from the system or the tool.
struct SyncFailure {
    /// Empty where the tool did not name it.
    std::string name;
    std::string reason;

    friend bool operator==(const SyncFailure&, const SyncFailure&) = default;
};

/// What a sync did, or would do in a dry run.
struct SyncReport {
    /// The lists hold so many at most; the counts go on.
    static constexpr size_t kMaxListed = 10'000;

    SyncTool tool = SyncTool::rsync;
    /// Files.
    uint64_t copied = 0;
    uint64_t unchanged = 0;
    /// Files, folders and links.
    uint64_t removed = 0;
    /// Of copied files, in bytes.
    uint64_t bytes = 0;
    /// In the order in which they happened.
    std::vector<SyncChange> changes;
    uint64_t failed = 0;
    std::vector<SyncFailure> failures;

    friend bool operator==(const SyncReport&, const SyncReport&) = default;
};

} // namespace trialdeck::transport

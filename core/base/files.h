// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/error.h"

#include <cstdint>
#include <filesystem>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace trialdeck::base {

using Path = std::filesystem::path;

enum class FileType { regular, directory, link, other };

struct FileStatus {
    FileType type = FileType::other;
    uint64_t bytes = 0;
    /// Device and inode: tells a replaced file from a grown one.
    uint64_t device = 0;
    uint64_t inode = 0;
    int64_t modifiedNanoseconds = 0;
    uint32_t mode = 0;
};

enum class OpenMode {
    read,
    /// Must exist already; writes go to the end.
    append,
    /// Must not exist (O_EXCL); writes go to the end.
    createNew,
    /// Created or emptied; writes go to the end.
    replace,
    /// The same, for nobody's eyes but the owner's.
    replacePrivate,
    /// Created where missing; writes go to the end.
    appendOrCreate,
};

/// An open file. Owned by one user, used by one thread at a time. Closing it in the destructor ignores
/// errors: call close() where they matter (NFS reports a lost write only there).
class File {
public:
    virtual ~File() = default;
    /// Up to buffer.size() bytes from offset (bytes); 0 at the end.
    [[nodiscard]] virtual Expected<size_t> readAt(uint64_t offset, std::span<char> buffer) = 0;
    /// All bytes at the end of the file, or an error after which some of them may be there.
    [[nodiscard]] virtual Expected<void> append(std::string_view bytes) = 0;
    /// fdatasync.
    [[nodiscard]] virtual Expected<void> sync() = 0;
    [[nodiscard]] virtual Expected<void> truncate(uint64_t bytes) = 0;
    [[nodiscard]] virtual Expected<FileStatus> status() = 0;
    [[nodiscard]] virtual Expected<void> close() = 0;
};

/// What storage asks of a file system; tests put one in between that fails, tears and fills up.
/// Outlives its files; callable from every thread. All errors carry path and reason.
class FileSystem {
public:
    virtual ~FileSystem() = default;
    [[nodiscard]] virtual Expected<std::unique_ptr<File>> open(const Path& path, OpenMode mode) = 0;
    /// Without following a link at the end of the path.
    [[nodiscard]] virtual Expected<FileStatus> status(const Path& path) = 0;
    /// Names in the directory, sorted, without "." and "..".
    [[nodiscard]] virtual Expected<std::vector<std::string>> list(const Path& directory) = 0;
    [[nodiscard]] virtual Expected<void> createDirectories(const Path& directory) = 0;
    /// Atomic within one file system; replaces a file at the new place.
    [[nodiscard]] virtual Expected<void> rename(const Path& from, const Path& to) = 0;
    [[nodiscard]] virtual Expected<void> remove(const Path& file) = 0;
    [[nodiscard]] virtual Expected<void> removeAll(const Path& directory) = 0;
    /// Makes renames and new names in the directory durable.
    [[nodiscard]] virtual Expected<void> syncDirectory(const Path& directory) = 0;
    /// Bytes that this user can still write there.
    [[nodiscard]] virtual Expected<uint64_t> freeBytes(const Path& directory) = 0;
};

class PosixFileSystem final : public FileSystem {
public:
    Expected<std::unique_ptr<File>> open(const Path& path, OpenMode mode) override;
    Expected<FileStatus> status(const Path& path) override;
    Expected<std::vector<std::string>> list(const Path& directory) override;
    Expected<void> createDirectories(const Path& directory) override;
    Expected<void> rename(const Path& from, const Path& to) override;
    Expected<void> remove(const Path& file) override;
    Expected<void> removeAll(const Path& directory) override;
    Expected<void> syncDirectory(const Path& directory) override;
    Expected<uint64_t> freeBytes(const Path& directory) override;
};

[[nodiscard]] bool exists(FileSystem& files, const Path& path);

/// @return too_large where the file has more than maxBytes.
[[nodiscard]] Expected<std::string> readWholeFile(FileSystem& files, const Path& path,
                                                  uint64_t maxBytes = uint64_t{64} << 20);

/// Who may read a file that is written: whoever the user's umask lets, or nobody else.
enum class FileAudience { usual, owner };

/// The file holds either the old or the new bytes at every moment, and the new ones after success:
/// written beside, synced, renamed, directory synced.
[[nodiscard]] Expected<void> writeFileAtomically(FileSystem& files, const Path& path, std::string_view bytes,
                                                 FileAudience audience = FileAudience::usual);

/// The same without syncing: for projections, which can be made again.
[[nodiscard]] Expected<void> replaceFile(FileSystem& files, const Path& path, std::string_view bytes);

} // namespace trialdeck::base

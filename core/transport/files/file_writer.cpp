// SPDX-License-Identifier: Apache-2.0
#include "core/transport/files/file_writer.h"

#include "core/base/sha256.h"
#include "core/transport/files/sync_names.h"

#include <algorithm>
#include <cerrno>
#include <fcntl.h>
#include <memory>
#include <sys/stat.h>
#include <unistd.h>

namespace trialdeck::transport {

namespace {

constexpr mode_t kOwnerAll = 0700;
constexpr size_t kHashedPiece = size_t{1} << 20;

timespec timeOf(int64_t nanoseconds) {
    constexpr int64_t kSecond = 1'000'000'000;
    int64_t seconds = nanoseconds / kSecond;
    int64_t rest = nanoseconds % kSecond;
    if (rest < 0) {
        --seconds;
        rest += kSecond;
    }
    return {seconds, rest};
}

int errnoUnless(bool isDone) {
    return isDone ? 0 : errno;
}

/// Of a folder's O_PATH descriptor, which fchmod() does not take.
int changeMode(int folder, mode_t mode) {
    return errnoUnless(fchmodat(folder, ".", mode, 0) == 0);
}

bool isFull(int error) {
    return error == ENOSPC || error == EDQUOT;
}

} // namespace

std::optional<std::string> hashOfPrefix(int file, uint64_t bytes) {
    base::Sha256 sum;
    const auto buffer = std::make_unique<char[]>(kHashedPiece);
    for (uint64_t at = 0; at < bytes;) {
        const ssize_t count =
            pread(file, buffer.get(), std::min<uint64_t>(kHashedPiece, bytes - at), static_cast<off_t>(at));
        if (count <= 0)
            return std::nullopt;
        sum.update({buffer.get(), static_cast<size_t>(count)});
        at += static_cast<uint64_t>(count);
    }
    return sum.hexDigest();
}

int FileWriter::parentOf(std::string_view path) {
    const SplitPath split = splitPath(path);
    m_name = split.name;
    if (m_name.empty() || m_name == "." || m_name == "..")
        return EINVAL;
    if (m_folderFd && split.folder == m_folder)
        return 0;
    m_folderFd = openFolderBelow(m_root, split.folder);
    m_folder = split.folder;
    if (!m_folderFd)
        return errno;
    struct stat raw {};
    if (fstat(m_folderFd.get(), &raw) == 0 && (raw.st_mode & kOwnerAll) != kOwnerAll && !m_folder.empty())
        (void)changeMode(m_folderFd.get(), (raw.st_mode & 07777) | kOwnerAll);
    return 0;
}

int FileWriter::makeFolder(const std::string& path) {
    if (const int error = parentOf(path))
        return error;
    if (mkdirat(m_folderFd.get(), m_name.c_str(), kOwnerAll) == 0)
        return 0;
    if (errno != EEXIST)
        return errno;
    struct stat raw {};
    if (fstatat(m_folderFd.get(), m_name.c_str(), &raw, AT_SYMLINK_NOFOLLOW) == 0 && S_ISDIR(raw.st_mode))
        return 0;
    return ENOTDIR;
}

int FileWriter::makeLink(const FileEntry& entry) {
    if (const int error = parentOf(entry.path))
        return error;
    if (unlinkat(m_folderFd.get(), m_name.c_str(), 0) != 0 && errno != ENOENT)
        return errno;
    if (symlinkat(entry.target.c_str(), m_folderFd.get(), m_name.c_str()) != 0)
        return errno;
    const timespec times[2] = {{0, UTIME_OMIT}, timeOf(entry.nanoseconds)};
    return errnoUnless(utimensat(m_folderFd.get(), m_name.c_str(), times, AT_SYMLINK_NOFOLLOW) == 0);
}

int FileWriter::adjust(const FileEntry& entry) {
    if (const int error = parentOf(entry.path))
        return error;
    struct stat raw {};
    if (fstatat(m_folderFd.get(), m_name.c_str(), &raw, AT_SYMLINK_NOFOLLOW) != 0)
        return errno;
    const bool isLink = entry.kind == FileEntry::Kind::link;
    if (S_ISLNK(raw.st_mode) != isLink)
        return EINVAL;
    const timespec times[2] = {{0, UTIME_OMIT}, timeOf(entry.nanoseconds)};
    if (utimensat(m_folderFd.get(), m_name.c_str(), times, AT_SYMLINK_NOFOLLOW) != 0)
        return errno;
    return isLink ? 0 : errnoUnless(fchmodat(m_folderFd.get(), m_name.c_str(), entry.mode, 0) == 0);
}

int FileWriter::remove(const std::string& path, bool isFolder) {
    if (const int error = parentOf(path))
        return error;
    if (isFolder) {
        // What an earlier sync kept in it goes with it.
        const base::UniqueFd folder = openFolderBelow(m_root, path);
        const base::UniqueFd parts(folder ? openat(folder.get(), std::string(kPartFolder).c_str(),
                                                   O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
                                          : -1);
        if (parts && unlinkat(folder.get(), std::string(kPartFolder).c_str(), AT_REMOVEDIR) != 0)
            return errno;
    }
    return errnoUnless(unlinkat(m_folderFd.get(), m_name.c_str(), isFolder ? AT_REMOVEDIR : 0) == 0);
}

void FileWriter::openPart() {
    const std::string parts(kPartFolder);
    if (mkdirat(m_folderFd.get(), parts.c_str(), kOwnerAll) != 0 && errno != EEXIST) {
        m_error = errno;
        return;
    }
    m_parts = base::UniqueFd(
        openat(m_folderFd.get(), parts.c_str(), O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC));
    if (m_parts)
        m_file = base::UniqueFd(
            openat(m_parts.get(), m_name.c_str(), O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0600));
    if (!m_file || ftruncate(m_file.get(), static_cast<off_t>(m_at)) != 0)
        m_error = errno;
}

void FileWriter::begin(const FileEntry& entry, uint64_t offset) {
    m_entry = entry;
    m_at = offset;
    m_parts.reset();
    m_file.reset();
    m_error = parentOf(entry.path);
    if (m_error == 0)
        openPart();
}

void FileWriter::write(std::string_view bytes) {
    while (m_error == 0 && !bytes.empty()) {
        const ssize_t count = pwrite(m_file.get(), bytes.data(), bytes.size(), static_cast<off_t>(m_at));
        if (count < 0 && errno == EINTR)
            continue;
        if (count <= 0) {
            m_error = count < 0 ? errno : EIO;
            // The rest of the disk is for others.
            if (isFull(m_error))
                (void)unlinkat(m_parts.get(), m_name.c_str(), 0);
            return;
        }
        m_at += static_cast<uint64_t>(count);
        bytes.remove_prefix(static_cast<size_t>(count));
    }
}

void FileWriter::skip(uint64_t bytes) {
    m_at += bytes;
}

int FileWriter::place() {
    // A hole at the end was only skipped.
    if (m_at != m_entry.bytes || ftruncate(m_file.get(), static_cast<off_t>(m_at)) != 0)
        return m_at != m_entry.bytes ? EIO : errno;
    const timespec times[2] = {{0, UTIME_OMIT}, timeOf(m_entry.nanoseconds)};
    if (fchmod(m_file.get(), m_entry.mode) != 0 || futimens(m_file.get(), times) != 0)
        return errno;
    // A network's file system says only here that it is full.
    if (::close(m_file.release()) != 0)
        return errno;
    return errnoUnless(renameat(m_parts.get(), m_name.c_str(), m_folderFd.get(), m_name.c_str()) == 0);
}

int FileWriter::finish(bool isWhole) {
    if (m_error == 0 && isWhole)
        m_error = place();
    if (m_parts && (!isWhole || isFull(m_error)))
        (void)unlinkat(m_parts.get(), m_name.c_str(), 0);
    m_file.reset();
    m_parts.reset();
    if (m_folderFd)
        (void)unlinkat(m_folderFd.get(), std::string(kPartFolder).c_str(), AT_REMOVEDIR);
    return m_error;
}

KeptPart FileWriter::kept(const std::string& path) {
    KeptPart part;
    if (parentOf(path) != 0)
        return part;
    const base::UniqueFd parts(openat(m_folderFd.get(), std::string(kPartFolder).c_str(),
                                      O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC));
    const base::UniqueFd file(parts ? openat(parts.get(), m_name.c_str(), O_RDONLY | O_NOFOLLOW | O_CLOEXEC)
                                    : -1);
    struct stat raw {};
    if (!file || fstat(file.get(), &raw) != 0)
        return part;
    if (auto hash = hashOfPrefix(file.get(), static_cast<uint64_t>(raw.st_size))) {
        part.bytes = static_cast<uint64_t>(raw.st_size);
        part.hash = std::move(*hash);
    }
    return part;
}

} // namespace trialdeck::transport

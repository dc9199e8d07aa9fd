// SPDX-License-Identifier: Apache-2.0
#include "core/transport/files/file_reader.h"

#include <algorithm>
#include <cerrno>
#include <fcntl.h>
#include <memory>
#include <sys/stat.h>
#include <unistd.h>

namespace trialdeck::transport {

namespace {

/// With its letter a frame's worth at most.
constexpr size_t kPieceBytes = size_t{128} << 10;

int64_t nanosecondsOf(const struct stat& raw) {
    return int64_t{raw.st_mtim.tv_sec} * 1'000'000'000 + raw.st_mtim.tv_nsec;
}

} // namespace

int FileContents::open(int root, const std::string& path) {
    const SplitPath split = splitPath(path);
    const base::UniqueFd folder = openFolderBelow(root, split.folder);
    if (!folder)
        return errno;
    // A pipe in its place would wait for a writer.
    m_file = base::UniqueFd(
        openat(folder.get(), split.name.c_str(), O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC));
    struct stat raw {};
    if (!m_file || fstat(m_file.get(), &raw) != 0)
        return errno;
    if (!S_ISREG(raw.st_mode))
        return EAGAIN;
    m_entry.path = path;
    m_entry.bytes = static_cast<uint64_t>(raw.st_size);
    m_entry.nanoseconds = nanosecondsOf(raw);
    m_entry.mode = raw.st_mode & 07777;
    return 0;
}

int FileContents::read(uint64_t offset, const Taker& taker) {
    const auto buffer = std::make_unique<char[]>(kPieceBytes);
    const int file = m_file.get();
    for (uint64_t at = offset; at < m_entry.bytes;) {
        // File systems without holes say that all is data.
        const off_t found = lseek(file, static_cast<off_t>(at), SEEK_DATA);
        const bool isRest = found < 0 && errno == ENXIO;
        const uint64_t data =
            isRest ? m_entry.bytes : std::min(found < 0 ? at : static_cast<uint64_t>(found), m_entry.bytes);
        if (data > at && !taker.hole(data - at))
            return ECANCELED;
        at = data;
        const off_t end = at < m_entry.bytes ? lseek(file, static_cast<off_t>(at), SEEK_HOLE) : -1;
        const uint64_t stop = std::min(
            end <= static_cast<off_t>(at) ? m_entry.bytes : static_cast<uint64_t>(end), m_entry.bytes);
        while (at < stop) {
            const ssize_t count =
                pread(file, buffer.get(), std::min<uint64_t>(kPieceBytes, stop - at), static_cast<off_t>(at));
            if (count < 0 && errno == EINTR)
                continue;
            if (count < 0)
                return errno;
            if (count == 0)
                return EAGAIN;
            if (!taker.bytes({buffer.get(), static_cast<size_t>(count)}))
                return ECANCELED;
            at += static_cast<uint64_t>(count);
        }
    }
    struct stat raw {};
    if (fstat(file, &raw) != 0)
        return errno;
    const auto size = static_cast<uint64_t>(raw.st_size);
    const bool isSame =
        size > m_entry.bytes || (size == m_entry.bytes && nanosecondsOf(raw) == m_entry.nanoseconds);
    return isSame ? 0 : EAGAIN;
}

} // namespace trialdeck::transport

// SPDX-License-Identifier: Apache-2.0
#include "core/base/files.h"

#include "core/base/unique_fd.h"

#include <algorithm>
#include <cerrno>
#include <dirent.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <system_error>
#include <unistd.h>

namespace trialdeck::base {

namespace {

Unexpected failErrno(std::string_view action, const Path& path) {
    return Unexpected(fileError(errno, path.native(), action));
}

FileStatus statusFrom(const struct stat& raw) {
    FileStatus status;
    if (S_ISREG(raw.st_mode))
        status.type = FileType::regular;
    else if (S_ISDIR(raw.st_mode))
        status.type = FileType::directory;
    else if (S_ISLNK(raw.st_mode))
        status.type = FileType::link;
    status.bytes = static_cast<uint64_t>(raw.st_size);
    status.device = raw.st_dev;
    status.inode = raw.st_ino;
    status.modifiedNanoseconds = int64_t{raw.st_mtim.tv_sec} * 1'000'000'000 + raw.st_mtim.tv_nsec;
    status.mode = raw.st_mode & 07777U;
    return status;
}

int flagsOf(OpenMode mode) {
    switch (mode) {
    case OpenMode::read:
        // Opening a pipe that nobody writes to would wait for ever; for files it changes nothing.
        return O_RDONLY | O_NONBLOCK;
    case OpenMode::append:
        return O_RDWR | O_APPEND;
    case OpenMode::createNew:
        return O_RDWR | O_APPEND | O_CREAT | O_EXCL;
    case OpenMode::replace:
    case OpenMode::replacePrivate:
        return O_RDWR | O_APPEND | O_CREAT | O_TRUNC;
    case OpenMode::appendOrCreate:
        return O_RDWR | O_APPEND | O_CREAT;
    }
    return O_RDONLY;
}

class PosixFile final : public File {
public:
    PosixFile(UniqueFd fd, Path path) : m_fd(std::move(fd)), m_path(std::move(path)) {}

    Expected<size_t> readAt(uint64_t offset, std::span<char> buffer) override {
        size_t done = 0;
        while (done < buffer.size()) {
            const ssize_t count = pread(m_fd.get(), buffer.data() + done, buffer.size() - done,
                                        static_cast<off_t>(offset + done));
            if (count < 0 && errno == EINTR)
                continue;
            if (count < 0)
                return failErrno("read", m_path);
            if (count == 0)
                break;
            done += static_cast<size_t>(count);
        }
        return done;
    }

    Expected<void> append(std::string_view bytes) override {
        while (!bytes.empty()) {
            const ssize_t count = write(m_fd.get(), bytes.data(), bytes.size());
            if (count < 0 && errno == EINTR)
                continue;
            if (count < 0)
                return failErrno("write", m_path);
            bytes.remove_prefix(static_cast<size_t>(count));
        }
        return {};
    }

    Expected<void> sync() override {
        if (fdatasync(m_fd.get()) != 0)
            return failErrno("sync", m_path);
        return {};
    }

    Expected<void> truncate(uint64_t bytes) override {
        if (ftruncate(m_fd.get(), static_cast<off_t>(bytes)) != 0)
            return failErrno("truncate", m_path);
        return {};
    }

    Expected<FileStatus> status() override {
        struct stat raw {};
        if (fstat(m_fd.get(), &raw) != 0)
            return failErrno("look at", m_path);
        return statusFrom(raw);
    }

    Expected<void> close() override {
        const int fd = m_fd.release();
        if (fd >= 0 && ::close(fd) != 0 && errno != EINTR)
            return failErrno("close", m_path);
        return {};
    }

private:
    UniqueFd m_fd;
    Path m_path;
};

Expected<void> writeBeside(FileSystem& files, const Path& beside, std::string_view bytes, bool durable,
                           FileAudience audience) {
    auto file =
        files.open(beside, audience == FileAudience::owner ? OpenMode::replacePrivate : OpenMode::replace);
    if (!file)
        return tl::make_unexpected(std::move(file).error());
    TRIALDECK_TRY((*file)->append(bytes));
    if (durable)
        TRIALDECK_TRY((*file)->sync());
    return (*file)->close();
}

Expected<void> replaceWith(FileSystem& files, const Path& path, std::string_view bytes, bool durable,
                           FileAudience audience = FileAudience::usual) {
    Path beside = path;
    beside += ".tmp";
    auto written = writeBeside(files, beside, bytes, durable, audience);
    if (written)
        written = files.rename(beside, path);
    if (!written) {
        // The old file is untouched; what was begun beside it is of no use to anybody.
        (void)files.remove(beside);
        return written;
    }
    return durable ? files.syncDirectory(path.parent_path()) : Expected<void>();
}

} // namespace

Expected<std::unique_ptr<File>> PosixFileSystem::open(const Path& path, OpenMode mode) {
    const bool isPrivate = mode == OpenMode::replacePrivate;
    UniqueFd fd(::open(path.c_str(), flagsOf(mode) | O_CLOEXEC, isPrivate ? 0600 : 0666));
    if (!fd)
        return failErrno(mode == OpenMode::read ? "open" : "open for writing", path);
    // One that was there already had its own mode.
    if (isPrivate && fchmod(fd.get(), 0600) != 0)
        return failErrno("close to others", path);
    return std::make_unique<PosixFile>(std::move(fd), path);
}

Expected<FileStatus> PosixFileSystem::status(const Path& path) {
    struct stat raw {};
    if (lstat(path.c_str(), &raw) != 0)
        return failErrno("look at", path);
    return statusFrom(raw);
}

Expected<std::vector<std::string>> PosixFileSystem::list(const Path& directory) {
    const std::unique_ptr<DIR, int (*)(DIR*)> handle(opendir(directory.c_str()), closedir);
    if (!handle)
        return failErrno("list", directory);
    std::vector<std::string> names;
    for (;;) {
        errno = 0;
        const dirent* entry = readdir(handle.get());
        if (!entry && errno != 0)
            return failErrno("list", directory);
        if (!entry)
            break;
        const std::string_view name = entry->d_name;
        if (name != "." && name != "..")
            names.emplace_back(name);
    }
    std::sort(names.begin(), names.end());
    return names;
}

Expected<void> PosixFileSystem::createDirectories(const Path& directory) {
    std::error_code error;
    std::filesystem::create_directories(directory, error);
    if (error)
        return Unexpected(fileError(error.value(), directory.native(), "create directory"));
    return {};
}

Expected<void> PosixFileSystem::rename(const Path& from, const Path& to) {
    if (::rename(from.c_str(), to.c_str()) != 0)
        return failErrno("rename to", to);
    return {};
}

Expected<void> PosixFileSystem::remove(const Path& file) {
    if (unlink(file.c_str()) != 0)
        return failErrno("remove", file);
    return {};
}

Expected<void> PosixFileSystem::removeAll(const Path& directory) {
    std::error_code error;
    std::filesystem::remove_all(directory, error);
    if (error)
        return Unexpected(fileError(error.value(), directory.native(), "remove"));
    return {};
}

Expected<void> PosixFileSystem::syncDirectory(const Path& directory) {
    const Path target = directory.empty() ? Path(".") : directory;
    const UniqueFd fd(::open(target.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
    if (!fd)
        return failErrno("open directory", target);
    // Some network file systems refuse fsync on directories with EINVAL; their renames are durable already.
    if (fsync(fd.get()) != 0 && errno != EINVAL)
        return failErrno("sync directory", target);
    return {};
}

Expected<uint64_t> PosixFileSystem::freeBytes(const Path& directory) {
    struct statvfs raw {};
    if (statvfs(directory.c_str(), &raw) != 0)
        return failErrno("ask the free space of", directory);
    return uint64_t{raw.f_bavail} * raw.f_frsize;
}

bool exists(FileSystem& files, const Path& path) {
    return files.status(path).has_value();
}

Expected<std::string> readWholeFile(FileSystem& files, const Path& path, uint64_t maxBytes) {
    auto file = files.open(path, OpenMode::read);
    if (!file)
        return tl::make_unexpected(std::move(file).error());
    std::string content;
    for (;;) {
        constexpr size_t kPiece = size_t{64} << 10;
        const size_t before = content.size();
        content.resize(before + kPiece);
        auto count = (*file)->readAt(before, std::span(content).subspan(before));
        if (!count)
            return tl::make_unexpected(std::move(count).error());
        content.resize(before + *count);
        if (content.size() > maxBytes)
            return fail(ErrorCode::too_large, {{"path", path.native()}, {"limit", std::to_string(maxBytes)}});
        if (*count == 0)
            return content;
    }
}

Expected<void> writeFileAtomically(FileSystem& files, const Path& path, std::string_view bytes,
                                   FileAudience audience) {
    return replaceWith(files, path, bytes, true, audience);
}

Expected<void> replaceFile(FileSystem& files, const Path& path, std::string_view bytes) {
    return replaceWith(files, path, bytes, false);
}

} // namespace trialdeck::base

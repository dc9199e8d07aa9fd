// SPDX-License-Identifier: Apache-2.0
#include "core/base/file_lock.h"

#include <cerrno>
#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>

namespace trialdeck::base {

namespace {

Error lockError(int errnoValue, const Path& path) {
    Error error = fileError(errnoValue, path.native(), "lock");
    if (errnoValue == EOPNOTSUPP || errnoValue == ENOSYS || errnoValue == EINVAL || errnoValue == ENOLCK)
        error.code = ErrorCode::no_lock_support;
    return error;
}

struct flock wholeFile() {
    struct flock range {};
    range.l_type = F_WRLCK;
    range.l_whence = SEEK_SET;
    return range;
}

/// @return 0, EAGAIN where another holds it, or what went wrong.
int lockWithoutWaiting(int fd) {
    struct flock range = wholeFile();
    if (fcntl(fd, F_OFD_SETLK, &range) == 0)
        return 0;
    if (errno == EINVAL && ::flock(fd, LOCK_EX | LOCK_NB) == 0)
        return 0;
    return errno == EACCES || errno == EWOULDBLOCK ? EAGAIN : errno;
}

/// A holder may have removed the file between our opening and our locking it.
bool isStillAt(int fd, const Path& path) {
    struct stat ours {};
    struct stat there {};
    return fstat(fd, &ours) == 0 && stat(path.c_str(), &there) == 0 && ours.st_dev == there.st_dev &&
           ours.st_ino == there.st_ino;
}

} // namespace

Expected<std::optional<FileLock>> FileLock::tryAcquire(const Path& path) {
    constexpr mode_t kOwnerOnly = 0600;
    for (;;) {
        UniqueFd fd(::open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, kOwnerOnly));
        if (!fd)
            return Unexpected(fileError(errno, path.native(), "open"));
        const int failure = lockWithoutWaiting(fd.get());
        if (failure == EAGAIN)
            return std::optional<FileLock>();
        if (failure != 0)
            return Unexpected(lockError(failure, path));
        if (isStillAt(fd.get(), path))
            return std::optional(FileLock(std::move(fd)));
    }
}

Expected<bool> FileLock::isHeld(const Path& path) {
    const UniqueFd fd(::open(path.c_str(), O_RDWR | O_CLOEXEC));
    if (!fd && errno == ENOENT)
        return false;
    if (!fd)
        return Unexpected(fileError(errno, path.native(), "open"));
    struct flock range = wholeFile();
    if (fcntl(fd.get(), F_OFD_GETLK, &range) == 0)
        return range.l_type != F_UNLCK;
    if (errno != EINVAL)
        return Unexpected(lockError(errno, path));
    const int failure = lockWithoutWaiting(fd.get());
    if (failure != 0 && failure != EAGAIN)
        return Unexpected(lockError(failure, path));
    return failure == EAGAIN;
}

} // namespace trialdeck::base

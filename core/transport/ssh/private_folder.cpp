// SPDX-License-Identifier: Apache-2.0
#include "core/transport/ssh/private_folder.h"

#include <cerrno>
#include <filesystem>
#include <stdlib.h>
#include <string>
#include <sys/stat.h>
#include <unistd.h>

namespace trialdeck::transport {

namespace {

constexpr const char* kParent = "/tmp";
constexpr std::string_view kName = "trialdeck-ssh-";
constexpr const char* kLock = "owner";

/// Folders of this user whose process did not come to remove them.
void removeAbandoned() {
    std::error_code failure;
    for (const auto& entry : std::filesystem::directory_iterator(kParent, failure)) {
        const base::Path& path = entry.path();
        struct stat status {};
        if (!path.filename().native().starts_with(kName) || lstat(path.c_str(), &status) != 0 ||
            !S_ISDIR(status.st_mode) || status.st_uid != geteuid())
            continue;
        std::error_code ignored;
        const base::Path lock = path / kLock;
        // Without one it is just being made.
        if (!std::filesystem::exists(lock, ignored))
            continue;
        if (const auto isHeld = base::FileLock::isHeld(lock); isHeld && !*isHeld)
            std::filesystem::remove_all(path, ignored);
    }
}

} // namespace

Expected<PrivateFolder> PrivateFolder::make() {
    removeAbandoned();
    std::string path = std::string(kParent) + "/" + std::string(kName) + "XXXXXX";
    if (mkdtemp(path.data()) == nullptr)
        return tl::make_unexpected(base::fileError(errno, path, "make a folder"));
    // Under its name the lock is held from the beginning.
    const base::Path begun = base::Path(path) / "new";
    auto owned = base::FileLock::tryAcquire(begun);
    std::error_code failure;
    if (owned && *owned)
        std::filesystem::rename(begun, base::Path(path) / kLock, failure);
    if (!owned || !*owned || failure) {
        std::error_code ignored;
        std::filesystem::remove_all(path, ignored);
        if (!owned)
            return tl::make_unexpected(std::move(owned).error());
        return base::fail(ErrorCode::file_io, {{"path", path}, {"reason", failure.message()}},
                          "own a folder");
    }
    return PrivateFolder(path, std::move(**owned));
}

PrivateFolder::~PrivateFolder() {
    std::error_code ignored;
    if (!m_path.empty())
        std::filesystem::remove_all(m_path, ignored);
}

} // namespace trialdeck::transport

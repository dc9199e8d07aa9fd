// SPDX-License-Identifier: Apache-2.0
#include "core/head/head_home.h"

#include "core/base/host.h"
#include "core/base/sha256.h"

#include <cerrno>
#include <sys/stat.h>
#include <unistd.h>

namespace trialdeck::head {

namespace {

/// Host names come from the network's administrator; a file name must not lead elsewhere.
std::string asFileName(std::string text) {
    for (char& c : text) {
        if (c == '/' || c == '\0')
            c = '_';
    }
    return text;
}

Expected<void> makePrivate(const base::Path& folder) {
    if (chmod(folder.c_str(), 0700) != 0)
        return tl::make_unexpected(base::fileError(errno, folder.native(), "restrict"));
    return {};
}

} // namespace

HeadHome::HeadHome(base::Path home, base::Path folder)
    : m_home(std::move(home)), m_folder(std::move(folder)), m_runtime(m_folder) {}

Expected<HeadHome> HeadHome::open(base::FileSystem& files) {
    auto home = base::trialdeckHome();
    if (!home)
        return tl::make_unexpected(std::move(home).error().during("TRIALDECK_HOME"));
    const std::string host = asFileName(base::hostName() + "-" + base::machineId());
    HeadHome result(*home, *home / "hosts" / host);
    if (auto made = files.createDirectories(result.m_folder); !made)
        return tl::make_unexpected(std::move(made).error().during("make the head's folder"));
    TRIALDECK_TRY(makePrivate(result.m_folder));
    return result;
}

Expected<void> HeadHome::useTemporaryRuntimeFolder(base::FileSystem& files) {
    constexpr size_t kHashDigits = 16;
    const base::Path folder = "/tmp/trialdeck-" + std::to_string(getuid()) + "-" +
                              base::sha256Hex(m_folder.native()).substr(0, kHashDigits);
    TRIALDECK_TRY(files.createDirectories(folder));
    struct stat raw {};
    // /tmp is everybody's: a folder that someone else made there under this name is not ours to trust.
    if (lstat(folder.c_str(), &raw) != 0 || !S_ISDIR(raw.st_mode) || raw.st_uid != getuid())
        return tl::make_unexpected(base::fileError(EACCES, folder.native(), "use"));
    TRIALDECK_TRY(makePrivate(folder));
    m_runtime = folder;
    return {};
}

} // namespace trialdeck::head

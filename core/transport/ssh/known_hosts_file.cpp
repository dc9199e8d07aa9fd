// SPDX-License-Identifier: Apache-2.0
#include "core/transport/ssh/known_hosts_file.h"

#include "core/base/unique_fd.h"
#include "core/transport/ssh/known_hosts.h"
#include "core/transport/ssh/ssh_key_blob.h"

#include <algorithm>
#include <cerrno>
#include <fcntl.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <unistd.h>

namespace trialdeck::transport {

namespace {

constexpr mode_t kOwnFile = 0600;
constexpr mode_t kOwnFolder = 0700;
constexpr size_t kSaltBytes = 20;

base::Unexpected failedFile(std::string_view action, const base::Path& path) {
    return base::Unexpected(base::fileError(errno, path.native(), action));
}

Expected<void> makeFolder(const base::Path& folder) {
    if (folder.empty() || ::access(folder.c_str(), F_OK) == 0)
        return {};
    if (folder.has_parent_path() && folder.parent_path() != folder)
        TRIALDECK_TRY(makeFolder(folder.parent_path()));
    if (::mkdir(folder.c_str(), kOwnFolder) != 0 && errno != EEXIST)
        return failedFile("create directory", folder);
    return {};
}

Expected<std::string> contentOf(int file, const base::Path& path) {
    std::string content;
    for (;;) {
        constexpr size_t kPiece = size_t{64} << 10;
        const size_t before = content.size();
        content.resize(before + kPiece);
        const ssize_t count = ::pread(file, content.data() + before, kPiece, static_cast<off_t>(before));
        content.resize(before + static_cast<size_t>(count > 0 ? count : 0));
        if (count < 0 && errno == EINTR)
            continue;
        if (count < 0)
            return failedFile("read", path);
        if (count == 0)
            return content;
    }
}

Expected<void> writeAll(int file, std::string_view bytes, const base::Path& path) {
    while (!bytes.empty()) {
        const ssize_t count = ::write(file, bytes.data(), bytes.size());
        if (count < 0 && errno == EINTR)
            continue;
        if (count < 0)
            return failedFile("write", path);
        bytes.remove_prefix(static_cast<size_t>(count));
    }
    return {};
}

/// One that known_hosts holds as one name of one host: no blank, which would end it, no list and no pattern.
bool canBeOnFile(std::string_view host) {
    const auto isOdd = [](unsigned char letter) {
        return letter <= ' ' || letter == 0x7F ||
               std::string_view(",*?!|").find(static_cast<char>(letter)) != std::string_view::npos;
    };
    return !host.empty() && host.front() != '#' && host.front() != '@' &&
           std::none_of(host.begin(), host.end(), isOdd);
}

} // namespace

std::string newHostSalt() {
    std::string salt(kSaltBytes, '\0');
    size_t done = 0;
    while (done < salt.size()) {
        const ssize_t count = ::getrandom(salt.data() + done, salt.size() - done, 0);
        if (count > 0)
            done += static_cast<size_t>(count);
    }
    return salt;
}

bool hasHashedHosts(std::string_view content) {
    return content.substr(0, 3) == "|1|" || content.find("\n|1|") != std::string_view::npos;
}

std::string lineForHostKey(std::string_view host, uint16_t port, std::string_view type, std::string_view blob,
                           std::string_view salt) {
    std::string line = knownHostName(host, port);
    if (!salt.empty())
        line = hashedHostName(line, salt);
    return line.append(" ").append(sshKeyTypeOf(type)).append(" ") + encodedBase64(blob);
}

Expected<void> appendHostKey(const base::Path& file, std::string_view host, uint16_t port,
                             std::string_view type, std::string_view blob, HostNames inNewFile) {
    if (!canBeOnFile(host) || checkSshKey(sshKeyTypeOf(type), blob) != SshKeyForm::good)
        return base::fail(ErrorCode::host_not_found, {{"host", std::string(host)}},
                          "a host key that known_hosts cannot hold");
    TRIALDECK_TRY(makeFolder(file.parent_path()));
    base::UniqueFd opened(::open(file.c_str(), O_RDWR | O_APPEND | O_CREAT | O_CLOEXEC, kOwnFile));
    if (!opened)
        return failedFile("open for writing", file);
    struct stat status {};
    if (::fstat(opened.get(), &status) != 0)
        return failedFile("look at", file);
    // "UserKnownHostsFile /dev/null" keeps nothing.
    if (!S_ISREG(status.st_mode))
        return {};
    const auto content = contentOf(opened.get(), file);
    if (!content)
        return tl::make_unexpected(content.error());
    const bool hasLines = content->find_first_not_of(" \t\r\n") != std::string::npos;
    const bool hashed = hasHashedHosts(*content) || (!hasLines && inNewFile == HostNames::hashed);
    std::string added = !content->empty() && content->back() != '\n' ? "\n" : "";
    added += lineForHostKey(host, port, type, blob, hashed ? newHostSalt() : std::string());
    added += '\n';
    // One write, so that two who append at once do not mix their lines.
    TRIALDECK_TRY(writeAll(opened.get(), added, file));
    if (::fchmod(opened.get(), kOwnFile) != 0 && errno != EPERM)
        return failedFile("set the permissions of", file);
    if (::close(opened.release()) != 0 && errno != EINTR)
        return failedFile("close", file);
    return {};
}

} // namespace trialdeck::transport

// SPDX-License-Identifier: Apache-2.0
#include "core/base/host.h"

#include <array>
#include <charconv>
#include <climits>
#include <cstdio>
#include <sys/random.h>
#include <unistd.h>

namespace trialdeck::base {

namespace {

std::string firstLineOf(const char* path) {
    PosixFileSystem files;
    const auto content = readWholeFile(files, path, 65536);
    return content ? content->substr(0, content->find('\n')) : std::string();
}

/// Field `index` (0 = name, 5 = home, 6 = shell) of this user's passwd entry.
std::optional<std::string> passwdField(size_t index) {
    constexpr int kTimeoutMs = 5000;
    const Environment environment = currentEnvironment();
    const auto output = runAndCollect(
        {{"getent", "passwd", std::to_string(getuid())}, environment, {}, {}, false}, kTimeoutMs);
    std::string line;
    if (output && output->exit.code == 0) {
        line = output->standardOutput.substr(0, output->standardOutput.find('\n'));
    } else {
        // Systems without getent (Alpine's base image) still have the file.
        PosixFileSystem files;
        const std::string wanted = std::to_string(getuid());
        const std::string all = readWholeFile(files, "/etc/passwd").value_or("");
        for (size_t at = 0; at < all.size() && line.empty();) {
            const size_t end = std::min(all.find('\n', at), all.size());
            const std::string candidate = all.substr(at, end - at);
            const size_t first = candidate.find(':');
            const size_t second = first == std::string::npos ? first : candidate.find(':', first + 1);
            if (second != std::string::npos &&
                candidate.compare(second + 1, wanted.size() + 1, wanted + ":") == 0)
                line = candidate;
            at = end + 1;
        }
    }
    for (size_t at = 0; !line.empty(); --index) {
        const size_t end = std::min(line.find(':', at), line.size());
        if (index == 0)
            return end > at ? std::optional(line.substr(at, end - at)) : std::nullopt;
        if (end == line.size())
            break;
        at = end + 1;
    }
    return std::nullopt;
}

std::optional<std::string> variable(const char* name) {
    const Environment environment = currentEnvironment();
    const auto found = environment.find(name);
    if (found == environment.end() || found->second.empty())
        return std::nullopt;
    return found->second;
}

} // namespace

std::string hostName() {
    std::array<char, HOST_NAME_MAX + 1> name{};
    if (gethostname(name.data(), name.size() - 1) != 0)
        return "localhost";
    return name.data();
}

std::string machineId() {
    for (const char* path : {"/etc/machine-id", "/var/lib/dbus/machine-id"}) {
        if (std::string id = firstLineOf(path); !id.empty())
            return id;
    }
    return "unknown";
}

std::string bootId() {
    return firstLineOf("/proc/sys/kernel/random/boot_id");
}

std::optional<uint64_t> processStartTicks(pid_t pid) {
    const std::string line = firstLineOf(("/proc/" + std::to_string(pid) + "/stat").c_str());
    // The name, field 2, may hold blanks and brackets; the last ")" ends it. Start time is field 22.
    size_t at = line.rfind(')');
    if (at == std::string::npos)
        return std::nullopt;
    constexpr int kFieldsAfterName = 20;
    for (int field = 0; field < kFieldsAfterName; ++field) {
        at = line.find(' ', at + 1);
        if (at == std::string::npos)
            return std::nullopt;
    }
    uint64_t ticks = 0;
    const char* begin = line.data() + at + 1;
    if (std::from_chars(begin, line.data() + line.size(), ticks).ec != std::errc())
        return std::nullopt;
    return ticks;
}

Expected<Path> homeDirectory() {
    if (const auto home = variable("HOME"))
        return Path(*home);
    if (const auto home = passwdField(5))
        return Path(*home);
    return fail(ErrorCode::file_not_found, {{"path", "~"}, {"reason", "HOME is not set"}});
}

std::string loginShell() {
    if (auto shell = passwdField(6))
        return *shell;
    return variable("SHELL").value_or("/bin/sh");
}

Expected<Path> trialdeckHome() {
    if (const auto home = variable("TRIALDECK_HOME"))
        return Path(*home);
    return homeDirectory().map([](const Path& home) { return home / ".trialdeck"; });
}

Path expandHome(std::string_view path, const Path& home) {
    if (path == "~")
        return home;
    if (path.substr(0, 2) == "~/")
        return home / Path(path.substr(2));
    return Path(path);
}

Path executablePath() {
    std::error_code error;
    return std::filesystem::read_symlink("/proc/self/exe", error);
}

std::string newUuid() {
    std::array<unsigned char, 16> bytes{};
    while (getrandom(bytes.data(), bytes.size(), 0) != static_cast<ssize_t>(bytes.size())) {
    }
    bytes[6] = static_cast<unsigned char>((bytes[6] & 0x0FU) | 0x40U);
    bytes[8] = static_cast<unsigned char>((bytes[8] & 0x3FU) | 0x80U);
    std::string text;
    for (size_t i = 0; i < bytes.size(); ++i) {
        if (i == 4 || i == 6 || i == 8 || i == 10)
            text += '-';
        std::array<char, 3> digits{};
        std::snprintf(digits.data(), digits.size(), "%02x", bytes[i]);
        text += digits.data();
    }
    return text;
}

} // namespace trialdeck::base

// SPDX-License-Identifier: Apache-2.0
#include "core/base/host.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <climits>
#include <cstdio>
#include <cstdlib>
#include <sys/random.h>
#include <unistd.h>

namespace trialdeck::base {

namespace {

std::string firstLineOf(const char* path) {
    PosixFileSystem files;
    const auto content = readWholeFile(files, path, 65536);
    return content ? content->substr(0, content->find('\n')) : std::string();
}

std::vector<std::string> splitAt(char separator, std::string_view text) {
    std::vector<std::string> parts;
    for (;;) {
        const size_t end = std::min(text.find(separator), text.size());
        parts.emplace_back(text.substr(0, end));
        if (end == text.size())
            return parts;
        text.remove_prefix(end + 1);
    }
}

constexpr size_t kPasswdName = 0;
constexpr size_t kPasswdNumber = 2;
constexpr size_t kPasswdHome = 5;
constexpr size_t kPasswdShell = 6;
constexpr size_t kPasswdFields = 7;

/// A field of the passwd entry of the user of this name or number; nothing where it is empty.
std::optional<std::string> passwdField(const std::string& user, size_t field) {
    constexpr int kTimeoutMs = 5000;
    const auto output =
        runAndCollect({{"getent", "passwd", user}, currentEnvironment(), {}, {}, false}, kTimeoutMs);
    std::string lines;
    if (output && output->exit.code == 0) {
        lines = output->standardOutput;
    } else {
        // Systems without getent (Alpine's base image) still have the file.
        PosixFileSystem files;
        lines = readWholeFile(files, "/etc/passwd").value_or("");
    }
    for (const std::string& line : splitAt('\n', lines)) {
        const std::vector<std::string> fields = splitAt(':', line);
        if (fields.size() < kPasswdFields || (fields[kPasswdName] != user && fields[kPasswdNumber] != user))
            continue;
        return fields[field].empty() ? std::nullopt : std::optional(fields[field]);
    }
    return std::nullopt;
}

bool isNameCharacter(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

/// "$NAME" or "${NAME}" at the front, as a shell would take it; empty where there is none.
std::string_view leadingVariable(std::string_view text) {
    if (text.size() < 2 || text[0] != '$')
        return {};
    if (text[1] == '{') {
        const size_t end = text.find('}');
        return end == std::string_view::npos ? text : text.substr(0, end + 1);
    }
    if (!isNameCharacter(text[1]) || (text[1] >= '0' && text[1] <= '9'))
        return {};
    size_t end = 2;
    while (end < text.size() && isNameCharacter(text[end]))
        ++end;
    return text.substr(0, end);
}

/// How much of the front stands for the home.
size_t homeLength(std::string_view path) {
    if (path == "~" || path.starts_with("~/"))
        return 1;
    const std::string_view name = leadingVariable(path);
    return name == "$HOME" || name == "${HOME}" ? name.size() : 0;
}

Unexpected unknownFront(std::string_view front) {
    return fail(ErrorCode::unknown_value,
                {{"value", std::string(front)}, {"allowed", "~, ~user, $HOME, ${HOME}"}}, "in a path");
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
    if (const auto home = passwdField(std::to_string(getuid()), kPasswdHome))
        return Path(*home);
    return fail(ErrorCode::file_not_found, {{"path", "~"}, {"reason", "HOME is not set"}});
}

std::string loginShell() {
    if (auto shell = passwdField(std::to_string(getuid()), kPasswdShell))
        return *shell;
    return variable("SHELL").value_or("/bin/sh");
}

Expected<Path> trialdeckHome() {
    const std::string given = variable("TRIALDECK_HOME").value_or("~/.trialdeck");
    Expected<Path> home = homeLength(given) > 0 ? homeDirectory() : Path();
    if (home)
        home = expandPath(given, *home);
    if (!home)
        return home;
    std::error_code error;
    const Path absolute = std::filesystem::absolute(*home, error);
    if (error)
        return Unexpected(fileError(error.value(), home->native(), "find the working directory for"));
    return absolute.lexically_normal();
}

Expected<Path> settleTrialdeckHome() {
    auto home = trialdeckHome();
    if (home && variable("TRIALDECK_HOME"))
        setenv("TRIALDECK_HOME", home->c_str(), 1);
    return home;
}

Path expandHome(std::string_view path, const Path& home) {
    const size_t length = homeLength(path);
    return length == 0 ? Path(path) : Path(home.native() + std::string(path.substr(length)));
}

Expected<Path> expandPath(std::string_view path, const Path& home) {
    std::string_view rest = path.substr(homeLength(path));
    for (size_t at = rest.find('$'); at != std::string_view::npos; at = rest.find('$', at + 1)) {
        if (const std::string_view name = leadingVariable(rest.substr(at)); !name.empty())
            return unknownFront(name);
    }
    if (rest.size() < path.size() || !path.starts_with('~'))
        return expandHome(path, home);
    const std::string user(path.substr(1, path.find('/') - 1));
    // getent would take "-x" for an option; a number is no name to a shell.
    const bool isName = std::all_of(user.begin(), user.end(), [](char c) {
        return isNameCharacter(c) || c == '-' || c == '.' || c == '@' || c == '+';
    });
    const bool startsWell = user[0] != '-' && (user[0] < '0' || user[0] > '9');
    const auto found = isName && startsWell ? passwdField(user, kPasswdHome) : std::nullopt;
    if (!found)
        return unknownFront(path.substr(0, user.size() + 1));
    return Path(*found + std::string(path.substr(user.size() + 1)));
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

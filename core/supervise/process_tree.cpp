// SPDX-License-Identifier: Apache-2.0
#include "core/supervise/process_tree.h"

#include "core/base/unique_fd.h"

#include <array>
#include <cerrno>
#include <charconv>
#include <csignal>
#include <cstring>
#include <dirent.h>
#include <fcntl.h>
#include <map>
#include <memory>
#include <optional>
#include <sys/stat.h>
#include <unistd.h>

namespace trialdeck::supervise {

namespace {

using Directory = std::unique_ptr<DIR, int (*)(DIR*)>;

Directory openDirectory(const char* path) {
    return {opendir(path), closedir};
}

std::optional<pid_t> pidFrom(const char* name) {
    pid_t pid = 0;
    const char* end = name + std::strlen(name);
    const auto result = std::from_chars(name, end, pid);
    return result.ec == std::errc() && result.ptr == end && pid > 0 ? std::optional(pid) : std::nullopt;
}

/// The whole of a file in /proc, at most maxBytes; nothing where it cannot be opened.
std::optional<std::string> readProc(const std::string& path, size_t maxBytes) {
    const base::UniqueFd fd(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
    if (!fd)
        return std::nullopt;
    std::string content;
    std::array<char, 4096> piece;
    while (content.size() < maxBytes) {
        const ssize_t count = read(fd.get(), piece.data(), piece.size());
        if (count < 0 && errno == EINTR)
            continue;
        if (count <= 0)
            break;
        content.append(piece.data(), static_cast<size_t>(count));
    }
    return content;
}

std::string procPath(pid_t pid, const char* file) {
    return "/proc/" + std::to_string(pid) + "/" + file;
}

/// Fields of /proc/<pid>/stat behind the name, of which index 0 is the state.
std::vector<std::string_view> statFields(std::string_view text) {
    std::vector<std::string_view> fields;
    const size_t nameEnd = text.rfind(')');
    if (nameEnd == std::string_view::npos)
        return fields;
    text.remove_prefix(nameEnd + 1);
    while (!text.empty()) {
        const size_t begin = text.find_first_not_of(" \n");
        if (begin == std::string_view::npos)
            break;
        text.remove_prefix(begin);
        const size_t end = std::min(text.find_first_of(" \n"), text.size());
        fields.push_back(text.substr(0, end));
        text.remove_prefix(end);
    }
    return fields;
}

template<typename Number>
Number numberIn(std::string_view text) {
    Number number = 0;
    std::from_chars(text.data(), text.data() + text.size(), number);
    return number;
}

/// The kernel's own list, where it is built in (CONFIG_PROC_CHILDREN).
/// @return false where this kernel has none.
bool appendChildren(pid_t pid, std::vector<pid_t>& children) {
    const std::string tasks = procPath(pid, "task");
    const Directory directory = openDirectory(tasks.c_str());
    if (!directory)
        return true;
    while (const dirent* entry = readdir(directory.get())) {
        if (!pidFrom(entry->d_name))
            continue;
        const auto text = readProc(tasks + "/" + entry->d_name + "/children", size_t{1} << 20);
        if (!text) {
            struct stat raw {};
            if (stat((tasks + "/" + entry->d_name).c_str(), &raw) == 0)
                return false;
            continue;
        }
        for (size_t at = 0; at < text->size();) {
            const size_t end = std::min(text->find(' ', at), text->size());
            const auto child = numberIn<pid_t>(std::string_view(*text).substr(at, end - at));
            if (child > 0)
                children.push_back(child);
            at = end + 1;
        }
    }
    return true;
}

std::multimap<pid_t, pid_t> allChildren() {
    std::multimap<pid_t, pid_t> children;
    const Directory directory = openDirectory("/proc");
    while (const dirent* entry = directory ? readdir(directory.get()) : nullptr) {
        const auto pid = pidFrom(entry->d_name);
        const auto text = pid ? readProc(procPath(*pid, "stat"), 4096) : std::nullopt;
        const auto fields = text ? statFields(*text) : std::vector<std::string_view>();
        if (fields.size() > 1)
            children.emplace(numberIn<pid_t>(fields[1]), *pid);
    }
    return children;
}

std::vector<pid_t> descendantsByScan(pid_t root) {
    const std::multimap<pid_t, pid_t> children = allChildren();
    std::vector<pid_t> found{root};
    for (size_t i = 0; i < found.size(); ++i) {
        const auto [begin, end] = children.equal_range(found[i]);
        for (auto entry = begin; entry != end; ++entry)
            found.push_back(entry->second);
    }
    found.erase(found.begin());
    return found;
}

} // namespace

std::vector<pid_t> descendantsOf(pid_t root) {
    std::vector<pid_t> found{root};
    for (size_t i = 0; i < found.size(); ++i) {
        if (!appendChildren(found[i], found))
            return descendantsByScan(root);
    }
    found.erase(found.begin());
    return found;
}

uint64_t residentBytes(pid_t pid) {
    const auto text = readProc(procPath(pid, "statm"), 4096);
    if (!text)
        return 0;
    const size_t blank = text->find(' ');
    if (blank == std::string::npos)
        return 0;
    return numberIn<uint64_t>(std::string_view(*text).substr(blank + 1)) *
           static_cast<uint64_t>(sysconf(_SC_PAGESIZE));
}

uint64_t processorTicks(pid_t pid) {
    constexpr size_t kUserTime = 11;
    constexpr size_t kChildrenSystemTime = 14;
    const auto text = readProc(procPath(pid, "stat"), 4096);
    const auto fields = text ? statFields(*text) : std::vector<std::string_view>();
    uint64_t ticks = 0;
    for (size_t field = kUserTime; field <= kChildrenSystemTime && field < fields.size(); ++field)
        ticks += numberIn<uint64_t>(fields[field]);
    return ticks;
}

void signalEach(std::span<const pid_t> pids, int signal) {
    for (const pid_t pid : pids)
        kill(pid, signal);
}

std::optional<std::string> attemptOf(pid_t pid) {
    return startVariableOf(pid, kAttemptVariable);
}

std::optional<std::string> startVariableOf(pid_t pid, std::string_view name) {
    constexpr size_t kMaxEnvironment = size_t{4} << 20;
    const std::string wanted = std::string(name) + "=";
    const auto text = readProc(procPath(pid, "environ"), kMaxEnvironment);
    if (!text)
        return std::nullopt;
    size_t at = text->find(wanted);
    while (at != std::string::npos && at > 0 && (*text)[at - 1] != '\0')
        at = text->find(wanted, at + 1);
    if (at == std::string::npos)
        return std::nullopt;
    at += wanted.size();
    return text->substr(at, text->find('\0', at) - at);
}

std::vector<AttemptProcess> processesOfAttempt(std::string_view attempt) {
    const uid_t user = getuid();
    const pid_t self = getpid();
    std::vector<AttemptProcess> found;
    const Directory directory = openDirectory("/proc");
    while (const dirent* entry = directory ? readdir(directory.get()) : nullptr) {
        const auto pid = pidFrom(entry->d_name);
        struct stat owner {};
        if (!pid || *pid == self || fstatat(dirfd(directory.get()), entry->d_name, &owner, 0) != 0 ||
            owner.st_uid != user)
            continue;
        auto value = attemptOf(*pid);
        if (!value || value->compare(0, attempt.size(), attempt) != 0)
            continue;
        if (value->size() == attempt.size() || (*value)[attempt.size()] == '/')
            found.push_back({*pid, std::move(*value)});
    }
    return found;
}

} // namespace trialdeck::supervise

// SPDX-License-Identifier: Apache-2.0
#include "core/base/control_group.h"

#include <algorithm>
#include <charconv>

namespace trialdeck::base {

namespace {

constexpr uint64_t kMaxKernelFile = uint64_t{1} << 20;

/// The field of /proc/self/cgroup that names the controllers, and the group's path.
struct Membership {
    std::string controllers;
    std::string path;
};

std::vector<Membership> memberships(std::string_view text) {
    std::vector<Membership> result;
    while (!text.empty()) {
        const size_t end = std::min(text.find('\n'), text.size());
        const std::string_view line = text.substr(0, end);
        text.remove_prefix(std::min(end + 1, text.size()));
        const size_t first = line.find(':');
        const size_t second = first == std::string_view::npos ? first : line.find(':', first + 1);
        if (second != std::string_view::npos)
            result.push_back({std::string(line.substr(first + 1, second - first - 1)),
                              std::string(line.substr(second + 1))});
    }
    return result;
}

bool listHas(std::string_view list, std::string_view word) {
    while (!list.empty()) {
        const size_t end = std::min(list.find(','), list.size());
        if (list.substr(0, end) == word)
            return true;
        list.remove_prefix(std::min(end + 1, list.size()));
    }
    return false;
}

/// The group's folder and those above it, as far as they exist below the mount. In a container the kernel
/// may name the group by the host's path; the mount then shows the own group as its root.
std::vector<Path> levelsBelow(FileSystem& files, const Path& mount, const std::string& group) {
    std::vector<Path> levels;
    for (Path path = Path(group).relative_path(); !path.empty(); path = path.parent_path()) {
        if (exists(files, mount / path))
            levels.push_back(mount / path);
    }
    if (exists(files, mount))
        levels.push_back(mount);
    return levels;
}

} // namespace

ControlGroup findControlGroup(FileSystem& files, const Path& root, std::string_view controller) {
    ControlGroup result;
    const auto text = readWholeFile(files, root / "proc/self/cgroup", kMaxKernelFile);
    if (!text)
        return result;
    const Path top = root / "sys/fs/cgroup";
    const bool unified = exists(files, top / "cgroup.controllers");
    for (const Membership& membership : memberships(*text)) {
        const bool ours =
            unified ? membership.controllers.empty() : listHas(membership.controllers, controller);
        if (!ours)
            continue;
        result.version = unified ? ControlGroupVersion::v2 : ControlGroupVersion::v1;
        const Path group(membership.path);
        if (std::find(group.begin(), group.end(), "..") != group.end()) {
            result.outOfReach = true;
            return result;
        }
        Path mount = top;
        if (!unified) {
            mount = top / membership.controllers;
            if (!exists(files, mount))
                mount = top / Path(controller);
        }
        result.levels = levelsBelow(files, mount, membership.path);
        return result;
    }
    return result;
}

std::optional<uint64_t> readKernelNumber(FileSystem& files, const Path& path) {
    const auto text = readWholeFile(files, path, kMaxKernelFile);
    uint64_t number = 0;
    if (!text || std::from_chars(text->data(), text->data() + text->size(), number).ec != std::errc())
        return std::nullopt;
    return number;
}

std::optional<uint64_t> findCounter(std::string_view text, std::string_view word) {
    while (!text.empty()) {
        const size_t end = std::min(text.find('\n'), text.size());
        std::string_view line = text.substr(0, end);
        text.remove_prefix(std::min(end + 1, text.size()));
        if (line.substr(0, word.size()) != word)
            continue;
        line.remove_prefix(word.size());
        const size_t digits = line.find_first_not_of(": \t");
        if (digits == 0 || digits == std::string_view::npos)
            continue;
        uint64_t number = 0;
        if (std::from_chars(line.data() + digits, line.data() + line.size(), number).ec == std::errc())
            return number;
    }
    return std::nullopt;
}

} // namespace trialdeck::base

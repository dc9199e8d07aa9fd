// SPDX-License-Identifier: Apache-2.0
#include "core/transport/ssh/ssh_config_files.h"

#include <fnmatch.h>

namespace trialdeck::transport {

namespace {

constexpr uint64_t kMaxConfigBytes = uint64_t{1} << 20;
constexpr size_t kMaxIncludedFiles = 1'000;

/// The client's own glob() knows "!" alone as the mark of letters that are not meant; for fnmatch() "^" is
/// one, too.
std::string forFnmatch(std::string_view pattern) {
    std::string text;
    for (const char letter : pattern) {
        if (letter == '^' && !text.empty() && text.back() == '[')
            text += '\\';
        text += letter;
    }
    return text;
}

std::vector<base::Path> namesThatFit(base::FileSystem& files, const base::Path& folder,
                                     const std::string& written) {
    const std::string pattern = forFnmatch(written);
    std::vector<base::Path> found;
    const auto names = files.list(folder.empty() ? base::Path(".") : folder);
    if (!names)
        return found;
    for (const std::string& name : *names) {
        if (fnmatch(pattern.c_str(), name.c_str(), FNM_PERIOD) == 0)
            found.push_back(folder / name);
    }
    return found;
}

} // namespace

std::vector<SshConfigSource> sshConfigSources(const SshConfigPlace& place) {
    if (place.configFile == "none")
        return {};
    if (!place.configFile.empty())
        return {{place.configFile, true, false}};
    return {{place.home / ".ssh/config", true, true}, {place.systemConfigFile, false, true}};
}

std::string withSshHome(std::string_view path, const SshConfigPlace& place) {
    if (path.empty() || path.front() != '~')
        return std::string(path);
    const size_t slash = std::min(path.find('/'), path.size());
    const std::string_view user = path.substr(1, slash - 1);
    if (!user.empty() && user != place.localUser)
        return std::string(path);
    path.remove_prefix(slash);
    path.remove_prefix(std::min(path.find_first_not_of('/'), path.size()));
    std::string result = place.home.native();
    if (result.empty() || result.back() != '/')
        result += '/';
    return result.append(path);
}

std::vector<base::Path> sshIncludedFiles(base::FileSystem& files, const SshConfigPlace& place, bool ofUser,
                                         const std::string& pattern) {
    std::string anchored = withSshHome(pattern, place);
    if (anchored.empty() || anchored.front() != '/')
        anchored = (ofUser ? place.home / ".ssh" : place.systemConfigFile.parent_path()) / anchored;
    std::vector<base::Path> found{"/"};
    for (const auto& part : base::Path(anchored).relative_path()) {
        if (part.native().find_first_of("*?[") == std::string::npos) {
            for (auto& path : found)
                path /= part;
            continue;
        }
        std::vector<base::Path> deeper;
        for (const auto& folder : found) {
            for (auto& path : namesThatFit(files, folder, part.native())) {
                if (deeper.size() < kMaxIncludedFiles)
                    deeper.push_back(std::move(path));
            }
        }
        found = std::move(deeper);
    }
    std::erase_if(found, [&files](const base::Path& path) { return !base::exists(files, path); });
    return found;
}

SshConfigText readSshConfigText(base::FileSystem& files, const SshConfigSource& source) {
    auto file = files.open(source.path, base::OpenMode::read);
    if (!file) {
        // A name whose file has gone is no more than a missing one.
        const bool missing = file.error().code == ErrorCode::file_not_found;
        if (source.found && missing)
            return {};
        return {std::nullopt, SshConfigProblem::unreadable_file};
    }
    constexpr uint32_t kWritableByOthers = 022;
    const auto status = (*file)->status();
    if (source.found && status && (status->mode & kWritableByOthers) != 0)
        return {std::nullopt, SshConfigProblem::unsafe_permissions};
    auto text = base::readWholeFile(files, source.path, kMaxConfigBytes);
    if (!text)
        return {std::nullopt, SshConfigProblem::unreadable_file};
    constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";
    if (text->compare(0, kByteOrderMark.size(), kByteOrderMark) == 0)
        text->erase(0, kByteOrderMark.size());
    return {*std::move(text), std::nullopt};
}

} // namespace trialdeck::transport

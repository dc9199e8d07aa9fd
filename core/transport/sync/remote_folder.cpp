// SPDX-License-Identifier: Apache-2.0
#include "core/transport/sync/remote_folder.h"

#include "core/transport/remote/remote_shell.h"

#include <algorithm>
#include <utility>

namespace trialdeck::transport {

namespace {

bool isUserName(std::string_view name) {
    return std::all_of(name.begin(), name.end(), [](char letter) {
        const auto byte = static_cast<unsigned char>(letter);
        return (byte >= '0' && byte <= '9') || (byte >= 'a' && byte <= 'z') || (byte >= 'A' && byte <= 'Z') ||
               byte == '_' || byte == '-' || byte == '.' || byte == '@';
    });
}

/// Slashes at the end mean nothing here, and a leading "-" is no option.
std::string plainPath(std::string_view path) {
    while (path.size() > 1 && path.back() == '/')
        path.remove_suffix(1);
    if (path.empty())
        return ".";
    return path.front() == '/' ? std::string(path) : "./" + std::string(path);
}

bool saysLine(std::string_view printed, std::string_view line) {
    return ("\n" + std::string(printed)).find("\n" + std::string(line) + "\n") != std::string::npos;
}

} // namespace

Expected<RemoteFolder> remoteFolderFrom(std::string_view path) {
    RemoteFolder folder{std::string(path), "cd", {}};
    if (path.starts_with('~')) {
        const size_t slash = std::min(path.find('/'), path.size());
        const std::string_view user = path.substr(1, slash - 1);
        if (!isUserName(user))
            return base::fail(ErrorCode::unknown_value, {{"value", folder.written}, {"allowed", "~/FOLDER"}},
                              "the name of a home");
        if (!user.empty())
            folder.enterBase = "cd ~" + std::string(user);
        path.remove_prefix(slash);
        while (path.starts_with('/'))
            path.remove_prefix(1);
    }
    if (path.find('\0') != std::string_view::npos)
        return base::fail(ErrorCode::unknown_value, {{"value", folder.written}, {"allowed", "~/FOLDER"}},
                          "a NUL in a path");
    folder.rest = plainPath(path);
    return folder;
}

std::string shellQuotedLines(std::string_view word) {
    std::string quoted = "'";
    for (const char letter : word) {
        if (letter == '\'')
            quoted += "'\\''";
        else if (letter == '\n')
            quoted += "'\"$nl\"'";
        else
            quoted += letter;
    }
    quoted += '\'';
    return quoted;
}

std::string folderScript(const RemoteFolder& folder, RemoteFolderUse use) {
    const std::string rest = shellQuotedLines(folder.rest);
    std::string script = "LC_ALL=C; export LC_ALL; unset CDPATH; " + std::string(kSetLineBreak) +
                         "echo; cd; h=`pwd -P`; " + folder.enterBase + " || exit 0; ";
    if (use == RemoteFolderUse::is_made)
        script += "mkdir -p " + rest + "; ";
    script += "if cd " + rest +
              "; then echo 'td folder yes'; echo \"td path `pwd -P`\"; [ \"`pwd -P`\" = \"$h\" ] && echo 'td "
              "home yes'; "
              "elif [ ! -e " +
              rest + " ]; then echo 'td folder missing'; elif [ ! -d " + rest +
              " ]; then echo 'td folder other'; else echo 'td folder closed'; fi; "
              "v=`rsync --version 2>/dev/null`; case \"$v\" in 'rsync  version '[3-9]*|'rsync  version "
              "v'[3-9]*) echo 'td rsync yes';; "
              "esac; case \"$v\" in *zstd*) echo 'td zstd yes';; esac; exit 0";
    return script;
}

Error errorFromReason(std::string_view reason, std::string path) {
    static constexpr std::pair<std::string_view, ErrorCode> kKnown[] = {
        {"No space left on device", ErrorCode::disk_full},
        {"Disk quota exceeded", ErrorCode::disk_full},
        {"Read-only file system", ErrorCode::read_only_storage},
        {"Permission denied", ErrorCode::file_permission},
        {"Operation not permitted", ErrorCode::file_permission},
        {"Not a directory", ErrorCode::not_a_directory},
        {"File exists", ErrorCode::not_a_directory},
        {"No such file or directory", ErrorCode::file_not_found}};
    for (const auto& [words, code] : kKnown) {
        if (reason.find(words) != std::string_view::npos)
            return {code, {{"path", std::move(path)}, {"reason", std::string(words)}}, std::string(reason)};
    }
    return {ErrorCode::sync_failed, {{"path", std::move(path)}, {"reason", std::string(reason)}}, {}};
}

Expected<RemoteFolderFacts> folderFactsFrom(std::string_view printed, std::string_view errors,
                                            const RemoteFolder& folder, RemoteFolderUse use,
                                            const std::string& host) {
    RemoteFolderFacts facts;
    facts.exists = saysLine(printed, "td folder yes");
    facts.isHome = saysLine(printed, "td home yes");
    facts.hasRsync = saysLine(printed, "td rsync yes");
    facts.hasZstd = saysLine(printed, "td zstd yes");
    constexpr std::string_view kPath = "\ntd path ";
    const size_t at = printed.find(kPath);
    if (at != std::string_view::npos && folder.rest.find('\n') == std::string::npos)
        facts.path =
            printed.substr(at + kPath.size(), printed.find('\n', at + kPath.size()) - at - kPath.size());
    const bool isMissing = saysLine(printed, "td folder missing");
    const std::string path = host + ":" + folder.written;
    if (saysLine(printed, "td folder other"))
        return base::fail(ErrorCode::not_a_directory, {{"path", path}, {"reason", "Not a directory"}},
                          std::string(errors));
    if (saysLine(printed, "td folder closed"))
        return base::fail(ErrorCode::file_permission, {{"path", path}, {"reason", "Permission denied"}},
                          std::string(errors));
    if (facts.exists || (isMissing && use == RemoteFolderUse::is_looked_at))
        return facts;
    if (isMissing && use == RemoteFolderUse::must_exist)
        return base::fail(ErrorCode::file_not_found,
                          {{"path", path}, {"reason", "No such file or directory"}}, std::string(errors));
    return tl::make_unexpected(errorFromReason(errors, path));
}

} // namespace trialdeck::transport

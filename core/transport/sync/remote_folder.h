// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/error.h"

#include <string>
#include <string_view>

namespace trialdeck::transport {

/// What a path on a host means to a shell there: words that enter the folder, relative to the home.
struct RemoteFolder {
    /// As the user wrote it, for errors.
    std::string written;
    /// "cd" with the home of the user that the path names.
    std::string enterBase;
    /// From there; "." for the base itself.
    std::string rest;
};

/// @return unknown_value (value) where a home's name holds what no user's name does; empty paths are the home
[[nodiscard]] Expected<RemoteFolder> remoteFolderFrom(std::string_view path);

/// A word that /bin/sh reads back as exactly these bytes, line breaks too; `nl` must have been set before.
[[nodiscard]] std::string shellQuotedLines(std::string_view word);
/// Sets it.
inline constexpr std::string_view kSetLineBreak = "nl=`printf '\\n.'`; nl=${nl%.}; ";

/// What is asked of a folder that is looked for.
enum class RemoteFolderUse { must_exist, is_made, is_looked_at };

/// What was found out about a folder on a host.
struct RemoteFolderFacts {
    bool exists = false;
    /// Absolute; empty where the folder is missing or its name has a line break.
    std::string path;
    /// It is the home: what belongs to the source's own folder is not given to it.
    bool isHome = false;
    bool hasRsync = false;
    /// Both ends of a connection compress well where both have it.
    bool hasZstd = false;
};

/// POSIX shell that looks for the folder, makes it where it is to be made, and looks for rsync.
[[nodiscard]] std::string folderScript(const RemoteFolder& folder, RemoteFolderUse use);

/// Reads what folderScript() printed.
/// @param errors  what it wrote to standard error
/// @param host  for the errors
/// @return file_not_found, not_a_directory, file_permission, disk_full, read_only_storage, …
[[nodiscard]] Expected<RemoteFolderFacts> folderFactsFrom(std::string_view printed, std::string_view errors,
                                                          const RemoteFolder& folder, RemoteFolderUse use,
                                                          const std::string& host);

/// The error for what a system said about a path; sync_failed where it is unknown.
[[nodiscard]] Error errorFromReason(std::string_view reason, std::string path);

} // namespace trialdeck::transport

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/transport/ssh/ssh_config.h"

namespace trialdeck::transport {

/// A file of the configuration: in the user's, Include is relative to ~/.ssh, in the system's to /etc/ssh.
struct SshConfigSource {
    base::Path path;
    bool ofUser = true;
    /// Not named by the caller: others must not be able to write to it, and it may be missing.
    bool found = true;
};

/// The files where reading begins.
[[nodiscard]] std::vector<SshConfigSource> sshConfigSources(const SshConfigPlace& place);

/// Files that one word of Include names, sorted. None where nothing fits.
[[nodiscard]] std::vector<base::Path> sshIncludedFiles(base::FileSystem& files, const SshConfigPlace& place,
                                                       bool ofUser, const std::string& pattern);

/// @return the problem, or nothing and no text for a file that may be missing and is
struct SshConfigText {
    std::optional<std::string> text;
    std::optional<SshConfigProblem> problem;
};
[[nodiscard]] SshConfigText readSshConfigText(base::FileSystem& files, const SshConfigSource& source);

/// "~" and "~/…" become the home, "~name" too where it is this user.
[[nodiscard]] std::string withSshHome(std::string_view path, const SshConfigPlace& place);

} // namespace trialdeck::transport

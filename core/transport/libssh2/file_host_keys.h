// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/transport/libssh2/libssh_hop.h"
#include "core/transport/ssh/ssh_config.h"

namespace trialdeck::transport {

/// The known hosts that OpenSSH keeps, as one host's configuration names their files. Read anew each time,
/// since others write them, too. On the loop of those that use it.
class FileHostKeys final : public HostKeys {
public:
    /// @param files  outlives this
    FileHostKeys(base::FileSystem& files, const SshHostSettings& settings);

    HostKeyAnswer check(const std::string& host, uint16_t port, std::string_view type,
                        std::string_view blob) override;
    std::vector<std::string> typesOf(const std::string& host, uint16_t port) override;
    /// To the first of the user's files. Where the configuration names none, nothing is kept.
    Expected<void> add(const std::string& host, uint16_t port, std::string_view type,
                       std::string_view blob) override;

private:
    base::FileSystem& m_files;
    std::vector<base::Path> m_all;
    base::Path m_own;
    bool m_hashed;
};

/// All files of known hosts that a configuration names, the user's first.
[[nodiscard]] std::vector<base::Path> knownHostsFiles(const SshHostSettings& settings);

} // namespace trialdeck::transport

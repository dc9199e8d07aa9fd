// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/files.h"
#include "core/base/process.h"
#include "core/transport/remote/remote_host.h"

#include <map>
#include <string>
#include <string_view>

namespace trialdeck::transport {

/// A port as the far side names it.
struct TcpTarget {
    std::string host;
    uint16_t port = 0;

    friend auto operator<=>(const TcpTarget&, const TcpTarget&) = default;
};

/// Understands what a master connection writes with -v about connections that it forwards. Source: OpenSSH
/// 7.4 to 9.2, channels.c.
class ForwardMessages {
public:
    /// @return whether the line was about that
    bool readLine(std::string_view line);

    /// How many connections to a target the server has refused so far, and why the last one.
    struct Refusals {
        size_t count = 0;
        ErrorCode code = ErrorCode::port_not_listening;
        std::string reason;
    };
    [[nodiscard]] Refusals refusalsOf(const TcpTarget& target) const;

private:
    /// Of the connection whose channel is named next.
    std::optional<TcpTarget> m_requested;
    std::map<std::string, TcpTarget, std::less<>> m_channels;
    std::map<TcpTarget, Refusals> m_refusals;
};

/// Connections through a master of the OpenSSH client. For each target the master listens on a unix socket in
/// the private folder, which costs one call of the client; the connections themselves are made by the master,
/// without a process for each, and end each direction by itself, which `ssh -W` over a master does not. Owned
/// by the master, on its loop.
class MasterForwards {
public:
    /// @param folder  of this user alone, goes with the master
    /// @param host  as the user named it
    MasterForwards(std::string program, base::Environment environment, base::Path control, base::Path folder,
                   std::string host);

    /// Where the master listens for this target.
    [[nodiscard]] asio::awaitable<Expected<base::Path>> pathTo(const TcpTarget& target);

private:
    [[nodiscard]] std::vector<std::string> command(const TcpTarget& target, const base::Path& path) const;

    std::string m_program;
    base::Environment m_environment;
    base::Path m_control;
    base::Path m_folder;
    std::string m_host;
    std::map<TcpTarget, base::Path> m_paths;
    size_t m_made = 0;
};

/// A unix socket that is connected to what listens at the path.
/// @return connection_lost
[[nodiscard]] Expected<base::UniqueFd> connectToPath(const base::Path& path);

} // namespace trialdeck::transport

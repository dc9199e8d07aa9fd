// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/transport/libssh2/libssh_hop.h"
#include "core/transport/remote/remote_host.h"
#include "core/transport/ssh/ssh_config.h"

namespace trialdeck::transport {

struct LibsshOptions {
    /// As the user named the host.
    std::string name;
    /// The jump hosts in their order, then the host itself.
    std::vector<LibsshHop> hops;
    /// Of the first host's address.
    SshAddressFamily addressFamily = SshAddressFamily::any;
    /// A line on which nothing came for three of these is dead.
    std::chrono::seconds keepaliveInterval{3};
    std::chrono::seconds connectTimeout{10};
    /// A login in which the host says nothing for so long is given up; people may take their time.
    std::chrono::milliseconds patience{15'000};
};

/// A host over libssh2, in this process. Its questions and host keys are ours; what the library cannot do is
/// for SystemSshHost.
class LibsshHost final : public RemoteHost {
public:
    /// @param clock, hostKeys, prompts  outlive the host
    LibsshHost(LibsshOptions options, const base::Clock& clock, HostKeys& hostKeys, Prompts& prompts);
    ~LibsshHost() override;

    [[nodiscard]] std::string destination() const override;
    [[nodiscard]] asio::awaitable<Expected<void>> open(StepListener listener) override;
    [[nodiscard]] bool isOpen() const override;
    [[nodiscard]] asio::awaitable<Expected<std::unique_ptr<RemoteProgram>>>
    start(std::string commandLine) override;
    [[nodiscard]] asio::awaitable<Expected<std::unique_ptr<RemoteStream>>> openTcp(std::string host,
                                                                                   uint16_t port) override;
    /// Through this one is a hop more: a login here of its own.
    [[nodiscard]] std::unique_ptr<RemoteHost> neighbour(const NeighbourHost& to, NeighbourWay way) override;
    void close() override;

private:
    class Way;
    LibsshOptions m_options;
    const base::Clock& m_clock;
    HostKeys& m_hostKeys;
    Prompts& m_prompts;
    std::shared_ptr<Way> m_way;
};

} // namespace trialdeck::transport

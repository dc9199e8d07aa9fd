// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/clock.h"
#include "core/base/process.h"
#include "core/transport/prompts.h"
#include "core/transport/remote/remote_host.h"
#include "core/transport/ssh/ssh_destination.h"

namespace trialdeck::transport {

struct SystemSshOptions {
    SshDestination destination;
    /// Another host than the destination, with the destination's settings; empty for itself.
    std::string neighbour = {};
    /// The way to that neighbour, as in ProxyCommand; empty: as to the destination.
    std::string proxyCommand = {};
    /// The OpenSSH client, looked up in the PATH of `environment`.
    std::string program = "ssh";
    /// trialdeck-askpass's file.
    base::Path askpass;
    base::Environment environment;
    /// A line on which nothing came for three of these is dead.
    std::chrono::seconds keepaliveInterval{3};
    /// A login in which nothing happens for so long is given up; questions may wait for their answers.
    std::chrono::seconds patience{15};

    /// As people call the host.
    [[nodiscard]] const std::string& shownName() const {
        return neighbour.empty() ? destination.host : neighbour;
    }
};

/// A host over the OpenSSH client of this computer: one master connection that holds the login, and a session
/// over it for each program, so that nothing is asked twice. Reads ~/.ssh/config and known_hosts as the user
/// is used to; host keys are always checked.
class SystemSshHost final : public RemoteHost {
public:
    /// @param clock, prompts  outlive the host
    SystemSshHost(SystemSshOptions options, const base::Clock& clock, Prompts& prompts);
    ~SystemSshHost() override;

    [[nodiscard]] std::string destination() const override;
    [[nodiscard]] asio::awaitable<Expected<void>> open(StepListener listener) override;
    [[nodiscard]] bool isOpen() const override;
    [[nodiscard]] asio::awaitable<Expected<std::unique_ptr<RemoteProgram>>>
    start(std::string commandLine) override;
    [[nodiscard]] asio::awaitable<Expected<std::unique_ptr<RemoteStream>>> openTcp(std::string host,
                                                                                   uint16_t port) override;
    [[nodiscard]] std::unique_ptr<RemoteHost> neighbour(const NeighbourHost& to, NeighbourWay way) override;
    void close() override;

private:
    class Master;
    class Stream;
    [[nodiscard]] Error notOpen() const;
    SystemSshOptions m_options;
    const base::Clock& m_clock;
    Prompts& m_prompts;
    std::shared_ptr<Master> m_master;
    /// For a try until the host answers. Short where it is known to answer quickly: a try that began while
    /// the line was dead does not notice its return.
    std::chrono::seconds m_connectTimeout;
};

} // namespace trialdeck::transport

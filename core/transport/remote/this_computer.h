// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/transport/remote/remote_host.h"

namespace trialdeck::transport {

/// This computer as a host like the others, so that commands and services run here by the same code. Needs
/// no login.
class ThisComputer final : public RemoteHost {
public:
    /// @param environment  SHELL in it is the login shell
    explicit ThisComputer(base::Environment environment) : m_environment(std::move(environment)) {}

    [[nodiscard]] std::string destination() const override { return "this computer"; }
    [[nodiscard]] asio::awaitable<Expected<void>> open(StepListener) override;
    [[nodiscard]] bool isOpen() const override { return true; }
    [[nodiscard]] asio::awaitable<Expected<std::unique_ptr<RemoteProgram>>>
    start(std::string commandLine) override;
    [[nodiscard]] asio::awaitable<Expected<std::unique_ptr<RemoteStream>>> openTcp(std::string host,
                                                                                   uint16_t port) override;
    void close() override {}

private:
    base::Environment m_environment;
};

} // namespace trialdeck::transport

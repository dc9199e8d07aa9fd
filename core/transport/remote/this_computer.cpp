// SPDX-License-Identifier: Apache-2.0
#include "core/transport/remote/this_computer.h"

#include "core/transport/child_program.h"

#include <asio/connect.hpp>
#include <asio/ip/tcp.hpp>
#include <asio/redirect_error.hpp>
#include <asio/this_coro.hpp>
#include <asio/use_awaitable.hpp>

namespace trialdeck::transport {

asio::awaitable<Expected<void>> ThisComputer::open(StepListener) {
    co_return Expected<void>();
}

asio::awaitable<Expected<std::unique_ptr<RemoteProgram>>> ThisComputer::start(std::string commandLine) {
    const auto shell = m_environment.find("SHELL");
    const std::string program =
        shell == m_environment.end() || shell->second.empty() ? "/bin/sh" : shell->second;
    std::vector<std::string> command{program, "-c"};
    command.push_back(std::move(commandLine));
    auto started = ChildProcess::start(co_await asio::this_coro::executor, std::move(command), m_environment);
    if (!started)
        co_return tl::make_unexpected(std::move(started).error());
    std::unique_ptr<RemoteProgram> result = std::make_unique<ChildProgram>(std::move(*started));
    co_return result;
}

asio::awaitable<Expected<std::unique_ptr<RemoteStream>>> ThisComputer::openTcp(std::string, uint16_t) {
    // What listens here needs nobody to bring it here.
    co_return base::fail(ErrorCode::unavailable, {}, "a forward on this computer");
}

} // namespace trialdeck::transport

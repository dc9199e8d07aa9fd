// SPDX-License-Identifier: Apache-2.0
#include "core/transport/remote/this_computer.h"

#include "core/transport/child_process.h"

#include <asio/connect.hpp>
#include <asio/ip/tcp.hpp>
#include <asio/redirect_error.hpp>
#include <asio/this_coro.hpp>
#include <asio/use_awaitable.hpp>

namespace trialdeck::transport {

namespace {

class LocalProgram final : public RemoteProgram {
public:
    explicit LocalProgram(ChildProcess::Started started)
        : m_child(std::move(started.child)), m_socket(std::move(started.socket)) {}

    base::UniqueFd takeSocket() override { return std::move(m_socket); }
    std::string errors() const override { return m_child.errors(); }
    void setErrorListener(std::function<void(std::string_view)> listener) override {
        m_child.setErrorListener(std::move(listener));
    }
    asio::awaitable<base::ProcessExit> finish(std::chrono::milliseconds timeout) override {
        return m_child.finish(timeout);
    }

private:
    ChildProcess m_child;
    base::UniqueFd m_socket;
};

} // namespace

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
    std::unique_ptr<RemoteProgram> result = std::make_unique<LocalProgram>(std::move(*started));
    co_return result;
}

asio::awaitable<Expected<std::unique_ptr<RemoteStream>>> ThisComputer::openTcp(std::string, uint16_t) {
    // What listens here needs nobody to bring it here.
    co_return base::fail(ErrorCode::unavailable, {}, "a forward on this computer");
}

} // namespace trialdeck::transport

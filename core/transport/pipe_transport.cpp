// SPDX-License-Identifier: Apache-2.0
#include "core/transport/pipe_transport.h"

#include "core/base/host.h"
#include "core/transport/child_process.h"
#include "core/transport/socket_channel.h"

#include <asio/this_coro.hpp>

namespace trialdeck::transport {

namespace {

/// For the relay to end once its input is closed.
constexpr std::chrono::milliseconds kExitTimeout{2'000};

/// A socket's frames together with the program at its other end, whose last words explain why it ended.
class ChildChannel final : public FrameChannel {
public:
    ChildChannel(ChildProcess child, std::unique_ptr<SocketChannel> socket)
        : m_child(std::move(child)), m_socket(std::move(socket)) {}

    asio::awaitable<Expected<std::string_view>> receive() override {
        auto frame = co_await m_socket->receive();
        if (!frame && frame.error().code == ErrorCode::connection_lost && !m_closed) {
            (void)co_await m_child.finish(kExitTimeout);
            if (const std::string errors = m_child.errors(); !errors.empty())
                frame.error().arguments["reason"] = errors;
        }
        co_return frame;
    }
    asio::awaitable<Expected<void>> send(std::string payload) override {
        return m_socket->send(std::move(payload));
    }
    void close() override {
        m_closed = true;
        m_socket->close();
    }
    LoginChatter chatter() const override { return m_socket->chatter(); }

private:
    ChildProcess m_child;
    std::unique_ptr<SocketChannel> m_socket;
    bool m_closed = false;
};

/// Why the program gave no marker: what it said on standard error counts more than what it printed. One that
/// lives on is killed before its output is closed, which would only make it complain.
asio::awaitable<Error> explain(Error noAnswer, bool ended, ChildProcess& child) {
    const base::ProcessExit exit =
        co_await child.finish(ended ? kExitTimeout : std::chrono::milliseconds::zero());
    if (const std::string errors = child.errors(); !errors.empty()) {
        std::string& printed = noAnswer.arguments["printed"];
        printed = errors + (printed.empty() ? "" : "\n") + printed;
    }
    if (exit.code)
        noAnswer.detail = "trialdeck-head attach ended with exit code " + std::to_string(*exit.code);
    co_return noAnswer;
}

} // namespace

asio::awaitable<Expected<std::unique_ptr<FrameChannel>>> PipeTransport::connect() {
    const asio::any_io_executor executor = co_await asio::this_coro::executor;
    const std::string nonce = base::newUuid();
    // This computer is meant, whatever hosts share its home.
    std::vector<std::string> command = {m_options.program.native(), "attach", "--nonce", nonce, "--here"};
    auto started = ChildProcess::start(executor, std::move(command), m_options.environment);
    if (!started) {
        Error error = std::move(started).error();
        if (error.code == ErrorCode::command_not_found || error.code == ErrorCode::command_not_executable)
            error = Error{ErrorCode::head_binary_missing, {{"path", m_options.program.native()}}, {}};
        co_return tl::make_unexpected(std::move(error).during("start the head"));
    }
    auto socket = SocketChannel::adopt(executor, std::move(started->socket));
    if (!socket)
        co_return tl::make_unexpected(std::move(socket).error());
    m_waiting.push_back(socket->get());
    const auto found = co_await (*socket)->findStart(nonce, m_options.startTimeout);
    std::erase(m_waiting, socket->get());
    if (!found) {
        Error noAnswer = found.error();
        Error explained = co_await explain(std::move(noAnswer), (*socket)->ended(), started->child);
        co_return tl::make_unexpected(std::move(explained));
    }
    std::unique_ptr<FrameChannel> channel =
        std::make_unique<ChildChannel>(std::move(started->child), std::move(*socket));
    co_return channel;
}

void PipeTransport::giveUp() {
    for (SocketChannel* socket : m_waiting)
        socket->close();
}

} // namespace trialdeck::transport

// SPDX-License-Identifier: Apache-2.0
#include "core/transport/pipe_transport.h"

#include "core/base/host.h"
#include "core/protocol/attach_failure.h"
#include "core/transport/child_program.h"
#include "core/transport/remote/program_channel.h"

#include <asio/this_coro.hpp>

namespace trialdeck::transport {

namespace {

/// Why the program gave no marker: what it said on standard error counts more than what it printed. One that
/// lives on is killed before its output is closed, which would only make it complain.
asio::awaitable<Error> explain(Error noAnswer, const std::string& nonce, bool ended, RemoteProgram& relay) {
    const base::ProcessExit exit =
        co_await relay.finish(ended ? kLastWordsTimeout : std::chrono::milliseconds::zero());
    // Another reason is told in the program's own words, which say more.
    if (auto failure = protocol::findAttachFailure(noAnswer.arguments["printed"], nonce);
        failure && failure->code != ErrorCode::head_did_not_answer)
        co_return std::move(*failure);
    if (const std::string errors = relay.errors(); !errors.empty()) {
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
    auto relay = std::make_unique<ChildProgram>(std::move(*started));
    auto socket = SocketChannel::adopt(executor, relay->takeSocket());
    if (!socket)
        co_return tl::make_unexpected(std::move(socket).error());
    m_waiting.push_back(socket->get());
    const auto found = co_await (*socket)->findStart(nonce, m_options.startTimeout);
    std::erase(m_waiting, socket->get());
    if (!found) {
        Error noAnswer = found.error();
        Error explained = co_await explain(std::move(noAnswer), nonce, (*socket)->ended(), *relay);
        co_return tl::make_unexpected(std::move(explained));
    }
    std::unique_ptr<FrameChannel> channel =
        std::make_unique<ProgramChannel>(std::move(relay), std::move(*socket));
    co_return channel;
}

void PipeTransport::giveUp() {
    for (SocketChannel* socket : m_waiting)
        socket->close();
}

} // namespace trialdeck::transport

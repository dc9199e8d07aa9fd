// SPDX-License-Identifier: Apache-2.0
#include "core/transport/remote/program_channel.h"

namespace trialdeck::transport {

namespace {
/// For the relay to end once its input is closed.
constexpr std::chrono::milliseconds kExitTimeout{1'000};
} // namespace

asio::awaitable<Expected<std::string_view>> ProgramChannel::receive() {
    auto frame = co_await m_socket->receive();
    if (!frame && frame.error().code == ErrorCode::connection_lost && !m_closed) {
        (void)co_await m_program->finish(kExitTimeout);
        if (const std::string errors = m_program->errors(); !errors.empty())
            frame.error().arguments["reason"] = errors;
    }
    co_return frame;
}

asio::awaitable<Expected<void>> ProgramChannel::send(std::string payload) {
    return m_socket->send(std::move(payload));
}

void ProgramChannel::close() {
    m_closed = true;
    m_socket->close();
}

} // namespace trialdeck::transport

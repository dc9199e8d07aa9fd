// SPDX-License-Identifier: Apache-2.0
#include "core/transport/remote/program_channel.h"

namespace trialdeck::transport {

asio::awaitable<Expected<std::string_view>> ProgramChannel::receive() {
    auto frame = co_await m_socket->receive();
    if (!frame && frame.error().code == ErrorCode::connection_lost && !m_closed) {
        (void)co_await m_program->finish(kLastWordsTimeout);
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

// SPDX-License-Identifier: Apache-2.0
#include "core/client/session.h"

#include <asio/co_spawn.hpp>
#include <asio/detached.hpp>
#include <asio/redirect_error.hpp>
#include <asio/use_awaitable.hpp>

namespace trialdeck::client {

Session::Session(const asio::any_io_executor& executor, std::unique_ptr<transport::FrameChannel> channel,
                 Receiver receiver)
    : m_channel(std::move(channel)), m_receiver(std::move(receiver)),
      m_endedSignal(executor, asio::steady_timer::time_point::max()) {}

void Session::start() {
    asio::co_spawn(m_endedSignal.get_executor(), read(shared_from_this()), asio::detached);
}

void Session::send(std::string payload) {
    if (m_reason)
        return;
    m_outgoing.push_back(std::move(payload));
    if (m_writing)
        return;
    m_writing = true;
    asio::co_spawn(m_endedSignal.get_executor(), write(shared_from_this()), asio::detached);
}

void Session::close(Error reason) {
    if (m_reason)
        return;
    m_reason = std::move(reason);
    m_outgoing.clear();
    m_receiver = nullptr;
    m_channel->close();
    m_endedSignal.cancel();
}

asio::awaitable<Error> Session::ended() {
    while (!m_reason) {
        std::error_code ignored;
        co_await m_endedSignal.async_wait(asio::redirect_error(asio::use_awaitable, ignored));
    }
    co_return *m_reason;
}

asio::awaitable<void> Session::read(std::shared_ptr<Session> self) {
    while (!self->m_reason) {
        const auto frame = co_await self->m_channel->receive();
        if (!frame) {
            self->close(frame.error());
            co_return;
        }
        if (self->m_reason)
            co_return;
        auto envelope = protocol::decodeEnvelope(*frame);
        if (!envelope) {
            self->close(std::move(envelope).error().during("read a frame of the head"));
            co_return;
        }
        // The receiver may close the session and thereby itself.
        const Receiver receiver = self->m_receiver;
        receiver(std::move(*envelope));
    }
}

asio::awaitable<void> Session::write(std::shared_ptr<Session> self) {
    while (!self->m_outgoing.empty()) {
        std::string payload = std::move(self->m_outgoing.front());
        self->m_outgoing.pop_front();
        const auto sent = co_await self->m_channel->send(std::move(payload));
        // The reading side knows the better reason and sees the end as well, except where only the way out is
        // broken.
        if (!sent) {
            self->close(sent.error());
            co_return;
        }
    }
    self->m_writing = false;
}

} // namespace trialdeck::client

// SPDX-License-Identifier: Apache-2.0
#include "core/engine/process/supervisor_link.h"

#include <array>
#include <asio/io_context.hpp>
#include <asio/local/stream_protocol.hpp>
#include <asio/write.hpp>
#include <utility>

namespace trialdeck::engine::process {

struct SupervisorLink::State : std::enable_shared_from_this<SupervisorLink::State> {
    State(asio::io_context& loop, int fd, Handlers given)
        : stream(loop, asio::local::stream_protocol(), fd), handlers(std::move(given)) {}

    void receive();
    void take(size_t count);
    void transmit();

    asio::local::stream_protocol::socket stream;
    Handlers handlers;
    std::array<char, size_t{8} << 10> buffer{};
    std::string received;
    /// What is being written, and what waits behind it.
    std::string underWay;
    std::string waiting;
    bool closed = false;
};

void SupervisorLink::State::receive() {
    stream.async_read_some(asio::buffer(buffer),
                           [self = shared_from_this()](const asio::error_code& error, size_t count) {
                               if (self->closed)
                                   return;
                               if (error) {
                                   self->closed = true;
                                   const auto onClosed = self->handlers.onClosed;
                                   onClosed();
                                   return;
                               }
                               self->take(count);
                           });
}

void SupervisorLink::State::take(size_t count) {
    received.append(buffer.data(), count);
    while (auto line = supervise::takeLine(received)) {
        // The handler may end this link, and with it itself.
        const auto onLine = handlers.onLine;
        onLine(supervise::parseSupervisorLine(*line));
        if (closed)
            return;
    }
    if (received.size() > supervise::kMaxLineBytes)
        received.clear();
    receive();
}

void SupervisorLink::State::transmit() {
    underWay = std::exchange(waiting, {});
    asio::async_write(stream, asio::buffer(underWay),
                      [self = shared_from_this()](const asio::error_code& error, size_t) {
                          self->underWay.clear();
                          // A broken pipe is told by the reading side, after the last lines.
                          if (!error && !self->waiting.empty() && !self->closed)
                              self->transmit();
                      });
}

SupervisorLink::SupervisorLink(asio::io_context& loop, base::UniqueFd socket, Handlers handlers)
    : m_state(std::make_shared<State>(loop, socket.release(), std::move(handlers))) {
    m_state->receive();
}

SupervisorLink::~SupervisorLink() {
    m_state->closed = true;
    asio::error_code ignored;
    m_state->stream.close(ignored);
}

void SupervisorLink::send(std::string_view bytes) {
    m_state->waiting += bytes;
    if (m_state->underWay.empty() && !m_state->closed)
        m_state->transmit();
}

} // namespace trialdeck::engine::process

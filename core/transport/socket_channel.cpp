// SPDX-License-Identifier: Apache-2.0
#include "core/transport/socket_channel.h"

#include <array>
#include <asio/redirect_error.hpp>
#include <asio/steady_timer.hpp>
#include <asio/use_awaitable.hpp>
#include <asio/write.hpp>
#include <cassert>
#include <cstring>
#include <utility>

namespace trialdeck::transport {

namespace {

base::Unexpected lost(const std::error_code& cause, std::string_view action) {
    return base::fail(ErrorCode::connection_lost, {{"reason", cause.message()}}, std::string(action));
}

} // namespace

Expected<std::unique_ptr<SocketChannel>> SocketChannel::adopt(const asio::any_io_executor& executor,
                                                              base::UniqueFd socket) {
    asio::local::stream_protocol::socket adopted(executor);
    std::error_code failure;
    adopted.assign(asio::local::stream_protocol(), socket.get(), failure);
    if (failure)
        return lost(failure, "adopt a socket");
    (void)socket.release();
    return std::make_unique<SocketChannel>(std::move(adopted));
}

asio::awaitable<Expected<void>> SocketChannel::findStart(std::string nonce,
                                                         std::chrono::milliseconds timeout) {
    protocol::StartMarkerReader marker(nonce);
    asio::steady_timer timer(m_socket.get_executor(), timeout);
    // The timer's handler may be on its way when the marker comes.
    const auto waiting = std::make_shared<bool>(true);
    timer.async_wait([this, stillWaiting = std::weak_ptr<bool>(waiting)](const std::error_code& cancelled) {
        if (!cancelled && !stillWaiting.expired())
            m_socket.cancel();
    });
    for (std::string bytes = std::exchange(m_rest, {});; bytes.clear()) {
        std::error_code failure;
        if (bytes.empty())
            failure = co_await readMore(bytes);
        if (failure) {
            m_ended = failure != asio::error::operation_aborted;
            co_return tl::make_unexpected(marker.noAnswer());
        }
        const auto found = marker.read(bytes);
        if (!found)
            co_return tl::make_unexpected(found.error());
        if (*found) {
            m_rest = bytes.substr(**found);
            if (m_chatter.bytes == 0)
                m_chatter = {marker.chatterBytes(), marker.chatter()};
            co_return Expected<void>();
        }
    }
}

asio::awaitable<std::error_code> SocketChannel::readMore(std::string& bytes) {
    std::array<char, 4096> buffer;
    std::error_code failure;
    const size_t count = co_await m_socket.async_read_some(
        asio::buffer(buffer), asio::redirect_error(asio::use_awaitable, failure));
    bytes.assign(buffer.data(), count);
    co_return failure;
}

asio::awaitable<Expected<std::string_view>> SocketChannel::receive() {
    if (!m_rest.empty()) {
        std::memcpy(m_reader.prepare().data(), m_rest.data(), m_rest.size());
        m_reader.commit(m_rest.size());
        m_rest.clear();
    }
    for (;;) {
        auto frame = m_reader.next();
        if (!frame)
            co_return tl::make_unexpected(std::move(frame).error());
        if (*frame)
            co_return **frame;
        const std::span<char> room = m_reader.prepare();
        std::error_code failure;
        const size_t count = co_await m_socket.async_read_some(
            asio::buffer(room.data(), room.size()), asio::redirect_error(asio::use_awaitable, failure));
        if (failure)
            co_return lost(failure, m_reader.pendingBytes() > 0 ? "cut inside a frame" : "receive a frame");
        m_reader.commit(count);
    }
}

asio::awaitable<Expected<void>> SocketChannel::send(std::string payload) {
    const auto header = protocol::frameHeader(payload.size());
    const std::array<asio::const_buffer, 2> buffers = {asio::buffer(header), asio::buffer(payload)};
    std::error_code failure;
    co_await asio::async_write(m_socket, buffers, asio::redirect_error(asio::use_awaitable, failure));
    if (failure)
        co_return lost(failure, "send a frame");
    co_return Expected<void>();
}

void SocketChannel::close() {
    std::error_code ignored;
    m_socket.close(ignored);
}

} // namespace trialdeck::transport

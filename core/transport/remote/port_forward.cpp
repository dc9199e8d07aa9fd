// SPDX-License-Identifier: Apache-2.0
#include "core/transport/remote/port_forward.h"

#include <array>
#include <asio/co_spawn.hpp>
#include <asio/detached.hpp>
#include <asio/ip/tcp.hpp>
#include <asio/local/stream_protocol.hpp>
#include <asio/redirect_error.hpp>
#include <asio/steady_timer.hpp>
#include <asio/use_awaitable.hpp>
#include <asio/write.hpp>
#include <unordered_set>

namespace trialdeck::transport {

using asio::ip::tcp;
using asio::local::stream_protocol;

namespace {

constexpr size_t kCarriedBytes = size_t{64} << 10;

/// One connection here joined with one over there: what one side does not take stays with the sender, and
/// each direction ends by itself. Kept alive by its two directions.
class JoinedStreams : public std::enable_shared_from_this<JoinedStreams> {
public:
    JoinedStreams(tcp::socket here, std::unique_ptr<RemoteStream> stream)
        : m_here(std::move(here)), m_stream(std::move(stream)), m_there(m_here.get_executor()),
          m_bothEnded(m_here.get_executor(), asio::steady_timer::time_point::max()) {}

    /// Until both directions have ended, or one has broken.
    /// @return why there was no connection, if so
    asio::awaitable<std::optional<Error>> run(ForwardState& state) {
        const std::shared_ptr<JoinedStreams> self = shared_from_this();
        std::error_code failure;
        m_there.assign(stream_protocol(), m_stream->takeSocket().release(), failure);
        if (failure)
            co_return Error{ErrorCode::internal, {{"reason", failure.message()}}, "adopt a stream"};
        asio::co_spawn(m_here.get_executor(), carryBack(self, state.receivedBytes), asio::detached);
        co_await carry(m_here, m_there, state.sentBytes);
        endDirection();
        if (m_directions > 0)
            co_await m_bothEnded.async_wait(asio::redirect_error(asio::use_awaitable, failure));
        co_return m_refusal;
    }

    void close() {
        std::error_code ignored;
        m_here.close(ignored);
        m_there.close(ignored);
    }

private:
    static asio::awaitable<void> carryBack(std::shared_ptr<JoinedStreams> self, uint64_t& counter) {
        const bool hasCarried = co_await self->carry(self->m_there, self->m_here, counter);
        if (!hasCarried && (self->m_refusal = co_await self->m_stream->refusal()))
            self->close();
        self->endDirection();
    }

    void endDirection() {
        if (--m_directions == 0)
            m_bothEnded.cancel();
    }

    /// @return whether a byte came
    template<typename From, typename To>
    asio::awaitable<bool> carry(From& from, To& to, uint64_t& counter) {
        constexpr bool kIsOutward = std::is_same_v<To, stream_protocol::socket>;
        std::array<char, kCarriedBytes> buffer;
        bool hasCarried = false;
        std::error_code failure;
        std::error_code ignored;
        for (;;) {
            const size_t count = co_await from.async_read_some(
                asio::buffer(buffer), asio::redirect_error(asio::use_awaitable, failure));
            if (failure == asio::error::eof)
                to.shutdown(asio::socket_base::shutdown_send, ignored);
            else if (failure)
                close();
            if (failure)
                break;
            co_await asio::async_write(to, asio::buffer(buffer.data(), count),
                                       asio::redirect_error(asio::use_awaitable, failure));
            // Who over there hears no more may have said why: that is still carried here.
            if (failure && !kIsOutward)
                close();
            if (failure)
                break;
            counter += count;
            hasCarried = true;
        }
        co_return hasCarried;
    }

    tcp::socket m_here;
    std::unique_ptr<RemoteStream> m_stream;
    stream_protocol::socket m_there;
    /// Never rings.
    asio::steady_timer m_bothEnded;
    int m_directions = 2;
    std::optional<Error> m_refusal;
};

Expected<void> listenAt(tcp::acceptor& acceptor, uint16_t port) {
    std::error_code failure;
    const tcp::endpoint endpoint(asio::ip::address_v4::loopback(), port);
    acceptor.close(failure);
    acceptor.open(endpoint.protocol(), failure);
    if (!failure)
        acceptor.set_option(tcp::acceptor::reuse_address(true), failure);
    if (!failure)
        acceptor.bind(endpoint, failure);
    if (!failure)
        acceptor.listen(asio::socket_base::max_listen_connections, failure);
    if (!failure)
        return {};
    return base::fail(ErrorCode::port_taken, {{"port", std::to_string(port)}, {"reason", failure.message()}},
                      "listen");
}

} // namespace

/// Kept alive by what it waits for.
class PortForward::Listener : public std::enable_shared_from_this<Listener> {
public:
    Listener(const asio::any_io_executor& executor, std::shared_ptr<RemoteHost> host, ForwardOrder order,
             std::function<void()> onChange)
        : m_host(std::move(host)), m_order(std::move(order)), m_onChange(std::move(onChange)),
          m_acceptor(executor), m_room(executor, asio::steady_timer::time_point::max()) {}

    Expected<void> open() {
        auto listening = listenAt(m_acceptor, m_order.localPort);
        if (!listening && m_order.localPort != 0 && m_order.ifTaken == ForwardOrder::IfTaken::choose_another)
            listening = listenAt(m_acceptor, 0);
        if (!listening)
            return listening;
        std::error_code ignored;
        m_localPort = m_acceptor.local_endpoint(ignored).port();
        asio::co_spawn(m_acceptor.get_executor(), accept(shared_from_this()), asio::detached);
        return {};
    }

    void close() {
        m_closed = true;
        m_onChange = nullptr;
        std::error_code ignored;
        m_acceptor.close(ignored);
        m_room.cancel();
        // What closes takes itself out of the set.
        for (const auto& stream : std::vector(m_streams.begin(), m_streams.end()))
            stream->close();
        m_host.reset();
    }

    [[nodiscard]] uint16_t localPort() const { return m_localPort; }
    [[nodiscard]] const ForwardState& state() const { return m_state; }

private:
    static asio::awaitable<void> accept(std::shared_ptr<Listener> self) {
        std::error_code failure;
        while (!self->m_closed) {
            if (self->m_state.openConnections >= kMostConnections) {
                co_await self->m_room.async_wait(asio::redirect_error(asio::use_awaitable, failure));
                continue;
            }
            tcp::socket socket =
                co_await self->m_acceptor.async_accept(asio::redirect_error(asio::use_awaitable, failure));
            if (self->m_closed)
                co_return;
            if (failure) {
                co_await self->pauseAfter(failure);
                continue;
            }
            ++self->m_state.openConnections;
            ++self->m_state.allConnections;
            self->tell();
            asio::co_spawn(self->m_acceptor.get_executor(), serve(self, std::move(socket)), asio::detached);
        }
    }

    /// Out of descriptors, for one: connections that end make room.
    asio::awaitable<void> pauseAfter(const std::error_code& failure) {
        constexpr std::chrono::milliseconds kPause{200};
        if (failure == asio::error::connection_aborted)
            co_return;
        asio::steady_timer timer(m_acceptor.get_executor(), kPause);
        co_await timer.async_wait(asio::use_awaitable);
    }

    static asio::awaitable<void> serve(std::shared_ptr<Listener> self, tcp::socket here) {
        const auto error = co_await self->join(std::move(here));
        --self->m_state.openConnections;
        self->m_room.cancel();
        if (error)
            self->m_state.error = error;
        self->tell();
    }

    asio::awaitable<std::optional<Error>> join(tcp::socket here) {
        if (m_closed)
            co_return std::nullopt;
        std::error_code ignored;
        here.set_option(tcp::no_delay(true), ignored);
        // Kept while it works; close() lets go of ours.
        const std::shared_ptr<RemoteHost> host = m_host;
        auto stream = co_await host->openTcp(m_order.host, m_order.port);
        if (!stream)
            co_return stream.error();
        if (m_closed)
            co_return std::nullopt;
        const auto joined = std::make_shared<JoinedStreams>(std::move(here), std::move(*stream));
        m_streams.insert(joined);
        auto error = co_await joined->run(m_state);
        m_streams.erase(joined);
        if (!error)
            m_state.error.reset();
        co_return error;
    }

    void tell() {
        if (m_onChange)
            m_onChange();
    }

    std::shared_ptr<RemoteHost> m_host;
    const ForwardOrder m_order;
    std::function<void()> m_onChange;
    tcp::acceptor m_acceptor;
    /// Never rings: cancelled when a connection has ended.
    asio::steady_timer m_room;
    std::unordered_set<std::shared_ptr<JoinedStreams>> m_streams;
    ForwardState m_state;
    uint16_t m_localPort = 0;
    bool m_closed = false;
};

PortForward::PortForward(std::shared_ptr<Listener> listener) : m_listener(std::move(listener)) {}

PortForward::~PortForward() {
    m_listener->close();
}

Expected<std::unique_ptr<PortForward>> PortForward::listen(const asio::any_io_executor& executor,
                                                           std::shared_ptr<RemoteHost> host,
                                                           ForwardOrder order,
                                                           std::function<void()> onChange) {
    auto listener =
        std::make_shared<Listener>(executor, std::move(host), std::move(order), std::move(onChange));
    if (auto opened = listener->open(); !opened)
        return tl::make_unexpected(std::move(opened).error());
    return std::unique_ptr<PortForward>(new PortForward(std::move(listener)));
}

uint16_t PortForward::localPort() const {
    return m_listener->localPort();
}

std::string PortForward::address(std::string_view path) const {
    return "http://127.0.0.1:" + std::to_string(localPort()) + std::string(path);
}

const ForwardState& PortForward::state() const {
    return m_listener->state();
}

} // namespace trialdeck::transport

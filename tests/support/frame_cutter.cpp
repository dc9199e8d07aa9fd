// SPDX-License-Identifier: Apache-2.0
#include "tests/support/frame_cutter.h"

#include "core/protocol/frame.h"

#include <algorithm>
#include <array>
#include <asio/co_spawn.hpp>
#include <asio/detached.hpp>
#include <asio/local/stream_protocol.hpp>
#include <asio/redirect_error.hpp>
#include <asio/steady_timer.hpp>
#include <asio/this_coro.hpp>
#include <asio/use_awaitable.hpp>
#include <asio/write.hpp>
#include <sys/socket.h>

namespace trialdeck::tests {

using Direction = FaultProxy::Direction;
using asio::local::stream_protocol;

namespace {

/// Follows the frames in a stream and finds a place among them.
class FrameCourse {
public:
    void lookFor(const FramePlace& place) { m_place = place; }

    /// @return how many of the bytes lie before the place; nothing where all of them do
    std::optional<size_t> read(std::string_view bytes) {
        for (size_t at = 0; at < bytes.size();) {
            const bool isWanted = m_place && m_frames == m_place->frames;
            if (isWanted && m_place->ofNext == 0)
                return at;
            if (m_header.size() < protocol::kFrameHeaderBytes) {
                m_header += bytes[at++];
                if (m_header.size() < protocol::kFrameHeaderBytes)
                    continue;
                m_left = 0;
                for (const unsigned char byte : m_header)
                    m_left = m_left << 8 | byte;
                if (isWanted)
                    m_untilPlace = static_cast<size_t>(m_place->ofNext * static_cast<double>(m_left));
                continue;
            }
            const size_t count = std::min(m_left, bytes.size() - at);
            if (isWanted && count >= m_untilPlace)
                return at + m_untilPlace;
            m_untilPlace -= std::min(count, m_untilPlace);
            at += count;
            m_left -= count;
            if (m_left == 0) {
                ++m_frames;
                m_header.clear();
            }
        }
        return std::nullopt;
    }
    [[nodiscard]] uint64_t frames() const { return m_frames; }

private:
    std::optional<FramePlace> m_place;
    std::string m_header;
    size_t m_left = 0;
    size_t m_untilPlace = 0;
    uint64_t m_frames = 0;
};

/// Of a shell's own marker the nonce ends so; the head's follows.
constexpr std::string_view kMarkerBegin = "\x02trialdeck-head ";
constexpr std::string_view kShellMarkerEnd = "-shell\x03";

/// @return the length of all up to and with the head's marker
std::optional<size_t> endOfMarker(std::string_view seen) {
    for (size_t at = 0; (at = seen.find(kMarkerBegin, at)) != std::string_view::npos; ++at) {
        const size_t end = seen.find('\x03', at);
        if (end == std::string_view::npos)
            return std::nullopt;
        if (!seen.substr(0, end + 1).ends_with(kShellMarkerEnd))
            return end + 1;
    }
    return std::nullopt;
}

} // namespace

/// The two sockets of one program, and what goes between them. Kept alive by its pumps.
class FrameCutter::Channel : public std::enable_shared_from_this<Channel> {
public:
    Channel(const asio::any_io_executor& executor, base::UniqueFd near, base::UniqueFd far,
            const FrameCutter& of)
        : m_near(executor, stream_protocol(), near.release()),
          m_far(executor, stream_protocol(), far.release()), m_proxy(of.m_proxy), m_places(of.m_places),
          m_cuts(of.m_cuts) {}

    void begin() {
        for (const Direction direction : {Direction::toServer, Direction::toClient})
            asio::co_spawn(m_near.get_executor(), pump(shared_from_this(), direction), asio::detached);
    }
    void close() {
        std::error_code ignored;
        m_near.close(ignored);
        m_far.close(ignored);
    }
    [[nodiscard]] uint64_t frames(Direction direction) const {
        return m_courses[direction == Direction::toServer ? 0 : 1].frames();
    }

private:
    static asio::awaitable<void> pump(std::shared_ptr<Channel> self, Direction direction) {
        const bool isUp = direction == Direction::toServer;
        stream_protocol::socket& from = isUp ? self->m_near : self->m_far;
        stream_protocol::socket& to = isUp ? self->m_far : self->m_near;
        std::array<char, 16'384> buffer;
        for (std::error_code failure; !failure;) {
            const size_t count = co_await from.async_read_some(
                asio::buffer(buffer), asio::redirect_error(asio::use_awaitable, failure));
            if (failure)
                break;
            const std::string_view bytes(buffer.data(), count);
            const std::optional<size_t> place = self->placeIn(direction, bytes);
            const uint64_t carried = self->m_proxy.carriedBytes(Direction::toServer);
            const size_t passing = place.value_or(count);
            co_await asio::async_write(to, asio::buffer(bytes.data(), passing),
                                       asio::redirect_error(asio::use_awaitable, failure));
            if (place) {
                if (isUp)
                    co_await self->waitUntilCarried(carried + passing);
                ++*self->m_cuts;
                self->m_proxy.cut(isUp ? FaultProxy::End::close : FaultProxy::End::reset);
                self->close();
            }
        }
        std::error_code ignored;
        to.shutdown(asio::socket_base::shutdown_send, ignored);
    }

    std::optional<size_t> placeIn(Direction direction, std::string_view bytes) {
        if (!m_isOfFrames && direction == Direction::toServer)
            return std::nullopt;
        size_t begin = 0;
        if (!m_isOfFrames) {
            m_seen += bytes;
            const auto end = endOfMarker(m_seen);
            if (!end)
                return std::nullopt;
            begin = bytes.size() - (m_seen.size() - *end);
            m_isOfFrames = true;
            takePlace();
        }
        const auto place = m_courses[direction == Direction::toServer ? 0 : 1].read(bytes.substr(begin));
        return place ? std::optional(begin + *place) : std::nullopt;
    }

    void takePlace() {
        if (m_places->empty())
            return;
        const FramePlace place = m_places->front();
        m_places->pop_front();
        m_courses[place.direction == Direction::toServer ? 0 : 1].lookFor(place);
    }

    /// What was given to the SSH client comes out of it encrypted, and longer, a moment later.
    asio::awaitable<void> waitUntilCarried(uint64_t bytes) {
        constexpr int kLooks = 500;
        asio::steady_timer pause(co_await asio::this_coro::executor);
        for (int look = 0; look < kLooks && m_proxy.carriedBytes(Direction::toServer) < bytes; ++look) {
            pause.expires_after(std::chrono::milliseconds(1));
            std::error_code ignored;
            co_await pause.async_wait(asio::redirect_error(asio::use_awaitable, ignored));
        }
    }

    stream_protocol::socket m_near;
    stream_protocol::socket m_far;
    FaultProxy& m_proxy;
    std::shared_ptr<std::deque<FramePlace>> m_places;
    std::shared_ptr<int> m_cuts;
    /// Up to the head's marker.
    std::string m_seen;
    bool m_isOfFrames = false;
    std::array<FrameCourse, 2> m_courses;
};

class FrameCutter::Program final : public transport::RemoteProgram {
public:
    Program(std::unique_ptr<transport::RemoteProgram> program, std::shared_ptr<Channel> channel,
            base::UniqueFd socket)
        : m_program(std::move(program)), m_channel(std::move(channel)), m_socket(std::move(socket)) {}
    ~Program() override { m_channel->close(); }

    base::UniqueFd takeSocket() override { return std::move(m_socket); }
    std::string errors() const override { return m_program->errors(); }
    void setErrorListener(std::function<void(std::string_view)> listener) override {
        m_program->setErrorListener(std::move(listener));
    }
    asio::awaitable<base::ProcessExit> finish(std::chrono::milliseconds timeout) override {
        return m_program->finish(timeout);
    }

private:
    std::unique_ptr<transport::RemoteProgram> m_program;
    std::shared_ptr<Channel> m_channel;
    base::UniqueFd m_socket;
};

FrameCutter::FrameCutter(std::unique_ptr<transport::RemoteHost> host, FaultProxy& proxy)
    : m_host(std::move(host)), m_proxy(proxy) {}

uint64_t FrameCutter::frames(Direction direction) const {
    const std::shared_ptr<Channel> newest = m_newest.lock();
    return newest ? newest->frames(direction) : 0;
}

asio::awaitable<Expected<std::unique_ptr<transport::RemoteProgram>>>
FrameCutter::start(std::string commandLine) {
    auto program = co_await m_host->start(std::move(commandLine));
    if (!program)
        co_return tl::make_unexpected(std::move(program).error());
    std::array<int, 2> ends{};
    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends.data()) != 0)
        co_return base::fail(ErrorCode::internal, {}, "no socket for a channel");
    base::UniqueFd ours(ends[0]);
    base::UniqueFd theirs(ends[1]);
    const asio::any_io_executor executor = co_await asio::this_coro::executor;
    const auto channel =
        std::make_shared<Channel>(executor, std::move(ours), (*program)->takeSocket(), *this);
    m_newest = channel;
    channel->begin();
    std::unique_ptr<transport::RemoteProgram> watched =
        std::make_unique<Program>(std::move(*program), channel, std::move(theirs));
    co_return watched;
}

} // namespace trialdeck::tests

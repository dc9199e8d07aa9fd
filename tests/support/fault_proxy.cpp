// SPDX-License-Identifier: Apache-2.0
#include "tests/support/fault_proxy.h"

#include "core/base/rng.h"
#include "tests/support/free_port.h"

#include <QtTest>

#include <array>
#include <asio/executor_work_guard.hpp>
#include <asio/io_context.hpp>
#include <asio/ip/tcp.hpp>
#include <asio/post.hpp>
#include <asio/steady_timer.hpp>
#include <asio/write.hpp>
#include <deque>
#include <future>
#include <optional>
#include <set>
#include <thread>

namespace trialdeck::tests {

namespace {

using Socket = asio::ip::tcp::socket;
using Clock = std::chrono::steady_clock;
using Direction = FaultProxy::Direction;
using End = FaultProxy::End;

constexpr size_t kMaxHeldBytes = size_t{8} << 20;

/// What all connections go by.
struct Weather {
    FaultProxy::Options options;
    bool isFrozen = false;
    struct Cut {
        uint64_t bytes;
        End end;
        std::optional<Direction> direction;
    };
    std::optional<Cut> nextCut;
    std::array<uint64_t, 2> bytes{};
    int cuts = 0;
};

struct Piece {
    std::string bytes;
    Clock::time_point due;
};

/// One connection through the proxy. Kept alive by what it waits for.
class Line : public std::enable_shared_from_this<Line> {
public:
    Line(Socket client, Weather& weather)
        : m_weather(weather), m_opens(client.get_executor()), m_sides{Side(std::move(client)),
                                                                      Side(Socket(m_opens.get_executor()))} {}

    void begin() {
        // The server sees a new connection one and a half round trips after the client began it.
        m_opens.expires_after(3 * m_weather.options.delay);
        m_opens.async_wait([self = shared_from_this()](const std::error_code& cancelled) {
            if (!cancelled)
                self->connect();
        });
    }

    void resume() {
        for (const Direction direction : {Direction::toServer, Direction::toClient}) {
            read(direction);
            write(direction);
        }
    }

    void end(End how) {
        if (m_ended)
            return;
        m_ended = true;
        m_opens.cancel();
        if (how == End::silence)
            return;
        for (Side& side : m_sides) {
            std::error_code ignored;
            side.due.cancel();
            if (how == End::reset)
                side.socket.set_option(asio::socket_base::linger(true, 0), ignored);
            else
                side.socket.shutdown(asio::socket_base::shutdown_send, ignored);
            if (how == End::reset)
                side.socket.close(ignored);
            else
                discard(side);
        }
    }

    /// Whether nothing more will happen.
    [[nodiscard]] bool isOver() const {
        return m_ended && !m_sides[0].socket.is_open() && !m_sides[1].socket.is_open();
    }

private:
    /// One end: what is read from it goes to the other's waiting pieces.
    struct Side {
        explicit Side(Socket given) : socket(std::move(given)), due(socket.get_executor()) {}
        Socket socket;
        std::array<char, size_t{64} << 10> buffer;
        bool isReading = false;
        bool isAtEnd = false;
        /// What is to be written to this end.
        std::deque<Piece> pieces;
        size_t heldBytes = 0;
        bool isWriting = false;
        bool endsBehind = false;
        asio::steady_timer due;
    };

    static size_t indexOf(Direction direction) { return direction == Direction::toServer ? 0 : 1; }
    /// Bytes to the server come from the client, which is side 0.
    Side& source(Direction direction) { return m_sides[indexOf(direction)]; }
    Side& sink(Direction direction) { return m_sides[1 - indexOf(direction)]; }

    void connect() {
        const asio::ip::tcp::endpoint target(asio::ip::make_address(m_weather.options.targetAddress),
                                             m_weather.options.target);
        m_sides[1].socket.async_connect(target, [self = shared_from_this()](const std::error_code& failure) {
            if (failure)
                self->end(End::reset);
            if (self->m_ended)
                return;
            for (Side& side : self->m_sides)
                side.socket.set_option(asio::ip::tcp::no_delay(true));
            self->m_isOpen = true;
            self->resume();
        });
    }

    void read(Direction direction) {
        Side& from = source(direction);
        const Side& to = sink(direction);
        const bool isHeld = m_weather.isFrozen || to.heldBytes > kMaxHeldBytes;
        if (!m_isOpen || m_ended || from.isReading || from.isAtEnd || isHeld)
            return;
        from.isReading = true;
        from.socket.async_read_some(
            asio::buffer(from.buffer),
            [self = shared_from_this(), direction](const std::error_code& failure, size_t count) {
                Side& side = self->source(direction);
                side.isReading = false;
                if (self->m_ended)
                    return;
                side.isAtEnd = static_cast<bool>(failure);
                self->take(direction, {side.buffer.data(), count});
                self->read(direction);
            });
    }

    /// @param bytes  none: the end of the stream
    void take(Direction direction, std::string_view bytes) {
        Side& to = sink(direction);
        const Clock::time_point now = Clock::now();
        Clock::time_point due = now + m_weather.options.delay;
        Clock::time_point& free = m_free[indexOf(direction)];
        if (m_weather.options.bytesPerSecond > 0) {
            const std::chrono::nanoseconds takes(bytes.size() * 1'000'000'000 /
                                                 m_weather.options.bytesPerSecond);
            free = std::max(free, now) + takes;
            due = free + m_weather.options.delay;
        }
        to.heldBytes += bytes.size();
        to.pieces.push_back({std::string(bytes), due});
        write(direction);
    }

    void write(Direction direction) {
        Side& to = sink(direction);
        if (!m_isOpen || m_ended || to.isWriting || to.pieces.empty() || m_weather.isFrozen)
            return;
        to.isWriting = true;
        to.due.expires_at(to.pieces.front().due);
        to.due.async_wait([self = shared_from_this(), direction](const std::error_code& cancelled) {
            Side& side = self->sink(direction);
            side.isWriting = false;
            if (!cancelled && !self->m_ended && !self->m_weather.isFrozen)
                self->writeFront(direction);
        });
    }

    void writeFront(Direction direction) {
        Side& to = sink(direction);
        std::string& bytes = to.pieces.front().bytes;
        if (bytes.empty()) {
            std::error_code ignored;
            to.socket.shutdown(asio::socket_base::shutdown_send, ignored);
            to.endsBehind = true;
            to.pieces.pop_front();
            if (m_sides[0].endsBehind && m_sides[1].endsBehind)
                close();
            return;
        }
        std::optional<Weather::Cut>& cut = m_weather.nextCut;
        const bool counts = cut && cut->direction.value_or(direction) == direction;
        const bool isCut = counts && cut->bytes <= bytes.size();
        const size_t count = isCut ? cut->bytes : bytes.size();
        to.isWriting = true;
        const std::optional<End> how = isCut ? std::optional(cut->end) : std::nullopt;
        if (isCut)
            cut.reset();
        else if (counts)
            cut->bytes -= count;
        asio::async_write(
            to.socket, asio::buffer(bytes.data(), count),
            [self = shared_from_this(), direction, how](const std::error_code& failure, size_t written) {
                Side& side = self->sink(direction);
                side.isWriting = false;
                self->m_weather.bytes[indexOf(direction)] += written;
                if (self->m_ended)
                    return;
                side.heldBytes -= side.pieces.front().bytes.size();
                side.pieces.pop_front();
                if (how) {
                    ++self->m_weather.cuts;
                    self->end(*how);
                } else if (failure) {
                    self->end(End::reset);
                } else {
                    self->read(direction);
                    self->write(direction);
                }
            });
    }

    /// Behind a FIN: unread bytes would turn it into a RST.
    void discard(Side& side) {
        side.socket.async_read_some(asio::buffer(side.buffer), [self = shared_from_this(), &side](
                                                                   const std::error_code& failure, size_t) {
            std::error_code ignored;
            if (failure)
                side.socket.close(ignored);
            else
                self->discard(side);
        });
    }

    void close() {
        m_ended = true;
        std::error_code ignored;
        for (Side& side : m_sides)
            side.socket.close(ignored);
    }

    Weather& m_weather;
    asio::steady_timer m_opens;
    std::array<Side, 2> m_sides;
    std::array<Clock::time_point, 2> m_free{};
    bool m_isOpen = false;
    bool m_ended = false;
};

} // namespace

/// Everything below the calls; on the proxy's thread alone.
class FaultProxy::Works {
public:
    explicit Works(const Options& options) : m_acceptor(m_loop), m_cutting(m_loop) {
        m_weather.options = options;
        m_port = freePort();
        m_thread = std::thread([this] { m_loop.run(); });
    }
    ~Works() {
        m_loop.stop();
        m_thread.join();
    }

    /// Does something on the proxy's thread and waits for it.
    template<typename Action>
    auto ask(Action action) {
        std::packaged_task<decltype(action())()> task(std::move(action));
        auto result = task.get_future();
        asio::post(m_loop, [&task] { task(); });
        return result.get();
    }

    void listen() {
        if (m_acceptor.is_open())
            return;
        const asio::ip::tcp::endpoint here(asio::ip::address_v4::loopback(), m_port);
        m_acceptor.open(here.protocol());
        m_acceptor.set_option(asio::socket_base::reuse_address(true));
        m_acceptor.bind(here);
        m_acceptor.listen();
        accept();
    }
    void refuse() {
        std::error_code ignored;
        m_acceptor.close(ignored);
    }

    void cut(End end) {
        const auto lines = std::move(m_lines);
        m_lines.clear();
        for (const auto& line : lines) {
            line->end(end);
            if (!line->isOver())
                m_over.push_back(line);
        }
        m_weather.cuts += lines.empty() ? 0 : 1;
    }
    void cutSoon() {
        const auto pause = m_random->uniformInteger(m_shortest.count(), m_longest.count());
        m_cutting.expires_after(std::chrono::milliseconds(pause));
        m_cutting.async_wait([this](const std::error_code& cancelled) {
            if (cancelled || !m_random)
                return;
            cut(static_cast<End>(m_random->uniformInteger(0, 1)));
            cutSoon();
        });
    }
    void cutAtRandom(uint64_t seed, std::chrono::milliseconds shortest, std::chrono::milliseconds longest) {
        m_random.emplace(seed, 0, "cuts");
        m_shortest = shortest;
        m_longest = longest;
        cutSoon();
    }
    void stopCutting() {
        m_random.reset();
        m_cutting.cancel();
    }
    void resume() {
        for (const auto& line : m_lines)
            line->resume();
    }

    [[nodiscard]] Weather& weather() { return m_weather; }
    [[nodiscard]] uint16_t port() const { return m_port; }
    [[nodiscard]] int connections() const { return m_connections; }

private:
    void accept() {
        m_acceptor.async_accept([this](const std::error_code& failure, Socket client) {
            if (failure)
                return;
            ++m_connections;
            std::erase_if(m_lines, [](const auto& line) { return line->isOver(); });
            std::erase_if(m_over, [](const auto& line) { return line->isOver(); });
            const auto line = std::make_shared<Line>(std::move(client), m_weather);
            m_lines.push_back(line);
            line->begin();
            accept();
        });
    }

    asio::io_context m_loop{1};
    asio::executor_work_guard<asio::io_context::executor_type> m_work = asio::make_work_guard(m_loop);
    asio::ip::tcp::acceptor m_acceptor;
    asio::steady_timer m_cutting;
    Weather m_weather;
    uint16_t m_port = 0;
    int m_connections = 0;
    std::vector<std::shared_ptr<Line>> m_lines;
    /// Cut, with something still to say or nothing ever more: kept so that they stay open.
    std::vector<std::shared_ptr<Line>> m_over;
    std::optional<base::Rng> m_random;
    std::chrono::milliseconds m_shortest{0};
    std::chrono::milliseconds m_longest{0};
    std::thread m_thread;
};

FaultProxy::FaultProxy(const Options& options) : m_works(std::make_unique<Works>(options)) {
    listen();
}

FaultProxy::~FaultProxy() = default;

uint16_t FaultProxy::port() const {
    return m_works->port();
}

void FaultProxy::setDelay(std::chrono::microseconds delay) {
    m_works->ask([&] { m_works->weather().options.delay = delay; });
}

void FaultProxy::setRate(uint64_t bytesPerSecond) {
    m_works->ask([&] { m_works->weather().options.bytesPerSecond = bytesPerSecond; });
}

void FaultProxy::freeze() {
    m_works->ask([this] { m_works->weather().isFrozen = true; });
}

void FaultProxy::thaw() {
    m_works->ask([this] {
        m_works->weather().isFrozen = false;
        m_works->resume();
    });
}

void FaultProxy::cut(End end) {
    m_works->ask([this, end] { m_works->cut(end); });
}

void FaultProxy::cutAfter(uint64_t bytes, End end, std::optional<Direction> direction) {
    m_works->ask([&] { m_works->weather().nextCut = Weather::Cut{bytes, end, direction}; });
}

void FaultProxy::cutAtRandom(uint64_t seed, std::chrono::milliseconds shortest,
                             std::chrono::milliseconds longest) {
    qInfo("the line is cut by seed %llu", static_cast<unsigned long long>(seed));
    m_works->ask([&] { m_works->cutAtRandom(seed, shortest, longest); });
}

void FaultProxy::stopCutting() {
    m_works->ask([this] { m_works->stopCutting(); });
}

void FaultProxy::refuse() {
    m_works->ask([this] { m_works->refuse(); });
}

void FaultProxy::listen() {
    m_works->ask([this] { m_works->listen(); });
}

int FaultProxy::connections() const {
    return m_works->ask([this] { return m_works->connections(); });
}

int FaultProxy::cuts() const {
    return m_works->ask([this] { return m_works->weather().cuts; });
}

uint64_t FaultProxy::carriedBytes(std::optional<Direction> direction) const {
    return m_works->ask([&] {
        const auto& bytes = m_works->weather().bytes;
        return direction ? bytes[*direction == Direction::toServer ? 0 : 1] : bytes[0] + bytes[1];
    });
}

} // namespace trialdeck::tests

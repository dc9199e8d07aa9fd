// SPDX-License-Identifier: Apache-2.0
#include "tests/support/fault_proxy.h"

#include <algorithm>
#include <array>
#include <asio/steady_timer.hpp>
#include <asio/write.hpp>
#include <deque>
#include <string>
#include <vector>

namespace trialdeck::tests {

using asio::ip::tcp;

namespace {

const tcp::endpoint kAnyPort(asio::ip::address_v4::loopback(), 0);
constexpr std::chrono::milliseconds kLookAgain{5};

} // namespace

class FaultProxy::State : public std::enable_shared_from_this<State> {
public:
    State(asio::io_context& ofTest, uint16_t ofServer)
        : loop(ofTest), acceptor(ofTest, kAnyPort), target(asio::ip::address_v4::loopback(), ofServer) {}

    /// Both directions of one connection.
    struct Line : std::enable_shared_from_this<Line> {
        explicit Line(std::shared_ptr<State> proxy)
            : client(proxy->loop), server(proxy->loop), state(std::move(proxy)) {}

        void start() {
            carry(std::make_shared<Direction>(client, server));
            carry(std::make_shared<Direction>(server, client));
        }

        struct Direction {
            Direction(tcp::socket& source, tcp::socket& sink)
                : from(source), to(sink), timer(source.get_executor()) {}
            tcp::socket& from;
            tcp::socket& to;
            std::array<char, 16384> buffer{};
            asio::steady_timer timer;
            struct Piece {
                std::chrono::steady_clock::time_point due;
                std::string bytes;
            };
            std::deque<Piece> waiting;
            bool isSending = false;
            bool isOver = false;
        };

        void carry(const std::shared_ptr<Direction>& way) {
            way->from.async_read_some(
                asio::buffer(way->buffer),
                [self = shared_from_this(), way](const std::error_code& failure, size_t count) {
                    const auto due = std::chrono::steady_clock::now() + self->state->delay;
                    if (failure) {
                        way->isOver = true;
                    } else {
                        if (self->state->countDown(count)) {
                            self->breakNow();
                            return;
                        }
                        way->waiting.push_back({due, std::string(way->buffer.data(), count)});
                        self->carry(way);
                    }
                    self->send(way);
                });
        }

        void send(const std::shared_ptr<Direction>& way) {
            if (way->isSending)
                return;
            if (way->waiting.empty()) {
                if (way->isOver)
                    breakNow();
                return;
            }
            way->isSending = true;
            const auto now = std::chrono::steady_clock::now();
            const bool isHeld = state->frozen || way->waiting.front().due > now;
            if (isHeld) {
                way->timer.expires_at(state->frozen ? now + kLookAgain : way->waiting.front().due);
                way->timer.async_wait([self = shared_from_this(), way](const std::error_code&) {
                    way->isSending = false;
                    self->send(way);
                });
                return;
            }
            asio::async_write(way->to, asio::buffer(way->waiting.front().bytes),
                              [self = shared_from_this(), way](const std::error_code& failure, size_t count) {
                                  way->isSending = false;
                                  self->state->carried += count;
                                  way->waiting.pop_front();
                                  if (failure)
                                      self->breakNow();
                                  else
                                      self->send(way);
                              });
        }

        /// With a reset, as a line that breaks does.
        void breakNow() {
            std::error_code ignored;
            for (tcp::socket* socket : {&client, &server}) {
                socket->set_option(asio::socket_base::linger(true, 0), ignored);
                socket->close(ignored);
            }
        }

        tcp::socket client;
        tcp::socket server;
        std::shared_ptr<State> state;
    };

    void accept() {
        auto line = std::make_shared<Line>(shared_from_this());
        acceptor.async_accept(
            line->client, [self = shared_from_this(), line](const std::error_code& failure) {
                if (failure)
                    return;
                ++self->connections;
                std::error_code ignored;
                line->client.set_option(tcp::no_delay(true), ignored);
                if (self->refusing) {
                    line->breakNow();
                } else {
                    self->lines.push_back(line);
                    line->server.async_connect(self->target, [line](const std::error_code& refused) {
                        if (refused) {
                            line->breakNow();
                            return;
                        }
                        std::error_code unset;
                        line->server.set_option(tcp::no_delay(true), unset);
                        line->start();
                    });
                }
                self->accept();
            });
    }

    void breakAll() {
        for (const std::weak_ptr<Line>& weak : lines) {
            if (const auto line = weak.lock())
                line->breakNow();
        }
        lines.clear();
    }

    /// @return whether these bytes are the ones that break the line
    bool countDown(size_t count) {
        if (!left)
            return false;
        *left -= std::min<uint64_t>(*left, count);
        if (*left > 0)
            return false;
        left.reset();
        return true;
    }

    asio::io_context& loop;
    tcp::acceptor acceptor;
    tcp::endpoint target;
    std::vector<std::weak_ptr<Line>> lines;
    std::chrono::milliseconds delay{0};
    std::optional<uint64_t> left;
    bool frozen = false;
    bool refusing = false;
    int connections = 0;
    uint64_t carried = 0;
};

FaultProxy::FaultProxy(asio::io_context& loop, uint16_t target)
    : m_state(std::make_shared<State>(loop, target)) {
    m_state->accept();
}

FaultProxy::~FaultProxy() {
    std::error_code ignored;
    m_state->acceptor.close(ignored);
    m_state->breakAll();
}

uint16_t FaultProxy::port() const {
    return m_state->acceptor.local_endpoint().port();
}

void FaultProxy::setDelay(std::chrono::milliseconds oneWay) {
    m_state->delay = oneWay;
}

void FaultProxy::setFrozen(bool frozen) {
    m_state->frozen = frozen;
}

void FaultProxy::setRefusing(bool refusing) {
    m_state->refusing = refusing;
}

void FaultProxy::cut() {
    m_state->breakAll();
}

void FaultProxy::cutAfter(uint64_t bytes) {
    m_state->left = std::max<uint64_t>(bytes, 1);
}

int FaultProxy::connections() const {
    return m_state->connections;
}

uint64_t FaultProxy::carriedBytes() const {
    return m_state->carried;
}

} // namespace trialdeck::tests

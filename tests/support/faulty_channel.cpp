// SPDX-License-Identifier: Apache-2.0
#include "tests/support/faulty_channel.h"

#include <asio/post.hpp>
#include <asio/this_coro.hpp>
#include <asio/use_awaitable.hpp>

namespace trialdeck::tests {

namespace {

constexpr int64_t kMostTurns = 3;

class FaultyChannel final : public transport::FrameChannel {
public:
    FaultyChannel(std::unique_ptr<transport::FrameChannel> inner, std::optional<Fault> fault,
                  base::Rng* delays)
        : m_inner(std::move(inner)), m_fault(fault), m_delays(delays) {}

    asio::awaitable<Expected<std::string_view>> receive() override {
        auto frame = co_await m_inner->receive();
        if (!frame)
            co_return frame;
        m_current = *frame;
        co_await wait();
        const auto cut = nextCut();
        if (cut)
            m_inner->close();
        if (cut && *cut != Fault::Cut::after_frame)
            co_return lost();
        co_return std::string_view(m_current);
    }

    asio::awaitable<Expected<void>> send(std::string payload) override {
        co_await wait();
        const auto cut = nextCut();
        Expected<void> result;
        if (!cut || *cut == Fault::Cut::after_frame)
            result = co_await m_inner->send(std::move(payload));
        if (cut)
            m_inner->close();
        if (cut == Fault::Cut::frame_torn)
            co_return lost();
        co_return result;
    }

    void close() override { m_inner->close(); }
    transport::LoginChatter chatter() const override { return m_inner->chatter(); }

private:
    static base::Unexpected lost() {
        return base::fail(ErrorCode::connection_lost, {{"reason", "cut by the test"}});
    }

    std::optional<Fault::Cut> nextCut() {
        const uint64_t frame = m_frames++;
        return m_fault && m_fault->frame == frame ? std::optional(m_fault->cut) : std::nullopt;
    }

    asio::awaitable<void> wait() {
        const auto executor = co_await asio::this_coro::executor;
        for (int64_t left = m_delays ? m_delays->uniformInteger(0, kMostTurns) : 0; left > 0; --left)
            co_await asio::post(executor, asio::use_awaitable);
    }

    std::unique_ptr<transport::FrameChannel> m_inner;
    std::optional<Fault> m_fault;
    base::Rng* m_delays;
    uint64_t m_frames = 0;
    std::string m_current;
};

} // namespace

std::unique_ptr<transport::FrameChannel> makeFaultyChannel(std::unique_ptr<transport::FrameChannel> inner,
                                                           std::optional<Fault> fault, base::Rng* delays) {
    return std::make_unique<FaultyChannel>(std::move(inner), fault, delays);
}

} // namespace trialdeck::tests

// SPDX-License-Identifier: Apache-2.0
#include "tests/support/memory_channel.h"

#include <asio/redirect_error.hpp>
#include <asio/steady_timer.hpp>
#include <asio/use_awaitable.hpp>
#include <deque>

namespace trialdeck::tests {

namespace {

/// One direction.
struct Queue {
    explicit Queue(const asio::any_io_executor& executor)
        : changed(executor, asio::steady_timer::time_point::max()) {}
    std::deque<std::string> frames;
    bool closed = false;
    /// Never rings: cancelled to wake the receiver.
    asio::steady_timer changed;
};

class MemoryChannel final : public transport::FrameChannel {
public:
    MemoryChannel(std::shared_ptr<Queue> in, std::shared_ptr<Queue> out)
        : m_in(std::move(in)), m_out(std::move(out)) {}
    ~MemoryChannel() override { close(); }

    asio::awaitable<Expected<std::string_view>> receive() override {
        const std::shared_ptr<Queue> in = m_in;
        while (in->frames.empty()) {
            if (in->closed)
                co_return base::fail(ErrorCode::connection_lost, {{"reason", "closed"}});
            std::error_code ignored;
            co_await in->changed.async_wait(asio::redirect_error(asio::use_awaitable, ignored));
        }
        m_current = std::move(in->frames.front());
        in->frames.pop_front();
        co_return std::string_view(m_current);
    }

    asio::awaitable<Expected<void>> send(std::string payload) override {
        if (m_out->closed)
            co_return base::fail(ErrorCode::connection_lost, {{"reason", "closed"}});
        m_out->frames.push_back(std::move(payload));
        m_out->changed.cancel();
        co_return Expected<void>();
    }

    void close() override {
        m_in->frames.clear();
        for (Queue* queue : {m_in.get(), m_out.get()}) {
            queue->closed = true;
            queue->changed.cancel();
        }
    }

private:
    std::shared_ptr<Queue> m_in;
    std::shared_ptr<Queue> m_out;
    std::string m_current;
};

} // namespace

std::pair<std::unique_ptr<transport::FrameChannel>, std::unique_ptr<transport::FrameChannel>>
makeMemoryChannels(const asio::any_io_executor& executor) {
    const auto there = std::make_shared<Queue>(executor);
    const auto back = std::make_shared<Queue>(executor);
    return {std::make_unique<MemoryChannel>(back, there), std::make_unique<MemoryChannel>(there, back)};
}

} // namespace trialdeck::tests

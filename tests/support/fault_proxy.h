// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <asio/io_context.hpp>
#include <asio/ip/tcp.hpp>
#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>

namespace trialdeck::tests {

/// A line between a client and a server on 127.0.0.1 that can be slow, freeze and break. On the test's loop.
class FaultProxy {
public:
    /// @param target  the server's port
    FaultProxy(asio::io_context& loop, uint16_t target);
    ~FaultProxy();
    FaultProxy(const FaultProxy&) = delete;
    FaultProxy& operator=(const FaultProxy&) = delete;

    [[nodiscard]] uint16_t port() const;
    /// Each byte arrives so much later, in both directions.
    void setDelay(std::chrono::milliseconds oneWay);
    /// Holds all bytes without closing anything; new connections are accepted and hang.
    void setFrozen(bool frozen);
    /// New connections are closed at once.
    void setRefusing(bool refusing);
    /// Breaks all connections now.
    void cut();
    /// Breaks the connection that carries it after so many bytes more, of both directions together.
    void cutAfter(uint64_t bytes);
    /// All that were ever made.
    [[nodiscard]] int connections() const;
    [[nodiscard]] uint64_t carriedBytes() const;

private:
    class State;
    std::shared_ptr<State> m_state;
};

} // namespace trialdeck::tests

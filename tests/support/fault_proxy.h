// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>

namespace trialdeck::tests {

/// A bad line: a TCP proxy on 127.0.0.1 that delays, limits, freezes and cuts what goes through it. Works on
/// a thread of its own, so that it serves whatever the test's thread does; each call returns once it holds.
/// Bytes are never changed. Owned by a test.
class FaultProxy {
public:
    enum class Direction { toServer, toClient };
    /// What both ends see of a cut.
    enum class End {
        /// RST: what was under way is lost.
        reset,
        /// FIN, behind what was under way.
        close,
        /// Nothing at all: the bytes stay away for ever, as after a change of networks.
        silence,
    };
    struct Options {
        uint16_t target = 0;
        std::string targetAddress = "127.0.0.1";
        /// Each way: 50 ms make a round trip of 100 ms. Making a connection takes its round trips as well.
        std::chrono::microseconds delay{0};
        /// Each way; 0: as fast as it goes.
        uint64_t bytesPerSecond = 0;
    };

    explicit FaultProxy(const Options& options);
    ~FaultProxy();
    FaultProxy(const FaultProxy&) = delete;
    FaultProxy& operator=(const FaultProxy&) = delete;

    [[nodiscard]] uint16_t port() const;
    void setDelay(std::chrono::microseconds delay);
    void setRate(uint64_t bytesPerSecond);

    /// Holds all bytes, also of new connections, without closing anything; thaw() lets them go on.
    void freeze();
    void thaw();

    /// Ends all connections that there are.
    void cut(End end = End::reset);
    /// Ends the connection over which the n-th byte from now comes, right behind that byte. One such order at
    /// a time: a new one takes the place of the last.
    /// @param direction  in which bytes count; none: both together
    void cutAfter(uint64_t bytes, End end = End::reset, std::optional<Direction> direction = {});
    /// Ends all connections again and again: at moments between the two pauses and in ways that the seed
    /// decides, until stopCutting(). Prints the seed.
    void cutAtRandom(uint64_t seed, std::chrono::milliseconds shortest, std::chrono::milliseconds longest);
    void stopCutting();

    /// Nobody listens any more: new connections are refused by the system. listen() ends that.
    void refuse();
    void listen();

    /// Since the beginning.
    [[nodiscard]] int connections() const;
    [[nodiscard]] int cuts() const;
    /// @param direction  none: both together
    [[nodiscard]] uint64_t carriedBytes(std::optional<Direction> direction = {}) const;

private:
    class Works;
    std::unique_ptr<Works> m_works;
};

} // namespace trialdeck::tests

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <string>
#include <thread>

namespace trialdeck::tests {

/// Listens on a port of 127.0.0.1 and is no SSH server, or a bad one. Works on a thread of its own, so that
/// it answers whatever the test's loop does. Owned by a test.
class RudeServer {
public:
    struct Manners {
        /// Said to everybody who comes.
        std::string first = {};
        /// Said again and again after that, as fast as it is read or with pauses.
        std::string more = {};
        std::chrono::milliseconds pause{0};
        enum class Then { stay, close };
        Then then = Then::stay;
    };

    explicit RudeServer(Manners manners);
    ~RudeServer();
    RudeServer(const RudeServer&) = delete;
    RudeServer& operator=(const RudeServer&) = delete;

    [[nodiscard]] uint16_t port() const { return m_port; }
    /// Connections that the other side has not ended.
    [[nodiscard]] int guests() const { return m_guests; }

private:
    void serve();

    const Manners m_manners;
    int m_listener = -1;
    uint16_t m_port = 0;
    std::atomic<bool> m_ends{false};
    std::atomic<int> m_guests{0};
    std::thread m_thread;
};

} // namespace trialdeck::tests

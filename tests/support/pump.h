// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <asio/io_context.hpp>
#include <chrono>

namespace trialdeck::tests {

/// Runs the loop until the condition holds. @return whether it does, within the time.
template<typename Condition>
[[nodiscard]] bool pumpUntil(asio::io_context& loop, Condition condition,
                             std::chrono::seconds patience = std::chrono::seconds(20)) {
    const auto deadline = std::chrono::steady_clock::now() + patience;
    loop.restart();
    while (!condition()) {
        if (loop.run_one_until(deadline) == 0)
            return condition();
    }
    return true;
}

/// Runs what is ready and what that makes ready, until nothing is; timers that are still to ring wait.
inline void pumpReady(asio::io_context& loop) {
    loop.restart();
    while (loop.poll() > 0)
        loop.restart();
}

} // namespace trialdeck::tests

// SPDX-License-Identifier: Apache-2.0
#include "core/head/loop_services.h"

#include <asio/post.hpp>

namespace trialdeck::head {

tuner::TimerService::Id AsioTimers::after(std::chrono::milliseconds delay, std::function<void()> action) {
    const Id id = ++m_lastId;
    asio::steady_timer& timer = m_waiting.try_emplace(id, m_loop, delay).first->second;
    timer.async_wait([this, id, action = std::move(action)](const asio::error_code& error) {
        // A cancelled timer has left the map already; its owner may be gone.
        if (error || m_waiting.erase(id) == 0)
            return;
        action();
    });
    return id;
}

void AsioTimers::cancel(Id id) {
    m_waiting.erase(id);
}

void ThreadWork::finish() {
    m_threads.stop();
    m_threads.join();
}

void ThreadWork::run(std::function<void()> work, std::function<void()> done) {
    asio::post(m_threads, [this, work = std::move(work), done = std::move(done),
                           guard = asio::make_work_guard(m_loop)]() mutable {
        work();
        asio::post(m_loop, std::move(done));
    });
}

} // namespace trialdeck::head

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/tuner/services.h"

#include <asio/executor_work_guard.hpp>
#include <asio/io_context.hpp>
#include <asio/steady_timer.hpp>
#include <asio/thread_pool.hpp>
#include <unordered_map>

namespace trialdeck::head {

/// Timers of the daemon's loop.
class AsioTimers final : public tuner::TimerService {
public:
    explicit AsioTimers(asio::io_context& loop) : m_loop(loop) {}

    Id after(std::chrono::milliseconds delay, std::function<void()> action) override;
    void cancel(Id id) override;

private:
    asio::io_context& m_loop;
    Id m_lastId = 0;
    std::unordered_map<Id, asio::steady_timer> m_waiting;
};

/// A few threads for what takes long; their ends come back to the loop.
class ThreadWork final : public tuner::BackgroundWork {
public:
    ThreadWork(asio::io_context& loop, size_t threads) : m_loop(loop), m_threads(threads) {}
    ~ThreadWork() override { finish(); }

    /// Waits for what runs; what was only queued is left out. For the end of the daemon, before what the work
    /// uses goes.
    void finish();
    void run(std::function<void()> work, std::function<void()> done) override;

private:
    asio::io_context& m_loop;
    asio::thread_pool m_threads;
};

} // namespace trialdeck::head

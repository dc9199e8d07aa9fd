// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/clock.h"
#include "core/tuner/services.h"

#include <chrono>
#include <cstdint>
#include <functional>
#include <map>
#include <utility>

namespace trialdeck::tests {

/// Whose events are lost when the daemon dies.
enum class Lives { inWorld, inDaemon };

/// Events in the order of their times, and of their making where these are equal; the clock jumps from one to
/// the next. Owned by a test, outlives everything that schedules on it; one thread.
class VirtualTime {
public:
    [[nodiscard]] base::ManualClock& clock() { return m_clock; }

    uint64_t schedule(Lives lives, std::chrono::milliseconds delay, std::function<void()> action) {
        const uint64_t id = ++m_lastId;
        m_events.emplace(std::pair(m_clock.steadyNow() + delay, id), Event{lives, std::move(action)});
        return id;
    }

    void cancel(uint64_t id) {
        std::erase_if(m_events, [id](const auto& event) { return event.first.second == id; });
    }

    /// @return false where nothing is left to happen
    bool runNext() {
        if (m_events.empty())
            return false;
        auto event = m_events.extract(m_events.begin());
        const auto wait = event.key().first - m_clock.steadyNow();
        m_clock.advance(std::chrono::duration_cast<std::chrono::milliseconds>(wait));
        event.mapped().action();
        return true;
    }

    /// Runs events until `reached`, for at most `limit` of virtual time. @return whether it was reached
    bool runUntil(const std::function<bool()>& reached, std::chrono::milliseconds limit) {
        const base::SteadyTime end = m_clock.steadyNow() + limit;
        while (!reached()) {
            if (m_events.empty() || m_events.begin()->first.first > end)
                return false;
            runNext();
        }
        return true;
    }

    void runFor(std::chrono::milliseconds span) {
        const base::SteadyTime end = m_clock.steadyNow() + span;
        (void)runUntil([] { return false; }, span);
        m_clock.advance(std::chrono::duration_cast<std::chrono::milliseconds>(end - m_clock.steadyNow()));
    }

    /// The daemon has died: nothing that it waited for happens.
    void forgetDaemon() {
        std::erase_if(m_events, [](const auto& event) { return event.second.lives == Lives::inDaemon; });
    }

private:
    struct Event {
        Lives lives;
        std::function<void()> action;
    };

    base::ManualClock m_clock;
    std::map<std::pair<base::SteadyTime, uint64_t>, Event> m_events;
    uint64_t m_lastId = 0;
};

class VirtualTimers final : public tuner::TimerService {
public:
    explicit VirtualTimers(VirtualTime& time) : m_time(time) {}

    Id after(std::chrono::milliseconds delay, std::function<void()> action) override {
        return m_time.schedule(Lives::inDaemon, delay, std::move(action));
    }
    void cancel(Id id) override { m_time.cancel(id); }

private:
    VirtualTime& m_time;
};

/// Works on the one thread there is, 1 ms after it was asked; done comes 1 ms later, so that the daemon can
/// die in between.
class VirtualBackground final : public tuner::BackgroundWork {
public:
    explicit VirtualBackground(VirtualTime& time) : m_time(time) {}

    void run(std::function<void()> work, std::function<void()> done) override {
        m_time.schedule(Lives::inDaemon, std::chrono::milliseconds(1),
                        [this, work = std::move(work), done = std::move(done)]() mutable {
                            work();
                            m_time.schedule(Lives::inDaemon, std::chrono::milliseconds(1), std::move(done));
                        });
    }

private:
    VirtualTime& m_time;
};

} // namespace trialdeck::tests

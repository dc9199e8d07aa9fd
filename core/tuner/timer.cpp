// SPDX-License-Identifier: Apache-2.0
#include "core/tuner/services.h"

#include <utility>

namespace trialdeck::tuner {

void Timer::start(std::chrono::milliseconds delay, std::function<void()> action) {
    stop();
    m_id = m_timers->after(delay, [this, action = std::move(action)] {
        m_id = 0;
        action();
    });
}

void Timer::stop() {
    if (m_id != 0)
        m_timers->cancel(std::exchange(m_id, 0));
}

} // namespace trialdeck::tuner

// SPDX-License-Identifier: Apache-2.0
#include "core/supervise/attempt_sweep.h"

#include <csignal>
#include <utility>

namespace trialdeck::supervise {

AttemptSweep::AttemptSweep(std::string attempt, Spares spares)
    : m_attempt(std::move(attempt)), m_spares(std::move(spares)) {}

bool AttemptSweep::look() {
    constexpr int kEnoughEmptyLooks = 2;
    bool found = false;
    for (const AttemptProcess& process : processesOfAttempt(m_attempt)) {
        if (m_spares && m_spares(process))
            continue;
        found = true;
        kill(process.pid, SIGKILL);
    }
    m_emptyLooks = found ? 0 : m_emptyLooks + 1;
    return m_emptyLooks < kEnoughEmptyLooks;
}

} // namespace trialdeck::supervise

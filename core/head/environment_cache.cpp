// SPDX-License-Identifier: Apache-2.0
#include "core/head/environment_cache.h"

namespace trialdeck::head {

EnvironmentCache::EnvironmentCache(const base::Clock& clock, base::Log& log,
                                   std::function<std::pair<base::Environment, std::string>()> capture)
    : m_clock(clock), m_log(log), m_capture(std::move(capture)) {}

base::Environment EnvironmentCache::get(EnvironmentAge age) {
    constexpr std::chrono::seconds kRecent{60};
    const std::scoped_lock guard(m_mutex);
    const base::SteadyTime now = m_clock.steadyNow();
    if (age == EnvironmentAge::recent && m_variables && now - m_captured < kRecent)
        return *m_variables;
    auto [variables, note] = m_capture();
    if (!note.empty())
        m_log.warning("environment", note);
    m_variables = std::move(variables);
    m_captured = now;
    return *m_variables;
}

} // namespace trialdeck::head

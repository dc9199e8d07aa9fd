// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/clock.h"
#include "core/base/log.h"
#include "core/base/process.h"

#include <chrono>
#include <functional>
#include <mutex>
#include <optional>

namespace trialdeck::head {

/// Whether an older capture will do: a check while somebody types, or the start of trials.
enum class EnvironmentAge { recent, now };

/// The user's login environment, captured anew for each start and kept for a while for checks. Callable from
/// every thread; blocks while the login shell runs.
class EnvironmentCache {
public:
    /// @param capture  runs the login shell; the second value is a note for the log, empty where all went
    /// well
    EnvironmentCache(const base::Clock& clock, base::Log& log,
                     std::function<std::pair<base::Environment, std::string>()> capture);

    [[nodiscard]] base::Environment get(EnvironmentAge age);

private:
    const base::Clock& m_clock;
    base::Log& m_log;
    std::function<std::pair<base::Environment, std::string>()> m_capture;
    std::mutex m_mutex;
    std::optional<base::Environment> m_variables;
    base::SteadyTime m_captured{};
};

} // namespace trialdeck::head

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/error.h"

#include <chrono>
#include <string>
#include <string_view>

namespace trialdeck::base {

/// For time spans and deadlines: never jumps.
using SteadyTime = std::chrono::steady_clock::time_point;
/// For stamps that people read, in milliseconds since 1970 UTC: may jump.
using WallTime = std::chrono::sys_time<std::chrono::milliseconds>;

/// The only source of time for everything above base. Owned by a composition root, outlives its users,
/// callable from every thread.
class Clock {
public:
    virtual ~Clock() = default;
    [[nodiscard]] virtual SteadyTime steadyNow() const = 0;
    [[nodiscard]] virtual WallTime wallNow() const = 0;
};

class SystemClock final : public Clock {
public:
    [[nodiscard]] SteadyTime steadyNow() const override;
    [[nodiscard]] WallTime wallNow() const override;
};

/// Stands still until it is told to go on: tests and the virtual-time engine. One thread only.
class ManualClock final : public Clock {
public:
    explicit ManualClock(WallTime start = WallTime(std::chrono::milliseconds(1767225600000)))
        : m_wall(start) {}
    [[nodiscard]] SteadyTime steadyNow() const override { return m_steady; }
    [[nodiscard]] WallTime wallNow() const override { return m_wall; }
    void advance(std::chrono::milliseconds by) {
        m_steady += by;
        m_wall += by;
    }

private:
    SteadyTime m_steady{};
    WallTime m_wall;
};

/// Seconds between two stamps; 0 where the clock was set back in between.
[[nodiscard]] inline double secondsBetween(WallTime from, WallTime to) {
    return from < to ? std::chrono::duration<double>(to - from).count() : 0;
}

/// "2026-11-30T14:05:09.123Z".
[[nodiscard]] std::string formatIso8601(WallTime time);
/// Reads what formatIso8601 writes, with or without the fraction. @return wrong_value_type otherwise.
[[nodiscard]] Expected<WallTime> parseIso8601(std::string_view text);

} // namespace trialdeck::base

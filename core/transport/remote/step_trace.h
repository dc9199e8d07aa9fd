// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/clock.h"
#include "core/transport/connection_steps.h"

namespace trialdeck::transport {

/// Tells a listener how one walk from step to step goes, with the time of each. Begun steps end when a later
/// one begins. Lives as long as one connect().
class StepTrace {
public:
    /// @param clock  outlives the trace
    StepTrace(const base::Clock& clock, StepListener listener)
        : m_clock(clock), m_listener(std::move(listener)) {}

    /// Nothing happens for the step that runs already.
    void begin(ConnectionStep step);
    /// Of the step that runs; told when it is done.
    void setDetail(std::string detail);
    void progress(uint64_t doneBytes, uint64_t totalBytes);
    void done();
    /// The step that runs, or the one that would have been next, has failed.
    void fail(const Error& error);
    [[nodiscard]] ConnectionStep step() const { return m_state.step; }

private:
    void tell(StepPhase phase);

    const base::Clock& m_clock;
    StepListener m_listener;
    StepState m_state;
    base::SteadyTime m_began{};
    bool m_running = false;
};

} // namespace trialdeck::transport

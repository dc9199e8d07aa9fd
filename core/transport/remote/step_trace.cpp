// SPDX-License-Identifier: Apache-2.0
#include "core/transport/remote/step_trace.h"

namespace trialdeck::transport {

void StepTrace::begin(ConnectionStep step) {
    if (m_running && m_state.step == step)
        return;
    done();
    m_state = StepState{};
    m_state.step = step;
    m_began = m_clock.steadyNow();
    m_running = true;
    tell(StepPhase::running);
}

void StepTrace::setDetail(std::string detail) {
    m_state.detail = std::move(detail);
}

void StepTrace::progress(uint64_t doneBytes, uint64_t totalBytes) {
    m_state.doneBytes = doneBytes;
    m_state.totalBytes = totalBytes;
    if (m_running)
        tell(StepPhase::running);
}

void StepTrace::done() {
    if (!m_running)
        return;
    m_running = false;
    tell(StepPhase::done);
}

void StepTrace::fail(const Error& error) {
    m_running = false;
    m_state.error = error;
    tell(StepPhase::failed);
}

void StepTrace::tell(StepPhase phase) {
    m_state.phase = phase;
    m_state.time = std::chrono::duration_cast<std::chrono::milliseconds>(m_clock.steadyNow() - m_began);
    if (m_listener)
        m_listener(m_state);
}

} // namespace trialdeck::transport

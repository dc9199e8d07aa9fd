// SPDX-License-Identifier: Apache-2.0
#include "core/tuner/engine_router.h"

#include <algorithm>

namespace trialdeck::tuner {

void EngineRouter::join(std::string experiment, engine::EngineListener& listener) {
    m_order.push_back(experiment);
    m_listeners[std::move(experiment)] = &listener;
}

void EngineRouter::leave(const std::string& experiment) {
    m_listeners.erase(experiment);
    std::erase(m_order, experiment);
}

engine::EngineListener* EngineRouter::listenerOf(const engine::AttemptKey& key) const {
    const auto found = m_listeners.find(key.experiment);
    return found == m_listeners.end() ? nullptr : found->second;
}

void EngineRouter::onAttemptStarted(const engine::AttemptKey& key, const std::string& node,
                                    std::optional<int> masterPort) {
    if (auto* listener = listenerOf(key))
        listener->onAttemptStarted(key, node, masterPort);
}

void EngineRouter::onReportLine(const engine::AttemptKey& key, uint32_t rank, std::string_view line,
                                uint64_t endOffset) {
    if (auto* listener = listenerOf(key))
        listener->onReportLine(key, rank, line, endOffset);
}

void EngineRouter::onOutputLine(const engine::AttemptKey& key, uint32_t rank, std::string_view line,
                                uint64_t endOffset) {
    if (auto* listener = listenerOf(key))
        listener->onOutputLine(key, rank, line, endOffset);
}

void EngineRouter::onNoOutputYet(const engine::AttemptKey& key, uint32_t rank) {
    if (auto* listener = listenerOf(key))
        listener->onNoOutputYet(key, rank);
}

void EngineRouter::onWorkerEnded(const engine::AttemptKey& key, uint32_t rank, const engine::WorkerEnd& end) {
    if (auto* listener = listenerOf(key))
        listener->onWorkerEnded(key, rank, end);
}

void EngineRouter::onAttemptEnded(const engine::AttemptKey& key) {
    if (auto* listener = listenerOf(key))
        listener->onAttemptEnded(key);
}

void EngineRouter::onStartFailed(const engine::AttemptKey& key, const Error& error) {
    if (auto* listener = listenerOf(key))
        listener->onStartFailed(key, error);
}

void EngineRouter::onNodesChanged() {
    if (m_order.empty())
        return;
    // A copy: a Tuner may leave while it is told.
    const std::vector<std::string> order = m_order;
    std::rotate(m_order.begin(), m_order.begin() + 1, m_order.end());
    for (const std::string& experiment : order) {
        const auto found = m_listeners.find(experiment);
        if (found != m_listeners.end())
            found->second->onNodesChanged();
    }
}

} // namespace trialdeck::tuner

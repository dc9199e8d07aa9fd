// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/engine/engine.h"

#include <string>
#include <unordered_map>

namespace trialdeck::tuner {

/// Hands what the one engine says to the Tuner of the experiment that it speaks of. What belongs to no Tuner
/// (an experiment was removed) is dropped. Owned by the head, outlives the Tuners; on the loop.
class EngineRouter final : public engine::EngineListener {
public:
    void join(std::string experiment, engine::EngineListener& listener);
    void leave(const std::string& experiment);

    void onAttemptStarted(const engine::AttemptKey& key, const std::string& node,
                          std::optional<int> masterPort) override;
    void onReportLine(const engine::AttemptKey& key, uint32_t rank, std::string_view line,
                      uint64_t endOffset) override;
    void onOutputLine(const engine::AttemptKey& key, uint32_t rank, std::string_view line,
                      uint64_t endOffset) override;
    void onNoOutputYet(const engine::AttemptKey& key, uint32_t rank) override;
    void onWorkerEnded(const engine::AttemptKey& key, uint32_t rank, const engine::WorkerEnd& end) override;
    void onAttemptEnded(const engine::AttemptKey& key) override;
    void onStartFailed(const engine::AttemptKey& key, const Error& error) override;
    /// To every Tuner, the one that was served longest ago first.
    void onNodesChanged() override;

private:
    [[nodiscard]] engine::EngineListener* listenerOf(const engine::AttemptKey& key) const;

    std::unordered_map<std::string, engine::EngineListener*> m_listeners;
    /// Experiments in the order in which they are told of free room; rotated by one each time.
    std::vector<std::string> m_order;
};

} // namespace trialdeck::tuner

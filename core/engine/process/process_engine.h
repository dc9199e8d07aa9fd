// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/log.h"
#include "core/engine/engine.h"
#include "core/engine/process/process_options.h"

#include <memory>

namespace asio {
class io_context;
}

namespace trialdeck::engine {

/// Runs workers on this node, each under a supervisor of its own, so that they outlive the daemon. Owned by
/// the head; lives on its loop. Destroying it stops no worker.
class ProcessEngine final : public Engine {
public:
    /// Looks at the machine (CPUs, memory, GPUs), which may take a moment; made before the loop runs.
    /// @param loop, files, clock, log  outlive the engine
    ProcessEngine(asio::io_context& loop, base::FileSystem& files, const base::Clock& clock, base::Log& log,
                  ProcessOptions options);
    ~ProcessEngine() override;

    void setListener(EngineListener* listener) override;
    [[nodiscard]] Placement place(uint32_t workers, const WorkerResources& perWorker) const override;
    [[nodiscard]] Expected<void> start(const AttemptRequest& request) override;
    void adopt(const AttemptRequest& request, const std::vector<ReadPositions>& positions) override;
    void stopForgotten(const std::string& experiment) override;
    void watchOutput(const AttemptKey& key) override;
    void stop(const AttemptKey& key) override;
    [[nodiscard]] std::vector<Node> nodes() const override;
    [[nodiscard]] std::vector<AttemptKey> running() const override;

private:
    struct State;
    std::shared_ptr<State> m_state;
};

} // namespace trialdeck::engine

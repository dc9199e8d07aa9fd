// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/engine/process/process_services.h"

#include <functional>
#include <memory>
#include <string_view>
#include <vector>

namespace trialdeck::engine::process {

/// A process that computes on a GPU.
struct ComputeApp {
    std::string deviceUuid;
    pid_t pid = 0;
    friend bool operator==(const ComputeApp&, const ComputeApp&) = default;
};

/// Reads `nvidia-smi --query-compute-apps=gpu_uuid,pid --format=csv,noheader`; lines of another form are
/// passed over.
[[nodiscard]] std::vector<ComputeApp> parseComputeApps(std::string_view text);

/// Asks nvidia-smi again and again who computes on the GPUs, beside the loop. Owned by a process engine.
class ComputeAppWatch {
public:
    using OnAnswer = std::function<void(const std::vector<ComputeApp>& apps)>;

    /// @param onAnswer  called on the loop, not after the watch's destruction
    ComputeAppWatch(ProcessServices& services, std::chrono::milliseconds every, OnAnswer onAnswer);
    ~ComputeAppWatch();
    ComputeAppWatch(const ComputeAppWatch&) = delete;
    ComputeAppWatch& operator=(const ComputeAppWatch&) = delete;

private:
    struct State;
    std::shared_ptr<State> m_state;
};

} // namespace trialdeck::engine::process

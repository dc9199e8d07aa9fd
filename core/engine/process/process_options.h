// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/engine/visible_devices.h"
#include "core/supervise/launch_order.h"

namespace trialdeck::engine {

/// How a process engine runs; filled by the composition root.
struct ProcessOptions {
    /// On a file system of this host with locks and sockets; exists. Supervisors' sockets and locks lie
    /// there.
    base::Path runtimeFolder;
    /// The program whose `supervise` runs workers; its own words follow.
    base::Path supervisorProgram = "/proc/self/exe";
    std::vector<std::string> supervisorWords{"trialdeck-head", "supervise"};
    std::optional<supervise::DaemonRevival> revival;
    supervise::LogLimits logs;
    supervise::QuietRule quiet;
    /// Name of this node in records.
    std::string nodeName;
    /// In place of what is found on this machine.
    std::optional<double> cpus;
    std::optional<uint64_t> memoryBytes;
    std::optional<std::vector<Device>> devices;
    std::map<std::string, double> custom;
    /// How often nvidia-smi is asked who computes on the GPUs.
    std::chrono::milliseconds gpuLook{10'000};
    /// Stands for "/" when the machine is looked at.
    base::Path root = "/";
};

} // namespace trialdeck::engine

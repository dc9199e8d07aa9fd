// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/protocol/messages/experiments.h"

namespace trialdeck::protocol {

struct GpuState {
    std::string uuid;
    std::string name;
    /// Used by something that is not ours: shown, not taken.
    bool busy = false;
    std::optional<TrialId> trial;
    template<typename V, typename S>
    static void fields(V& v, S& s) {
        v.required("uuid", s.uuid);
        v.required("name", s.name);
        v("busy", s.busy);
        v("trial", s.trial);
    }
};

struct NodeState {
    std::string name;
    /// What trials may use, after container limits.
    double cpus = 0;
    /// What the machine has.
    double machineCpus = 0;
    double cpusUsed = 0;
    uint64_t memoryBytes = 0;
    uint64_t memoryReservedBytes = 0;
    double load1 = 0;
    std::vector<GpuState> gpus;
    template<typename V, typename S>
    static void fields(V& v, S& s) {
        v.required("name", s.name);
        v("cpus", s.cpus);
        v("machine_cpus", s.machineCpus);
        v("cpus_used", s.cpusUsed);
        v("memory_bytes", s.memoryBytes);
        v("memory_reserved_bytes", s.memoryReservedBytes);
        v("load1", s.load1);
        v("gpus", s.gpus);
    }
};

struct StateSubscribeResult {
    std::vector<ExperimentSummary> experiments;
    std::vector<NodeState> nodes;
    template<typename V, typename S>
    static void fields(V& v, S& s) {
        v.required("experiments", s.experiments);
        v.required("nodes", s.nodes);
    }
};

/// The experiments and nodes now (in parts), then the events experiment_changed and node_changed.
struct StateSubscribeRequest {
    static constexpr std::string_view kMethod = "state.subscribe";
    static constexpr RequestKind kKind = RequestKind::read;
    using Result = StateSubscribeResult;
    template<typename V, typename S>
    static void fields(V&, S&) {}
};

/// The same answer once, without events.
struct StateReadRequest {
    static constexpr std::string_view kMethod = "state.read";
    static constexpr RequestKind kKind = RequestKind::read;
    using Result = StateSubscribeResult;
    template<typename V, typename S>
    static void fields(V&, S&) {}
};

struct ExperimentChangedEvent {
    static constexpr std::string_view kEvent = "experiment_changed";
    ExperimentSummary summary;
    template<typename V, typename S>
    static void fields(V& v, S& s) {
        v.required("summary", s.summary);
    }
};

struct NodeChangedEvent {
    static constexpr std::string_view kEvent = "node_changed";
    NodeState node;
    template<typename V, typename S>
    static void fields(V& v, S& s) {
        v.required("node", s.node);
    }
};

} // namespace trialdeck::protocol

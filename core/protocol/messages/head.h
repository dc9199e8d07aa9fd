// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/protocol/message.h"

namespace trialdeck::protocol {

struct DoctorCheck {
    std::string name;
    Severity severity = Severity::note;
    std::string detail;
    template<typename V, typename S>
    static void fields(V& v, S& s) {
        v.required("name", s.name);
        v.required("severity", s.severity);
        v("detail", s.detail);
    }
};

struct DoctorResult {
    std::vector<DoctorCheck> checks;
    template<typename V, typename S>
    static void fields(V& v, S& s) {
        v.required("checks", s.checks);
    }
};

struct DoctorRequest {
    static constexpr std::string_view kMethod = "head.doctor";
    static constexpr RequestKind kKind = RequestKind::read;
    using Result = DoctorResult;
    template<typename V, typename S>
    static void fields(V&, S&) {}
};

/// Ends the daemon. Running trials go on and wait for the next one unless stopTrials.
struct ShutdownRequest {
    static constexpr std::string_view kMethod = "head.shutdown";
    static constexpr RequestKind kKind = RequestKind::command;
    using Result = EmptyResult;
    bool stopTrials = false;
    /// Leave no mark that forbids the supervisors to start it again: a newer build takes over.
    bool handOver = false;
    template<typename V, typename S>
    static void fields(V& v, S& s) {
        v("stop_trials", s.stopTrials);
        v("hand_over", s.handOver);
    }
};

/// The last that a daemon says when a client has shut it down and no newer build takes over: whoever
/// reconnects by itself would start it again.
struct HeadEndedEvent {
    static constexpr std::string_view kEvent = "head_ended";
    template<typename V, typename S>
    static void fields(V&, S&) {}
};

} // namespace trialdeck::protocol

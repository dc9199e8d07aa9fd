// SPDX-License-Identifier: Apache-2.0
#include "core/protocol/states.h"

#include <array>
#include <cstddef>

namespace trialdeck::protocol {

namespace {

template<typename Enum>
struct Names;

template<>
struct Names<TrialState> {
    static constexpr std::array<std::string_view, 5> kNames = {"PENDING", "RUNNING", "PAUSED", "TERMINATED",
                                                               "ERROR"};
};
template<>
struct Names<TrialReason> {
    static constexpr std::array<std::string_view, 21> kNames = {"none",
                                                                "queued",
                                                                "waits_for_resources",
                                                                "retry",
                                                                "preempted",
                                                                "user_paused",
                                                                "scheduler_paused",
                                                                "disk_full",
                                                                "interrupted",
                                                                "completed",
                                                                "stop_rule",
                                                                "scheduler",
                                                                "user",
                                                                "exit",
                                                                "signal",
                                                                "oom",
                                                                "lost",
                                                                "no_report",
                                                                "bad_report",
                                                                "nan",
                                                                "not_started"};
};
template<>
struct Names<ExperimentState> {
    static constexpr std::array<std::string_view, 5> kNames = {"RUNNING", "PAUSED", "COMPLETED", "FAILED",
                                                               "INTERRUPTED"};
};
template<>
struct Names<ExperimentReason> {
    static constexpr std::array<std::string_view, 5> kNames = {"none", "user", "disk_full", "crash",
                                                               "fail_fast"};
};
template<>
struct Names<DecisionAction> {
    static constexpr std::array<std::string_view, 3> kNames = {"continue", "pause", "stop"};
};
template<>
struct Names<ReportSource> {
    static constexpr std::array<std::string_view, 2> kNames = {"file", "stdout"};
};
template<>
struct Names<OutputStream> {
    static constexpr std::array<std::string_view, 2> kNames = {"stdout", "stderr"};
};
template<>
struct Names<Severity> {
    static constexpr std::array<std::string_view, 3> kNames = {"note", "warning", "error"};
};

template<typename Enum>
std::string_view lookUp(Enum value) {
    return Names<Enum>::kNames.at(static_cast<size_t>(value));
}

} // namespace

std::string_view nameOf(TrialState state) {
    return lookUp(state);
}
std::string_view nameOf(TrialReason reason) {
    return lookUp(reason);
}
std::string_view nameOf(ExperimentState state) {
    return lookUp(state);
}
std::string_view nameOf(ExperimentReason reason) {
    return lookUp(reason);
}
std::string_view nameOf(DecisionAction action) {
    return lookUp(action);
}
std::string_view nameOf(ReportSource source) {
    return lookUp(source);
}
std::string_view nameOf(OutputStream stream) {
    return lookUp(stream);
}
std::string_view nameOf(Severity severity) {
    return lookUp(severity);
}

template<typename Enum>
std::optional<Enum> fromName(std::string_view name) {
    for (size_t i = 0; i < Names<Enum>::kNames.size(); ++i) {
        if (Names<Enum>::kNames[i] == name)
            return static_cast<Enum>(i);
    }
    return std::nullopt;
}

template std::optional<TrialState> fromName(std::string_view);
template std::optional<TrialReason> fromName(std::string_view);
template std::optional<ExperimentState> fromName(std::string_view);
template std::optional<ExperimentReason> fromName(std::string_view);
template std::optional<DecisionAction> fromName(std::string_view);
template std::optional<ReportSource> fromName(std::string_view);
template std::optional<OutputStream> fromName(std::string_view);
template std::optional<Severity> fromName(std::string_view);

bool isFinished(TrialState state) {
    return state == TrialState::terminated || state == TrialState::error;
}

bool isFinished(ExperimentState state) {
    return state != ExperimentState::running && state != ExperimentState::paused;
}

} // namespace trialdeck::protocol

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/process.h"

#include <chrono>
#include <cstdint>
#include <optional>

namespace trialdeck::supervise {

/// How much of a stream is kept: the first segment and the newest `keepBytes`.
struct LogLimits {
    uint64_t segmentBytes = uint64_t{8} << 20;
    uint64_t keepBytes = uint64_t{64} << 20;
    friend bool operator==(const LogLimits&, const LogLimits&) = default;
};

/// When a worker counts as quiet: it has run this long and has used this much processor time without a byte
/// of output. One that waits (for data, for others) is silent with good reason.
struct QuietRule {
    std::chrono::milliseconds after{60'000};
    std::chrono::milliseconds busy{20'000};
    friend bool operator==(const QuietRule&, const QuietRule&) = default;
};

/// How a supervisor starts the daemon again that it lost.
struct DaemonRevival {
    std::vector<std::string> command;
    /// Held by the living daemon.
    base::Path lock;
    /// Where this file lies the user has shut the daemon down: nobody starts it.
    base::Path stayDown;
    friend bool operator==(const DaemonRevival&, const DaemonRevival&) = default;
};

/// Everything a supervisor must know to start one worker. It comes over the supervisor's channel and not as
/// arguments, so that neither the length nor the bytes of an environment are limited, and the supervisor's
/// own environment stays the daemon's.
struct LaunchOrder {
    /// "<experiment>/<trial>/<attempt>".
    std::string attempt;
    uint32_t rank = 0;
    /// Exists; logs and records go there.
    base::Path folder;
    /// Where later daemons find the supervisor.
    base::Path socket;
    /// Holds the lock that says the supervisor lives; removed at the end.
    base::Path lock;
    /// The file to run; command[0] is only its name for the program.
    base::Path program;
    std::vector<std::string> command;
    base::Environment environment;
    base::Path workingDirectory;
    bool terminal = false;
    std::chrono::milliseconds stopGrace{30'000};
    LogLimits logs;
    QuietRule quiet;
    /// Written to supervisor.json for whoever adopts the worker: master_port, gpus.
    std::map<std::string, std::string, std::less<>> notes;
    std::optional<DaemonRevival> revival;

    friend bool operator==(const LaunchOrder&, const LaunchOrder&) = default;
};

/// NUL-ended names and values, in turn; the name "end" closes. Readers pass over names they do not know.
[[nodiscard]] std::string encodeLaunchOrder(const LaunchOrder& order);

/// Takes an order off the front of the bytes; what follows it is left in them.
/// @return nothing while it is not whole; bad_message where a value is none.
[[nodiscard]] Expected<std::optional<LaunchOrder>> takeLaunchOrder(std::string& bytes);

} // namespace trialdeck::supervise

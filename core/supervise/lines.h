// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/supervise/records.h"

#include <variant>

/// What a supervisor and its daemon say to each other over a unix socket: lines, each a JSON map with one
/// entry. A daemon of another version may be on the other end, so entries and fields are only ever added and
/// what is not known is passed over.
namespace trialdeck::supervise {

struct UnknownLine {};

/// {"stop": {"grace_s": 30.0}}: SIGTERM to the tree, SIGKILL when the grace is over. A second one may only
/// shorten it.
struct StopRequest {
    std::chrono::milliseconds grace{0};
};

/// {"status": {}}: answered by a StatusReport.
struct StatusRequest {};

using ClientLine = std::variant<UnknownLine, StopRequest, StatusRequest>;

/// {"quiet": {}}: the worker has been busy for a minute without a byte of output.
struct QuietNotice {};

struct StatusReport {
    /// Most that the worker's processes had in RAM together (bytes).
    uint64_t peakBytes = 0;
    uint64_t outputBytes = 0;
    uint64_t errorBytes = 0;
    bool stopping = false;
    friend bool operator==(const StatusReport&, const StatusReport&) = default;
};

/// A SupervisorRecord is the greeting: {"hello": …}; an ExitRecord the last line: {"exit": …}.
using SupervisorLine = std::variant<UnknownLine, SupervisorRecord, QuietNotice, StatusReport, ExitRecord>;

/// With the newline.
[[nodiscard]] std::string encodeLine(const StopRequest& request);
[[nodiscard]] std::string encodeLine(const StatusRequest& request);
[[nodiscard]] std::string encodeLine(const SupervisorRecord& record);
[[nodiscard]] std::string encodeLine(const QuietNotice& notice);
[[nodiscard]] std::string encodeLine(const StatusReport& report);
[[nodiscard]] std::string encodeLine(const ExitRecord& record);

[[nodiscard]] ClientLine parseClientLine(std::string_view line);
[[nodiscard]] SupervisorLine parseSupervisorLine(std::string_view line);

/// Takes the first whole line off the front, without its newline; nothing where there is none.
[[nodiscard]] std::optional<std::string> takeLine(std::string& bytes);

/// More than this without a newline is no conversation of ours.
inline constexpr size_t kMaxLineBytes = size_t{1} << 20;

} // namespace trialdeck::supervise

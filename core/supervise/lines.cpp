// SPDX-License-Identifier: Apache-2.0
#include "core/supervise/lines.h"

#include "core/base/json.h"

#include <algorithm>

namespace trialdeck::supervise {

namespace {

std::string encode(std::string name, Object body) {
    std::string line = base::toJson(Value(Object{{std::move(name), Value(std::move(body))}}));
    line += '\n';
    return line;
}

StatusReport statusFrom(const Value& value) {
    const auto number = [&value](std::string_view name) {
        const Value* field = value.find(name);
        return field ? static_cast<uint64_t>(field->toInteger().value_or(0)) : 0;
    };
    const Value* stopping = value.find("stopping");
    return {number("peak_bytes"), number("stdout_bytes"), number("stderr_bytes"),
            stopping && stopping->asBool() && *stopping->asBool()};
}

} // namespace

std::string encodeLine(const StopRequest& request) {
    return encode("stop", {{"grace_s", Value(std::chrono::duration<double>(request.grace).count())}});
}

std::string encodeLine(const StatusRequest&) {
    return encode("status", {});
}

std::string encodeLine(const SupervisorRecord& record) {
    return encode("hello", toObject(record));
}

std::string encodeLine(const QuietNotice&) {
    return encode("quiet", {});
}

std::string encodeLine(const StatusReport& report) {
    return encode("status", {{"peak_bytes", Value(report.peakBytes)},
                             {"stdout_bytes", Value(report.outputBytes)},
                             {"stderr_bytes", Value(report.errorBytes)},
                             {"stopping", Value(report.stopping)}});
}

std::string encodeLine(const ExitRecord& record) {
    return encode("exit", toObject(record));
}

ClientLine parseClientLine(std::string_view line) {
    const auto value = base::parseJson(line);
    if (!value)
        return UnknownLine{};
    if (const Value* stop = value->find("stop")) {
        const Value* grace = stop->find("grace_s");
        constexpr double kLongest = 1e9;
        const double seconds = grace ? grace->toDouble().value_or(0) : 0;
        // Written so that NaN counts as 0.
        const double bounded = seconds > 0 ? std::min(seconds, kLongest) : 0;
        return StopRequest{
            std::chrono::round<std::chrono::milliseconds>(std::chrono::duration<double>(bounded))};
    }
    if (value->find("status"))
        return StatusRequest{};
    return UnknownLine{};
}

SupervisorLine parseSupervisorLine(std::string_view line) {
    const auto value = base::parseJson(line);
    if (!value)
        return UnknownLine{};
    if (const Value* hello = value->find("hello")) {
        auto record = supervisorRecordFrom(*hello);
        return record ? SupervisorLine(std::move(*record)) : UnknownLine{};
    }
    if (const Value* exit = value->find("exit")) {
        auto record = exitRecordFrom(*exit);
        return record ? SupervisorLine(std::move(*record)) : UnknownLine{};
    }
    if (const Value* status = value->find("status"))
        return statusFrom(*status);
    if (value->find("quiet"))
        return QuietNotice{};
    return UnknownLine{};
}

std::optional<std::string> takeLine(std::string& bytes) {
    const size_t end = bytes.find('\n');
    if (end == std::string::npos)
        return std::nullopt;
    std::string line = bytes.substr(0, end);
    bytes.erase(0, end + 1);
    return line;
}

} // namespace trialdeck::supervise

// SPDX-License-Identifier: Apache-2.0
#include "core/supervise/launch_order.h"

#include <charconv>

namespace trialdeck::supervise {

namespace {

/// A program is handed nothing behind a NUL anyway, and here it would end the value.
void put(std::string& out, std::string_view name, std::string_view value) {
    out += name;
    out += '\0';
    out += value.substr(0, value.find('\0'));
    out += '\0';
}

template<typename Number>
bool readNumber(std::string_view text, Number& number) {
    const auto result = std::from_chars(text.data(), text.data() + text.size(), number);
    return result.ec == std::errc() && result.ptr == text.data() + text.size();
}

bool readMilliseconds(std::string_view text, std::chrono::milliseconds& time) {
    int64_t count = 0;
    if (!readNumber(text, count))
        return false;
    time = std::chrono::milliseconds(count);
    return true;
}

void putNamed(std::string& out, std::string_view name, std::string_view key, std::string_view value) {
    std::string text(key);
    text += '=';
    text += value;
    put(out, name, text);
}

template<typename Map>
bool readNamed(std::string_view text, Map& map) {
    const size_t equals = text.find('=');
    if (equals == std::string_view::npos)
        return false;
    map.emplace(text.substr(0, equals), text.substr(equals + 1));
    return true;
}

/// @return false where the value does not fit the name.
bool apply(LaunchOrder& order, std::string_view name, std::string_view value) {
    const auto revival = [&order]() -> DaemonRevival& {
        return order.revival ? *order.revival : order.revival.emplace();
    };
    if (name == "attempt")
        order.attempt = value;
    else if (name == "rank")
        return readNumber(value, order.rank);
    else if (name == "folder")
        order.folder = value;
    else if (name == "socket")
        order.socket = value;
    else if (name == "lock")
        order.lock = value;
    else if (name == "program")
        order.program = value;
    else if (name == "argument")
        order.command.emplace_back(value);
    else if (name == "variable")
        return readNamed(value, order.environment);
    else if (name == "working_directory")
        order.workingDirectory = value;
    else if (name == "terminal")
        order.terminal = value == "1";
    else if (name == "stop_grace_ms")
        return readMilliseconds(value, order.stopGrace);
    else if (name == "quiet_after_ms")
        return readMilliseconds(value, order.quiet.after);
    else if (name == "quiet_busy_ms")
        return readMilliseconds(value, order.quiet.busy);
    else if (name == "segment_bytes")
        return readNumber(value, order.logs.segmentBytes);
    else if (name == "keep_bytes")
        return readNumber(value, order.logs.keepBytes);
    else if (name == "note")
        return readNamed(value, order.notes);
    else if (name == "daemon_argument")
        revival().command.emplace_back(value);
    else if (name == "daemon_lock")
        revival().lock = value;
    else if (name == "daemon_stay_down")
        revival().stayDown = value;
    return true;
}

} // namespace

std::string encodeLaunchOrder(const LaunchOrder& order) {
    std::string out;
    put(out, "attempt", order.attempt);
    put(out, "rank", std::to_string(order.rank));
    put(out, "folder", order.folder.native());
    put(out, "socket", order.socket.native());
    put(out, "lock", order.lock.native());
    put(out, "program", order.program.native());
    for (const std::string& word : order.command)
        put(out, "argument", word);
    for (const auto& [name, value] : order.environment)
        putNamed(out, "variable", name, value);
    put(out, "working_directory", order.workingDirectory.native());
    put(out, "terminal", order.terminal ? "1" : "0");
    put(out, "stop_grace_ms", std::to_string(order.stopGrace.count()));
    put(out, "segment_bytes", std::to_string(order.logs.segmentBytes));
    put(out, "keep_bytes", std::to_string(order.logs.keepBytes));
    put(out, "quiet_after_ms", std::to_string(order.quiet.after.count()));
    put(out, "quiet_busy_ms", std::to_string(order.quiet.busy.count()));
    for (const auto& [name, value] : order.notes)
        putNamed(out, "note", name, value);
    if (order.revival) {
        for (const std::string& word : order.revival->command)
            put(out, "daemon_argument", word);
        put(out, "daemon_lock", order.revival->lock.native());
        put(out, "daemon_stay_down", order.revival->stayDown.native());
    }
    put(out, "end", "");
    return out;
}

Expected<std::optional<LaunchOrder>> takeLaunchOrder(std::string& bytes) {
    LaunchOrder order;
    for (size_t at = 0;;) {
        const size_t nameEnd = bytes.find('\0', at);
        const size_t valueEnd = nameEnd == std::string::npos ? nameEnd : bytes.find('\0', nameEnd + 1);
        if (valueEnd == std::string::npos)
            return std::optional<LaunchOrder>();
        const std::string_view name = std::string_view(bytes).substr(at, nameEnd - at);
        const std::string_view value = std::string_view(bytes).substr(nameEnd + 1, valueEnd - nameEnd - 1);
        at = valueEnd + 1;
        if (name == "end") {
            bytes.erase(0, at);
            return std::optional(std::move(order));
        }
        if (!apply(order, name, value))
            return base::fail(ErrorCode::bad_message, {{"field", std::string(name)}});
    }
}

} // namespace trialdeck::supervise

// SPDX-License-Identifier: Apache-2.0
#include "core/transport/remote/remote_shell.h"

namespace trialdeck::transport {

std::string asShellLine(std::string_view script) {
    std::string line;
    while (!script.empty()) {
        const size_t end = script.find('\n');
        std::string_view part = script.substr(0, end);
        script.remove_prefix(end == std::string_view::npos ? script.size() : end + 1);
        while (!part.empty() && part.front() == ' ')
            part.remove_prefix(1);
        if (part.empty())
            continue;
        line += part;
        line += ' ';
    }
    line += '\n';
    return line;
}

Error whyNoShell(const std::string& host, std::string printed, const std::string& errors, bool isCut) {
    if (!errors.empty())
        printed = errors + (printed.empty() ? "" : "\n") + printed;
    const auto says = [&](std::string_view words) { return printed.find(words) != std::string::npos; };
    if (says("Session open refused"))
        return {ErrorCode::too_many_sessions, {{"host", host}}, printed};
    if (isCut)
        return {ErrorCode::connection_lost, {{"host", host}, {"reason", printed}}, "start a shell"};
    if (says("not available") || says("nologin") || says("restricted"))
        return {ErrorCode::account_closed, {{"host", host}, {"printed", printed}}, {}};
    return {ErrorCode::shell_blocked, {{"host", host}, {"printed", printed}}, "no shell ran the command"};
}

std::string shellQuoted(std::string_view word) {
    std::string quoted = "'";
    for (const char letter : word) {
        if (letter == '\'')
            quoted += "'\\''";
        else
            quoted += letter;
    }
    quoted += '\'';
    return quoted;
}

} // namespace trialdeck::transport

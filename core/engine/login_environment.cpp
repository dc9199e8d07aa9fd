// SPDX-License-Identifier: Apache-2.0
#include "core/engine/login_environment.h"

#include "core/base/host.h"

#include <array>
#include <string_view>

namespace trialdeck::engine {

namespace {

/// Describe the shell that was run, not the user's session.
constexpr std::array<std::string_view, 5> kOfTheShell = {"_", "SHLVL", "PWD", "OLDPWD", "TRIALDECK_ATTEMPT"};

/// "NAME=value" entries, each ended by NUL.
base::Environment parseEntries(std::string_view entries) {
    base::Environment variables;
    while (!entries.empty()) {
        const size_t end = std::min(entries.find('\0'), entries.size());
        const std::string_view entry = entries.substr(0, end);
        const size_t equals = entry.find('=');
        if (equals != std::string_view::npos && equals > 0)
            variables.insert_or_assign(std::string(entry.substr(0, equals)),
                                       std::string(entry.substr(equals + 1)));
        entries.remove_prefix(std::min(end + 1, entries.size()));
    }
    return variables;
}

void forgetTheShell(base::Environment& variables) {
    for (const std::string_view name : kOfTheShell) {
        if (const auto found = variables.find(name); found != variables.end())
            variables.erase(found);
    }
}

} // namespace

std::vector<std::string> loginCommand(const std::string& shell, const std::string& line) {
    const std::string name = base::Path(shell).filename().native();
    // csh takes -l only alone; it reads .cshrc, where its users keep their settings, without it too.
    if (name == "csh" || name == "tcsh")
        return {shell, "-c", line};
    return {shell, "-l", "-c", line};
}

LoginEnvironment captureLoginEnvironment(const std::string& shell, const base::Environment& own,
                                         int timeoutMs) {
    LoginEnvironment result;
    result.variables = own;
    forgetTheShell(result.variables);
    const std::string marker = "trialdeck-" + base::newUuid();
    base::SpawnOptions options;
    options.command = loginCommand(shell, "exec /bin/sh -c 'printf \"%s\\0\" " + marker +
                                              "; env -0; printf \"%s\\0\" " + marker + "'");
    options.environment = own;
    options.workingDirectory = "/";
    const auto output = base::runAndCollect(options, timeoutMs);
    if (!output) {
        result.note = shell + ": " + base::describe(output.error());
        return result;
    }
    const std::string fence = marker + '\0';
    const std::string& text = output->standardOutput;
    const size_t begin = text.find(fence);
    const size_t end = text.rfind(fence);
    if (begin == std::string::npos || begin == end) {
        result.note = shell + ": the login script does not let commands through";
        return result;
    }
    result.variables =
        parseEntries(std::string_view(text).substr(begin + fence.size(), end - begin - fence.size()));
    forgetTheShell(result.variables);
    return result;
}

} // namespace trialdeck::engine

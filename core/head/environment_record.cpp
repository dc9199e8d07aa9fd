// SPDX-License-Identifier: Apache-2.0
#include "core/head/environment_record.h"

#include "core/base/host.h"
#include "core/base/utf8.h"
#include "core/tuner/attempt_environment.h"

#include <algorithm>
#include <array>
#include <sys/utsname.h>

namespace trialdeck::head {

namespace {

constexpr int kGitTimeoutMs = 5000;
constexpr size_t kMaxDiffBytes = size_t{256} << 10;

std::optional<std::string> git(const Place& place, const base::Path& directory,
                               std::vector<std::string> arguments) {
    base::SpawnOptions options;
    options.command = {"git"};
    options.command.insert(options.command.end(), arguments.begin(), arguments.end());
    options.environment = place.loginEnvironment;
    options.environment["GIT_OPTIONAL_LOCKS"] = "0";
    options.workingDirectory = directory;
    auto output = base::runAndCollect(options, kGitTimeoutMs, kMaxDiffBytes);
    if (!output || output->exit.code != 0)
        return std::nullopt;
    return std::move(output->standardOutput);
}

Value gitState(const Place& place, const base::Path& directory) {
    auto commit = git(place, directory, {"rev-parse", "HEAD"});
    if (!commit)
        return Value();
    commit->erase(commit->find_last_not_of('\n') + 1);
    Object state{{"commit", *commit}};
    // A difference that is too large to keep is told by its absence; the list of files still says what
    // changed.
    if (auto diff = git(place, directory, {"diff", "HEAD", "--no-color", "--no-ext-diff"}))
        state.append("diff", base::cleanUtf8(*diff));
    else
        state.append("diff", Value());
    if (auto changed = git(place, directory, {"status", "--porcelain"}))
        state.append("status", base::cleanUtf8(*changed));
    return state;
}

std::string upperCase(std::string_view text) {
    std::string upper(text);
    std::transform(upper.begin(), upper.end(), upper.begin(),
                   [](char c) { return c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c; });
    return upper;
}

} // namespace

bool isSecretName(std::string_view name) {
    static constexpr std::array<std::string_view, 9> kWords = {
        "TOKEN", "SECRET", "PASSWORD", "PASSWD", "PASSPHRASE", "KEY", "CREDENTIAL", "AUTH", "COOKIE"};
    const std::string upper = upperCase(name);
    return std::any_of(kWords.begin(), kWords.end(),
                       [&upper](std::string_view word) { return upper.find(word) != std::string::npos; });
}

Value recordEnvironment(const model::ExperimentSpec& spec, const Place& place, base::WallTime now,
                        std::string_view headVersion) {
    Array command;
    for (const std::string& word : spec.trial.command)
        command.emplace_back(word);
    Object variables;
    for (const auto& [name, value] :
         tuner::commandEnvironment(place.loginEnvironment, spec, place.baseDirectory)) {
        if (!isSecretName(name))
            variables.append(name, base::cleanUtf8(value));
    }
    utsname system{};
    uname(&system);
    const base::Path directory = tuner::workingDirectory(spec, place.baseDirectory, place.loginEnvironment);
    return Object{{"recorded", base::formatIso8601(now)},
                  {"command", std::move(command)},
                  {"working_directory", directory.native()},
                  {"git", gitState(place, directory)},
                  {"host", base::hostName()},
                  {"system", std::string(system.sysname) + " " + system.release + " " + system.machine},
                  {"trialdeck", headVersion},
                  {"variables", std::move(variables)}};
}

} // namespace trialdeck::head

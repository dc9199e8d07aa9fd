// SPDX-License-Identifier: Apache-2.0
#include "core/head/logout.h"

#include "core/base/words.h"

#include <algorithm>
#include <map>
#include <optional>
#include <unistd.h>

namespace trialdeck::head {

namespace {

std::string_view trimmed(std::string_view text) {
    const auto isBlank = [](char letter) { return letter == ' ' || letter == '\t' || letter == '\r'; };
    while (!text.empty() && isBlank(text.front()))
        text.remove_prefix(1);
    while (!text.empty() && isBlank(text.back()))
        text.remove_suffix(1);
    return text;
}

template<typename Visit>
void eachLine(std::string_view text, Visit visit) {
    while (!text.empty()) {
        const size_t end = text.find('\n');
        visit(trimmed(text.substr(0, end)));
        text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
    }
}

/// As systemd reads booleans.
std::optional<bool> booleanFrom(std::string_view text) {
    const std::string word = base::lowerCase(text);
    for (const char* yes : {"1", "yes", "y", "true", "t", "on"}) {
        if (word == yes)
            return true;
    }
    for (const char* no : {"0", "no", "n", "false", "f", "off"}) {
        if (word == no)
            return false;
    }
    return std::nullopt;
}

std::vector<std::string> wordsOf(std::string_view text) {
    std::vector<std::string> words;
    while (!(text = trimmed(text)).empty()) {
        const size_t end = text.find_first_of(" \t");
        words.emplace_back(text.substr(0, end));
        text.remove_prefix(end == std::string_view::npos ? text.size() : end);
    }
    return words;
}

/// A list in several lines grows; an empty line empties it.
void extend(std::vector<std::string>& list, std::string_view value) {
    const std::vector<std::string> words = wordsOf(value);
    if (words.empty())
        list.clear();
    list.insert(list.end(), words.begin(), words.end());
}

/// What the files say, as long as they say it.
struct SaidByFiles {
    std::optional<bool> kills;
    std::optional<bool> builtIn;
    std::vector<std::string> only;
    std::optional<std::vector<std::string>> except;

    void read(std::string_view text) {
        bool isOurs = false;
        eachLine(text, [&](std::string_view line) {
            if (!line.empty() && line.front() == '[') {
                isOurs = line == "[Login]";
                return;
            }
            const bool isComment = !line.empty() && (line.front() == '#' || line.front() == ';');
            if (isComment)
                line = trimmed(line.substr(1));
            const size_t equals = line.find('=');
            if (!isOurs || equals == std::string_view::npos)
                return;
            const std::string_view key = trimmed(line.substr(0, equals));
            const std::string_view value = trimmed(line.substr(equals + 1));
            if (key == "KillUserProcesses") {
                if (const auto yes = booleanFrom(value))
                    (isComment ? builtIn : kills) = yes;
            } else if (!isComment && key == "KillOnlyUsers") {
                extend(only, value);
            } else if (!isComment && key == "KillExcludeUsers") {
                extend(except ? *except : except.emplace(), value);
            }
        });
    }
};

bool isIn(const std::vector<std::string>& list, const std::string& word) {
    return std::find(list.begin(), list.end(), word) != list.end();
}

bool killsProcessesOf(const LogindRules& rules, const std::string& user) {
    return rules.killsProcesses && !isIn(rules.except, user) &&
           (rules.only.empty() || isIn(rules.only, user));
}

/// Where systemd has put the process: of version 2, else of the hierarchy that systemd keeps for itself.
std::string_view systemdGroup(std::string_view cgroups) {
    std::string_view found;
    eachLine(cgroups, [&](std::string_view line) {
        const size_t first = line.find(':');
        const size_t second = first == std::string_view::npos ? first : line.find(':', first + 1);
        if (second == std::string_view::npos)
            return;
        const std::string_view hierarchy = line.substr(first + 1, second - first - 1);
        const bool isNamed = hierarchy == "name=systemd";
        if (isNamed || (hierarchy.empty() && found.empty()))
            found = line.substr(second + 1);
    });
    return found;
}

std::string variable(const base::Environment& environment, const char* name) {
    const auto found = environment.find(name);
    return found == environment.end() ? std::string() : found->second;
}

} // namespace

LogindRules readLogindRules(base::FileSystem& files, const base::Path& root) {
    constexpr uint64_t kMaxBytes = uint64_t{64} << 10;
    // Later folders win over earlier ones, and of a drop-in only the last one of its name counts.
    constexpr const char* kFolders[] = {"usr/lib/systemd", "usr/local/lib/systemd", "run/systemd",
                                        "etc/systemd"};
    SaidByFiles said;
    std::optional<std::string> main;
    std::map<std::string, base::Path> dropIns;
    for (const char* folder : kFolders) {
        if (auto text = base::readWholeFile(files, root / folder / "logind.conf", kMaxBytes))
            main = std::move(*text);
        const base::Path more = root / folder / "logind.conf.d";
        for (const std::string& name : files.list(more).value_or(std::vector<std::string>())) {
            if (base::Path(name).extension() == ".conf")
                dropIns[name] = more / name;
        }
    }
    said.read(main.value_or(""));
    for (const auto& [name, path] : dropIns)
        said.read(base::readWholeFile(files, path, kMaxBytes).value_or(""));
    LogindRules rules;
    rules.killsProcesses = said.kills.value_or(said.builtIn.value_or(false));
    rules.only = std::move(said.only);
    if (said.except)
        rules.except = std::move(*said.except);
    return rules;
}

LogoutFacts readLogoutFacts(base::FileSystem& files, const base::Environment& environment,
                            const base::Path& root) {
    LogoutFacts facts;
    facts.user = variable(environment, "USER");
    if (facts.user.empty())
        facts.user = variable(environment, "LOGNAME");
    if (facts.user.empty())
        facts.user = geteuid() == 0 ? "root" : std::to_string(geteuid());
    facts.cgroups = base::readWholeFile(files, root / "proc/self/cgroup", uint64_t{64} << 10).value_or("");
    facts.lingers = base::exists(files, root / "var/lib/systemd/linger" / facts.user);
    facts.rules = readLogindRules(files, root);
    return facts;
}

LogoutFate fateAtLogout(const LogoutFacts& facts) {
    const std::string_view group = systemdGroup(facts.cgroups);
    // A user's systemd can lie in no session, and a session in no user's systemd.
    if (group.find("/user@") != std::string_view::npos)
        return facts.lingers ? LogoutFate::survives : LogoutFate::endsWithUser;
    const size_t session = group.find("/session-");
    const bool isInSession =
        session != std::string_view::npos && group.find(".scope", session) != std::string_view::npos;
    return isInSession && killsProcessesOf(facts.rules, facts.user) ? LogoutFate::endsWithSession
                                                                    : LogoutFate::survives;
}

std::vector<std::string> survivingPrefix(const LogoutFacts& facts, bool hasUserSystemd) {
    const bool helps = fateAtLogout(facts) == LogoutFate::endsWithSession && facts.lingers && hasUserSystemd;
    if (!helps)
        return {};
    return {"systemd-run", "--user", "--scope", "--quiet", "--collect", "--"};
}

bool userSystemdRuns(base::FileSystem& files, const base::Environment& environment) {
    const std::string folder = variable(environment, "XDG_RUNTIME_DIR");
    return !folder.empty() && base::exists(files, base::Path(folder) / "systemd" / "private");
}

} // namespace trialdeck::head

// SPDX-License-Identifier: Apache-2.0
#include "core/model/spec_sections.h"

#include "core/base/words.h"

#include <algorithm>
#include <array>

namespace trialdeck::model {

namespace {

bool isWordLetter(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

size_t endOfWord(std::string_view text, size_t at) {
    while (at < text.size() && isWordLetter(text[at]))
        ++at;
    return at;
}

/// <NAME>, <your bucket>; not a redirection, nor the name of a group in a pattern.
std::string_view angleIn(std::string_view text) {
    for (size_t open = text.find('<'); open != std::string_view::npos; open = text.find('<', open + 1)) {
        const size_t close = text.find_first_of("<>", open + 1);
        if (close == std::string_view::npos || text[close] == '<')
            continue;
        const std::string_view inside = text.substr(open + 1, close - open - 1);
        const bool isGroup = open > 0 && (text[open - 1] == '?' || text.substr(0, open).ends_with("?P"));
        const bool isName = !inside.empty() && isWordLetter(inside.front()) && isWordLetter(inside.back()) &&
                            std::all_of(inside.begin(), inside.end(), [](char c) {
                                return isWordLetter(c) || c == '-' || c == ' ' || c == '.';
                            });
        if (isName && !isGroup)
            return text.substr(open, close + 1 - open);
    }
    return {};
}

/// $NAME, ${NAME}: a shell's, which nothing expands here.
std::string_view variableIn(std::string_view text) {
    for (size_t dollar = text.find('$'); dollar != std::string_view::npos;
         dollar = text.find('$', dollar + 1)) {
        const bool isBraced = text.substr(dollar + 1, 1) == "{";
        const size_t name = dollar + (isBraced ? 2 : 1);
        const size_t end = endOfWord(text, name);
        if (end == name || (text[name] >= '0' && text[name] <= '9'))
            continue;
        const size_t brace = isBraced ? text.find('}', end) : end;
        if (brace != std::string_view::npos)
            return text.substr(dollar, brace + (isBraced ? 1 : 0) - dollar);
    }
    return {};
}

/// your-bucket, CHANGE_ME, ami-xxxxxxxx.
std::string_view wordIn(std::string_view text) {
    constexpr size_t kFewestCrosses = 6;
    const std::string lower = base::lowerCase(text);
    constexpr std::array<std::string_view, 8> kBeginnings = {
        "your-", "your_", "changeme", "change-me", "change_me", "replaceme", "replace-me", "replace_me"};
    for (size_t at = 0; at < text.size(); ++at) {
        if (at > 0 && isWordLetter(text[at - 1]))
            continue;
        const std::string_view rest = std::string_view(lower).substr(at);
        for (const std::string_view beginning : kBeginnings) {
            if (at > 0 && text[at - 1] == '-')
                break;
            const size_t end = endOfWord(text, at + beginning.size());
            const bool isWhole =
                beginning.starts_with("your") ? end > at + beginning.size() : end == at + beginning.size();
            if (rest.starts_with(beginning) && isWhole)
                return text.substr(at, end - at);
        }
        const size_t crosses = std::min(rest.find_first_not_of('x'), rest.size());
        if (crosses >= kFewestCrosses && endOfWord(text, at) == at + crosses)
            return text.substr(at, crosses);
    }
    return {};
}

/// Where text stands for itself and a placeholder can be nothing else. The head expands some variables in a
/// path, and tells of the others itself.
enum class Variables { refused, expandedByHead };
void checkPlain(const FieldReader& field, Variables variables) {
    if (!field.has() || field.node()->kind != SpecNode::Kind::scalar)
        return;
    const std::string_view text = field.node()->text;
    std::string_view found = angleIn(text);
    if (found.empty() && variables == Variables::refused)
        found = variableIn(text);
    if (!found.empty())
        field.error(ErrorCode::yaml_template, {{"text", std::string(found)}});
    else if (const std::string_view word = wordIn(text); !word.empty())
        field.warning(ErrorCode::yaml_template, {{"text", std::string(word)}});
}

/// Where a program may want such text as it is: a shell's variable in a command, <pad> among tokens.
enum class Programs { expand, take };
void checkLoose(const FieldReader& field, Programs programs) {
    if (!field.has() || field.node()->kind != SpecNode::Kind::scalar)
        return;
    const std::string_view text = field.node()->text;
    std::string_view found = angleIn(text);
    if (found.empty() && programs == Programs::take)
        found = variableIn(text);
    if (found.empty())
        found = wordIn(text);
    if (!found.empty())
        field.warning(ErrorCode::yaml_template, {{"text", std::string(found)}});
}

} // namespace

void checkUnfilled(const FieldReader& root) {
    const FieldReader trial = root.field("trial");
    const FieldReader runtimeEnv = trial.field("runtime_env");
    const FieldReader search = root.field("search");
    for (const FieldReader& field :
         {root.field("name"), runtimeEnv.field("working_dir"), runtimeEnv.field("python"),
          runtimeEnv.field("conda"), search.field("metric")})
        checkPlain(field, Variables::refused);
    checkPlain(root.field("storage_path"), Variables::expandedByHead);
    const FieldReader command = trial.field("command");
    for (size_t i = 0; i < command.size(); ++i)
        checkLoose(command.item(i), Programs::expand);
    const FieldReader variables = runtimeEnv.field("env_vars");
    if (!variables.has())
        return;
    for (const SpecEntry& entry : variables.node()->entries)
        checkLoose(variables.field(entry.key), Programs::take);
}

} // namespace trialdeck::model

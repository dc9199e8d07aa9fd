// SPDX-License-Identifier: Apache-2.0
#include "core/base/utf8.h"
#include "core/model/metric.h"
#include "core/model/report.h"
#include "core/protocol/finding_words.h"

#include <algorithm>
#include <re2/re2.h>

namespace trialdeck::model {

struct OutputPattern::Compiled {
    explicit Compiled(const std::string& pattern, const re2::RE2::Options& options)
        : expression(pattern, options) {}

    struct Group {
        std::string name;
        int index = 0;
    };

    re2::RE2 expression;
    /// In the order written.
    std::vector<Group> groups;
};

namespace {

/// RE2 of Debian 12 knows named groups as (?P<name>…) only.
std::string withPythonGroups(std::string_view pattern) {
    std::string text;
    bool inClass = false;
    for (size_t i = 0; i < pattern.size(); ++i) {
        const char c = pattern[i];
        text += c;
        if (c == '\\' && i + 1 < pattern.size()) {
            text += pattern[++i];
        } else if (inClass) {
            inClass = c != ']';
        } else if (c == '[') {
            inClass = true;
            // A bracket that comes first, or behind ^, is an ordinary character.
            if (i + 1 < pattern.size() && pattern[i + 1] == '^')
                text += pattern[++i];
            if (i + 1 < pattern.size() && pattern[i + 1] == ']')
                text += pattern[++i];
        } else if (c == '(' && pattern.substr(i).starts_with("(?<") && i + 3 < pattern.size() &&
                   pattern[i + 3] != '=' && pattern[i + 3] != '!') {
            text += "?P";
            ++i;
        }
    }
    return text;
}

base::Unexpected refuse(const std::string& pattern, FindingReason reason, const std::string& parser = {}) {
    base::ErrorArguments arguments = {{"pattern", pattern}, because(reason)};
    if (!parser.empty())
        arguments["parser"] = parser;
    return base::fail(ErrorCode::bad_pattern, std::move(arguments));
}

Value valueOf(std::string_view text) {
    if (auto number = numberFromText(text))
        return std::move(*number);
    const size_t last = text.find_last_not_of(",;:.)]}");
    if (last != std::string_view::npos) {
        if (auto number = numberFromText(text.substr(0, last + 1)))
            return std::move(*number);
    }
    return Value(base::cleanUtf8(text));
}

} // namespace

OutputPattern::OutputPattern(std::shared_ptr<const Compiled> compiled) : m_compiled(std::move(compiled)) {}

Expected<OutputPattern> OutputPattern::compile(const std::string& pattern) {
    re2::RE2::Options options;
    options.set_log_errors(false);
    options.set_max_mem(int64_t{1} << 20U);
    const auto compiled = std::make_shared<Compiled>(withPythonGroups(pattern), options);
    if (!compiled->expression.ok())
        return refuse(pattern, FindingReason::unreadable, compiled->expression.error());
    for (const auto& [name, index] : compiled->expression.NamedCapturingGroups())
        compiled->groups.push_back({name, index});
    if (compiled->groups.empty())
        return refuse(pattern, FindingReason::no_named_group);
    if (compiled->groups.size() < compiled->expression.CapturingGroupNames().size())
        return refuse(pattern, FindingReason::group_twice);
    std::sort(compiled->groups.begin(), compiled->groups.end(),
              [](const auto& left, const auto& right) { return left.index < right.index; });
    return OutputPattern(compiled);
}

std::vector<std::string> OutputPattern::names() const {
    std::vector<std::string> names;
    for (const Compiled::Group& group : m_compiled->groups)
        names.push_back(group.name);
    return names;
}

std::optional<Report> OutputPattern::match(std::string_view line) const {
    const re2::StringPiece text(line.data(), line.size());
    std::vector<re2::StringPiece> found(
        static_cast<size_t>(m_compiled->expression.NumberOfCapturingGroups()) + 1);
    if (line.size() > kMaxReportBytes ||
        !m_compiled->expression.Match(text, 0, line.size(), re2::RE2::UNANCHORED, found.data(),
                                      static_cast<int>(found.size())))
        return std::nullopt;
    Report report;
    for (const Compiled::Group& group : m_compiled->groups) {
        const re2::StringPiece& piece = found[static_cast<size_t>(group.index)];
        if (!piece.data())
            continue;
        Value value = valueOf(std::string_view(piece.data(), piece.size()));
        const auto whole = group.name == "training_iteration" ? value.toInteger() : std::nullopt;
        if (whole)
            report.iteration = whole;
        else
            report.metrics.append(group.name, std::move(value));
    }
    return report;
}

} // namespace trialdeck::model

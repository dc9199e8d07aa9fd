// SPDX-License-Identifier: Apache-2.0
#include "core/transport/ssh/ssh_patterns.h"

#include "core/base/words.h"

#include <string>

namespace trialdeck::transport {

bool matchesPattern(std::string_view text, std::string_view pattern) {
    size_t at = 0;
    size_t inPattern = 0;
    // Where to go on when the text after the last star did not fit.
    size_t afterStar = std::string_view::npos;
    size_t retry = 0;
    while (at < text.size()) {
        if (inPattern < pattern.size() && pattern[inPattern] == '*') {
            afterStar = ++inPattern;
            retry = at;
        } else if (inPattern < pattern.size() &&
                   (pattern[inPattern] == '?' || pattern[inPattern] == text[at])) {
            ++at;
            ++inPattern;
        } else if (afterStar != std::string_view::npos) {
            at = ++retry;
            inPattern = afterStar;
        } else {
            return false;
        }
    }
    while (inPattern < pattern.size() && pattern[inPattern] == '*')
        ++inPattern;
    return inPattern == pattern.size();
}

PatternAnswer matchPatternList(std::string_view text, std::string_view list, LetterCase letterCase) {
    const bool fold = letterCase == LetterCase::ignored;
    const std::string subject = fold ? base::lowerCase(text) : std::string(text);
    PatternAnswer answer = PatternAnswer::no;
    while (!list.empty()) {
        const size_t comma = list.find(',');
        std::string_view pattern = list.substr(0, comma);
        list.remove_prefix(comma == std::string_view::npos ? list.size() : comma + 1);
        const bool negated = !pattern.empty() && pattern.front() == '!';
        if (negated)
            pattern.remove_prefix(1);
        if (!matchesPattern(subject, fold ? base::lowerCase(pattern) : std::string(pattern)))
            continue;
        if (negated)
            return PatternAnswer::excluded;
        answer = PatternAnswer::yes;
    }
    return answer;
}

} // namespace trialdeck::transport

// SPDX-License-Identifier: Apache-2.0
#include "core/model/yaml_quotes.h"

namespace trialdeck::model {

std::optional<size_t> endOfQuoted(std::string_view text, size_t start) {
    const char quote = text[start];
    for (size_t i = start + 1; i < text.size(); ++i) {
        if (quote == '"' && text[i] == '\\') {
            ++i;
        } else if (text[i] == quote) {
            if (quote == '"' || i + 1 >= text.size() || text[i + 1] != quote)
                return i + 1;
            ++i;
        }
    }
    return std::nullopt;
}

std::optional<size_t> suspiciousQuote(std::string_view text) {
    // A quote opens a text only where a value may begin: elsewhere (it's) it is a character like any other.
    bool mayBegin = true;
    bool inComment = false;
    for (size_t i = 0; i < text.size(); ++i) {
        const char c = text[i];
        if (c == '\n') {
            inComment = false;
            mayBegin = true;
        } else if (inComment || c == ' ' || c == '\t') {
            continue;
        } else if (c == '#' && (i == 0 || text[i - 1] == ' ' || text[i - 1] == '\n')) {
            inComment = true;
        } else if (mayBegin && (c == '"' || c == '\'')) {
            const auto end = endOfQuoted(text, i);
            if (!end || text.substr(i, *end - i).find('\n') != std::string_view::npos)
                return i;
            i = *end - 1;
            mayBegin = false;
        } else {
            const bool followedByBlank = i + 1 >= text.size() || text[i + 1] == ' ' || text[i + 1] == '\n';
            mayBegin = c == '[' || c == '{' || c == ',' || ((c == ':' || c == '-') && followedByBlank);
        }
    }
    return std::nullopt;
}

} // namespace trialdeck::model

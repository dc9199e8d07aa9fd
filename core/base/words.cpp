// SPDX-License-Identifier: Apache-2.0
#include "core/base/words.h"

#include <algorithm>

namespace trialdeck::base {

std::string lowerCase(std::string_view text) {
    std::string lower(text);
    std::transform(lower.begin(), lower.end(), lower.begin(),
                   [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; });
    return lower;
}

std::string joined(std::span<const std::string> words, std::string_view separator) {
    std::string text;
    for (const std::string& word : words) {
        if (&word != &words.front())
            text += separator;
        text += word;
    }
    return text;
}

} // namespace trialdeck::base

// SPDX-License-Identifier: Apache-2.0
#include "core/base/escape.h"

#include <algorithm>

namespace trialdeck::base {

namespace {

constexpr char kBell = '\a';

/// Offset behind the string that ends with BEL or ESC \, or with its line.
size_t behindString(std::string_view text, size_t at) {
    for (; at < text.size() && text[at] != '\n'; ++at) {
        if (text[at] == kBell)
            return at + 1;
        if (text[at] == kEscape)
            return std::min(at + 2, text.size());
    }
    return at;
}

} // namespace

size_t endOfEscape(std::string_view text, size_t at) {
    if (++at == text.size())
        return at;
    const char kind = text[at];
    ++at;
    if (kind == ']' || kind == 'P' || kind == 'X' || kind == '^' || kind == '_')
        return behindString(text, at);
    const auto between = [&text](size_t i, char low, char high) {
        return i < text.size() && text[i] >= low && text[i] <= high;
    };
    if (kind == '[') {
        while (between(at, ' ', '?'))
            ++at;
        return between(at, '@', '~') ? at + 1 : at;
    }
    // ESC ( B and the like: intermediate bytes, then the final one.
    if (kind >= ' ' && kind <= '/') {
        while (between(at, ' ', '/'))
            ++at;
        return std::min(at + 1, text.size());
    }
    return at;
}

} // namespace trialdeck::base

// SPDX-License-Identifier: Apache-2.0
#include "core/base/utf8.h"

#include <cstdint>

namespace trialdeck::base {

namespace {

bool isContinuation(unsigned char byte) {
    return (byte & 0xC0U) == 0x80U;
}

/// Length of the well-formed character at the start of text (Unicode 15, table 3-7), 0 where there is none.
size_t characterLength(std::string_view text) {
    const auto at = [text](size_t i) {
        return i < text.size() ? static_cast<unsigned char>(text[i]) : static_cast<unsigned char>(0);
    };
    const unsigned char lead = at(0);
    if (lead < 0x80)
        return 1;
    if (lead >= 0xC2 && lead <= 0xDF)
        return isContinuation(at(1)) ? 2 : 0;
    if (lead >= 0xE0 && lead <= 0xEF) {
        const unsigned char low = lead == 0xE0 ? 0xA0 : 0x80;
        const unsigned char high = lead == 0xED ? 0x9F : 0xBF;
        return at(1) >= low && at(1) <= high && isContinuation(at(2)) ? 3 : 0;
    }
    if (lead >= 0xF0 && lead <= 0xF4) {
        const unsigned char low = lead == 0xF0 ? 0x90 : 0x80;
        const unsigned char high = lead == 0xF4 ? 0x8F : 0xBF;
        return at(1) >= low && at(1) <= high && isContinuation(at(2)) && isContinuation(at(3)) ? 4 : 0;
    }
    return 0;
}

} // namespace

std::optional<size_t> firstInvalidUtf8(std::string_view text) {
    size_t offset = 0;
    while (offset < text.size()) {
        const size_t length = characterLength(text.substr(offset, 4));
        if (length == 0)
            return offset;
        offset += length;
    }
    return std::nullopt;
}

std::string cleanUtf8(std::string_view text) {
    std::string clean;
    clean.reserve(text.size());
    while (const auto bad = firstInvalidUtf8(text)) {
        clean += text.substr(0, *bad);
        clean += "\xEF\xBF\xBD";
        text.remove_prefix(*bad + 1);
    }
    clean += text;
    return clean;
}

std::string_view truncateUtf8(std::string_view text, size_t maxBytes) {
    if (text.size() <= maxBytes)
        return text;
    while (maxBytes > 0 && isContinuation(static_cast<unsigned char>(text[maxBytes])))
        --maxBytes;
    return text.substr(0, maxBytes);
}

} // namespace trialdeck::base

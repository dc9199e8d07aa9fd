// SPDX-License-Identifier: Apache-2.0
#include "core/supervise/terminal_text.h"

#include "core/base/escape.h"
#include "core/base/utf8.h"

#include <algorithm>

namespace trialdeck::supervise {

std::string_view lastState(std::string_view line) {
    while (!line.empty() && line.back() == '\r')
        line.remove_suffix(1);
    return line.substr(line.rfind('\r') + 1);
}

std::string withoutEscapes(std::string_view text) {
    std::string plain;
    plain.reserve(text.size());
    for (size_t at = 0; at < text.size();) {
        if (text[at] == base::kEscape) {
            at = base::endOfEscape(text, at);
            continue;
        }
        const auto byte = static_cast<unsigned char>(text[at]);
        if ((byte >= 0x20 && byte != 0x7F) || byte == '\t')
            plain += text[at];
        ++at;
    }
    return plain;
}

std::string readableTail(std::string_view log, size_t maxBytes) {
    std::string text;
    while (!log.empty()) {
        const size_t end = std::min(log.find('\n'), log.size());
        text += base::cleanUtf8(withoutEscapes(lastState(log.substr(0, end))));
        if (end < log.size())
            text += '\n';
        log.remove_prefix(std::min(end + 1, log.size()));
    }
    if (text.size() <= maxBytes)
        return text;
    const size_t begin = text.size() - maxBytes;
    const size_t line = text.find('\n', begin - 1);
    if (line != std::string::npos && line + 1 < text.size())
        return text.substr(line + 1);
    // One line longer than all that is wanted: from the next whole character.
    size_t character = begin;
    while (character < text.size() && (static_cast<unsigned char>(text[character]) & 0xC0U) == 0x80U)
        ++character;
    return text.substr(character);
}

} // namespace trialdeck::supervise

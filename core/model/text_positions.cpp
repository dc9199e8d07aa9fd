// SPDX-License-Identifier: Apache-2.0
#include "core/model/text_positions.h"

#include <algorithm>

namespace trialdeck::model {

TextPositions::TextPositions(std::string_view text) : m_text(text), m_starts{0} {
    for (size_t i = 0; i < text.size(); ++i) {
        if (text[i] == '\n')
            m_starts.push_back(i + 1);
    }
}

SourcePosition TextPositions::at(size_t offset) const {
    offset = std::min(offset, m_text.size());
    const auto next = std::upper_bound(m_starts.begin(), m_starts.end(), offset);
    const size_t start = *std::prev(next);
    // Bytes 10xxxxxx go on with a character that has begun before.
    const auto characters = std::count_if(m_text.begin() + static_cast<std::ptrdiff_t>(start),
                                          m_text.begin() + static_cast<std::ptrdiff_t>(offset), [](char c) {
                                              return (static_cast<unsigned char>(c) & 0xC0U) != 0x80U;
                                          });
    return {static_cast<int>(next - m_starts.begin()), static_cast<int>(characters) + 1};
}

std::string_view TextPositions::line(int line) const {
    const size_t start = m_starts[static_cast<size_t>(line) - 1];
    return m_text.substr(start, m_text.find('\n', start) - start);
}

} // namespace trialdeck::model

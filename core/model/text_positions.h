// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/model/spec_check.h"

#include <string_view>
#include <vector>

namespace trialdeck::model {

/// Turns offsets in bytes into lines and columns. Refers to the text, which must outlive it.
class TextPositions {
public:
    explicit TextPositions(std::string_view text);

    /// Of the character at the offset; offsets behind the end stand at the end.
    [[nodiscard]] SourcePosition at(size_t offset) const;
    /// The line without its newline, line from 1.
    [[nodiscard]] std::string_view line(int line) const;
    [[nodiscard]] int lineCount() const { return static_cast<int>(m_starts.size()); }

private:
    std::string_view m_text;
    /// Offset of each line's first byte.
    std::vector<size_t> m_starts;
};

} // namespace trialdeck::model

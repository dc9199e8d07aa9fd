// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string_view>

namespace trialdeck::model {

/// Offset behind the quoted text that begins with the quote at `start`; nothing where it never ends.
[[nodiscard]] std::optional<size_t> endOfQuoted(std::string_view text, size_t start);

/// Offset of the first quote that seems to be opened and not closed on its line, in a text that a YAML parser
/// has refused: such a quote is the likely cause. Nothing where all quotes close.
[[nodiscard]] std::optional<size_t> suspiciousQuote(std::string_view text);

} // namespace trialdeck::model

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string_view>

namespace trialdeck::base {

/// Begins what a program says to the terminal and not to a reader.
inline constexpr char kEscape = '\x1b';

/// Offset behind the escape sequence whose ESC stands at `at`; the text's end where it is not whole. A string
/// (a window title, say) that does not end hides no more than its line.
/// Source: ECMA-48, sections 5.3 to 5.6.
[[nodiscard]] size_t endOfEscape(std::string_view text, size_t at);

} // namespace trialdeck::base

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

namespace trialdeck::transport {

/// Whether OpenSSH's pattern fits the whole text: "*" is any number of bytes, "?" is one.
[[nodiscard]] bool matchesPattern(std::string_view text, std::string_view pattern);

/// A list is fulfilled by one of its patterns, unless one with "!" before it fits, too.
enum class PatternAnswer { no, yes, excluded };
enum class LetterCase { matters, ignored };

/// @param list  patterns with commas between them
[[nodiscard]] PatternAnswer matchPatternList(std::string_view text, std::string_view list,
                                             LetterCase letterCase);

} // namespace trialdeck::transport

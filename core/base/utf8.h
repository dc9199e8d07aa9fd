// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace trialdeck::base {

/// Offset in bytes of the first byte that is not UTF-8; nothing where all of it is.
[[nodiscard]] std::optional<size_t> firstInvalidUtf8(std::string_view text);

/// The text with each byte that is not UTF-8 replaced by U+FFFD.
[[nodiscard]] std::string cleanUtf8(std::string_view text);

/// At most maxBytes of the text, cut at a character and never inside one.
[[nodiscard]] std::string_view truncateUtf8(std::string_view text, size_t maxBytes);

} // namespace trialdeck::base

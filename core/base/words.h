// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <string>
#include <string_view>

namespace trialdeck::base {

/// A to Z as a to z, whatever the locale; all other bytes stay, so UTF-8 does too.
[[nodiscard]] std::string lowerCase(std::string_view text);

/// "a b c" with a blank as the separator.
[[nodiscard]] std::string joined(std::span<const std::string> words, std::string_view separator);

} // namespace trialdeck::base

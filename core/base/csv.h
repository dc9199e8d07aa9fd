// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

/// RFC 4180, as Python's csv module writes it.
namespace trialdeck::base {

inline constexpr std::string_view kCsvLineEnd = "\r\n";

/// Quoted where it holds a comma, a quote or a line break.
void appendCsvField(std::string& out, std::string_view text);

} // namespace trialdeck::base

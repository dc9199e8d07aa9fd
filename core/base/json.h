// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/value.h"

namespace trialdeck::base {

struct JsonLimits {
    size_t maxBytes = size_t{16} << 20;
    /// Nesting of lists and maps; what lies deeper is refused with too_deep before any of it is built.
    int maxDepth = 64;
};

/// Reads one JSON text. NaN, Infinity and Inf, with or without a minus, are numbers.
/// Parsed iteratively: no input can exhaust the stack. The last of two equal keys wins, as in Python. An
/// escape for half a surrogate pair becomes U+FFFD.
/// @return bad_json, bad_utf8, too_deep or too_large with the argument offset (bytes).
[[nodiscard]] Expected<Value> parseJson(std::string_view text, const JsonLimits& limits = {});

/// One line of JSON. Doubles in the shortest form that reads back to the same bits, always with a point or
/// an exponent; NaN, Infinity and -Infinity as bare words, which Python's json reads. Bytes are refused by
/// assert: JSON has none. Text that is not UTF-8 is written with U+FFFD for each bad byte.
[[nodiscard]] std::string toJson(const Value& value);
/// The same, appended to out: for hot paths that build a line from parts.
void appendJson(std::string& out, const Value& value);
void appendJsonString(std::string& out, std::string_view text);
void appendJsonNumber(std::string& out, double number);

/// With line breaks and two blanks of indent, for files that people open.
[[nodiscard]] std::string toPrettyJson(const Value& value);

} // namespace trialdeck::base

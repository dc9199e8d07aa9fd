// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

namespace trialdeck::supervise {

/// What is left of a line when each carriage return starts it over: the last state that is not empty.
/// @param line  without its newline
[[nodiscard]] std::string_view lastState(std::string_view line);

/// Without escape sequences (colours, titles, links: ECMA-48 and xterm's strings) and without control
/// characters but the tabulator. A sequence that the text ends in is left out as far as it goes.
[[nodiscard]] std::string withoutEscapes(std::string_view text);

/// The end of a log for people: at most maxBytes of clean UTF-8 from the start of a line, each line in its
/// last state and without escape sequences.
[[nodiscard]] std::string readableTail(std::string_view log, size_t maxBytes);

} // namespace trialdeck::supervise

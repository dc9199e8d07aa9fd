// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>

namespace trialdeck::base {

/// Overwrites the text with zeros, unused room as well, and empties it: for secrets. What a move took the
/// text from may still hold it: wipe both.
void wipe(std::string& secret);
void wipe(std::optional<std::string>& secret);

} // namespace trialdeck::base

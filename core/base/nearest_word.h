// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace trialdeck::base {

/// The word that was most likely meant: letter case, "_" and "-" are ignored, else at most a third of the
/// letters (rounded up) inserted, left out, replaced or swapped with their neighbour. Nothing when no word is
/// near. Source: Damerau 1964, optimal string alignment.
[[nodiscard]] std::optional<std::string> nearestWord(std::string_view typed,
                                                     std::span<const std::string> words);
[[nodiscard]] std::optional<std::string> nearestWord(std::string_view typed,
                                                     std::span<const std::string_view> words);

} // namespace trialdeck::base

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/value.h"
#include "core/model/configuration.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace trialdeck::model {

/// A piece of one argument: text as it is, or the name between braces.
struct ArgumentPiece {
    enum class Kind { text, placeholder };
    Kind kind = Kind::text;
    std::string text;
    /// Offset in bytes in the argument as written.
    size_t offset = 0;
    friend bool operator==(const ArgumentPiece&, const ArgumentPiece&) = default;
};

/// "{{" and "}}" stand for braces. @return unclosed_placeholder with the arguments argument and offset for a
/// brace without its partner.
[[nodiscard]] Expected<std::vector<ArgumentPiece>> splitArgument(std::string_view argument);

/// The text that an argument or variable gets: texts as they are, numbers as JSON writes them (a point in
/// every locale, whole ones without .0), true and false, null, lists and maps as JSON.
[[nodiscard]] std::string argumentText(const Value& value);

/// What fills the names that are no parameters.
struct TrialFacts {
    /// {seed}, unless a parameter has that name.
    uint64_t seed = 0;
    /// {config}: absolute path of params.json, unless a parameter has that name.
    std::string configPath;
};

/// The command of one trial. A name is a parameter's flat name ({opt/lr}) or a map's ({opt}, as JSON). Each
/// argument stays one argument whatever its value holds.
/// @return unclosed_placeholder, unknown_placeholder (arguments placeholder, argument).
[[nodiscard]] Expected<std::vector<std::string>> fillCommand(const std::vector<std::string>& command,
                                                             const Configuration& configuration,
                                                             const TrialFacts& facts);

} // namespace trialdeck::model

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/value.h"

#include <string>
#include <string_view>

namespace trialdeck::model {

/// How a plain word of YAML stands to being a number.
enum class NumberWriting {
    usual,
    /// A number by YAML 1.2 and text by YAML 1.1 (PyYAML, so Ray's own scripts): 1e-5, 1.0e5.
    textInYaml11,
    /// A whole number beyond int64 and uint64: the value is only near it.
    tooLarge,
};

struct ResolvedScalar {
    Value value;
    NumberWriting writing = NumberWriting::usual;
};

/// What a word without quotes means by the core schema of YAML 1.2: null, true, numbers, else text.
[[nodiscard]] ResolvedScalar resolvePlain(std::string_view text);

/// A number that YAML 1.1 and 1.2 both read as that number: 1.0e-5, .nan, -.inf, 0.1.
[[nodiscard]] std::string yamlNumber(double number);

/// The text as it may stand in any place of a YAML file: bare where every YAML reader takes it for this text,
/// else in quotes.
[[nodiscard]] std::string yamlText(std::string_view text);

} // namespace trialdeck::model

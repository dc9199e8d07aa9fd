// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/model/spec_node.h"

#include <optional>
#include <string_view>
#include <vector>

namespace trialdeck::model {

/// A mistake in the YAML itself, before any key has a meaning.
struct YamlProblem {
    SourcePosition position;
    ErrorCode code = ErrorCode::yaml_syntax;
    base::ErrorArguments arguments = {};
    /// What could stand there instead; empty where nothing is near.
    std::string suggestion = {};
};

struct YamlText {
    /// Missing where the text cannot be read at all; then there is one problem at least.
    std::optional<SpecNode> root;
    std::vector<YamlProblem> problems;
};

constexpr size_t kMaxYamlBytes = size_t{1} << 20U;

/// The one place that knows yaml-cpp and works around it: merge keys are applied, duplicate keys found with
/// both lines, unclosed quotes, bytes that are not UTF-8, control characters, templates, several documents
/// and deep or exploding nesting are refused by name. Safe for any bytes.
[[nodiscard]] YamlText readYaml(std::string_view text);

} // namespace trialdeck::model

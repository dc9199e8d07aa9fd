// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/value.h"
#include "core/model/spec_check.h"
#include "core/model/yaml_scalar.h"

#include <string>
#include <string_view>
#include <vector>

namespace trialdeck::model {

struct SpecEntry;

/// A draft as a tree, whether it was read from YAML or came from a form: each value with the place where it
/// stands. No deeper than kMaxSpecDepth.
struct SpecNode {
    enum class Kind { scalar, list, map };

    Kind kind = Kind::scalar;
    /// Of a scalar: what it means; null too is one.
    Value value;
    /// Of a scalar: as written, without quotes.
    std::string text;
    NumberWriting writing = NumberWriting::usual;
    SourcePosition position;
    std::vector<SpecNode> items;
    std::vector<SpecEntry> entries;

    [[nodiscard]] bool isNull() const { return kind == Kind::scalar && value.isNull(); }
    /// Null where this is no map or has no such key.
    [[nodiscard]] const SpecEntry* find(std::string_view key) const;
    [[nodiscard]] SpecEntry* find(std::string_view key);
};

struct SpecEntry {
    std::string key;
    SourcePosition keyPosition;
    SpecNode node;
};

constexpr int kMaxSpecDepth = 32;

/// A scalar that came from nowhere in the text.
[[nodiscard]] SpecNode scalarNode(Value value);
/// @return too_deep
[[nodiscard]] Expected<SpecNode> nodeOf(const Value& value);
[[nodiscard]] Value valueOf(const SpecNode& node);

/// "param_space.lr": a key that is no plain word is quoted.
[[nodiscard]] std::string childPath(std::string_view parent, std::string_view key);
/// "trial.command[0]"
[[nodiscard]] std::string itemPath(std::string_view parent, size_t index);

} // namespace trialdeck::model

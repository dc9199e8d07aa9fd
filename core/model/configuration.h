// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/value.h"

#include <string>
#include <string_view>
#include <vector>

namespace trialdeck::model {

/// Joins the keys of nested maps with '/': {"eval": {"acc": 1}} becomes eval/acc, empty maps vanish, lists
/// stay values. Where a key with a slash of its own would take the name of a nested one it is quoted:
/// {"eval": {"acc": 1}, "eval/acc": 2} becomes eval/acc and "eval/acc". Order is kept, no name comes twice.
/// Needs maps no deeper than JsonLimits allow.
[[nodiscard]] Object flatten(const Object& nested);

/// The names that flatten() gives to these paths, one for each, in order.
[[nodiscard]] std::vector<std::string> flatNames(const std::vector<std::vector<std::string>>& paths);

/// The same value in any writing gives the same text, another value another one: keys of maps are sorted, NaN
/// is one value, 0.1 and "0.1" differ, 1 and 1.0 differ (a program reads them differently).
[[nodiscard]] std::string canonicalText(const Value& value);

/// The values of one Trial: nested as params.json holds them.
class Configuration {
public:
    Configuration() = default;
    explicit Configuration(Object nested) : m_nested(std::move(nested)) {}

    [[nodiscard]] const Object& nested() const { return m_nested; }
    /// By the names of flatten().
    [[nodiscard]] Object flat() const { return flatten(m_nested); }
    /// Equal for equal configurations and only for those: for sets and maps.
    [[nodiscard]] std::string key() const { return canonicalText(Value(m_nested)); }

    friend bool operator==(const Configuration& left, const Configuration& right) {
        return left.key() == right.key();
    }

private:
    Object m_nested;
};

} // namespace trialdeck::model

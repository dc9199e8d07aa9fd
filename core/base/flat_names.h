// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/value.h"

#include <string>
#include <vector>

namespace trialdeck::base {

/// Joins the keys of nested maps with '/': {"eval": {"acc": 1}} becomes eval/acc, empty maps vanish, lists
/// stay values. Where a key with a slash of its own would take the name of a nested one it is quoted:
/// {"eval": {"acc": 1}, "eval/acc": 2} becomes eval/acc and "eval/acc". Order is kept, no name comes twice.
/// Needs maps no deeper than JsonLimits allow.
[[nodiscard]] Object flatten(const Object& nested);

/// The names that flatten() gives to these paths, one for each, in order.
[[nodiscard]] std::vector<std::string> flatNames(const std::vector<std::vector<std::string>>& paths);

} // namespace trialdeck::base

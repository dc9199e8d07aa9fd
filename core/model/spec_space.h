// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/model/field_reader.h"
#include "core/model/search_space.h"

namespace trialdeck::model {

struct ReadSpace {
    SearchSpace space;
    /// Names of entries that have errors and are left out of the space: no placeholder or point that speaks
    /// of them is a mistake of its own.
    std::vector<std::string> refused;
};

/// Reads param_space: nested maps whose leaves are distributions or constants.
[[nodiscard]] ReadSpace readSpace(const FieldReader& space);

} // namespace trialdeck::model

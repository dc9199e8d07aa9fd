// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/model/field_reader.h"
#include "core/model/search_space.h"

#include <optional>

namespace trialdeck::model {

/// Reads what stands behind a distribution's word: its bounds, or its list of values. Every mistake is
/// reported at its place, with what could stand there instead; nothing comes back after an error. A range of
/// one value is a Constant, repeated values of grid_search are taken out, both with a note.
/// Meanings are those of Ray 2.60; where its code does otherwise than its documents say, the documents win
/// and the difference is noted.
[[nodiscard]] std::optional<Distribution> readDistribution(const FieldReader& arguments,
                                                           DistributionKind kind);

} // namespace trialdeck::model

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/model/experiment_spec.h"
#include "core/model/trial.h"

#include <vector>

namespace trialdeck::tuner {

/// The checkpoints that num_to_keep lets go, oldest first: all but the best by checkpoint_score_attribute
/// (without one: the newest) and, whatever its score, the newest from which the trial can go on, which is
/// what a pause, a failure and a restore come back to. A checkpoint without a score is worse than any with
/// one, as in Ray; among equals the newer is better. One that is unusable is not counted and stays: it is
/// what the user was told of. Pure.
[[nodiscard]] std::vector<CheckpointIndex> surplusCheckpoints(const model::Trial& trial,
                                                              const model::CheckpointSpec& spec);

} // namespace trialdeck::tuner

// SPDX-License-Identifier: Apache-2.0
#include "core/tuner/checkpoint_retention.h"

#include <algorithm>
#include <cmath>

namespace trialdeck::tuner {

namespace {

/// Whether `left` is to be kept rather than `right`.
bool isKeptBefore(const model::Checkpoint& left, const model::Checkpoint& right,
                  const model::CheckpointSpec& spec) {
    if (!spec.scoreAttribute.empty()) {
        const bool leftCounts = left.score && !std::isnan(*left.score);
        const bool rightCounts = right.score && !std::isnan(*right.score);
        if (leftCounts != rightCounts)
            return leftCounts;
        if (leftCounts && *left.score != *right.score)
            return model::isBetter(*left.score, *right.score, spec.scoreOrder);
    }
    return left.index > right.index;
}

} // namespace

std::vector<CheckpointIndex> surplusCheckpoints(const model::Trial& trial,
                                                const model::CheckpointSpec& spec) {
    std::vector<CheckpointIndex> surplus;
    if (!spec.numToKeep)
        return surplus;
    std::vector<model::Checkpoint> usable;
    std::copy_if(trial.checkpoints().begin(), trial.checkpoints().end(), std::back_inserter(usable),
                 [](const model::Checkpoint& checkpoint) { return !checkpoint.unusable; });
    const auto kept = static_cast<size_t>(*spec.numToKeep);
    if (usable.size() <= kept)
        return surplus;
    const CheckpointIndex newest = trial.newestCheckpoint()->index;
    std::sort(usable.begin(), usable.end(),
              [&spec](const model::Checkpoint& left, const model::Checkpoint& right) {
                  return isKeptBefore(left, right, spec);
              });
    for (size_t i = kept; i < usable.size(); ++i) {
        if (usable[i].index != newest)
            surplus.push_back(usable[i].index);
    }
    std::sort(surplus.begin(), surplus.end());
    return surplus;
}

} // namespace trialdeck::tuner

// SPDX-License-Identifier: Apache-2.0
#include "core/storage/folder_names.h"

namespace trialdeck::storage {

namespace {

std::string numbered(std::string_view prefix, uint32_t number, size_t digits) {
    const std::string text = std::to_string(number);
    std::string name(prefix);
    if (text.size() < digits)
        name.append(digits - text.size(), '0');
    return name + text;
}

} // namespace

std::string trialFolderName(TrialId trial) {
    return numbered("trial_", trial.raw(), 5);
}

std::string attemptFolderName(AttemptNumber attempt) {
    return numbered("attempt_", attempt.raw(), 1);
}

std::string rankFolderName(uint32_t rank) {
    return numbered("rank_", rank, 1);
}

std::string checkpointFolderName(CheckpointIndex index) {
    return numbered("checkpoint_", index.raw(), 6);
}

std::string checkpointManifestName(CheckpointIndex index) {
    return checkpointFolderName(index) + ".manifest.json";
}

} // namespace trialdeck::storage

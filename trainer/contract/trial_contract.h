// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/files.h"
#include "core/base/process.h"

#include <optional>
#include <string>

namespace trialdeck::trainer::contract {

/// What Trialdeck tells each worker through its environment; all empty when the program is run by hand.
struct TrialContract {
    /// Which trial and attempt this worker belongs to: "trial_3/1".
    std::string group;
    /// TRIALDECK_REPORT: the file to append reports to.
    std::optional<base::Path> reportFile;
    /// TRIALDECK_CHECKPOINT_DIR: where checkpoint folders are made.
    std::optional<base::Path> checkpointFolder;
    /// TRIALDECK_RESUME_FROM: the checkpoint's folder.
    std::optional<base::Path> resumeFrom;
    /// TRIALDECK_CHECKPOINT_FREQUENCY: a checkpoint every so many epochs; 0: none. 1 where it is not set.
    uint64_t checkpointFrequency = 1;
    /// TRIALDECK_CHECKPOINT_AT_END: one more after the last epoch.
    bool checkpointAtEnd = false;

    /// @param epoch  from 1
    [[nodiscard]] bool wantsCheckpoint(uint64_t epoch, uint64_t lastEpoch) const;
};

/// @return value_out_of_range with name, value and a sentence as detail.
[[nodiscard]] Expected<TrialContract> contractFromEnvironment(const base::Environment& environment);

} // namespace trialdeck::trainer::contract

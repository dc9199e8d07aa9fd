// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/files.h"
#include "core/protocol/ids.h"

#include <string>
#include <string_view>

namespace trialdeck::storage {

/// Names inside an experiment's folder. All are relative: the folder can be copied and moved.
/// The user's file, as written.
inline constexpr std::string_view kExperimentFile = "experiment.yaml";
/// Command, git commit and diff, host, versions.
inline constexpr std::string_view kEnvironmentFile = "environment.json";
inline constexpr std::string_view kParamsFile = "params.json";
inline constexpr std::string_view kResultFile = "result.json";
inline constexpr std::string_view kProgressFile = "progress.csv";

/// "trial_00003".
[[nodiscard]] std::string trialFolderName(TrialId trial);
/// "attempt_0".
[[nodiscard]] std::string attemptFolderName(AttemptNumber attempt);
/// "rank_0".
[[nodiscard]] std::string rankFolderName(uint32_t rank);
/// "checkpoint_000007", as Ray Tune names them.
[[nodiscard]] std::string checkpointFolderName(CheckpointIndex index);
/// "checkpoint_000007.manifest.json": beside the checkpoint, which holds the user's files only.
[[nodiscard]] std::string checkpointManifestName(CheckpointIndex index);

} // namespace trialdeck::storage

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/files.h"
#include "core/model/trial.h"
#include "core/protocol/record.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace trialdeck::tuner {

/// The user's file, as written.
constexpr const char* kExperimentFile = "experiment.yaml";
/// Command, git commit and diff, host, versions.
constexpr const char* kEnvironmentFile = "environment.json";

/// What is to become checkpoint_00000N: a folder of rank 0 and those of other ranks that belong to it.
struct CheckpointOrder {
    struct Source {
        uint32_t rank = 0;
        /// Absolute.
        base::Path folder;
    };
    std::vector<Source> sources;
    /// Absolute.
    base::Path target;
};

/// The tuner's view of the experiment's folder: where things lie, and what has to be there before a trial
/// starts. Owned by one Tuner, on its loop.
class ExperimentFiles {
public:
    ExperimentFiles(base::FileSystem& files, base::Path folder)
        : m_files(files), m_folder(std::move(folder)) {}

    [[nodiscard]] base::FileSystem& files() const { return m_files; }
    [[nodiscard]] const base::Path& folder() const { return m_folder; }
    /// "trial_00003", relative to the experiment's folder.
    [[nodiscard]] static std::string trialFolder(TrialId trial);
    [[nodiscard]] base::Path configPath(TrialId trial) const;
    [[nodiscard]] base::Path attemptPath(TrialId trial, AttemptNumber attempt) const;
    [[nodiscard]] base::Path rankPath(TrialId trial, AttemptNumber attempt, uint32_t rank) const;
    [[nodiscard]] base::Path checkpointPath(TrialId trial, CheckpointIndex index) const;

    /// The attempt's folder, and params.json of its trial.
    [[nodiscard]] Expected<void> prepareAttempt(const model::Trial& trial, AttemptNumber attempt);

    /// A record that was appended, as its line.
    void noteLine(std::string_view line);
    [[nodiscard]] Expected<void> flushProjections();

private:
    base::FileSystem& m_files;
    base::Path m_folder;
};

/// Hashes the sources and renames them to the target; what an interrupted call began is completed. From any
/// thread.
/// @return checkpoint_missing, checkpoint_unreadable (arguments checkpoint, path), disk_full
[[nodiscard]] Expected<std::vector<protocol::ManifestEntry>> commitCheckpoint(base::FileSystem& files,
                                                                              const CheckpointOrder& order);

} // namespace trialdeck::tuner

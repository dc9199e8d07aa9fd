// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/files.h"
#include "core/model/trial.h"
#include "core/storage/journal.h"
#include "core/storage/projections.h"

#include <memory>
#include <optional>
#include <string>
#include <string_view>

namespace trialdeck::tuner {

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

    /// Lets the files that Ray Tune's tools read follow the journal; they catch up at the next flush.
    void followJournal(storage::JournalReader reader) { m_journal = std::move(reader); }
    /// A record that was appended, as its line.
    void noteLine(std::string_view line);
    /// Nothing where no journal is followed.
    [[nodiscard]] Expected<void> flushProjections();

private:
    base::FileSystem& m_files;
    base::Path m_folder;
    std::optional<storage::JournalReader> m_journal;
    std::unique_ptr<storage::Projections> m_projections;
};

} // namespace trialdeck::tuner

// SPDX-License-Identifier: Apache-2.0
#include "core/tuner/experiment_files.h"

#include "core/base/json.h"
#include "core/storage/folder_names.h"

namespace trialdeck::tuner {

std::string ExperimentFiles::trialFolder(TrialId trial) {
    return storage::trialFolderName(trial);
}

base::Path ExperimentFiles::configPath(TrialId trial) const {
    return m_folder / trialFolder(trial) / storage::kParamsFile;
}

base::Path ExperimentFiles::attemptPath(TrialId trial, AttemptNumber attempt) const {
    return m_folder / trialFolder(trial) / storage::attemptFolderName(attempt);
}

base::Path ExperimentFiles::rankPath(TrialId trial, AttemptNumber attempt, uint32_t rank) const {
    return attemptPath(trial, attempt) / storage::rankFolderName(rank);
}

base::Path ExperimentFiles::checkpointPath(TrialId trial, CheckpointIndex index) const {
    return m_folder / trialFolder(trial) / storage::checkpointFolderName(index);
}

Expected<void> ExperimentFiles::prepareAttempt(const model::Trial& trial, AttemptNumber attempt) {
    TRIALDECK_TRY(m_files.createDirectories(attemptPath(trial.id(), attempt)));
    const base::Path config = configPath(trial.id());
    if (base::exists(m_files, config))
        return {};
    return base::replaceFile(m_files, config, base::toPrettyJson(Value(trial.configuration().nested())));
}

void ExperimentFiles::noteLine(std::string_view line) {
    if (m_projections)
        m_projections->noteLine(line);
}

Expected<void> ExperimentFiles::flushProjections() {
    if (!m_journal)
        return {};
    if (!m_projections) {
        auto opened = storage::Projections::open(m_files, m_folder, *m_journal);
        if (!opened)
            return tl::make_unexpected(std::move(opened).error());
        m_projections = std::move(*opened);
    }
    return m_projections->flush();
}

} // namespace trialdeck::tuner

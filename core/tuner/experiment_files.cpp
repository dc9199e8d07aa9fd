// SPDX-License-Identifier: Apache-2.0
#include "core/tuner/experiment_files.h"

#include "core/base/json.h"
#include "core/base/sha256.h"

#include <array>
#include <cstdio>

namespace trialdeck::tuner {

namespace {

std::string numbered(const char* format, uint32_t number) {
    std::array<char, 32> text{};
    std::snprintf(text.data(), text.size(), format, number);
    return text.data();
}

} // namespace

std::string ExperimentFiles::trialFolder(TrialId trial) {
    return numbered("trial_%05u", trial.raw());
}

base::Path ExperimentFiles::configPath(TrialId trial) const {
    return m_folder / trialFolder(trial) / "params.json";
}

base::Path ExperimentFiles::attemptPath(TrialId trial, AttemptNumber attempt) const {
    return m_folder / trialFolder(trial) / ("attempt_" + std::to_string(attempt.raw()));
}

base::Path ExperimentFiles::rankPath(TrialId trial, AttemptNumber attempt, uint32_t rank) const {
    return attemptPath(trial, attempt) / ("rank_" + std::to_string(rank));
}

base::Path ExperimentFiles::checkpointPath(TrialId trial, CheckpointIndex index) const {
    return m_folder / trialFolder(trial) / numbered("checkpoint_%06u", index.raw());
}

Expected<void> ExperimentFiles::prepareAttempt(const model::Trial& trial, AttemptNumber attempt) {
    TRIALDECK_TRY(m_files.createDirectories(attemptPath(trial.id(), attempt)));
    const base::Path config = configPath(trial.id());
    if (base::exists(m_files, config))
        return {};
    return base::replaceFile(m_files, config, base::toPrettyJson(Value(trial.configuration().nested())));
}

void ExperimentFiles::noteLine(std::string_view) {}

Expected<void> ExperimentFiles::flushProjections() {
    return {};
}

namespace {

Expected<void> hashInto(base::FileSystem& files, const base::Path& root, const base::Path& relative,
                        std::vector<protocol::ManifestEntry>& entries) {
    const auto names = files.list(root / relative);
    if (!names)
        return tl::make_unexpected(names.error());
    for (const std::string& name : *names) {
        const auto status = files.status(root / relative / name);
        if (!status)
            return tl::make_unexpected(status.error());
        if (status->type == base::FileType::directory) {
            TRIALDECK_TRY(hashInto(files, root, relative / name, entries));
            continue;
        }
        const auto bytes = base::readWholeFile(files, root / relative / name);
        if (!bytes)
            return tl::make_unexpected(bytes.error());
        entries.push_back({(relative / name).generic_string(), bytes->size(), base::sha256Hex(*bytes)});
    }
    return {};
}

} // namespace

Expected<std::vector<protocol::ManifestEntry>> commitCheckpoint(base::FileSystem& files,
                                                                const CheckpointOrder& order) {
    for (const CheckpointOrder::Source& source : order.sources) {
        const base::Path target =
            source.rank == 0 ? order.target : order.target / ("rank_" + std::to_string(source.rank));
        if (base::exists(files, target) && !base::exists(files, source.folder))
            continue;
        if (!base::exists(files, source.folder))
            return base::fail(ErrorCode::checkpoint_missing, {{"path", source.folder.native()}});
        TRIALDECK_TRY(files.rename(source.folder, target));
    }
    std::vector<protocol::ManifestEntry> entries;
    TRIALDECK_TRY(hashInto(files, order.target, {}, entries));
    return entries;
}

} // namespace trialdeck::tuner

// SPDX-License-Identifier: Apache-2.0
#include "core/storage/experiment_folder.h"

#include "core/base/json.h"
#include "core/storage/folder_names.h"

namespace trialdeck::storage {

namespace {

Error notWritable(const base::Path& folder, Error error) {
    switch (error.code) {
    case ErrorCode::file_permission:
    case ErrorCode::read_only_storage:
    case ErrorCode::not_a_directory:
    case ErrorCode::file_not_found:
        break;
    default:
        return error;
    }
    const auto reason = error.arguments.find("reason");
    return Error{ErrorCode::storage_not_writable,
                 {{"path", folder.parent_path().native()},
                  {"reason", reason == error.arguments.end() ? std::string() : reason->second}},
                 std::move(error.detail)};
}

base::Unexpected nameTaken(const base::Path& folder) {
    return base::fail(ErrorCode::experiment_name_taken,
                      {{"name", folder.filename().native()}, {"path", folder.native()}});
}

Expected<std::unique_ptr<JournalWriter>> build(base::FileSystem& files, const base::Path& beside,
                                               const NewExperimentFolder& experiment,
                                               const BeginJournal& begin) {
    TRIALDECK_TRY(files.createDirectories(beside));
    TRIALDECK_TRY(base::writeFileAtomically(files, beside / kExperimentFile, experiment.yaml));
    if (!experiment.environment.isNull())
        TRIALDECK_TRY(base::writeFileAtomically(files, beside / kEnvironmentFile,
                                                base::toPrettyJson(experiment.environment)));
    auto writer = begin(beside);
    if (!writer)
        return writer;
    if (const auto appended = (*writer)->append(protocol::RecordBody(experiment.created)); !appended)
        return tl::make_unexpected(appended.error());
    TRIALDECK_TRY((*writer)->flush());
    return writer;
}

/// The id in the newest segment of the journal there.
std::optional<ExperimentId> experimentIn(base::FileSystem& files, const base::Path& folder) {
    const auto reader = JournalReader::open(files, folder);
    return reader ? std::optional(reader->lastHeader().experiment) : std::nullopt;
}

} // namespace

Expected<std::unique_ptr<JournalWriter>> createExperimentFolder(base::FileSystem& files,
                                                                const NewExperimentFolder& experiment,
                                                                const BeginJournal& begin) {
    const base::Path& folder = experiment.folder;
    const std::string name = folder.filename().native();
    if (name.empty() || name == "." || name == "..")
        return base::fail(ErrorCode::bad_name, {{"name", name}});
    if (base::exists(files, folder))
        return nameTaken(folder);
    const base::Path parent = folder.parent_path();
    const base::Path beside = parent / ("." + name + ".new-" + experiment.created.experiment.raw());
    auto writer = build(files, beside, experiment, begin);
    Expected<void> placed;
    if (writer && (placed = files.rename(beside, folder)))
        placed = files.syncDirectory(parent);
    if (writer && placed) {
        (*writer)->folderMoved(folder);
        return writer;
    }
    Error error = writer ? std::move(placed).error() : std::move(writer).error();
    // Closed first: nothing may be written behind the removal.
    writer = base::fail(ErrorCode::cancelled);
    const bool stillBeside = base::exists(files, beside);
    (void)files.removeAll(stillBeside ? beside : folder);
    // Somebody else was quicker with the same name.
    if (stillBeside && base::exists(files, folder))
        return nameTaken(folder);
    return tl::make_unexpected(
        notWritable(folder, std::move(error)).during("create the experiment's folder"));
}

FolderOrigin originOf(base::FileSystem& files, const base::Path& folder, const ExperimentId& experiment,
                      const base::Path& recorded) {
    if (recorded.lexically_normal() == folder.lexically_normal())
        return FolderOrigin::original;
    // A file inside, because a link at the end of a path is not followed.
    const auto here = files.status(folder / kExperimentFile);
    const auto there = files.status(recorded / kExperimentFile);
    if (here && there && here->device == there->device && here->inode == there->inode)
        return FolderOrigin::original;
    return experimentIn(files, recorded) == experiment ? FolderOrigin::copied : FolderOrigin::moved;
}

std::optional<protocol::ExperimentCreated> identityAt(base::FileSystem& files, const base::Path& folder,
                                                      const protocol::ExperimentCreated& recorded,
                                                      const ExperimentId& newId) {
    const FolderOrigin origin = originOf(files, folder, recorded.experiment, base::Path(recorded.folder));
    if (origin == FolderOrigin::original)
        return std::nullopt;
    protocol::ExperimentCreated identity = recorded;
    identity.folder = folder.native();
    identity.name = folder.filename().native();
    if (origin == FolderOrigin::copied)
        identity.experiment = newId;
    return identity;
}

} // namespace trialdeck::storage

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/files.h"
#include "core/base/value.h"
#include "core/protocol/record.h"
#include "core/storage/journal.h"

#include <functional>
#include <memory>
#include <string>

namespace trialdeck::storage {

/// What a new experiment's folder begins with.
struct NewExperimentFolder {
    /// Absolute; its parents are made.
    base::Path folder;
    /// experiment.yaml as the user wrote it.
    std::string yaml;
    /// Content of environment.json; null: none is written.
    Value environment;
    /// The journal's first record.
    protocol::ExperimentCreated created;
};

/// Begins a journal in a folder: JournalWriter::create, or what a test puts in between.
using BeginJournal = std::function<Expected<std::unique_ptr<JournalWriter>>(const base::Path& folder)>;

/// Makes an experiment's folder with its journal and first record, all of it on the disk. It is built under
/// another name beside (`.<name>.new-<id>`) and renamed, so nobody ever sees half of one; after an error
/// nothing is left.
/// @return the journal, ready to go on; experiment_name_taken (name, path) where the folder is there already,
///         storage_not_writable (path, reason), disk_full, bad_name (name)
[[nodiscard]] Expected<std::unique_ptr<JournalWriter>>
createExperimentFolder(base::FileSystem& files, const NewExperimentFolder& experiment,
                       const BeginJournal& begin);

/// How a folder came to lie where it does.
enum class FolderOrigin {
    /// Where its journal says.
    original,
    /// The place that its journal names has no such experiment any more.
    moved,
    /// The place that its journal names has this experiment, too.
    copied,
};

/// Compares where a folder lies with where its newest `experiment` record says. Links and mount points that
/// lead to the same folder are the same place.
/// @param experiment  id in the newest segment of the folder's journal
/// @param recorded  `folder` of that record
[[nodiscard]] FolderOrigin originOf(base::FileSystem& files, const base::Path& folder,
                                    const ExperimentId& experiment, const base::Path& recorded);

/// Who the experiment in a folder is from now on: a copy gets the new id, a moved or copied folder gets its
/// own name and place. The first writer there passes the id to JournalWriter::resume and appends the result
/// as another `experiment` record, so that the folder is then at home where it lies; readers take the newest
/// such record. Looking at a folder changes nothing of it.
/// @param recorded  the newest `experiment` record
/// @return nothing where the folder is at home already
[[nodiscard]] std::optional<protocol::ExperimentCreated>
identityAt(base::FileSystem& files, const base::Path& folder, const protocol::ExperimentCreated& recorded,
           const ExperimentId& newId);

} // namespace trialdeck::storage

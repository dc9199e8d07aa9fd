// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/files.h"
#include "core/protocol/record.h"
#include "core/storage/journal.h"

#include <memory>
#include <string_view>

namespace trialdeck::storage {

/// Writes what Ray Tune would write into each trial's folder, from the journal: params.json, result.json,
/// progress.csv and an event file for TensorBoard. They are projections: whoever reads them finds whole
/// rows, and what a crash took is made again from the journal when the experiment is opened next. Bytes
/// depend on the records alone, so it does not show how often they were written or what came between.
///
/// Rows are rank 0's reports of attempts that were not superseded when they came. Metrics have the journal's
/// flat names; `date` is UTC; `done` is always false, as in Ray when a program ends by itself;
/// checkpoint_dir_name is the number that the checkpoint will get, and is put right should it come
/// differently. A metric with the name of a field that Ray adds goes first, except for checkpoint_dir_name,
/// done, training_iteration, trial_id and config.
///
/// Owned by the one who writes the journal and used on its thread; nothing is ever synced.
class Projections {
public:
    /// Cuts files to their watermarks and completes them from the journal; the first flush() writes.
    /// @param reader  of the experiment's journal, also of what is appended from now on
    [[nodiscard]] static Expected<std::unique_ptr<Projections>>
    open(base::FileSystem& files, base::Path folder, const JournalReader& reader);
    virtual ~Projections() = default;

    /// A record that was appended to the journal, each once and in order. Makes text in memory only.
    virtual void note(const protocol::Record& record) = 0;
    /// The same from the record's line; lines that are no records are passed over.
    void noteLine(std::string_view line);

    /// Writes what was noted. After an error (the first one of several) the rest is written by the next
    /// flush; where that lasts, memory stays bounded and the files are made from the journal later.
    [[nodiscard]] virtual Expected<void> flush() = 0;
};

} // namespace trialdeck::storage

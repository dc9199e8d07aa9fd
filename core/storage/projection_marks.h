// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/files.h"
#include "core/protocol/ids.h"

#include <map>
#include <optional>
#include <string>

namespace trialdeck::storage {

/// How much of a file is known to be good.
struct FileMark {
    uint64_t bytes = 0;
    /// CRC-32C of them.
    uint32_t crc = 0;
    friend bool operator==(const FileMark&, const FileMark&) = default;
};

/// How far a trial's files have come: all records up to `record` are in them, none behind it.
struct TrialMark {
    RecordNumber record;
    FileMark result;
    FileMark progress;
    FileMark events;
    std::string eventFile;
    friend bool operator==(const TrialMark&, const TrialMark&) = default;
};

/// The watermarks of an experiment's projections, in .projections.jsonl of its folder: a line a change, the
/// last one of a trial counts. Not synced: a mark that does not fit its files only means that they are made
/// again. Owned by one Projections.
class ProjectionMarks {
public:
    ProjectionMarks(base::FileSystem& files, const base::Path& experimentFolder);

    /// Lines that cannot be read are passed over.
    [[nodiscard]] Expected<void> load();
    [[nodiscard]] const std::map<TrialId, TrialMark>& marks() const { return m_marks; }
    [[nodiscard]] const TrialMark* find(TrialId trial) const;
    void set(TrialId trial, TrialMark mark);
    /// Writes what was set: as lines at the end, or all anew where most lines are old.
    [[nodiscard]] Expected<void> save();

private:
    [[nodiscard]] Expected<void> append();
    [[nodiscard]] Expected<void> rewrite();

    base::FileSystem& m_files;
    base::Path m_path;
    std::map<TrialId, TrialMark> m_marks;
    std::string m_unsaved;
    uint64_t m_bytes = 0;
    uint64_t m_bytesAfterRewrite = 0;
    /// The last line may be cut.
    bool m_torn = false;
};

} // namespace trialdeck::storage

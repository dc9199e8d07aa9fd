// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/files.h"
#include "core/protocol/record.h"
#include "core/storage/journal.h"
#include "core/storage/segment_file.h"

#include <memory>
#include <optional>
#include <vector>

namespace trialdeck::storage {

/// A run of bytes between a segment's records that is none.
struct Stretch {
    uint64_t offset = 0;
    uint64_t bytes = 0;
    friend bool operator==(const Stretch&, const Stretch&) = default;
};

/// What counts of one segment file.
struct Segment {
    protocol::SegmentHeader header;
    uint64_t headerBytes = 0;
    /// Length in bytes up to which it counts; what lies beyond is nobody's.
    uint64_t accepted = 0;
    /// Number of the record before its first one.
    RecordNumber before;
    RecordNumber last;
    std::vector<Stretch> rejected;
};

/// The segments of a journal that count, in order, with a sparse index from record numbers to places in
/// files. The one writer of this process extends it and all its readers look into it, all on one thread.
class SegmentChain {
public:
    SegmentChain(base::FileSystem& files, base::Path folder);

    [[nodiscard]] base::FileSystem& files() const { return m_files; }
    [[nodiscard]] const base::Path& folder() const { return m_folder; }
    [[nodiscard]] const std::vector<Segment>& segments() const { return m_segments; }
    [[nodiscard]] const std::vector<JournalDamage>& damage() const { return m_damage; }
    /// Highest number of any segment file in the folder, whether it counts or not.
    [[nodiscard]] uint32_t highestFile() const { return m_highestFile; }
    /// Highest epoch that any segment file names.
    [[nodiscard]] Epoch highestEpoch() const { return m_highestEpoch; }
    [[nodiscard]] RecordNumber last() const;

    void setFolder(base::Path folder) { m_folder = std::move(folder); }
    void noteFile(uint32_t segment, std::optional<Epoch> epoch);
    void noteDamage(DamageKind kind, uint32_t segment, uint64_t offset, uint64_t bytes);
    /// Appends a segment that has no records yet.
    void beginSegment(Segment segment);
    /// The last segment goes on with a record of so many bytes.
    void extend(RecordNumber number, uint64_t bytes);
    /// The last segment goes on with bytes that are no record.
    void reject(uint64_t bytes);
    /// Takes back what of the last segment lies behind that length and record.
    void cut(uint64_t accepted, RecordNumber last);

    [[nodiscard]] protocol::Cursor validate(protocol::Cursor cursor) const;
    [[nodiscard]] Expected<std::optional<JournalReader::Lines>> readAfter(RecordNumber after,
                                                                          size_t maxBytes);
    [[nodiscard]] Expected<void> forEach(const JournalReader::Visitor& visit);
    /// SHA-256 of the accepted bytes of the last segment, read from the file.
    [[nodiscard]] Expected<std::string> hashLast();

private:
    /// Where a record begins; one about every 16 KiB and for each segment's first.
    struct Mark {
        RecordNumber number;
        size_t segment = 0;
        uint64_t offset = 0;
    };

    /// The file that was read last, so that following a growing journal opens nothing.
    struct OpenSegment {
        std::unique_ptr<base::File> file;
        size_t segment = 0;
    };

    [[nodiscard]] Expected<LinesRead> readLines(OpenSegment& open, size_t segment, uint64_t from, uint64_t to,
                                                const std::function<bool(const FileLine&)>& visit);
    [[nodiscard]] Expected<void> openFile(OpenSegment& open, size_t segment);
    /// Records behind `after` in the segment from `offset` on, looking no further than `to`.
    [[nodiscard]] Expected<JournalReader::Lines> readBetween(size_t segment, uint64_t offset, uint64_t to,
                                                             RecordNumber after, size_t maxBytes);

    base::FileSystem& m_files;
    base::Path m_folder;
    std::vector<Segment> m_segments;
    std::vector<Mark> m_marks;
    std::vector<JournalDamage> m_damage;
    uint32_t m_highestFile = 0;
    Epoch m_highestEpoch;
    OpenSegment m_following;
};

/// Finds out what counts in the journal folder of an experiment.
[[nodiscard]] Expected<std::shared_ptr<SegmentChain>> openSegmentChain(base::FileSystem& files,
                                                                       base::Path folder);

} // namespace trialdeck::storage

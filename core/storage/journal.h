// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/clock.h"
#include "core/base/files.h"
#include "core/protocol/record.h"

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace trialdeck::storage {

class SegmentChain;

/// The form of journal that this version reads and writes.
constexpr int kJournalVersion = 1;

enum class DamageKind {
    /// Behind the newest whole record: a write that a crash cut off, or one that is under way just now.
    torn_tail,
    /// Behind the length that the next segment names: from a failed write, a crash or a second writer that
    /// went on after another had taken over. Nobody's.
    ignored_bytes,
    /// Bytes between records that are none.
    bad_line,
    /// The segment does not have the hash that the next one names, although its lines may be whole.
    hash_differs,
    /// Shorter than the next segment says.
    short_segment,
    /// Named by the next segment and not there.
    missing_segment,
    /// A file whose first line is no header of it: mostly a daemon that died while starting.
    bad_header,
    /// A segment that none of the later ones names.
    unchained_segment,
};

/// "torn_tail", …
[[nodiscard]] std::string_view nameOf(DamageKind kind);

/// What reading a journal found that is not as it should be: shown, never repaired in place.
struct JournalDamage {
    DamageKind kind = DamageKind::bad_line;
    /// Relative to the experiment folder.
    std::string file;
    uint64_t offset = 0;
    uint64_t bytes = 0;
    /// journal_damaged with the arguments path, offset, bytes and reason (name of the kind).
    [[nodiscard]] Error error() const;
    friend bool operator==(const JournalDamage&, const JournalDamage&) = default;
};

/// A journal as it lies on disk: segments in order, each accepted up to the length that its successor names
/// (the last one up to its last whole record). Reading holds no lock and writes nothing. Copies look at the
/// same journal. A reader belongs to one thread; one that comes from a writer sees at once what that appends,
/// one that was opened sees what was there then.
///
/// Which segments count: the highest numbered one with a good header, the one that it names as its
/// predecessor, and so on. A bad line inside is passed over and named; only where it has NUL bytes and no
/// later segment vouches for the length, as after a power cut, everything behind it is given up with it.
class JournalReader {
public:
    using Visitor = std::function<Expected<void>(const protocol::Record& record, std::string_view line)>;

    /// @param folder  the experiment folder, with journal/ in it
    /// @return journal_damaged (path, reason) where no segment can be read, journal_version (version,
    ///         supported) where a later program wrote one.
    [[nodiscard]] static Expected<JournalReader> open(base::FileSystem& files, base::Path folder);

    explicit JournalReader(std::shared_ptr<SegmentChain> chain);

    [[nodiscard]] const protocol::SegmentHeader& firstHeader() const;
    /// Its experiment is the one that the journal belongs to: a copied folder gets a new id with its first
    /// writer.
    [[nodiscard]] const protocol::SegmentHeader& lastHeader() const;
    /// Newest accepted record.
    [[nodiscard]] protocol::Cursor last() const;
    /// Where a client that has everything up to `cursor` of its epoch goes on: lower than asked where a crash
    /// took records of that epoch, (0, 0) where the epoch is unknown.
    [[nodiscard]] protocol::Cursor validate(protocol::Cursor cursor) const;

    /// Whole accepted lines behind `after`, at most maxBytes (one line at least), without segment headers.
    struct Lines {
        protocol::Epoch epoch;
        RecordNumber first;
        RecordNumber last;
        std::string bytes;
    };
    /// Nothing where no more has been written. Lines of one answer are of one epoch; it may have less than
    /// maxBytes while more is there.
    [[nodiscard]] Expected<std::optional<Lines>> readAfter(RecordNumber after, size_t maxBytes) const;

    /// All accepted records in order; stops at the first error that `visit` returns. A line that turns out to
    /// be no record is passed over and added to damage().
    [[nodiscard]] Expected<void> forEach(const Visitor& visit) const;

    /// In the order of the files.
    [[nodiscard]] const std::vector<JournalDamage>& damage() const;

private:
    friend class SegmentWriter;
    std::shared_ptr<SegmentChain> m_chain;
};

/// Appends records; one writer an experiment and daemon. Lines are visible to readers at once; a thread of
/// its own makes them durable in groups. Used on the daemon's loop. A new segment begins with each opening (a
/// new epoch), at 8 MiB and after 10 minutes, and behind every failed write or sync: what had not reached
/// the disk is then written again, nothing is ever changed in place. Destroying it waits for the disk.
class JournalWriter {
public:
    struct Options {
        uint64_t segmentBytes = uint64_t{8} << 20;
        std::chrono::minutes segmentAge{10};
    };

    /// Starts a new experiment's journal in an existing folder.
    /// @return experiment_held where there is a journal already.
    [[nodiscard]] static Expected<std::unique_ptr<JournalWriter>>
    create(base::FileSystem& files, const base::Clock& clock, base::Path folder, ExperimentId experiment,
           protocol::Writer writer, Options options);
    /// Goes on in a new epoch behind what `reader` accepted.
    /// @param experiment  the id from now on: that of reader.lastHeader(), or a new one for a copied folder
    /// @return experiment_held (host, pid, since) where another writer went on there first.
    [[nodiscard]] static Expected<std::unique_ptr<JournalWriter>>
    resume(const base::Clock& clock, const JournalReader& reader, ExperimentId experiment,
           protocol::Writer writer, Options options);

    virtual ~JournalWriter() = default;

    /// Gives the record the next number and the time now, and returns the line as it lies in the file (valid
    /// until the next call). After an error nothing of the record counts and `body` is as it was; disk_full
    /// and others may be tried again. experiment_held (host, pid, since) is for good: another daemon has
    /// taken the journal over.
    [[nodiscard]] virtual Expected<std::string_view> append(protocol::RecordBody&& body) = 0;
    [[nodiscard]] virtual protocol::Cursor last() const = 0;
    /// Newest record that is known to be on the disk.
    [[nodiscard]] virtual RecordNumber durable() const = 0;
    /// Waits until everything appended is on the disk; only for the end of a daemon and for tests.
    [[nodiscard]] virtual Expected<void> flush() = 0;
    /// The experiment's folder has just been renamed. Everything must be on the disk (flush()).
    virtual void folderMoved(const base::Path& folder) = 0;
    /// Sees everything that was appended, at once; stays good when the writer is gone.
    [[nodiscard]] virtual JournalReader reader() const = 0;
};

} // namespace trialdeck::storage

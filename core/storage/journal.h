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

/// What reading a journal found that is not as it should be: shown, never repaired in place.
struct JournalDamage {
    /// Relative to the experiment folder.
    std::string file;
    uint64_t offset = 0;
    uint64_t bytes = 0;
    Error error;
};

/// A journal as it lies on disk: segments in order, each accepted up to the length that its successor names
/// (the last one up to its last whole line). Reading holds no lock and writes nothing.
class JournalReader {
public:
    /// @param folder  the experiment folder, with journal/ in it
    [[nodiscard]] static Expected<JournalReader> open(base::FileSystem& files, base::Path folder);

    JournalReader(JournalReader&&) noexcept;
    JournalReader& operator=(JournalReader&&) noexcept;
    ~JournalReader();

    [[nodiscard]] const protocol::SegmentHeader& firstHeader() const;
    [[nodiscard]] const protocol::SegmentHeader& lastHeader() const;
    /// Newest accepted record.
    [[nodiscard]] protocol::Cursor last() const;
    /// Where a client that has everything up to `cursor` of its epoch goes on: lower than asked where a crash
    /// took records of that epoch.
    [[nodiscard]] protocol::Cursor validate(protocol::Cursor cursor) const;

    /// Whole accepted lines behind `after`, at most maxBytes (one line at least), without segment headers.
    struct Lines {
        protocol::Epoch epoch;
        RecordNumber first;
        RecordNumber last;
        std::string bytes;
    };
    /// Nothing where no more has been written. Lines of one answer are of one epoch.
    [[nodiscard]] Expected<std::optional<Lines>> readAfter(RecordNumber after, size_t maxBytes) const;

    /// All accepted records in order; stops at the first error that `visit` returns.
    [[nodiscard]] Expected<void>
    forEach(const std::function<Expected<void>(const protocol::Record& record, std::string_view line)>& visit)
        const;

    [[nodiscard]] const std::vector<JournalDamage>& damage() const;

private:
    struct State;
    explicit JournalReader(std::unique_ptr<State> state);
    std::unique_ptr<State> m_state;
};

/// Appends records; one writer an experiment and daemon. Lines are visible to readers at once; a thread of
/// its own makes them durable in groups. Used on the daemon's loop. A new segment begins with each opening (a
/// new epoch), at 8 MiB and after 10 minutes.
class JournalWriter {
public:
    struct Options {
        uint64_t segmentBytes = uint64_t{8} << 20;
        std::chrono::minutes segmentAge{10};
    };

    /// Starts a new experiment's journal in an existing folder.
    [[nodiscard]] static Expected<std::unique_ptr<JournalWriter>>
    create(base::FileSystem& files, base::Clock& clock, base::Path folder, ExperimentId experiment,
           protocol::Writer writer, Options options);
    /// Goes on in a new epoch behind what `reader` accepted.
    [[nodiscard]] static Expected<std::unique_ptr<JournalWriter>>
    resume(base::FileSystem& files, base::Clock& clock, base::Path folder, const JournalReader& reader,
           protocol::Writer writer, Options options);

    virtual ~JournalWriter() = default;

    /// Gives the record the next number and the time now, and returns the line as it lies in the file (valid
    /// until the next call). After an error nothing of the record counts; disk_full and others may be tried
    /// again.
    [[nodiscard]] virtual Expected<std::string_view> append(protocol::RecordBody body) = 0;
    [[nodiscard]] virtual protocol::Cursor last() const = 0;
    /// Newest record that is known to be on the disk.
    [[nodiscard]] virtual RecordNumber durable() const = 0;
    /// Waits until everything appended is on the disk; only for the end of a daemon and for tests.
    [[nodiscard]] virtual Expected<void> flush() = 0;
};

} // namespace trialdeck::storage

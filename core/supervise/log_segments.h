// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/files.h"
#include "core/supervise/launch_order.h"

#include <deque>
#include <optional>

namespace trialdeck::supervise {

enum class Stream { output, errors };

/// "stdout", "stderr".
[[nodiscard]] std::string_view nameOf(Stream stream);
[[nodiscard]] std::optional<Stream> streamFromString(std::string_view name);

/// One file of a stream: bytes [offset, offset + bytes) of all that the worker ever wrote there.
struct LogSegment {
    uint64_t offset = 0;
    uint64_t bytes = 0;
    friend bool operator==(const LogSegment&, const LogSegment&) = default;
};

/// "stdout.8388608.log".
[[nodiscard]] std::string segmentName(Stream stream, uint64_t offset);

/// A stream's segments by offset. Between two of them may be bytes that were not kept.
/// @return file_not_found where the folder is missing.
[[nodiscard]] Expected<std::vector<LogSegment>> listSegments(base::FileSystem& files,
                                                             const base::Path& folder, Stream stream);

/// Writes one stream of a worker in segments, drops old ones, remembers the last lines. Never fails: what the
/// disk does not take is left out, and offsets go on, so the gap is seen in the names. Owned by a supervisor.
class SegmentedLog {
public:
    SegmentedLog(base::FileSystem& files, base::Path folder, Stream stream, const LogLimits& limits);

    void append(std::string_view bytes);

    /// All bytes that came, kept or not.
    [[nodiscard]] uint64_t bytes() const { return m_bytes; }
    /// Bytes that the disk did not take.
    [[nodiscard]] uint64_t lostBytes() const { return m_lostBytes; }
    /// The last bytes that came: all of them, or at least kTailBytes and at most twice as many.
    [[nodiscard]] const std::string& tail() const { return m_tail; }

    static constexpr size_t kTailBytes = size_t{8} << 10;

private:
    void write(std::string_view bytes);
    bool openSegment();
    void closeSegment();
    void dropOld();
    void remember(std::string_view bytes);

    base::FileSystem& m_files;
    base::Path m_folder;
    Stream m_stream;
    LogLimits m_limits;
    std::unique_ptr<base::File> m_file;
    std::deque<LogSegment> m_segments;
    uint64_t m_bytes = 0;
    uint64_t m_lostBytes = 0;
    std::string m_tail;
};

} // namespace trialdeck::supervise

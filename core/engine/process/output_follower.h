// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/files.h"
#include "core/supervise/log_segments.h"

#include <functional>

namespace trialdeck::engine::process {

/// Hands over the lines of a stream that a supervisor keeps in segments, each once and in the state in which
/// it ended (lastState), without escape sequences. Bytes that were not kept are passed over. Memory is that
/// of one line at most. For one thread.
class OutputFollower {
public:
    /// Takes a line without its end and the offset in bytes behind it; of a line longer than maxLineBytes
    /// only so many bytes.
    using Handler = std::function<void(std::string_view line, uint64_t endOffset)>;

    /// @param position  offset in bytes behind the last line that was handed over before
    OutputFollower(base::FileSystem& files, base::Path folder, supervise::Stream stream, uint64_t position,
                   size_t maxLineBytes);

    /// Reads at most about maxBytes. @return whether more may be there at once
    [[nodiscard]] bool poll(const Handler& handle, size_t maxBytes = size_t{1} << 20);
    /// The writer is gone: reads to the end, a last line without end counts.
    void finish(const Handler& handle);

private:
    /// Opens the segment that has the next byte. @return whether there is one
    bool openNext();
    bool openAt(uint64_t segment);
    void take(std::string_view piece, const Handler& handle);
    void addToLine(std::string_view text);
    void endLine(const Handler& handle);

    base::FileSystem& m_files;
    base::Path m_folder;
    supervise::Stream m_stream;
    size_t m_maxLineBytes;
    std::unique_ptr<base::File> m_file;
    uint64_t m_segment = 0;
    uint64_t m_readTo;
    int64_t m_listedAt = -1;
    std::string m_line;
    bool m_startOver = false;
    bool m_lineOpen = false;
};

} // namespace trialdeck::engine::process

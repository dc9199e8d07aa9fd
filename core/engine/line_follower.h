// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/files.h"

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace trialdeck::engine {

/// Hands over the whole lines of a file that grows, each once. Looks at the file only when asked to: its
/// owner knows when something may have changed. A missing file has no lines yet. A file that was cut or
/// replaced is read again from its start, without the lines that it began with before. NUL bytes behind the
/// last newline have not arrived yet (NFS) and are read again. Holds at most one line in memory. For one
/// thread.
class LineFollower {
public:
    /// Takes a line without its newline and the offset in bytes behind it. A line longer than maxLineBytes is
    /// handed over as its first maxLineBytes + 1 bytes.
    using Handler = std::function<void(std::string_view line, uint64_t endOffset)>;

    /// @param position  offset in bytes behind the last line that was handed over before
    LineFollower(base::FileSystem& files, base::Path path, uint64_t position, size_t maxLineBytes);

    /// Reads at most about maxBytes.
    /// @return whether more may be there at once; errors of the file system, after which it may be asked
    /// again
    [[nodiscard]] Expected<bool> poll(const Handler& handle, size_t maxBytes = size_t{1} << 20);

    /// The writer is gone: what anybody adds to the file as it is now is not read any more.
    void endHere();

    /// The writer is gone: reads to the end, a last line without newline counts, NUL bytes as they are too.
    [[nodiscard]] Expected<void> finish(const Handler& handle);

    /// Offset behind the last line that was handed over.
    [[nodiscard]] uint64_t position() const { return m_lineStart; }

private:
    [[nodiscard]] Expected<bool> lookAgain();
    void take(std::string_view piece, const Handler& handle);
    void endLine(const Handler& handle, uint64_t endOffset);
    [[nodiscard]] Expected<void> takeZeros(const Handler& handle);
    void startOver();

    base::FileSystem& m_files;
    base::Path m_path;
    size_t m_maxLineBytes;
    std::unique_ptr<base::File> m_file;
    base::FileStatus m_status;
    /// Where the line that is being read begins, and up to where it has been read.
    uint64_t m_lineStart;
    uint64_t m_readTo;
    std::string m_partial;
    /// Bytes behind this offset are not read.
    uint64_t m_end = UINT64_MAX;
    /// Hashes of the lines that were handed over, to know them again in a replaced file; the first million.
    std::vector<uint64_t> m_seen;
    /// In a replaced file: how many of its first lines have been known again.
    size_t m_known = 0;
    bool m_comparing = false;
};

} // namespace trialdeck::engine

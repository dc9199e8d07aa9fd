// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/transport/files/file_tree.h"

#include <functional>

namespace trialdeck::transport {

/// Reads one file to its end, holes apart from bytes.
class FileContents {
public:
    /// @param root  outlives the contents
    /// @return 0 or an errno
    int open(int root, const std::string& path);

    /// As the file was when it was opened.
    [[nodiscard]] const FileEntry& entry() const { return m_entry; }
    [[nodiscard]] int descriptor() const { return m_file.get(); }

    /// Where the pieces go. Either returns false to end it.
    struct Taker {
        std::function<bool(std::string_view)> bytes;
        std::function<bool(uint64_t)> hole;
    };
    /// @return 0; ECANCELED where the taker ended it; EAGAIN where the file is another one than it was (one
    /// that
    ///         only grew counts as what it was); any other errno
    int read(uint64_t offset, const Taker& taker);

private:
    base::UniqueFd m_file;
    FileEntry m_entry;
};

} // namespace trialdeck::transport

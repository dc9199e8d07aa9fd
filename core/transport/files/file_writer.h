// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/transport/files/file_tree.h"

#include <optional>

namespace trialdeck::transport {

/// What came of a file in an earlier sync.
struct KeptPart {
    uint64_t bytes = 0;
    /// SHA-256 of them.
    std::string hash;
};

/// Makes a tree what another one is, one thing at a time. Never follows a link and never leaves the tree,
/// whatever paths it is given. Functions return an errno, 0 for success. One thread.
class FileWriter {
public:
    /// @param root  a descriptor of the folder; outlives the writer
    explicit FileWriter(int root) : m_root(root) {}

    /// Everything may write in it until adjust() gives it its mode. One that exists is kept.
    int makeFolder(const std::string& path);
    int makeLink(const FileEntry& entry);
    int adjust(const FileEntry& entry);
    int remove(const std::string& path, bool isFolder);

    /// Begins a file beside its place. After an error write() and the like do nothing and finish() returns
    /// it.
    /// @param offset  goes on behind so many bytes of what was kept
    void begin(const FileEntry& entry, uint64_t offset);
    void write(std::string_view bytes);
    void skip(uint64_t bytes);
    /// Gives the file its mode, time and name when it is whole; else what came is dropped.
    int finish(bool isWhole);
    /// The error so far.
    [[nodiscard]] int error() const { return m_error; }

    [[nodiscard]] KeptPart kept(const std::string& path);

private:
    [[nodiscard]] int parentOf(std::string_view path);
    void openPart();
    int place();

    int m_root;
    /// The folder that was worked in last.
    std::string m_folder;
    base::UniqueFd m_folderFd;
    base::UniqueFd m_parts;
    base::UniqueFd m_file;
    FileEntry m_entry;
    std::string m_name;
    uint64_t m_at = 0;
    int m_error = 0;
};

/// SHA-256 of a file's first bytes. @return nothing where it has fewer
[[nodiscard]] std::optional<std::string> hashOfPrefix(int file, uint64_t bytes);

} // namespace trialdeck::transport

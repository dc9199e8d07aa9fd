// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/files.h"
#include "core/base/value.h"

#include <map>
#include <string>

namespace trialdeck::storage {

/// experiments.jsonl of a host: which experiments there are, where their folders lie and what was last known
/// of them. A line a change, the last one of an id counts; written anew as a whole when most lines are old.
/// It is only a list: the truth is in the folders. Owned by the daemon, on its loop.
class ExperimentIndex {
public:
    /// Lines that cannot be read are passed over and counted; a missing file is an empty index.
    [[nodiscard]] static Expected<ExperimentIndex> open(base::FileSystem& files, base::Path path);

    /// By id, as last put.
    [[nodiscard]] const std::map<std::string, Object>& entries() const { return m_entries; }
    [[nodiscard]] size_t unreadableLines() const { return m_unreadable; }

    /// After an error the entry is known to this daemon but not to the next one.
    [[nodiscard]] Expected<void> put(const std::string& id, Object entry);

private:
    ExperimentIndex(base::FileSystem& files, base::Path path) : m_files(&files), m_path(std::move(path)) {}

    void takeLine(std::string_view line);
    [[nodiscard]] Expected<void> rewrite();

    base::FileSystem* m_files;
    base::Path m_path;
    std::map<std::string, Object> m_entries;
    size_t m_lines = 0;
    size_t m_unreadable = 0;
    /// The file's last line has no newline: a daemon died while it wrote.
    bool m_torn = false;
};

} // namespace trialdeck::storage

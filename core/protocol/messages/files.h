// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/protocol/message.h"

namespace trialdeck::protocol {

struct FileEntry {
    std::string name;
    bool directory = false;
    uint64_t bytes = 0;
    std::optional<base::WallTime> modified;
    template<typename V, typename S>
    static void fields(V& v, S& s) {
        v.required("name", s.name);
        v("directory", s.directory);
        v("bytes", s.bytes);
        v("modified", s.modified);
    }
};

struct FilesListResult {
    std::vector<FileEntry> entries;
    template<typename V, typename S>
    static void fields(V& v, S& s) {
        v.required("entries", s.entries);
    }
};

/// Names in one folder of the experiment. @return file_not_found; paths that lead out are refused.
struct FilesListRequest {
    static constexpr std::string_view kMethod = "files.list";
    static constexpr RequestKind kKind = RequestKind::read;
    using Result = FilesListResult;
    ExperimentId experiment;
    /// Relative; empty: the experiment's folder.
    std::string path;
    template<typename V, typename S>
    static void fields(V& v, S& s) {
        v.required("experiment", s.experiment);
        v("path", s.path);
    }
};

} // namespace trialdeck::protocol

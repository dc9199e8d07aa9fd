// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/files.h"
#include "core/base/sha256.h"

#include <functional>
#include <optional>
#include <string>
#include <string_view>

namespace trialdeck::storage {

/// "journal": the folder of the segments inside an experiment's folder.
inline constexpr std::string_view kJournalFolder = "journal";

/// "000012.jsonl".
[[nodiscard]] std::string segmentFileName(uint32_t segment);
/// The number of a name that segmentFileName writes; nothing for any other name.
[[nodiscard]] std::optional<uint32_t> segmentOfFileName(std::string_view name);
/// "journal/000012.jsonl": relative to the experiment's folder.
[[nodiscard]] std::string segmentPath(uint32_t segment);

/// The record number that a line of ours begins with, `{"n":123,…}`; nothing for a line that is no record.
/// Says nothing of what lies between: it must be quick, the hash of the segment says the rest.
[[nodiscard]] std::optional<uint64_t> recordNumberOf(std::string_view line);

/// A line as it lies in a file.
struct FileLine {
    /// Without its newline; empty where the line is longer than any record.
    std::string_view text;
    uint64_t offset = 0;
    /// With its newline.
    uint64_t bytes = 0;
};

struct LinesRead {
    /// Offset behind the last whole line.
    uint64_t wholeEnd = 0;
    /// Offset behind the last byte: larger where the last line has no newline yet.
    uint64_t end = 0;
};

/// Hands over the whole lines between the offsets `from` and `to` (or the end of the file, where that comes
/// first) in order, until `visit` returns false.
/// @param hash  takes all bytes that were read; may be null
[[nodiscard]] Expected<LinesRead> forEachLine(base::File& file, uint64_t from, uint64_t to,
                                              base::Sha256* hash,
                                              const std::function<bool(const FileLine&)>& visit);

} // namespace trialdeck::storage

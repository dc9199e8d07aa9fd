// SPDX-License-Identifier: Apache-2.0
#include "core/storage/segment_file.h"

#include "core/protocol/record.h"

#include <algorithm>
#include <charconv>

namespace trialdeck::storage {

namespace {

constexpr size_t kDigits = 6;
constexpr std::string_view kExtension = ".jsonl";
/// Most reads are of a header or of the newest records.
constexpr size_t kFirstPieceBytes = size_t{16} << 10;
constexpr size_t kPieceBytes = size_t{256} << 10;

} // namespace

std::string segmentFileName(uint32_t segment) {
    std::string digits = std::to_string(segment);
    if (digits.size() < kDigits)
        digits.insert(0, kDigits - digits.size(), '0');
    return digits.append(kExtension);
}

std::optional<uint32_t> segmentOfFileName(std::string_view name) {
    if (!name.ends_with(kExtension))
        return std::nullopt;
    uint32_t segment = 0;
    const auto result = std::from_chars(name.data(), name.data() + name.size(), segment);
    if (result.ec != std::errc() || segment == 0 || segmentFileName(segment) != name)
        return std::nullopt;
    return segment;
}

std::string segmentPath(uint32_t segment) {
    return std::string(kJournalFolder) + "/" + segmentFileName(segment);
}

std::optional<uint64_t> recordNumberOf(std::string_view line) {
    constexpr std::string_view kStart = R"({"n":)";
    if (!line.starts_with(kStart) || !line.ends_with('}'))
        return std::nullopt;
    uint64_t number = 0;
    const char* end = line.data() + line.size();
    const auto result = std::from_chars(line.data() + kStart.size(), end, number);
    if (result.ec != std::errc() || *result.ptr != ',')
        return std::nullopt;
    return number;
}

Expected<LinesRead> forEachLine(base::File& file, uint64_t from, uint64_t to, base::Sha256* hash,
                                const std::function<bool(const FileLine&)>& visit) {
    std::string buffer;
    LinesRead result{from, from};
    // Bytes of an overlong line that are no longer in the buffer.
    uint64_t dropped = 0;
    uint64_t piece = kFirstPieceBytes;
    while (result.end < to) {
        const size_t held = buffer.size();
        buffer.resize(held + static_cast<size_t>(std::min(piece, to - result.end)));
        auto count = file.readAt(result.end, std::span(buffer).subspan(held));
        if (!count)
            return tl::make_unexpected(std::move(count).error());
        piece = kPieceBytes;
        buffer.resize(held + *count);
        if (*count == 0)
            break;
        if (hash)
            hash->update(std::string_view(buffer).substr(held));
        result.end += *count;
        size_t begin = 0;
        for (size_t newline = buffer.find('\n', held); newline != std::string::npos;
             newline = buffer.find('\n', begin)) {
            FileLine line;
            line.offset = result.wholeEnd;
            line.bytes = dropped + (newline + 1 - begin);
            if (dropped == 0)
                line.text = std::string_view(buffer).substr(begin, newline - begin);
            dropped = 0;
            begin = newline + 1;
            result.wholeEnd += line.bytes;
            if (!visit(line))
                return result;
        }
        buffer.erase(0, begin);
        if (buffer.size() > protocol::kMaxRecordBytes) {
            dropped += buffer.size();
            buffer.clear();
        }
    }
    return result;
}

} // namespace trialdeck::storage

// SPDX-License-Identifier: Apache-2.0
#include "core/storage/segment_chain.h"

#include <algorithm>
#include <tuple>

namespace trialdeck::storage {

namespace {

constexpr uint64_t kMarkSpacing = uint64_t{16} << 10;

bool isRejected(const Segment& segment, uint64_t offset) {
    const auto behind =
        std::upper_bound(segment.rejected.begin(), segment.rejected.end(), offset,
                         [](uint64_t wanted, const Stretch& stretch) { return wanted < stretch.offset; });
    return behind != segment.rejected.begin() &&
           offset < std::prev(behind)->offset + std::prev(behind)->bytes;
}

} // namespace

SegmentChain::SegmentChain(base::FileSystem& files, base::Path folder)
    : m_files(files), m_folder(std::move(folder)) {}

RecordNumber SegmentChain::last() const {
    return m_segments.empty() ? RecordNumber() : m_segments.back().last;
}

void SegmentChain::noteFile(uint32_t segment, std::optional<Epoch> epoch) {
    m_highestFile = std::max(m_highestFile, segment);
    if (epoch)
        m_highestEpoch = std::max(m_highestEpoch, *epoch);
}

void SegmentChain::noteDamage(DamageKind kind, uint32_t segment, uint64_t offset, uint64_t bytes) {
    JournalDamage damage{kind, segmentPath(segment), offset, bytes};
    const auto before = [](const JournalDamage& left, const JournalDamage& right) {
        // Names of more than six digits sort behind shorter ones.
        return std::tuple(left.file.size(), std::string_view(left.file), left.offset) <
               std::tuple(right.file.size(), std::string_view(right.file), right.offset);
    };
    if (std::find(m_damage.begin(), m_damage.end(), damage) != m_damage.end())
        return;
    m_damage.insert(std::upper_bound(m_damage.begin(), m_damage.end(), damage, before), damage);
}

void SegmentChain::beginSegment(Segment segment) {
    m_segments.push_back(std::move(segment));
}

void SegmentChain::extend(RecordNumber number, uint64_t bytes) {
    Segment& segment = m_segments.back();
    const size_t index = m_segments.size() - 1;
    if (m_marks.empty() || m_marks.back().segment != index ||
        segment.accepted - m_marks.back().offset >= kMarkSpacing)
        m_marks.push_back({number, index, segment.accepted});
    segment.accepted += bytes;
    segment.last = number;
}

void SegmentChain::reject(uint64_t bytes) {
    Segment& segment = m_segments.back();
    auto& rejected = segment.rejected;
    if (!rejected.empty() && rejected.back().offset + rejected.back().bytes == segment.accepted)
        rejected.back().bytes += bytes;
    else
        rejected.push_back({segment.accepted, bytes});
    segment.accepted += bytes;
}

void SegmentChain::cut(uint64_t accepted, RecordNumber last) {
    Segment& segment = m_segments.back();
    segment.accepted = accepted;
    segment.last = last;
    while (!segment.rejected.empty() && segment.rejected.back().offset >= accepted)
        segment.rejected.pop_back();
    while (!m_marks.empty() && m_marks.back().segment + 1 == m_segments.size() &&
           m_marks.back().offset >= accepted)
        m_marks.pop_back();
}

protocol::Cursor SegmentChain::validate(protocol::Cursor cursor) const {
    const auto newest =
        std::find_if(m_segments.rbegin(), m_segments.rend(),
                     [cursor](const Segment& segment) { return segment.header.epoch == cursor.epoch; });
    if (newest == m_segments.rend() || cursor.number == RecordNumber())
        return {};
    return {cursor.epoch, std::min(cursor.number, newest->last)};
}

Expected<void> SegmentChain::openFile(OpenSegment& open, size_t segment) {
    if (open.file && open.segment == segment)
        return {};
    open.file.reset();
    auto file =
        m_files.open(m_folder / segmentPath(m_segments[segment].header.segment), base::OpenMode::read);
    if (!file)
        return tl::make_unexpected(std::move(file).error().during("read the journal"));
    open.file = std::move(*file);
    open.segment = segment;
    return {};
}

Expected<LinesRead> SegmentChain::readLines(OpenSegment& open, size_t segment, uint64_t from, uint64_t to,
                                            const std::function<bool(const FileLine&)>& visit) {
    uint64_t next = from;
    const auto visitAndCount = [&next, &visit](const FileLine& line) {
        next = line.offset + line.bytes;
        return visit(line);
    };
    TRIALDECK_TRY(openFile(open, segment));
    auto read = forEachLine(*open.file, from, to, nullptr, visitAndCount);
    if (read)
        return read;
    // A handle of NFS goes stale when its server restarts: by name the file is still there.
    open.file.reset();
    TRIALDECK_TRY(openFile(open, segment));
    read = forEachLine(*open.file, next, to, nullptr, visitAndCount);
    if (!read) {
        open.file.reset();
        return tl::make_unexpected(std::move(read).error().during("read the journal"));
    }
    return read;
}

Expected<JournalReader::Lines> SegmentChain::readBetween(size_t segment, uint64_t offset, uint64_t to,
                                                         RecordNumber after, size_t maxBytes) {
    JournalReader::Lines lines;
    lines.epoch = m_segments[segment].header.epoch;
    const auto read = readLines(m_following, segment, offset, to, [&](const FileLine& line) {
        const auto number = recordNumberOf(line.text);
        if (!number || *number <= after.raw() || isRejected(m_segments[segment], line.offset))
            return true;
        if (!lines.bytes.empty() && lines.bytes.size() + line.bytes > maxBytes)
            return false;
        if (lines.bytes.empty())
            lines.first = RecordNumber(*number);
        lines.last = RecordNumber(*number);
        lines.bytes += line.text;
        lines.bytes += '\n';
        return lines.bytes.size() < maxBytes;
    });
    if (!read)
        return tl::make_unexpected(read.error());
    return lines;
}

Expected<std::optional<JournalReader::Lines>> SegmentChain::readAfter(RecordNumber after, size_t maxBytes) {
    if (after >= last())
        return std::nullopt;
    // The last mark at or before the record wanted; where a damaged journal starts later, its first.
    auto mark = std::upper_bound(
        m_marks.begin(), m_marks.end(), after.raw() + 1,
        [](uint64_t wanted, const Mark& candidate) { return wanted < candidate.number.raw(); });
    if (mark != m_marks.begin())
        --mark;
    for (; mark != m_marks.end(); ++mark) {
        const Segment& segment = m_segments[mark->segment];
        if (segment.last <= after)
            continue;
        // Enough for the answer unless a line is longer than it may be.
        const uint64_t enough = std::min(segment.accepted, mark->offset + kMarkSpacing + maxBytes);
        for (const uint64_t to : {enough, segment.accepted}) {
            auto lines = readBetween(mark->segment, mark->offset, to, after, maxBytes);
            if (!lines)
                return tl::make_unexpected(std::move(lines).error());
            if (!lines->bytes.empty())
                return std::move(*lines);
        }
    }
    return std::nullopt;
}

Expected<void> SegmentChain::forEach(const JournalReader::Visitor& visit) {
    OpenSegment open;
    // By index and without references: visit may append.
    for (size_t index = 0; index < m_segments.size(); ++index) {
        Expected<void> visited;
        const auto visitLine = [&](const FileLine& line) {
            if (isRejected(m_segments[index], line.offset))
                return true;
            auto record = protocol::parseRecordLine(line.text);
            if (!record) {
                noteDamage(DamageKind::bad_line, m_segments[index].header.segment, line.offset, line.bytes);
                return true;
            }
            visited = visit(*record, line.text);
            return visited.has_value();
        };
        const Segment& segment = m_segments[index];
        TRIALDECK_TRY(readLines(open, index, segment.headerBytes, segment.accepted, visitLine));
        if (!visited)
            return visited;
    }
    return {};
}

Expected<std::string> SegmentChain::hashLast() {
    base::Sha256 hash;
    OpenSegment open;
    const size_t index = m_segments.size() - 1;
    TRIALDECK_TRY(openFile(open, index));
    const auto read =
        forEachLine(*open.file, 0, m_segments[index].accepted, &hash, [](const FileLine&) { return true; });
    if (!read)
        return tl::make_unexpected(read.error());
    if (read->end != m_segments[index].accepted)
        return base::fail(ErrorCode::journal_damaged,
                          {{"path", segmentPath(m_segments[index].header.segment)}},
                          "the newest segment became shorter");
    return hash.hexDigest();
}

} // namespace trialdeck::storage

// SPDX-License-Identifier: Apache-2.0
#include "core/storage/segment_chain.h"

#include <algorithm>
#include <map>
#include <utility>

namespace trialdeck::storage {

namespace {

/// Longest first line that is looked at.
constexpr uint64_t kMaxHeaderBytes = uint64_t{64} << 10;
/// No record is shorter: bounds how many could lie in a run of bad bytes.
constexpr uint64_t kMinRecordBytes = 40;
constexpr uint64_t kToTheEnd = UINT64_MAX;

/// A segment file before it is known whether it counts.
struct Candidate {
    uint64_t fileBytes = 0;
    /// Missing where the first line is no header of this file.
    std::optional<protocol::SegmentHeader> header;
    uint64_t headerBytes = 0;
    RecordNumber before;
};
using Candidates = std::map<uint32_t, Candidate>;

/// A candidate that counts, and what its successor says of it.
struct Link {
    uint32_t segment = 0;
    std::optional<protocol::Predecessor> named;
};

void readHeaderLine(const FileLine& line, uint32_t segment, Candidate& candidate) {
    auto record = protocol::parseRecordLine(line.text);
    if (!record)
        return;
    auto* header = std::get_if<protocol::SegmentHeader>(&record->body);
    if (!header || header->segment != segment ||
        (header->predecessor && header->predecessor->segment >= segment))
        return;
    candidate.header = std::move(*header);
    candidate.headerBytes = line.bytes;
    candidate.before = record->number;
}

Expected<Candidate> readCandidate(base::FileSystem& files, const base::Path& folder, uint32_t segment) {
    auto file = files.open(folder / segmentPath(segment), base::OpenMode::read);
    if (!file)
        return tl::make_unexpected(std::move(file).error());
    Candidate candidate;
    auto status = (*file)->status();
    if (!status)
        return tl::make_unexpected(std::move(status).error());
    candidate.fileBytes = status->bytes;
    const auto read =
        forEachLine(**file, 0, kMaxHeaderBytes, nullptr, [segment, &candidate](const FileLine& line) {
            readHeaderLine(line, segment, candidate);
            return false;
        });
    if (!read)
        return tl::make_unexpected(read.error());
    if (candidate.header && candidate.header->version > kJournalVersion)
        return base::fail(ErrorCode::journal_version, {{"path", segmentPath(segment)},
                                                       {"version", std::to_string(candidate.header->version)},
                                                       {"supported", std::to_string(kJournalVersion)}});
    return candidate;
}

Expected<Candidates> readCandidates(base::FileSystem& files, const base::Path& folder) {
    auto names = files.list(folder / kJournalFolder);
    if (!names)
        return tl::make_unexpected(std::move(names).error());
    Candidates candidates;
    for (const std::string& name : *names) {
        const auto segment = segmentOfFileName(name);
        if (!segment)
            continue;
        auto candidate = readCandidate(files, folder, *segment);
        if (candidate)
            candidates.emplace(*segment, std::move(*candidate));
        else if (candidate.error().code != ErrorCode::file_not_found)
            return tl::make_unexpected(std::move(candidate).error());
        // Else a writer has just taken back what it had begun.
    }
    return candidates;
}

/// The highest segment below `limit` that has a header.
std::optional<uint32_t> highestBelow(const Candidates& candidates, uint32_t limit) {
    for (auto candidate = std::make_reverse_iterator(candidates.lower_bound(limit));
         candidate != candidates.rend(); ++candidate) {
        if (candidate->second.header)
            return candidate->first;
    }
    return std::nullopt;
}

/// What counts, oldest first; what is missing in between goes to the damage of `chain`.
std::vector<Link> resolve(const Candidates& candidates, SegmentChain& chain) {
    std::vector<Link> links;
    std::optional<uint32_t> segment = highestBelow(candidates, UINT32_MAX);
    std::optional<protocol::Predecessor> named;
    while (segment) {
        links.push_back({*segment, named});
        named = candidates.at(*segment).header->predecessor;
        if (!named)
            break;
        const auto predecessor = candidates.find(named->segment);
        if (predecessor != candidates.end() && predecessor->second.header) {
            segment = named->segment;
            continue;
        }
        if (predecessor == candidates.end())
            chain.noteDamage(DamageKind::missing_segment, named->segment, 0, named->length);
        segment = highestBelow(candidates, named->segment);
        named.reset();
    }
    std::reverse(links.begin(), links.end());
    return links;
}

/// Says of one line after the other whether it is the next record. A writer numbers without gaps, so a
/// number can only be higher than expected where bad bytes came before, and by no more than would fit there:
/// a damaged digit must not make all that follows look old.
class LineJudge {
public:
    /// @param last    newest record so far
    /// @param before  what the header says of the record before its first
    LineJudge(RecordNumber last, RecordNumber before) : m_last(last.raw()), m_before(before.raw()) {}

    [[nodiscard]] std::optional<RecordNumber> judge(const FileLine& line) {
        const auto number = recordNumberOf(line.text);
        if (!number || *number <= m_last || !fits(*number)) {
            m_badBytes += line.bytes;
            return std::nullopt;
        }
        m_last = *number;
        m_badBytes = 0;
        return RecordNumber(m_last);
    }

private:
    [[nodiscard]] bool fits(uint64_t number) const {
        const uint64_t skippable = m_badBytes / kMinRecordBytes;
        return number - m_last - 1 <= skippable || (number > m_before && number - m_before - 1 <= skippable);
    }

    uint64_t m_last;
    uint64_t m_before;
    uint64_t m_badBytes = 0;
};

enum class Vouched { no, yes };

struct Scanned {
    uint64_t end = 0;
    std::string sha256;
};

/// Adds the lines of the chain's last segment up to `to` to it.
/// @param before      newest record of the segments before
/// @param vouched     a later segment names the length; else a line with NUL bytes ends it
Expected<Scanned> scanLines(base::File& file, uint64_t to, RecordNumber before, Vouched vouched,
                            SegmentChain& chain) {
    const Segment& segment = chain.segments().back();
    const uint64_t begin = segment.headerBytes;
    LineJudge judge(before, segment.before);
    base::Sha256 hash;
    uint64_t badBytes = 0;
    const auto read = forEachLine(file, 0, to, &hash, [&](const FileLine& line) {
        if (line.offset < begin)
            return true;
        const auto number = judge.judge(line);
        if (!number) {
            badBytes += line.bytes;
            return vouched == Vouched::yes || line.text.find('\0') == std::string_view::npos;
        }
        if (badBytes > 0)
            chain.reject(std::exchange(badBytes, 0));
        chain.extend(*number, line.bytes);
        return true;
    });
    if (!read)
        return tl::make_unexpected(read.error());
    return Scanned{read->end, hash.hexDigest()};
}

void noteRejected(SegmentChain& chain) {
    const Segment& segment = chain.segments().back();
    for (const Stretch& stretch : segment.rejected)
        chain.noteDamage(DamageKind::bad_line, segment.header.segment, stretch.offset, stretch.bytes);
}

/// A segment with a successor: counts up to the length that this names, whatever lies in it.
Expected<void> scanSealed(base::File& file, const protocol::Predecessor& named, uint64_t fileBytes,
                          RecordNumber before, SegmentChain& chain) {
    const uint32_t number = named.segment;
    auto scanned = scanLines(file, named.length, before, Vouched::yes, chain);
    if (!scanned)
        return tl::make_unexpected(std::move(scanned).error());
    const uint64_t accepted = chain.segments().back().accepted;
    if (accepted < scanned->end)
        chain.reject(scanned->end - accepted);
    noteRejected(chain);
    if (scanned->end < named.length)
        chain.noteDamage(DamageKind::short_segment, number, scanned->end, named.length - scanned->end);
    else if (scanned->sha256 != named.sha256)
        chain.noteDamage(DamageKind::hash_differs, number, 0, named.length);
    if (fileBytes > named.length)
        chain.noteDamage(DamageKind::ignored_bytes, number, named.length, fileBytes - named.length);
    return {};
}

/// The newest segment, or one whose successor is lost: counts up to its last whole record.
Expected<void> scanOpen(base::File& file, uint64_t fileBytes, RecordNumber before, SegmentChain& chain) {
    const auto scanned = scanLines(file, kToTheEnd, before, Vouched::no, chain);
    if (!scanned)
        return tl::make_unexpected(scanned.error());
    noteRejected(chain);
    const Segment& segment = chain.segments().back();
    const uint64_t end = std::max(fileBytes, scanned->end);
    if (end > segment.accepted)
        chain.noteDamage(DamageKind::torn_tail, segment.header.segment, segment.accepted,
                         end - segment.accepted);
    return {};
}

Expected<void> addLink(const Link& link, const Candidate& candidate, SegmentChain& chain) {
    auto file = chain.files().open(chain.folder() / segmentPath(link.segment), base::OpenMode::read);
    if (!file)
        return tl::make_unexpected(std::move(file).error());
    const RecordNumber before = chain.last();
    Segment segment;
    segment.header = *candidate.header;
    segment.headerBytes = candidate.headerBytes;
    segment.accepted = candidate.headerBytes;
    segment.before = std::max(candidate.before, before);
    segment.last = segment.before;
    chain.beginSegment(std::move(segment));
    return link.named ? scanSealed(**file, *link.named, candidate.fileBytes, before, chain)
                      : scanOpen(**file, candidate.fileBytes, before, chain);
}

Expected<std::shared_ptr<SegmentChain>> scanChain(base::FileSystem& files, base::Path folder) {
    auto candidates = readCandidates(files, folder);
    if (!candidates)
        return tl::make_unexpected(std::move(candidates).error());
    auto chain = std::make_shared<SegmentChain>(files, std::move(folder));
    for (const auto& [number, candidate] : *candidates) {
        chain->noteFile(number, candidate.header ? std::optional(candidate.header->epoch) : std::nullopt);
        if (!candidate.header)
            chain->noteDamage(DamageKind::bad_header, number, 0, candidate.fileBytes);
    }
    const std::vector<Link> links = resolve(*candidates, *chain);
    if (links.empty())
        return base::fail(ErrorCode::journal_damaged,
                          {{"path", std::string(kJournalFolder)}, {"reason", "no_segment"}},
                          "no file in the journal folder begins with a segment's header");
    auto expected = candidates->begin();
    for (const Link& link : links) {
        for (; expected->first < link.segment; ++expected) {
            if (expected->second.header)
                chain->noteDamage(DamageKind::unchained_segment, expected->first, 0,
                                  expected->second.fileBytes);
        }
        ++expected;
        TRIALDECK_TRY(addLink(link, candidates->at(link.segment), *chain));
    }
    return chain;
}

} // namespace

Expected<std::shared_ptr<SegmentChain>> openSegmentChain(base::FileSystem& files, base::Path folder) {
    const std::string where = folder.native();
    auto chain = scanChain(files, std::move(folder));
    if (!chain)
        return tl::make_unexpected(std::move(chain).error().during("open the journal of " + where));
    return chain;
}

} // namespace trialdeck::storage

// SPDX-License-Identifier: Apache-2.0
#include "core/storage/group_commit.h"
#include "core/storage/journal.h"
#include "core/storage/segment_chain.h"

#include <utility>

namespace trialdeck::storage {

namespace {

/// Who writes the segment, for the sentence that says so; empty where its header is not there yet.
base::ErrorArguments holderOf(base::FileSystem& files, const base::Path& segment) {
    base::ErrorArguments arguments = {{"path", segment.native()}};
    auto file = files.open(segment, base::OpenMode::read);
    if (!file)
        return arguments;
    (void)forEachLine(**file, 0, uint64_t{64} << 10, nullptr, [&arguments](const FileLine& line) {
        const auto record = protocol::parseRecordLine(line.text);
        const auto* header = record ? std::get_if<protocol::SegmentHeader>(&record->body) : nullptr;
        if (header) {
            arguments["host"] = header->writer.host;
            arguments["pid"] = std::to_string(header->writer.pid);
            arguments["since"] = base::formatIso8601(record->time);
        }
        return false;
    });
    return arguments;
}

} // namespace

/// The one implementation; see JournalWriter.
class SegmentWriter final : public JournalWriter {
public:
    SegmentWriter(const base::Clock& clock, std::shared_ptr<SegmentChain> chain,
                  std::unique_ptr<GroupCommit> commit, protocol::SegmentHeader header, Options options)
        : m_clock(clock), m_chain(std::move(chain)), m_commit(std::move(commit)), m_header(std::move(header)),
          m_options(options), m_next(m_chain->highestFile() + 1) {}

    static Expected<std::unique_ptr<JournalWriter>> open(const base::Clock& clock,
                                                         std::shared_ptr<SegmentChain> chain,
                                                         protocol::SegmentHeader header, Options options);
    static std::shared_ptr<SegmentChain> chainOf(const JournalReader& reader) { return reader.m_chain; }

    Expected<std::string_view> append(protocol::RecordBody&& body) override;
    protocol::Cursor last() const override { return {m_header.epoch, m_chain->last()}; }
    RecordNumber durable() const override { return std::max(m_commit->durable(), m_durableBefore); }
    Expected<void> flush() override;
    void folderMoved(const base::Path& folder) override;
    JournalReader reader() const override { return JournalReader(m_chain); }

private:
    /// Where the segment to come joins the one before.
    struct Joint {
        std::optional<protocol::Predecessor> predecessor;
        RecordNumber before;
        /// Lines behind it that the disk lost.
        std::string again;
    };

    [[nodiscard]] bool isDue(size_t lineBytes) const;
    [[nodiscard]] Expected<void> startSegment();
    [[nodiscard]] Joint jointBehindCurrent();
    [[nodiscard]] Expected<Joint> jointBehindReader();
    [[nodiscard]] Expected<void> writeSegment(const Joint& joint);
    /// A segment's file for appending, and for the thread that syncs it.
    struct Handles {
        std::unique_ptr<base::File> write;
        std::unique_ptr<base::File> sync;
    };
    [[nodiscard]] Expected<Handles> createSegment(const base::Path& path, std::string_view bytes);
    [[nodiscard]] Expected<Handles> fillSegment(std::unique_ptr<base::File> created, const base::Path& path,
                                                std::string_view bytes);
    [[nodiscard]] base::Path pathOf(uint32_t segment) const {
        return m_chain->folder() / segmentPath(segment);
    }

    const base::Clock& m_clock;
    std::shared_ptr<SegmentChain> m_chain;
    std::unique_ptr<GroupCommit> m_commit;
    /// Of the segment that is open now; before the first one, what all of them share.
    protocol::SegmentHeader m_header;
    Options m_options;
    /// Number of the segment to come.
    uint32_t m_next;
    std::unique_ptr<base::File> m_file;
    base::SteadyTime m_begun;
    RecordNumber m_durableBefore;
    /// A write has failed: what it left behind must not be followed by anything.
    bool m_torn = false;
    std::string m_line;
};

Expected<std::unique_ptr<JournalWriter>> SegmentWriter::open(const base::Clock& clock,
                                                             std::shared_ptr<SegmentChain> chain,
                                                             protocol::SegmentHeader header,
                                                             Options options) {
    auto commit = GroupCommit::start(chain->files());
    if (!commit)
        return tl::make_unexpected(std::move(commit).error());
    auto writer = std::make_unique<SegmentWriter>(clock, std::move(chain), std::move(*commit),
                                                  std::move(header), options);
    if (auto started = writer->startSegment(); !started)
        return tl::make_unexpected(std::move(started).error());
    return writer;
}

Expected<std::string_view> SegmentWriter::append(protocol::RecordBody&& body) {
    if (m_commit->superseded())
        return base::fail(ErrorCode::experiment_held, holderOf(m_chain->files(), pathOf(m_next)));
    m_line.clear();
    const RecordNumber number(m_chain->last().raw() + 1);
    protocol::Record record{number, m_clock.wallNow(), std::move(body)};
    protocol::appendRecordLine(m_line, record);
    body = std::move(record.body);
    if (isDue(m_line.size()))
        TRIALDECK_TRY(startSegment());
    if (auto written = m_file->append(m_line); !written) {
        m_torn = true;
        return tl::make_unexpected(std::move(written).error().during("append to the journal"));
    }
    m_chain->extend(number, m_line.size());
    m_commit->appended(m_line, number);
    return m_line;
}

Expected<void> SegmentWriter::flush() {
    if (m_torn || m_commit->settle().error)
        TRIALDECK_TRY(startSegment());
    if (auto error = m_commit->settle().error)
        return tl::make_unexpected(std::move(*error).during("sync the journal"));
    return {};
}

void SegmentWriter::folderMoved(const base::Path& folder) {
    m_chain->setFolder(folder);
    m_commit->moved(pathOf(m_header.segment), pathOf(m_next));
}

bool SegmentWriter::isDue(size_t lineBytes) const {
    if (m_torn || m_commit->failed())
        return true;
    const Segment& segment = m_chain->segments().back();
    return segment.last != segment.before && (segment.accepted + lineBytes > m_options.segmentBytes ||
                                              m_clock.steadyNow() - m_begun >= m_options.segmentAge);
}

SegmentWriter::Joint SegmentWriter::jointBehindCurrent() {
    GroupCommit::Settled settled = m_commit->settle();
    const Segment& segment = m_chain->segments().back();
    Joint joint;
    joint.again = std::move(settled.unsynced);
    if (settled.length == 0) {
        // Not even the header is on the disk: to those who come later this segment is not there.
        joint.predecessor = segment.header.predecessor;
        joint.before = segment.before;
        joint.again.erase(0, segment.headerBytes);
        return joint;
    }
    joint.predecessor = {segment.header.segment, settled.length, std::move(settled.sha256)};
    joint.before = joint.again.empty() ? segment.last : std::max(segment.before, m_commit->durable());
    return joint;
}

Expected<SegmentWriter::Joint> SegmentWriter::jointBehindReader() {
    Joint joint;
    if (m_chain->segments().empty())
        return joint;
    const Segment& segment = m_chain->segments().back();
    // What the dead writer left in memory must be on the disk before anything says that it counts.
    auto file = m_chain->files().open(pathOf(segment.header.segment), base::OpenMode::read);
    if (!file)
        return tl::make_unexpected(std::move(file).error());
    TRIALDECK_TRY((*file)->sync());
    TRIALDECK_TRY(m_chain->files().syncDirectory(m_chain->folder() / kJournalFolder));
    auto hash = m_chain->hashLast();
    if (!hash)
        return tl::make_unexpected(std::move(hash).error());
    joint.predecessor = {segment.header.segment, segment.accepted, std::move(*hash)};
    joint.before = segment.last;
    m_durableBefore = segment.last;
    return joint;
}

Expected<void> SegmentWriter::startSegment() {
    Joint joint;
    if (m_file) {
        joint = jointBehindCurrent();
    } else {
        auto behindReader = jointBehindReader();
        if (!behindReader)
            return tl::make_unexpected(std::move(behindReader).error());
        joint = std::move(*behindReader);
    }
    return writeSegment(joint);
}

Expected<void> SegmentWriter::writeSegment(const Joint& joint) {
    protocol::SegmentHeader header = m_header;
    header.segment = m_next;
    header.predecessor = joint.predecessor;
    std::string bytes;
    protocol::appendRecordLine(bytes, {joint.before, m_clock.wallNow(), header});
    const uint64_t headerBytes = bytes.size();
    bytes += joint.again;

    const base::Path path = pathOf(m_next);
    auto handles = createSegment(path, bytes);
    if (!handles)
        return tl::make_unexpected(std::move(handles).error());
    if (m_file) {
        // What the disk lost is written again behind the new header, so readers look for it there.
        const Segment& old = m_chain->segments().back();
        const bool gone = !joint.predecessor || joint.predecessor->segment != old.header.segment;
        m_chain->cut(gone ? old.headerBytes : joint.predecessor->length, joint.before);
    }
    m_header = std::move(header);
    m_file = std::move(handles->write);
    m_begun = m_clock.steadyNow();
    m_torn = false;
    m_chain->beginSegment({m_header, headerBytes, headerBytes, joint.before, joint.before, {}});
    m_chain->noteFile(m_next, m_header.epoch);
    for (std::string_view rest = joint.again; !rest.empty();) {
        const size_t lineBytes = rest.find('\n') + 1;
        m_chain->extend(RecordNumber(m_chain->last().raw() + 1), lineBytes);
        rest.remove_prefix(lineBytes);
    }
    ++m_next;
    m_commit->begin(std::move(handles->sync), path, pathOf(m_next));
    m_commit->appended(bytes, m_chain->last());
    return {};
}

Expected<SegmentWriter::Handles> SegmentWriter::createSegment(const base::Path& path,
                                                              std::string_view bytes) {
    auto created = m_chain->files().open(path, base::OpenMode::createNew);
    if (!created && created.error().code == ErrorCode::file_exists)
        return base::fail(ErrorCode::experiment_held, holderOf(m_chain->files(), path));
    if (!created)
        return tl::make_unexpected(std::move(created).error().during("begin a segment of the journal"));
    auto handles = fillSegment(std::move(*created), path, bytes);
    if (handles)
        return handles;
    // Without a whole header it counts as nothing; where it cannot go, the next try takes the next number.
    if (!m_chain->files().remove(path))
        ++m_next;
    return tl::make_unexpected(std::move(handles).error().during("begin a segment of the journal"));
}

Expected<SegmentWriter::Handles> SegmentWriter::fillSegment(std::unique_ptr<base::File> created,
                                                            const base::Path& path, std::string_view bytes) {
    auto second = m_chain->files().open(path, base::OpenMode::append);
    if (!second)
        return tl::make_unexpected(std::move(second).error());
    TRIALDECK_TRY(created->append(bytes));
    return Handles{std::move(created), std::move(*second)};
}

Expected<std::unique_ptr<JournalWriter>> JournalWriter::create(base::FileSystem& files,
                                                               const base::Clock& clock, base::Path folder,
                                                               ExperimentId experiment,
                                                               protocol::Writer writer, Options options) {
    TRIALDECK_TRY(files.createDirectories(folder / kJournalFolder));
    TRIALDECK_TRY(files.syncDirectory(folder));
    protocol::SegmentHeader header;
    header.version = kJournalVersion;
    header.experiment = std::move(experiment);
    header.writer = std::move(writer);
    header.epoch = Epoch(1);
    return SegmentWriter::open(clock, std::make_shared<SegmentChain>(files, std::move(folder)),
                               std::move(header), options);
}

Expected<std::unique_ptr<JournalWriter>> JournalWriter::resume(const base::Clock& clock,
                                                               const JournalReader& reader,
                                                               ExperimentId experiment,
                                                               protocol::Writer writer, Options options) {
    auto chain = SegmentWriter::chainOf(reader);
    protocol::SegmentHeader header;
    header.version = kJournalVersion;
    header.experiment = std::move(experiment);
    header.writer = std::move(writer);
    header.epoch = Epoch(chain->highestEpoch().raw() + 1);
    return SegmentWriter::open(clock, std::move(chain), std::move(header), options);
}

} // namespace trialdeck::storage

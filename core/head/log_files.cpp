// SPDX-License-Identifier: Apache-2.0
#include "core/head/log_files.h"

#include "core/supervise/log_segments.h"
#include "core/supervise/records.h"

#include <algorithm>

namespace trialdeck::head {

namespace {

constexpr uint64_t kMaxReadBytes = uint64_t{128} << 10;

supervise::Stream streamOf(protocol::OutputStream stream) {
    return stream == protocol::OutputStream::standardOutput ? supervise::Stream::output
                                                            : supervise::Stream::errors;
}

/// The first segment that has bytes at or behind the offset; null where all lies before it.
const supervise::LogSegment* segmentAt(const std::vector<supervise::LogSegment>& segments, uint64_t offset) {
    const auto found =
        std::find_if(segments.begin(), segments.end(), [offset](const supervise::LogSegment& segment) {
            return segment.offset + segment.bytes > offset;
        });
    return found == segments.end() ? nullptr : &*found;
}

} // namespace

Expected<protocol::LogReadResult> readLogFiles(base::FileSystem& files, const base::Path& rankFolder,
                                               const protocol::LogReadRequest& request) {
    const supervise::Stream stream = streamOf(request.address.stream);
    protocol::LogReadResult result;
    // Asked before the bytes: what is written between the two is read next time.
    result.complete = base::exists(files, rankFolder / supervise::kExitFile);
    const auto segments = supervise::listSegments(files, rankFolder, stream);
    if (!segments)
        return tl::make_unexpected(segments.error());
    if (!segments->empty())
        result.end = segments->back().offset + segments->back().bytes;
    result.offset = request.offset;
    if (request.fromEnd)
        result.offset = result.end - std::min(request.offset, result.end);
    const supervise::LogSegment* segment = segmentAt(*segments, result.offset);
    if (!segment) {
        result.offset = result.end;
        return result;
    }
    // Bytes of dropped segments are gone: the answer begins where there are some.
    result.offset = std::max(result.offset, segment->offset);
    auto file =
        files.open(rankFolder / supervise::segmentName(stream, segment->offset), base::OpenMode::read);
    if (!file)
        return tl::make_unexpected(std::move(file).error());
    const uint64_t left = segment->offset + segment->bytes - result.offset;
    result.data.data.resize(std::min({request.maxBytes, kMaxReadBytes, left}));
    auto count = (*file)->readAt(result.offset - segment->offset, result.data.data);
    if (!count)
        return tl::make_unexpected(std::move(count).error());
    result.data.data.resize(*count);
    return result;
}

} // namespace trialdeck::head

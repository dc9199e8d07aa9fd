// SPDX-License-Identifier: Apache-2.0
#include "core/protocol/messages/records.h"

#include "core/protocol/frame.h"

#include <zlib.h>

namespace trialdeck::protocol {

namespace {

/// Room for everything in the frame but the lines.
constexpr size_t kOverheadBytes = 1024;
/// Fewer go out in one packet anyway.
constexpr size_t kPackFromBytes = 1024;

} // namespace

std::vector<RecordsEvent> splitRecords(RecordsEvent event) {
    constexpr size_t kPieceBytes = kMaxFrameBytes - kOverheadBytes;
    std::vector<RecordsEvent> pieces;
    if (event.lines.data.size() <= kPieceBytes) {
        pieces.push_back(std::move(event));
        return pieces;
    }
    const std::string lines = std::move(event.lines.data);
    event.lines.data.clear();
    for (size_t at = 0; at < lines.size(); at += kPieceBytes) {
        RecordsEvent piece = event;
        piece.lines.data = lines.substr(at, kPieceBytes);
        piece.more = at + kPieceBytes < lines.size();
        pieces.push_back(std::move(piece));
    }
    return pieces;
}

void packRecords(RecordsEvent& event) {
    const std::string& lines = event.lines.data;
    if (lines.size() < kPackFromBytes || event.unpackedBytes > 0)
        return;
    uLongf size = compressBound(lines.size());
    std::string packed(size, '\0');
    const int done = compress2(reinterpret_cast<Bytef*>(packed.data()), &size,
                               reinterpret_cast<const Bytef*>(lines.data()), lines.size(), Z_BEST_SPEED);
    if (done != Z_OK || size >= lines.size())
        return;
    packed.resize(size);
    event.unpackedBytes = lines.size();
    event.lines.data = std::move(packed);
}

Expected<void> unpackRecords(RecordsEvent& event) {
    if (event.unpackedBytes == 0)
        return {};
    if (event.unpackedBytes > kMaxEventBytes)
        return base::fail(ErrorCode::bad_message, {}, "packed records are too large");
    std::string lines(event.unpackedBytes, '\0');
    uLongf size = lines.size();
    const std::string& packed = event.lines.data;
    const int done = uncompress(reinterpret_cast<Bytef*>(lines.data()), &size,
                                reinterpret_cast<const Bytef*>(packed.data()), packed.size());
    if (done != Z_OK || size != lines.size())
        return base::fail(ErrorCode::bad_message, {}, "packed records do not unpack");
    event.lines.data = std::move(lines);
    event.unpackedBytes = 0;
    return {};
}

} // namespace trialdeck::protocol

// SPDX-License-Identifier: Apache-2.0
#include "core/protocol/messages/records.h"

#include "core/protocol/frame.h"

namespace trialdeck::protocol {

namespace {

/// Room for everything in the frame but the lines.
constexpr size_t kOverheadBytes = 1024;

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

} // namespace trialdeck::protocol

// SPDX-License-Identifier: Apache-2.0
// Any stream: the marker is found and the frames come out the same however the stream is cut into reads.
// Input: one byte that chooses the cuts, then the stream.
#include "core/protocol/frame.h"

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <string>
#include <vector>

using namespace trialdeck;
using namespace trialdeck::protocol;

namespace {

struct Outcome {
    std::string chatter;
    bool started = false;
    std::vector<std::string> frames;
    std::string error;
    bool operator==(const Outcome&) const = default;
};

/// False where the stream ends the session.
bool takeFrames(FrameReader& reader, Outcome& outcome) {
    for (;;) {
        const auto frame = reader.next();
        if (!frame) {
            outcome.error = nameOf(frame.error().code);
            return false;
        }
        if (!*frame)
            return true;
        outcome.frames.emplace_back(**frame);
    }
}

Outcome readStream(std::string_view stream, size_t pieceBytes) {
    Outcome outcome;
    StartMarkerReader marker("n");
    FrameReader reader;
    while (!stream.empty()) {
        std::string_view piece = stream.substr(0, pieceBytes);
        if (!outcome.started) {
            const auto found = marker.read(piece);
            if (!found || !*found) {
                if (!found)
                    return outcome;
                stream.remove_prefix(piece.size());
                continue;
            }
            outcome.started = true;
            outcome.chatter = marker.chatter();
            stream.remove_prefix(**found);
            piece = stream.substr(0, std::min(pieceBytes, stream.size()));
        }
        const std::span<char> room = reader.prepare();
        const size_t count = std::min(piece.size(), room.size());
        std::memcpy(room.data(), piece.data(), count);
        reader.commit(count);
        stream.remove_prefix(count);
        if (!takeFrames(reader, outcome))
            break;
    }
    return outcome;
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
    if (size == 0)
        return 0;
    const std::string_view stream(reinterpret_cast<const char*>(data) + 1, size - 1);
    if (readStream(stream, size_t{1} + data[0]) != readStream(stream, size))
        std::abort();
    return 0;
}

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/error.h"

#include <array>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace trialdeck::protocol {

/// Bytes of a frame behind its length.
constexpr size_t kMaxFrameBytes = size_t{256} << 10;
constexpr size_t kFrameHeaderBytes = 4;

/// The length that goes before a frame, big-endian.
[[nodiscard]] std::array<char, kFrameHeaderBytes> frameHeader(size_t payloadBytes);

/// Cuts a stream into frames. The stream is read straight into the reader's buffer and frames are views into
/// it: a byte moves only when the beginning of an incomplete frame has to make room for its end. The buffer
/// never grows beyond two of the largest frames.
class FrameReader {
public:
    /// Room for the next read from the stream, never empty. Ends the life of all views given out before.
    [[nodiscard]] std::span<char> prepare();
    /// That many bytes of the room now hold what the stream had.
    void commit(size_t bytes);
    /// The next whole frame's payload; nothing while its end has not come.
    /// @return bad_frame for a length of 0 or above kMaxFrameBytes; `found` then is what stands there
    /// instead,
    ///         cleaned, because it often is text that some program printed into the stream.
    [[nodiscard]] Expected<std::optional<std::string_view>> next();
    /// Bytes of a frame whose end has not come: a stream that ends here was cut inside a frame.
    [[nodiscard]] size_t pendingBytes() const { return m_end - m_begin; }

private:
    std::unique_ptr<char[]> m_buffer;
    size_t m_size = 0;
    size_t m_begin = 0;
    size_t m_end = 0;
};

/// What the head prints before its first frame. Holds characters that neither a login message nor an echoed
/// command line with the same nonce can have.
/// @param nonce  from the command line of the head: letters, digits and "-"
[[nodiscard]] std::string startMarker(std::string_view nonce);

/// Finds the marker in what a login shell prints before it.
class StartMarkerReader {
public:
    /// More than this without a marker is no login message.
    static constexpr size_t kMaxChatterBytes = size_t{64} << 10;

    explicit StartMarkerReader(std::string_view nonce);

    /// @return how many of the bytes lie before and in the marker: frames begin behind them; nothing while
    ///         the marker has not come whole. head_did_not_answer with the argument printed past
    ///         kMaxChatterBytes.
    [[nodiscard]] Expected<std::optional<size_t>> read(std::string_view bytes);

    /// Bytes before the marker, as far as read.
    [[nodiscard]] size_t chatterBytes() const;
    /// The same as text for people: without control sequences, bad bytes as U+FFFD, at most 4 KiB.
    [[nodiscard]] std::string chatter() const;
    /// For a stream that ends or a time that passes without the marker: head_did_not_answer, printed.
    [[nodiscard]] Error noAnswer() const;

private:
    std::string m_marker;
    std::string m_seen;
    size_t m_searched = 0;
    std::optional<size_t> m_found;
};

/// Text of a terminal made fit to show: escape sequences and control characters other than line breaks and
/// tabs are left out, bad UTF-8 becomes U+FFFD, blank ends are cut off, at most maxBytes are kept (the
/// first).
[[nodiscard]] std::string cleanTerminalText(std::string_view text, size_t maxBytes);

} // namespace trialdeck::protocol

// SPDX-License-Identifier: Apache-2.0
#include "core/protocol/frame.h"

#include "core/base/escape.h"
#include "core/base/utf8.h"

#include <algorithm>
#include <cassert>
#include <cstdint>
#include <cstring>

namespace trialdeck::protocol {

namespace {

constexpr size_t kBufferBytes = 2 * (kMaxFrameBytes + kFrameHeaderBytes);
/// A first buffer: most sessions see nothing but short frames.
constexpr size_t kSmallBufferBytes = size_t{16} << 10;
constexpr size_t kShownChatterBytes = size_t{4} << 10;

size_t lengthAt(const char* bytes) {
    size_t length = 0;
    for (size_t i = 0; i < kFrameHeaderBytes; ++i)
        length = length << 8 | static_cast<uint8_t>(bytes[i]);
    return length;
}

} // namespace

std::array<char, kFrameHeaderBytes> frameHeader(size_t payloadBytes) {
    assert(payloadBytes > 0 && payloadBytes <= kMaxFrameBytes);
    std::array<char, kFrameHeaderBytes> header;
    for (size_t i = 0; i < kFrameHeaderBytes; ++i)
        header.at(i) = static_cast<char>(payloadBytes >> (8 * (kFrameHeaderBytes - 1 - i)) & 0xff);
    return header;
}

std::span<char> FrameReader::prepare() {
    if (m_begin == m_end)
        m_begin = m_end = 0;
    // Make room for the whole of a frame whose length is known, else for a good read.
    size_t wanted = kSmallBufferBytes;
    if (pendingBytes() >= kFrameHeaderBytes) {
        const size_t length = std::min(lengthAt(m_buffer.get() + m_begin), kMaxFrameBytes);
        wanted = std::max(wanted, kFrameHeaderBytes + length - std::min(length, pendingBytes()));
    }
    if (m_size - m_end < wanted && m_begin > 0) {
        std::memmove(m_buffer.get(), m_buffer.get() + m_begin, pendingBytes());
        m_end -= m_begin;
        m_begin = 0;
    }
    if (m_size - m_end < wanted) {
        const size_t size = m_size == 0 ? kSmallBufferBytes * 2 : kBufferBytes;
        std::unique_ptr<char[]> larger(new char[size]);
        if (m_end > 0)
            std::memcpy(larger.get(), m_buffer.get(), m_end);
        m_buffer = std::move(larger);
        m_size = size;
    }
    return {m_buffer.get() + m_end, m_size - m_end};
}

void FrameReader::commit(size_t bytes) {
    assert(bytes <= m_size - m_end);
    m_end += bytes;
}

Expected<std::optional<std::string_view>> FrameReader::next() {
    if (pendingBytes() < kFrameHeaderBytes)
        return std::nullopt;
    const char* start = m_buffer.get() + m_begin;
    const size_t length = lengthAt(start);
    if (length == 0 || length > kMaxFrameBytes) {
        const std::string_view there(start, pendingBytes());
        return base::fail(ErrorCode::bad_frame, {{"found", cleanTerminalText(there, kShownChatterBytes)}},
                          "a frame of " + std::to_string(length) + " bytes");
    }
    if (pendingBytes() - kFrameHeaderBytes < length)
        return std::nullopt;
    m_begin += kFrameHeaderBytes + length;
    return std::string_view(start + kFrameHeaderBytes, length);
}

std::string startMarker(std::string_view nonce) {
    std::string marker = "\x02trialdeck-head ";
    marker += nonce;
    marker += '\x03';
    return marker;
}

StartMarkerReader::StartMarkerReader(std::string_view nonce) : m_marker(startMarker(nonce)) {}

Expected<std::optional<size_t>> StartMarkerReader::read(std::string_view bytes) {
    assert(!m_found);
    const size_t before = m_seen.size();
    // One byte more than may lie before the marker is enough to know that there is none in time.
    const size_t room = kMaxChatterBytes + m_marker.size() - before;
    m_seen.append(bytes.substr(0, room));
    const size_t found = m_seen.find(m_marker, m_searched);
    if (found != std::string::npos) {
        m_found = found;
        return found + m_marker.size() - before;
    }
    m_searched = m_seen.size() - std::min(m_seen.size(), m_marker.size() - 1);
    if (m_searched > kMaxChatterBytes)
        return tl::make_unexpected(noAnswer());
    return std::nullopt;
}

size_t StartMarkerReader::chatterBytes() const {
    return m_found.value_or(m_seen.size());
}

std::string StartMarkerReader::chatter() const {
    return cleanTerminalText(std::string_view(m_seen).substr(0, chatterBytes()), kShownChatterBytes);
}

Error StartMarkerReader::noAnswer() const {
    return Error{ErrorCode::head_did_not_answer, {{"printed", chatter()}}, {}};
}

std::string cleanTerminalText(std::string_view text, size_t maxBytes) {
    std::string plain;
    for (size_t at = 0; at < text.size() && plain.size() < maxBytes;) {
        const char letter = text[at];
        if (letter == base::kEscape) {
            at = base::endOfEscape(text, at);
            continue;
        }
        const auto code = static_cast<unsigned char>(letter);
        if ((code >= 0x20 && code != 0x7f) || letter == '\n' || letter == '\t')
            plain.push_back(letter);
        ++at;
    }
    const std::string clean = base::cleanUtf8(plain);
    std::string_view shown = base::truncateUtf8(clean, maxBytes);
    constexpr std::string_view kBlank = " \t\n";
    const size_t first = shown.find_first_not_of(kBlank);
    if (first == std::string_view::npos)
        return {};
    shown = shown.substr(first, shown.find_last_not_of(kBlank) - first + 1);
    return std::string(shown);
}

} // namespace trialdeck::protocol

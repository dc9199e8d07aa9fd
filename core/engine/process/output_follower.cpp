// SPDX-License-Identifier: Apache-2.0
#include "core/engine/process/output_follower.h"

#include "core/supervise/terminal_text.h"

#include <algorithm>
#include <array>

namespace trialdeck::engine::process {

OutputFollower::OutputFollower(base::FileSystem& files, base::Path folder, supervise::Stream stream,
                               uint64_t position, size_t maxLineBytes)
    : m_files(files), m_folder(std::move(folder)), m_stream(stream), m_maxLineBytes(maxLineBytes),
      m_readTo(position) {}

bool OutputFollower::openAt(uint64_t segment) {
    auto file = m_files.open(m_folder / supervise::segmentName(m_stream, segment), base::OpenMode::read);
    if (!file)
        return false;
    m_file = std::move(*file);
    m_segment = segment;
    return true;
}

bool OutputFollower::openNext() {
    if (openAt(m_readTo))
        return true;
    // In the midst of a segment, or at bytes that were not kept: what there is tells, when that has changed.
    const auto status = m_files.status(m_folder);
    if (!status || status->modifiedNanoseconds == m_listedAt)
        return false;
    m_listedAt = status->modifiedNanoseconds;
    const auto segments = supervise::listSegments(m_files, m_folder, m_stream);
    if (!segments)
        return false;
    for (const supervise::LogSegment& segment : *segments) {
        if (segment.offset + segment.bytes <= m_readTo)
            continue;
        if (segment.offset > m_readTo) {
            m_line.clear();
            m_lineOpen = false;
            m_readTo = segment.offset;
        }
        return openAt(segment.offset);
    }
    return false;
}

bool OutputFollower::poll(const Handler& handle, size_t maxBytes) {
    std::array<char, size_t{64} << 10> buffer;
    for (size_t done = 0; done < maxBytes;) {
        if (!m_file && !openNext())
            return false;
        const auto count = m_file->readAt(m_readTo - m_segment, buffer);
        if (!count || *count == 0) {
            // The end of this segment; it grows on unless there is a next one.
            const uint64_t current = m_segment;
            auto file = std::move(m_file);
            if (count && openNext() && m_segment != current)
                continue;
            m_file = std::move(file);
            m_segment = current;
            return false;
        }
        m_readTo += *count;
        take({buffer.data(), *count}, handle);
        done += *count;
    }
    return true;
}

void OutputFollower::take(std::string_view piece, const Handler& handle) {
    const uint64_t end = m_readTo;
    while (!piece.empty()) {
        const size_t newline = piece.find('\n');
        addToLine(piece.substr(0, newline));
        if (newline == std::string_view::npos)
            break;
        piece.remove_prefix(newline + 1);
        m_readTo = end - piece.size();
        endLine(handle);
    }
    m_readTo = end;
}

void OutputFollower::addToLine(std::string_view text) {
    m_lineOpen = m_lineOpen || !text.empty();
    const std::string_view state = supervise::lastState(text);
    const bool returnsBefore = state.data() != text.data() && !state.empty();
    const bool returnsBehind = !text.empty() && text.back() == '\r';
    if (!state.empty() && (m_startOver || returnsBefore)) {
        m_line.clear();
        m_startOver = false;
    }
    const size_t room = m_maxLineBytes - std::min(m_line.size(), m_maxLineBytes);
    m_line.append(state.substr(0, room));
    m_startOver = m_startOver || returnsBehind;
}

void OutputFollower::endLine(const Handler& handle) {
    m_startOver = false;
    m_lineOpen = false;
    const std::string line = supervise::withoutEscapes(m_line);
    m_line.clear();
    handle(line, m_readTo);
}

void OutputFollower::finish(const Handler& handle) {
    m_listedAt = -1;
    while (poll(handle)) {
    }
    if (m_lineOpen)
        endLine(handle);
}

} // namespace trialdeck::engine::process

// SPDX-License-Identifier: Apache-2.0
#include "core/engine/line_follower.h"

#include <algorithm>
#include <array>

namespace trialdeck::engine {

namespace {

constexpr size_t kMaxSeen = 1'000'000;

} // namespace

LineFollower::LineFollower(base::FileSystem& files, base::Path path, uint64_t position, size_t maxLineBytes)
    : m_files(files), m_path(std::move(path)), m_maxLineBytes(maxLineBytes), m_lineStart(position),
      m_readTo(position) {}

void LineFollower::startOver() {
    m_lineStart = 0;
    m_readTo = 0;
    m_partial.clear();
    m_known = 0;
    m_comparing = !m_seen.empty();
}

/// Opens the file where that is needed and notices what happened to it. @return whether it is there
Expected<bool> LineFollower::lookAgain() {
    auto status = m_files.status(m_path);
    if (!status && status.error().code == ErrorCode::file_not_found)
        return false;
    if (!status)
        return tl::make_unexpected(std::move(status).error());
    if (status->type != base::FileType::regular)
        return base::fail(
            ErrorCode::file_io, {{"path", m_path.native()}},
            "it is not a file any more but a folder, a link, a pipe or a device; nothing is read from it");
    const bool replaced = m_file && (status->inode != m_status.inode || status->device != m_status.device);
    if (replaced)
        m_file.reset();
    if (!m_file) {
        auto file = m_files.open(m_path, base::OpenMode::read);
        if (!file)
            return tl::make_unexpected(std::move(file).error());
        m_file = std::move(*file);
        if (replaced)
            startOver();
    }
    m_status = *status;
    if (m_status.bytes >= m_readTo)
        return true;
    // A smaller size may be an old one that a network file system remembers; reading tells.
    std::array<char, 1> byte;
    auto there = m_file->readAt(m_readTo - 1, byte);
    if (!there)
        return tl::make_unexpected(std::move(there).error());
    if (*there == 0)
        startOver();
    return true;
}

void LineFollower::endHere() {
    if (const auto status = m_files.status(m_path))
        m_end = std::max(status->bytes, m_readTo);
}

Expected<bool> LineFollower::poll(const Handler& handle, size_t maxBytes) {
    auto there = lookAgain();
    if (!there || !*there)
        return there;
    std::array<char, size_t{64} << 10> buffer;
    for (size_t done = 0; done < maxBytes;) {
        const uint64_t wanted = std::min<uint64_t>(buffer.size(), m_end - std::min(m_end, m_readTo));
        auto count = m_file->readAt(m_readTo, std::span(buffer.data(), wanted));
        if (!count) {
            // A stale handle of a network file system is of no more use.
            m_file.reset();
            m_partial.clear();
            m_readTo = m_lineStart;
            return tl::make_unexpected(std::move(count).error());
        }
        take({buffer.data(), *count}, handle);
        done += *count;
        if (*count < buffer.size())
            return false;
    }
    return true;
}

void LineFollower::take(std::string_view piece, const Handler& handle) {
    while (!piece.empty()) {
        const size_t newline = piece.find('\n');
        const size_t length = std::min(newline, piece.size());
        if (newline == std::string_view::npos && piece.find('\0') != std::string_view::npos) {
            m_partial.clear();
            m_readTo = m_lineStart;
            return;
        }
        const size_t room = m_maxLineBytes + 1 - std::min(m_partial.size(), m_maxLineBytes + 1);
        m_partial.append(piece.substr(0, std::min(length, room)));
        m_readTo += length;
        piece.remove_prefix(length);
        if (newline == std::string_view::npos)
            return;
        piece.remove_prefix(1);
        endLine(handle, ++m_readTo);
    }
}

void LineFollower::endLine(const Handler& handle, uint64_t endOffset) {
    m_lineStart = endOffset;
    const uint64_t hash = std::hash<std::string_view>{}(m_partial);
    if (m_comparing && m_known < m_seen.size() && m_seen[m_known] == hash) {
        ++m_known;
        m_partial.clear();
        return;
    }
    if (m_comparing) {
        m_seen.resize(m_known);
        m_comparing = false;
    }
    if (m_seen.size() < kMaxSeen)
        m_seen.push_back(hash);
    handle(m_partial, endOffset);
    m_partial.clear();
}

/// Hands over what stands behind the last newline and has NUL bytes in it: nothing will replace them now.
Expected<void> LineFollower::takeZeros(const Handler& handle) {
    const uint64_t end = std::min(m_status.bytes, m_end);
    if (!m_file || end <= m_lineStart)
        return {};
    m_partial.resize(std::min<size_t>(end - m_lineStart, m_maxLineBytes + 1));
    auto count = m_file->readAt(m_lineStart, m_partial);
    if (!count)
        m_partial.clear();
    else
        m_partial.resize(*count);
    if (!m_partial.empty())
        endLine(handle, end);
    return count ? Expected<void>() : tl::make_unexpected(std::move(count).error());
}

Expected<void> LineFollower::finish(const Handler& handle) {
    for (bool more = true; more;) {
        auto result = poll(handle);
        if (!result)
            return tl::make_unexpected(std::move(result).error());
        more = *result;
    }
    if (m_partial.empty())
        return takeZeros(handle);
    endLine(handle, m_readTo);
    return {};
}

} // namespace trialdeck::engine

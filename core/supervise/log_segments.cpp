// SPDX-License-Identifier: Apache-2.0
#include "core/supervise/log_segments.h"

#include <algorithm>
#include <charconv>

namespace trialdeck::supervise {

namespace {

constexpr std::string_view kSuffix = ".log";

std::optional<uint64_t> offsetIn(std::string_view name, Stream stream) {
    const std::string prefix = std::string(nameOf(stream)) + ".";
    if (name.substr(0, prefix.size()) != prefix || name.size() <= prefix.size() + kSuffix.size() ||
        name.substr(name.size() - kSuffix.size()) != kSuffix)
        return std::nullopt;
    const std::string_view digits = name.substr(prefix.size(), name.size() - prefix.size() - kSuffix.size());
    uint64_t offset = 0;
    const auto result = std::from_chars(digits.data(), digits.data() + digits.size(), offset);
    return result.ec == std::errc() && result.ptr == digits.data() + digits.size() ? std::optional(offset)
                                                                                   : std::nullopt;
}

} // namespace

std::string_view nameOf(Stream stream) {
    return stream == Stream::output ? "stdout" : "stderr";
}

std::optional<Stream> streamFromString(std::string_view name) {
    if (name == "stdout")
        return Stream::output;
    return name == "stderr" ? std::optional(Stream::errors) : std::nullopt;
}

std::string segmentName(Stream stream, uint64_t offset) {
    return std::string(nameOf(stream)) + "." + std::to_string(offset) + std::string(kSuffix);
}

Expected<std::vector<LogSegment>> listSegments(base::FileSystem& files, const base::Path& folder,
                                               Stream stream) {
    const auto names = files.list(folder);
    if (!names)
        return tl::make_unexpected(names.error());
    std::vector<LogSegment> segments;
    for (const std::string& name : *names) {
        const auto offset = offsetIn(name, stream);
        const auto status = offset ? files.status(folder / name) : tl::make_unexpected(Error{});
        // A segment may be dropped between listing and asking.
        if (status)
            segments.push_back({*offset, status->bytes});
    }
    std::sort(segments.begin(), segments.end(),
              [](const LogSegment& a, const LogSegment& b) { return a.offset < b.offset; });
    return segments;
}

SegmentedLog::SegmentedLog(base::FileSystem& files, base::Path folder, Stream stream, const LogLimits& limits)
    : m_files(files), m_folder(std::move(folder)), m_stream(stream), m_limits(limits) {}

void SegmentedLog::append(std::string_view bytes) {
    remember(bytes);
    while (!bytes.empty()) {
        const uint64_t filled = m_file ? m_segments.back().bytes : 0;
        if (filled >= m_limits.segmentBytes) {
            m_file.reset();
            continue;
        }
        const std::string_view part = bytes.substr(0, m_limits.segmentBytes - filled);
        write(part);
        bytes.remove_prefix(part.size());
    }
}

void SegmentedLog::write(std::string_view bytes) {
    uint64_t written = 0;
    if (m_file || openSegment()) {
        LogSegment& segment = m_segments.back();
        const uint64_t end = m_file->append(bytes) ? segment.bytes + bytes.size()
                                                   : m_file->status().value_or(base::FileStatus{}).bytes;
        written = std::max(end, segment.bytes) - segment.bytes;
        segment.bytes += written;
    }
    m_bytes += bytes.size();
    m_lostBytes += bytes.size() - written;
    if (written < bytes.size())
        closeSegment();
}

void SegmentedLog::closeSegment() {
    if (!m_file)
        return;
    m_file.reset();
    if (m_segments.back().bytes > 0)
        return;
    (void)m_files.remove(m_folder / segmentName(m_stream, m_segments.back().offset));
    m_segments.pop_back();
}

bool SegmentedLog::openSegment() {
    auto file = m_files.open(m_folder / segmentName(m_stream, m_bytes), base::OpenMode::replace);
    if (!file)
        return false;
    m_file = std::move(*file);
    if (m_segments.empty() || m_segments.back().offset != m_bytes)
        m_segments.push_back({m_bytes, 0});
    dropOld();
    return true;
}

void SegmentedLog::dropOld() {
    // The first segment stays: it says how the program was started and what it found.
    while (m_segments.size() > 2 &&
           m_bytes - (m_segments[1].offset + m_segments[1].bytes) >= m_limits.keepBytes) {
        (void)m_files.remove(m_folder / segmentName(m_stream, m_segments[1].offset));
        m_segments.erase(m_segments.begin() + 1);
    }
}

void SegmentedLog::remember(std::string_view bytes) {
    if (bytes.size() >= kTailBytes) {
        m_tail = bytes.substr(bytes.size() - kTailBytes);
        return;
    }
    // Trimmed only when twice as long, so that many short writes do not move the tail each time.
    m_tail += bytes;
    if (m_tail.size() > 2 * kTailBytes)
        m_tail.erase(0, m_tail.size() - kTailBytes);
}

} // namespace trialdeck::supervise

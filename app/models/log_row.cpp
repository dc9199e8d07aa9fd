// SPDX-License-Identifier: Apache-2.0
#include "app/models/log_row.h"

#include <algorithm>
#include <cstddef>

namespace trialdeck::app::models {

namespace {

constexpr char kStyleMark = '\xff';
constexpr uint8_t kBold = 0x10;
constexpr uint8_t kStyleBase = 0x20;
constexpr size_t kHead = 4096;
constexpr size_t kLongest = 16384;

void appendUtf8(std::string& out, char32_t c) {
    if (c < 0x80) {
        out += static_cast<char>(c);
    } else if (c < 0x800) {
        out += static_cast<char>(0xc0 | c >> 6);
        out += static_cast<char>(0x80 | (c & 0x3f));
    } else if (c < 0x10000) {
        out += static_cast<char>(0xe0 | c >> 12);
        out += static_cast<char>(0x80 | (c >> 6 & 0x3f));
        out += static_cast<char>(0x80 | (c & 0x3f));
    } else {
        out += static_cast<char>(0xf0 | c >> 18);
        out += static_cast<char>(0x80 | (c >> 12 & 0x3f));
        out += static_cast<char>(0x80 | (c >> 6 & 0x3f));
        out += static_cast<char>(0x80 | (c & 0x3f));
    }
}

/// Reads one character of valid UTF-8 and moves on.
char32_t nextCharacter(std::string_view text, size_t& i) {
    const auto lead = static_cast<unsigned char>(text[i++]);
    if (lead < 0x80)
        return lead;
    int more = lead >= 0xf0 ? 3 : lead >= 0xe0 ? 2 : 1;
    char32_t c = lead & (0x3f >> more);
    for (; more > 0 && i < text.size(); --more)
        c = c << 6 | (static_cast<unsigned char>(text[i++]) & 0x3f);
    return c;
}

LogStyle styleFrom(char byte) {
    const auto bits = static_cast<uint8_t>(static_cast<uint8_t>(byte) - kStyleBase);
    return {static_cast<uint8_t>(bits & 0x0f), (bits & kBold) != 0};
}

void appendStyle(std::string& out, LogStyle style) {
    out += kStyleMark;
    out += static_cast<char>(kStyleBase + style.colour + (style.bold ? kBold : 0));
}

} // namespace

LogLine decodeLogLine(std::string_view kept) {
    LogLine line;
    line.text.reserve(kept.size());
    LogStyle style;
    size_t start = 0;
    const auto endSpan = [&] {
        if (line.text.size() > start)
            line.spans.push_back({start, line.text.size() - start, style});
        start = line.text.size();
    };
    for (size_t i = 0; i < kept.size(); ++i) {
        if (kept[i] == kStyleMark && i + 1 < kept.size()) {
            endSpan();
            style = styleFrom(kept[++i]);
        } else {
            line.text += kept[i];
        }
    }
    endSpan();
    return line;
}

std::string plainLogText(std::string_view kept) {
    if (kept.find(kStyleMark) == std::string_view::npos)
        return std::string(kept);
    return decodeLogLine(kept).text;
}

void LogRow::clear() {
    m_cells.clear();
    m_column = 0;
    m_dropped = 0;
}

void LogRow::restore(std::string_view kept) {
    clear();
    LogStyle style;
    for (size_t i = 0; i < kept.size();) {
        if (kept[i] == kStyleMark && i + 1 < kept.size()) {
            style = styleFrom(kept[i + 1]);
            i += 2;
        } else {
            put(nextCharacter(kept, i), style);
        }
    }
    m_column = 0;
}

void LogRow::put(char32_t character, LogStyle style) {
    if (m_column < m_cells.size()) {
        m_cells[m_column] = {character, style};
    } else {
        m_cells.resize(m_column);
        m_cells.push_back({character, style});
        if (m_cells.size() > kLongest)
            dropMiddle();
    }
    ++m_column;
}

void LogRow::dropMiddle() {
    const size_t surplus = m_cells.size() - 2 * kHead;
    m_cells.erase(m_cells.begin() + kHead, m_cells.begin() + static_cast<ptrdiff_t>(kHead + surplus));
    m_dropped += surplus;
    m_column -= std::min(m_column, surplus);
}

void LogRow::putMark(std::string_view text) {
    for (size_t i = 0; i < text.size();)
        put(nextCharacter(text, i), {LogStyle::mark, false});
}

void LogRow::erase(int part) {
    const size_t cursor = std::min(m_column, m_cells.size());
    if (part == 0)
        m_cells.resize(cursor);
    else if (part == 1)
        std::fill(m_cells.begin(), m_cells.begin() + static_cast<ptrdiff_t>(cursor), Cell{});
    else
        m_cells.clear();
}

std::string LogRow::kept() const {
    std::string out;
    out.reserve(m_cells.size());
    LogStyle style;
    size_t end = m_cells.size();
    while (end > 0 && m_cells[end - 1].character == U' ' && m_cells[end - 1].style == LogStyle{})
        --end;
    for (size_t i = 0; i < end; ++i) {
        if (i == kHead && m_dropped > 0) {
            appendStyle(out, {LogStyle::mark, false});
            out += " … " + std::to_string(m_dropped) + " … ";
            appendStyle(out, style);
        }
        if (m_cells[i].style != style) {
            style = m_cells[i].style;
            appendStyle(out, style);
        }
        appendUtf8(out, m_cells[i].character);
    }
    return out;
}

} // namespace trialdeck::app::models

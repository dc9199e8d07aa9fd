// SPDX-License-Identifier: Apache-2.0
#include "core/ctl/text_table.h"

#include <algorithm>
#include <array>
#include <cassert>
#include <cstdint>

namespace trialdeck::ctl {

namespace {

constexpr std::string_view kGap = "  ";

struct Range {
    uint32_t first;
    uint32_t last;
};
/// Source: Unicode 15, EastAsianWidth.txt (W and F), joined where only unassigned characters lie between.
constexpr std::array<Range, 17> kWide = {{{0x1100, 0x115f},
                                          {0x2e80, 0x303e},
                                          {0x3041, 0x33ff},
                                          {0x3400, 0x4dbf},
                                          {0x4e00, 0x9fff},
                                          {0xa000, 0xa4cf},
                                          {0xa960, 0xa97f},
                                          {0xac00, 0xd7a3},
                                          {0xf900, 0xfaff},
                                          {0xfe30, 0xfe6f},
                                          {0xff00, 0xff60},
                                          {0xffe0, 0xffe6},
                                          {0x1f300, 0x1f64f},
                                          {0x1f680, 0x1f6ff},
                                          {0x1f900, 0x1f9ff},
                                          {0x20000, 0x2fffd},
                                          {0x30000, 0x3fffd}}};
constexpr std::array<Range, 4> kZero = {
    {{0x0300, 0x036f}, {0x200b, 0x200f}, {0x20d0, 0x20ff}, {0xfe00, 0xfe0f}}};

template<size_t Count>
bool isIn(const std::array<Range, Count>& ranges, uint32_t letter) {
    return std::any_of(ranges.begin(), ranges.end(), [letter](const Range& range) {
        return letter >= range.first && letter <= range.last;
    });
}

/// One character of UTF-8; a byte that begins none counts as one.
struct Letter {
    size_t bytes = 1;
    size_t width = 1;
};

Letter letterAt(std::string_view text, size_t at) {
    const auto first = static_cast<unsigned char>(text[at]);
    const size_t bytes = first >= 0xf0 ? 4 : first >= 0xe0 ? 3 : first >= 0xc0 ? 2 : 1;
    if (bytes == 1 || at + bytes > text.size())
        return {};
    uint32_t letter = first & (0xffU >> (bytes + 1));
    for (size_t i = 1; i < bytes; ++i)
        letter = letter << 6 | (static_cast<unsigned char>(text[at + i]) & 0x3fU);
    return {bytes, isIn(kZero, letter) ? size_t{0} : isIn(kWide, letter) ? size_t{2} : size_t{1}};
}

} // namespace

size_t displayWidth(std::string_view text) {
    size_t width = 0;
    for (size_t at = 0; at < text.size();) {
        const Letter letter = letterAt(text, at);
        width += letter.width;
        at += letter.bytes;
    }
    return width;
}

std::string fitted(std::string_view text, size_t columns) {
    if (displayWidth(text) <= columns)
        return std::string(text);
    size_t width = 0;
    size_t at = 0;
    while (at < text.size()) {
        const Letter letter = letterAt(text, at);
        if (width + letter.width + 1 > columns)
            break;
        width += letter.width;
        at += letter.bytes;
    }
    return std::string(text.substr(0, at)) + (columns > 0 ? "…" : "");
}

void TextTable::addColumn(std::string header, Align align) {
    assert(m_rows.empty());
    const size_t width = displayWidth(header);
    m_columns.push_back({std::move(header), align, width});
}

void TextTable::addRow(std::vector<std::string> cells) {
    assert(cells.size() == m_columns.size());
    for (size_t i = 0; i < cells.size(); ++i)
        m_columns[i].width = std::max(m_columns[i].width, displayWidth(cells[i]));
    m_rows.push_back(std::move(cells));
}

std::string TextTable::line(const std::vector<std::string>& cells, size_t shownColumns) const {
    std::string text;
    for (size_t i = 0; i < shownColumns; ++i) {
        const std::string blanks(m_columns[i].width - displayWidth(cells[i]), ' ');
        text += i == 0 ? "" : kGap;
        text += m_columns[i].align == Align::right ? blanks + cells[i] : cells[i] + blanks;
    }
    text.erase(text.find_last_not_of(' ') + 1);
    return text + "\n";
}

std::string TextTable::text(size_t columns) const {
    size_t shown = 0;
    size_t width = 0;
    for (; shown < m_columns.size(); ++shown) {
        width += m_columns[shown].width + (shown == 0 ? 0 : kGap.size());
        if (columns > 0 && width > columns)
            break;
    }
    std::vector<std::string> headers;
    for (const Column& column : m_columns)
        headers.push_back(column.header);
    std::string text = line(headers, shown);
    for (const auto& row : m_rows)
        text += line(row, shown);
    return text;
}

} // namespace trialdeck::ctl

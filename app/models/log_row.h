// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace trialdeck::app::models {

/// How a piece of a log line looks. Colours are the eight names that terminals know, mapped by the window to
/// its own palette.
struct LogStyle {
    enum Colour : uint8_t { plain, black, red, green, yellow, blue, magenta, cyan, white, mark };
    uint8_t colour = plain;
    bool bold = false;
    friend bool operator==(const LogStyle&, const LogStyle&) = default;
};

/// A piece of a line in one style.
struct LogSpan {
    /// Bytes in the line's text.
    size_t first = 0;
    size_t count = 0;
    LogStyle style;
    friend bool operator==(const LogSpan&, const LogSpan&) = default;
};

/// A line as it is shown: UTF-8 without control characters.
struct LogLine {
    std::string text;
    std::vector<LogSpan> spans;
};

/// Kept form of a line: its text, with 0xff and a style byte where the style changes (0xff is in no UTF-8).
[[nodiscard]] LogLine decodeLogLine(std::string_view kept);
/// The text alone.
[[nodiscard]] std::string plainLogText(std::string_view kept);

/// One row of a terminal's screen, as a program writes it: a carriage return goes back to its start, what
/// follows overwrites. Control sequences are dropped, all but colours (SGR), cursor up and erasing in the
/// line; other control characters, lone bytes and characters that turn the direction of text become visible
/// marks, one each. Of a row that grows beyond 16 KiB the middle is dropped, and how much is said in it.
class LogRow {
public:
    void clear();
    [[nodiscard]] bool isEmpty() const { return m_cells.empty(); }

    /// Makes the row again what `kept` says, the cursor at its start.
    void restore(std::string_view kept);
    void carriageReturn() { m_column = 0; }
    void put(char32_t character, LogStyle style);
    void putMark(std::string_view text);
    /// Erases from the cursor to the end (0), from the start to the cursor (1), or all (2).
    void erase(int part);
    [[nodiscard]] std::string kept() const;

private:
    struct Cell {
        char32_t character = U' ';
        LogStyle style;
    };
    void dropMiddle();

    std::vector<Cell> m_cells;
    size_t m_column = 0;
    /// Cells dropped behind the first kHead.
    size_t m_dropped = 0;
};

} // namespace trialdeck::app::models

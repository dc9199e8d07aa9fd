// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/models/log_row.h"

#include <cstddef>
#include <cstdint>
#include <deque>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace trialdeck::app::models {

/// How the bytes of a log stand for letters. Nothing but UTF-8 is taken without being asked for.
enum class LogEncoding : uint8_t { utf8, gb18030 };

/// Counts what of a log is no UTF-8, and whether GB18030 would explain it: pairs of bytes that are common
/// Chinese letters there, and no pair that is none.
class EncodingGuess {
public:
    void add(std::string_view bytes);
    /// gb18030 where the log is rather that.
    [[nodiscard]] LogEncoding guess() const;

private:
    size_t m_brokenUtf8 = 0;
    size_t m_commonPairs = 0;
    size_t m_impossiblePairs = 0;
    size_t m_seen = 0;
};

/// The lines of one log as a terminal would show them, for millions of lines: text lies in blocks, and the
/// oldest blocks' text is dropped beyond a budget and filled in again from the stream when it is looked at.
/// Files stay as they are; all of this is about showing. One thread.
class LogText {
public:
    explicit LogText(size_t keptBytes = size_t{48} << 20, LogEncoding encoding = LogEncoding::utf8)
        : m_keptBytes(keptBytes), m_encoding(encoding) {}

    /// Bytes of the stream in order; a half character or sequence at the end waits for the rest.
    /// @param offset  of the first byte in the stream; a gap before it (old segments are gone) is marked
    /// @return the first line that is new or other than before.
    size_t append(uint64_t offset, std::string_view bytes);
    void clear();
    [[nodiscard]] LogEncoding encoding() const { return m_encoding; }
    /// Forgets all lines; those that come now are read so.
    void setEncoding(LogEncoding encoding);

    /// With the unfinished line at the end, where it has text.
    [[nodiscard]] size_t lineCount() const;
    /// Offset just behind the last byte that came.
    [[nodiscard]] uint64_t end() const { return m_end; }

    /// The kept form (decodeLogLine reads it); nothing where the text has to be fetched again.
    [[nodiscard]] std::optional<std::string_view> line(size_t number) const;
    /// Which bytes of the stream the block of a line came from.
    struct Range {
        size_t block = 0;
        uint64_t first = 0;
        uint64_t end = 0;
    };
    [[nodiscard]] Range rangeOf(size_t line) const;
    /// Fills a block in again.
    void refill(size_t block, std::string_view bytes);

    /// Lines from `from` on (up to `lines` of them) that have the text, in any case; lines whose text is gone
    /// are passed over and `gap` tells the first of them.
    struct Found {
        std::vector<size_t> lines;
        std::optional<size_t> gap;
    };
    [[nodiscard]] Found find(std::string_view needle, size_t from, size_t lines) const;

    [[nodiscard]] size_t keptTextBytes() const;

private:
    struct Block {
        size_t firstLine = 0;
        size_t lineCount = 0;
        uint64_t rawFirst = 0;
        uint64_t rawEnd = 0;
        bool hasText = true;
        std::string text;
        /// Where each line begins in text.
        std::vector<uint32_t> starts;
    };
    enum class State : uint8_t { ground, escape, sequence, string, stringEscape, character };

    void step(unsigned char byte);
    void ground(unsigned char byte);
    void control(unsigned char byte);
    void character(unsigned char byte);
    void chineseCharacter(unsigned char byte);
    void putDecoded(char32_t c);
    void finishSequence(unsigned char final);
    void applyColours();
    void endLine();
    void cursorUp(int rows);
    void flushUnfinishedCharacter();
    size_t takePlainLines(std::string_view bytes);
    void pushLine(std::string_view kept, uint64_t rawEnd);
    std::string popLine();
    [[nodiscard]] const Block* blockOf(size_t line) const;
    [[nodiscard]] std::string_view lineIn(const Block& block, size_t line) const;
    void enforceBudget();
    [[nodiscard]] bool isAtFreshLine() const;

    size_t m_keptBytes;
    LogEncoding m_encoding;
    std::vector<Block> m_blocks;
    size_t m_lines = 0;
    uint64_t m_end = 0;
    size_t m_firstChanged = 0;

    State m_state = State::ground;
    LogStyle m_style;
    LogRow m_row;
    mutable std::string m_rowText;
    /// Rows below the cursor that it has gone up from.
    std::deque<std::string> m_below;
    bool m_afterReturn = false;
    std::string m_parameters;
    /// A character whose bytes are not all there.
    std::string m_partial;
    size_t m_partialWanted = 0;
    uint64_t m_position = 0;
};

} // namespace trialdeck::app::models

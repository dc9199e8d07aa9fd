// SPDX-License-Identifier: Apache-2.0
#include "app/models/log_text.h"

#include <QList>
#include <QStringDecoder>

#include <algorithm>
#include <array>
#include <cctype>
#include <cstdio>
#include <cstring>
#include <utility>

namespace trialdeck::app::models {

namespace {

constexpr size_t kBlockLines = 1024;
constexpr size_t kBlockBytes = size_t{256} << 10;
constexpr size_t kMostRowsUp = 64;
constexpr size_t kLongestSequence = 64;
constexpr size_t kLongestPlainLine = 8192;

bool isPlainAscii(std::string_view text) {
    return std::all_of(text.begin(), text.end(), [](char c) {
        return static_cast<unsigned char>(c) >= 0x20 && static_cast<unsigned char>(c) < 0x7f;
    });
}

/// Turns the direction of text, or is invisible: could make a line read as what it is not.
bool misleads(char32_t c) {
    return (c >= 0x202a && c <= 0x202e) || (c >= 0x2066 && c <= 0x2069) || c == 0x200e || c == 0x200f ||
           c == 0x200b || c == 0x2060 || c == 0xfeff || c == 0x061c;
}

std::string hexMark(unsigned value, const char* pattern) {
    std::array<char, 16> text{};
    std::snprintf(text.data(), text.size(), pattern, value);
    return text.data();
}

/// The nearest of the eight names to a colour of the 256-colour palette or of true colour.
uint8_t nearestColour(int red, int green, int blue) {
    const int high = std::max({red, green, blue});
    const int low = std::min({red, green, blue});
    if (high - low < 40)
        return LogStyle::plain;
    const int threshold = (high + low) / 2;
    const int bits = (red > threshold ? 1 : 0) | (green > threshold ? 2 : 0) | (blue > threshold ? 4 : 0);
    return static_cast<uint8_t>(LogStyle::black + bits);
}

uint8_t fromPalette256(int index) {
    if (index < 16)
        return static_cast<uint8_t>(LogStyle::black + index % 8);
    if (index >= 232)
        return LogStyle::plain;
    const int cube = index - 16;
    return nearestColour(cube / 36 * 51, cube / 6 % 6 * 51, cube % 6 * 51);
}

size_t lengthOfCharacter(unsigned char lead) {
    if (lead >= 0xc2 && lead <= 0xdf)
        return 2;
    if (lead >= 0xe0 && lead <= 0xef)
        return 3;
    return lead >= 0xf0 && lead <= 0xf4 ? 4 : 0;
}

/// Whether the byte may follow the bytes of the character so far.
bool continues(std::string_view partial, unsigned char byte) {
    if (partial.size() > 1)
        return byte >= 0x80 && byte <= 0xbf;
    switch (static_cast<unsigned char>(partial[0])) {
    case 0xe0:
        return byte >= 0xa0 && byte <= 0xbf;
    case 0xed:
        return byte >= 0x80 && byte <= 0x9f;
    case 0xf0:
        return byte >= 0x90 && byte <= 0xbf;
    case 0xf4:
        return byte >= 0x80 && byte <= 0x8f;
    default:
        return byte >= 0x80 && byte <= 0xbf;
    }
}

char32_t decoded(std::string_view bytes) {
    const auto lead = static_cast<unsigned char>(bytes[0]);
    char32_t c = lead & (bytes.size() == 2 ? 0x1f : bytes.size() == 3 ? 0x0f : 0x07);
    for (size_t i = 1; i < bytes.size(); ++i)
        c = c << 6 | (static_cast<unsigned char>(bytes[i]) & 0x3f);
    return c;
}

} // namespace

void EncodingGuess::add(std::string_view bytes) {
    constexpr size_t kEnough = size_t{64} << 10;
    bytes = bytes.substr(0, kEnough - std::min(kEnough, m_seen));
    m_seen += bytes.size();
    for (size_t i = 0; i < bytes.size();) {
        const auto lead = static_cast<unsigned char>(bytes[i]);
        if (lead < 0x80) {
            ++i;
            continue;
        }
        size_t length = 1;
        const size_t wanted = lengthOfCharacter(lead);
        while (length < wanted && i + length < bytes.size() &&
               continues(bytes.substr(i, length), static_cast<unsigned char>(bytes[i + length])))
            ++length;
        if (wanted > 0 && length == wanted) {
            i += length;
            continue;
        }
        // Half a character at the end may get its other half.
        if (i + 1 >= bytes.size())
            return;
        ++m_brokenUtf8;
        const auto second = static_cast<unsigned char>(bytes[i + 1]);
        if (lead >= 0xa1 && lead <= 0xf7 && second >= 0xa1 && second <= 0xfe)
            ++m_commonPairs;
        else if (lead == 0x80 || lead == 0xff || second < 0x30 || second == 0x7f || second == 0xff)
            ++m_impossiblePairs;
        i += 2;
    }
}

LogEncoding EncodingGuess::guess() const {
    constexpr size_t kFewLetters = 2;
    const bool isChinese =
        m_commonPairs >= kFewLetters && m_impossiblePairs == 0 && m_commonPairs * 2 >= m_brokenUtf8;
    return isChinese ? LogEncoding::gb18030 : LogEncoding::utf8;
}

void LogText::clear() {
    *this = LogText(m_keptBytes, m_encoding);
}

void LogText::setEncoding(LogEncoding encoding) {
    *this = LogText(m_keptBytes, encoding);
}

bool LogText::isAtFreshLine() const {
    return m_state == State::ground && m_row.isEmpty() && m_below.empty() && !m_afterReturn &&
           m_style == LogStyle{};
}

size_t LogText::append(uint64_t offset, std::string_view bytes) {
    m_firstChanged = m_lines;
    if (offset > m_end && m_end > 0) {
        flushUnfinishedCharacter();
        endLine();
        m_row.putMark("… " + std::to_string(offset - m_end) + " …");
        endLine();
    } else if (offset < m_end) {
        bytes.remove_prefix(std::min<uint64_t>(bytes.size(), m_end - offset));
        offset = m_end;
    }
    m_position = offset;
    m_end = offset + bytes.size();
    while (!bytes.empty()) {
        if (isAtFreshLine()) {
            const size_t taken = takePlainLines(bytes);
            bytes.remove_prefix(taken);
            if (bytes.empty())
                break;
        }
        ++m_position;
        step(static_cast<unsigned char>(bytes.front()));
        bytes.remove_prefix(1);
    }
    m_rowText = m_row.kept();
    enforceBudget();
    return m_firstChanged;
}

/// Whole lines of printable ASCII need no screen: most logs are nothing else.
size_t LogText::takePlainLines(std::string_view bytes) {
    size_t taken = 0;
    while (taken < bytes.size()) {
        const void* newline = std::memchr(bytes.data() + taken, '\n', bytes.size() - taken);
        if (!newline)
            break;
        const auto length = static_cast<size_t>(static_cast<const char*>(newline) - bytes.data()) - taken;
        const std::string_view line = bytes.substr(taken, length);
        if (length > kLongestPlainLine || !isPlainAscii(line))
            break;
        taken += length + 1;
        pushLine(line, m_position + taken);
    }
    m_position += taken;
    return taken;
}

void LogText::step(unsigned char byte) {
    switch (m_state) {
    case State::ground:
        ground(byte);
        break;
    case State::character:
        character(byte);
        break;
    case State::escape:
        m_state = State::ground;
        if (byte == '[') {
            m_state = State::sequence;
            m_parameters.clear();
        } else if (byte == ']' || byte == 'P' || byte == '^' || byte == '_' || byte == 'X') {
            m_state = State::string;
        } else if (byte == '\n' || byte == '\r') {
            ground(byte);
        } else if (byte >= 0x20 && byte <= 0x2f) {
            m_state = State::escape;
        }
        break;
    case State::sequence:
        if (byte >= 0x40 && byte <= 0x7e) {
            m_state = State::ground;
            finishSequence(byte);
        } else if (byte == '\n' || m_parameters.size() > kLongestSequence) {
            // No sequence eats the next line.
            m_state = State::ground;
            ground(byte);
        } else if (byte >= 0x20) {
            m_parameters += static_cast<char>(byte);
        }
        break;
    case State::string:
        if (byte == 0x07)
            m_state = State::ground;
        else if (byte == 0x1b)
            m_state = State::stringEscape;
        else if (byte == '\n') {
            m_state = State::ground;
            ground(byte);
        }
        break;
    case State::stringEscape:
        m_state = byte == '\\' ? State::ground : State::string;
        break;
    }
}

void LogText::ground(unsigned char byte) {
    if (byte < 0x20 || byte == 0x7f) {
        control(byte);
        return;
    }
    if (std::exchange(m_afterReturn, false))
        m_row.carriageReturn();
    if (byte < 0x80) {
        m_row.put(byte, m_style);
        return;
    }
    if (m_encoding == LogEncoding::gb18030 && byte >= 0x81 && byte <= 0xfe) {
        m_partial.assign(1, static_cast<char>(byte));
        m_state = State::character;
        return;
    }
    m_partialWanted = m_encoding == LogEncoding::utf8 ? lengthOfCharacter(byte) : 0;
    if (m_partialWanted == 0) {
        m_row.putMark(hexMark(byte, "\\x%02x"));
        return;
    }
    m_partial.assign(1, static_cast<char>(byte));
    m_state = State::character;
}

/// Two bytes, or four where the second is a digit.
void LogText::chineseCharacter(unsigned char byte) {
    const bool isDigit = byte >= '0' && byte <= '9';
    const bool isSecond = m_partial.size() == 1;
    const bool fits = isSecond                ? isDigit || (byte >= 0x40 && byte <= 0xfe && byte != 0x7f)
                      : m_partial.size() == 2 ? byte >= 0x81 && byte <= 0xfe
                                              : isDigit;
    if (!fits) {
        flushUnfinishedCharacter();
        step(byte);
        return;
    }
    m_partial += static_cast<char>(byte);
    if ((isSecond && isDigit) || m_partial.size() == 3)
        return;
    QStringDecoder decoder("GB18030");
    const QString text = decoder(QByteArrayView(m_partial.data(), static_cast<qsizetype>(m_partial.size())));
    const auto points = text.toUcs4();
    if (decoder.hasError() || points.size() != 1 || points.front() == QChar::ReplacementCharacter) {
        flushUnfinishedCharacter();
        return;
    }
    m_state = State::ground;
    m_partial.clear();
    putDecoded(points.front());
}

void LogText::character(unsigned char byte) {
    if (m_encoding == LogEncoding::gb18030) {
        chineseCharacter(byte);
        return;
    }
    if (!continues(m_partial, byte)) {
        flushUnfinishedCharacter();
        step(byte);
        return;
    }
    m_partial += static_cast<char>(byte);
    if (m_partial.size() < m_partialWanted)
        return;
    m_state = State::ground;
    const char32_t c = decoded(m_partial);
    m_partial.clear();
    putDecoded(c);
}

void LogText::putDecoded(char32_t c) {
    if (misleads(c) || (c >= 0x80 && c < 0xa0))
        m_row.putMark(hexMark(static_cast<unsigned>(c), "U+%04X"));
    else
        m_row.put(c, m_style);
}

void LogText::flushUnfinishedCharacter() {
    for (const char byte : std::exchange(m_partial, {}))
        m_row.putMark(hexMark(static_cast<unsigned char>(byte), "\\x%02x"));
    if (m_state == State::character)
        m_state = State::ground;
}

void LogText::control(unsigned char byte) {
    if (byte == '\n') {
        m_afterReturn = false;
        endLine();
        return;
    }
    if (byte == '\r') {
        m_afterReturn = true;
        return;
    }
    if (byte == 0x1b) {
        m_state = State::escape;
        return;
    }
    if (std::exchange(m_afterReturn, false))
        m_row.carriageReturn();
    if (byte == '\t') {
        m_row.put(U' ', m_style);
        m_row.put(U' ', m_style);
        m_row.put(U' ', m_style);
        m_row.put(U' ', m_style);
        return;
    }
    // U+2400 … are pictures of the control characters.
    std::string picture = "\xe2\x90\x80";
    picture[2] = static_cast<char>(byte == 0x7f ? 0xa1 : 0x80 + byte);
    m_row.putMark(picture);
}

void LogText::finishSequence(unsigned char final) {
    if (final == 'm') {
        applyColours();
        return;
    }
    const int number = std::isdigit(static_cast<unsigned char>(m_parameters.empty() ? 'x' : m_parameters[0]))
                           ? std::atoi(m_parameters.c_str())
                           : -1;
    if (final == 'A' && m_parameters.find('?') == std::string::npos)
        cursorUp(std::max(number, 1));
    else if (final == 'K') {
        if (std::exchange(m_afterReturn, false))
            m_row.carriageReturn();
        m_row.erase(std::max(number, 0));
    }
}

void LogText::applyColours() {
    if (m_parameters.find_first_not_of("0123456789;:") != std::string::npos)
        return;
    std::vector<int> codes = {0};
    for (const char c : m_parameters) {
        if (c == ';' || c == ':')
            codes.push_back(0);
        else
            codes.back() = std::min(codes.back() * 10 + (c - '0'), 9999);
    }
    for (size_t i = 0; i < codes.size(); ++i) {
        const int code = codes[i];
        const bool isExtended = (code == 38 || code == 48) && i + 1 < codes.size();
        if (isExtended) {
            const bool isTrue = codes[i + 1] == 2 && i + 4 < codes.size();
            const bool isIndexed = codes[i + 1] == 5 && i + 2 < codes.size();
            if (code == 38 && isTrue)
                m_style.colour = nearestColour(codes[i + 2], codes[i + 3], codes[i + 4]);
            else if (code == 38 && isIndexed)
                m_style.colour = fromPalette256(codes[i + 2]);
            i += isTrue ? 4 : isIndexed ? 2 : 1;
        } else if (code == 0) {
            m_style = {};
        } else if (code == 1) {
            m_style.bold = true;
        } else if (code == 22) {
            m_style.bold = false;
        } else if (code >= 30 && code <= 37) {
            m_style.colour = static_cast<uint8_t>(LogStyle::black + code - 30);
        } else if (code >= 90 && code <= 97) {
            m_style.colour = static_cast<uint8_t>(LogStyle::black + code - 90);
        } else if (code == 39) {
            m_style.colour = LogStyle::plain;
        }
    }
}

void LogText::endLine() {
    flushUnfinishedCharacter();
    pushLine(m_row.kept(), m_position);
    m_row.clear();
    if (!m_below.empty()) {
        m_row.restore(m_below.front());
        m_below.pop_front();
    }
}

void LogText::cursorUp(int rows) {
    for (int i = 0; i < rows && m_below.size() < kMostRowsUp; ++i) {
        if (m_blocks.empty() || m_blocks.back().lineCount == 0)
            return;
        m_below.push_front(m_row.kept());
        m_row.restore(popLine());
        m_firstChanged = std::min(m_firstChanged, m_lines);
    }
}

void LogText::pushLine(std::string_view kept, uint64_t rawEnd) {
    if (m_blocks.empty() || m_blocks.back().lineCount >= kBlockLines ||
        m_blocks.back().text.size() >= kBlockBytes) {
        if (!m_blocks.empty())
            m_blocks.back().text.shrink_to_fit();
        Block& block = m_blocks.emplace_back();
        block.firstLine = m_lines;
        block.rawFirst = m_blocks.size() > 1 ? m_blocks[m_blocks.size() - 2].rawEnd : 0;
    }
    Block& block = m_blocks.back();
    block.starts.push_back(static_cast<uint32_t>(block.text.size()));
    block.text += kept;
    block.rawEnd = rawEnd;
    ++block.lineCount;
    ++m_lines;
}

std::string LogText::popLine() {
    Block& block = m_blocks.back();
    std::string line = block.text.substr(block.starts.back());
    block.text.resize(block.starts.back());
    block.starts.pop_back();
    --block.lineCount;
    --m_lines;
    return line;
}

size_t LogText::lineCount() const {
    return m_lines + (m_row.isEmpty() && m_below.empty() ? 0 : 1) + m_below.size();
}

const LogText::Block* LogText::blockOf(size_t line) const {
    const auto after =
        std::upper_bound(m_blocks.begin(), m_blocks.end(), line,
                         [](size_t number, const Block& block) { return number < block.firstLine; });
    return after == m_blocks.begin() ? nullptr : &*std::prev(after);
}

std::string_view LogText::lineIn(const Block& block, size_t line) const {
    const size_t i = line - block.firstLine;
    const size_t begin = block.starts[i];
    const size_t end = i + 1 < block.starts.size() ? block.starts[i + 1] : block.text.size();
    return std::string_view(block.text).substr(begin, end - begin);
}

std::optional<std::string_view> LogText::line(size_t number) const {
    if (number >= m_lines) {
        const size_t below = number - m_lines;
        if (below == 0)
            return m_rowText;
        return below <= m_below.size() ? std::optional<std::string_view>(m_below[below - 1]) : std::nullopt;
    }
    const Block* block = blockOf(number);
    return block && block->hasText ? std::optional(lineIn(*block, number)) : std::nullopt;
}

LogText::Range LogText::rangeOf(size_t line) const {
    const Block* block = blockOf(std::min(line, m_lines > 0 ? m_lines - 1 : 0));
    if (!block)
        return {};
    return {static_cast<size_t>(block - m_blocks.data()), block->rawFirst, block->rawEnd};
}

void LogText::refill(size_t blockNumber, std::string_view bytes) {
    if (blockNumber >= m_blocks.size() || m_blocks[blockNumber].hasText)
        return;
    LogText fresh(bytes.size() * 4 + kBlockBytes, m_encoding);
    fresh.append(0, bytes);
    Block& block = m_blocks[blockNumber];
    block.text.clear();
    block.starts.clear();
    for (size_t i = 0; i < block.lineCount; ++i) {
        block.starts.push_back(static_cast<uint32_t>(block.text.size()));
        block.text += fresh.line(i).value_or(std::string_view());
    }
    block.hasText = true;
}

size_t LogText::keptTextBytes() const {
    size_t bytes = 0;
    for (const Block& block : m_blocks)
        bytes += block.text.size() + block.starts.size() * sizeof(uint32_t);
    return bytes;
}

void LogText::enforceBudget() {
    size_t bytes = 0;
    for (size_t i = m_blocks.size(); i-- > 0;) {
        Block& block = m_blocks[i];
        bytes += block.text.size() + block.starts.size() * sizeof(uint32_t);
        if (bytes <= m_keptBytes || i + 1 == m_blocks.size() || !block.hasText)
            continue;
        bytes -= block.text.size() + block.starts.size() * sizeof(uint32_t);
        block.hasText = false;
        std::string().swap(block.text);
        std::vector<uint32_t>().swap(block.starts);
    }
}

LogText::Found LogText::find(std::string_view needle, size_t from, size_t lines) const {
    Found found;
    const auto sameLetter = [](char a, char b) {
        return std::tolower(static_cast<unsigned char>(a)) == std::tolower(static_cast<unsigned char>(b));
    };
    const size_t end = std::min(lineCount(), from + lines);
    for (size_t number = from; number < end; ++number) {
        const auto kept = line(number);
        if (!kept) {
            if (!found.gap)
                found.gap = number;
            continue;
        }
        const std::string text = plainLogText(*kept);
        if (std::search(text.begin(), text.end(), needle.begin(), needle.end(), sameLetter) != text.end())
            found.lines.push_back(number);
    }
    return found;
}

} // namespace trialdeck::app::models

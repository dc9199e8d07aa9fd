// SPDX-License-Identifier: Apache-2.0
#include "core/ctl/log_filter.h"

#include "core/base/utf8.h"
#include "core/ctl/words.h"

namespace trialdeck::ctl {

namespace {

constexpr char kEscapeByte = '\x1b';
constexpr char kBell = '\x07';
constexpr std::string_view kReset = "\x1b[0m";
/// A longer sequence is none.
constexpr size_t kLongestSequence = 128;

size_t bytesOfLetter(char first) {
    const auto byte = static_cast<unsigned char>(first);
    return byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : byte >= 0xc0 ? 2 : 1;
}

bool isBetween(char byte, char first, char last) {
    return byte >= first && byte <= last;
}

} // namespace

std::string LogFilter::take(std::string_view piece) {
    std::string out;
    out.reserve(piece.size());
    for (const char byte : piece)
        takeByte(byte, out);
    return out;
}

std::string LogFilter::end() {
    std::string out;
    if (m_state == State::text && !m_pending.empty())
        out = base::cleanUtf8(m_pending);
    if (m_isColoured)
        out += kReset;
    m_isColoured = false;
    begin(State::text);
    return out;
}

void LogFilter::begin(State state) {
    m_state = state;
    m_pending.clear();
}

/// Source: ECMA-48, 5.3 to 5.6.
void LogFilter::takeByte(char byte, std::string& out) {
    switch (m_state) {
    case State::text:
        takeText(byte, out);
        return;
    case State::escape:
        if (byte == '[')
            begin(State::control_sequence);
        else if (byte == ']' || byte == 'P' || byte == 'X' || byte == '^' || byte == '_')
            begin(State::string);
        else if (isBetween(byte, ' ', '/'))
            begin(State::intermediate);
        else if (isBetween(byte, '0', '~'))
            begin(State::text);
        else
            break;
        return;
    case State::intermediate:
        if (isBetween(byte, ' ', '/'))
            return;
        if (!isBetween(byte, '0', '~'))
            break;
        begin(State::text);
        return;
    case State::control_sequence:
        if (isBetween(byte, '@', '~')) {
            const bool isColour =
                byte == 'm' && m_pending.find_first_not_of("0123456789;:") == std::string::npos;
            if (isColour) {
                out += "\x1b[" + m_pending + "m";
                m_isColoured = !m_pending.empty() && m_pending != "0";
            }
            begin(State::text);
            return;
        }
        if (!isBetween(byte, ' ', '?') || m_pending.size() >= kLongestSequence)
            break;
        m_pending += byte;
        return;
    case State::string:
        if (byte == kBell)
            begin(State::text);
        else if (byte == kEscapeByte)
            begin(State::string_escape);
        else if (byte == '\n')
            break;
        return;
    case State::string_escape:
        if (byte == '\\') {
            begin(State::text);
            return;
        }
        begin(State::escape);
        takeByte(byte, out);
        return;
    }
    // The sequence is broken off here: the byte counts for itself.
    begin(State::text);
    takeText(byte, out);
}

void LogFilter::takeText(char byte, std::string& out) {
    const bool goesOn = (static_cast<unsigned char>(byte) & 0xc0U) == 0x80U;
    if (!m_pending.empty() && !goesOn) {
        out += base::cleanUtf8(m_pending);
        m_pending.clear();
    }
    if (byte == kEscapeByte) {
        begin(State::escape);
        return;
    }
    m_pending += byte;
    if (m_pending.size() >= bytesOfLetter(m_pending.front()))
        takeLetter(out);
}

void LogFilter::takeLetter(std::string& out) {
    const std::string letter = base::cleanUtf8(m_pending);
    m_pending.clear();
    const auto first = static_cast<unsigned char>(letter.front());
    if (letter == "\n" || letter == "\t" || letter == "\r")
        out += letter;
    else if (letter == "\u009b")
        begin(State::control_sequence);
    else if (letter == "\u009d" || letter == "\u0090")
        begin(State::string);
    else if (first < 0x20 || first == 0x7f || (first == 0xc2 && static_cast<unsigned char>(letter[1]) < 0xa0))
        return;
    else
        out += visibleText(letter);
}

} // namespace trialdeck::ctl

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

namespace trialdeck::ctl {

/// What a worker printed, made harmless for a terminal: colours stay, all other escape sequences (cursor,
/// titles, clipboard, queries), control characters and C1 are left out, characters that turn the direction of
/// text are shown as \u202e, bytes that are not UTF-8 as U+FFFD. Line feed, tab and carriage return stay: a
/// progress bar draws over its own line. Text comes in pieces that may end anywhere.
class LogFilter {
public:
    [[nodiscard]] std::string take(std::string_view piece);
    /// What is left at the end, and the terminal's own colours where the text left others.
    [[nodiscard]] std::string end();

private:
    enum class State {
        text,
        escape,
        /// Between ESC and the final byte of a sequence of two or three bytes.
        intermediate,
        control_sequence,
        /// A string of OSC, DCS, SOS, PM or APC, up to its end or the end of the line.
        string,
        string_escape,
    };
    void takeByte(char byte, std::string& out);
    void takeText(char byte, std::string& out);
    void takeLetter(std::string& out);
    void begin(State state);

    State m_state = State::text;
    /// Bytes of a character or of a control sequence that is not whole yet.
    std::string m_pending;
    bool m_isColoured = false;
};

} // namespace trialdeck::ctl

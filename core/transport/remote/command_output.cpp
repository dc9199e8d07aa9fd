// SPDX-License-Identifier: Apache-2.0
#include "core/transport/remote/command_output.h"

#include <algorithm>
#include <utility>

namespace trialdeck::transport {

std::string CommandOutput::read(std::string_view bytes) {
    m_held += bytes;
    if (m_stage == Stage::chatter)
        findShell();
    if (m_stage == Stage::profile)
        findBegin();
    return m_stage == Stage::output ? release(false) : std::string();
}

std::string CommandOutput::finish() {
    if (m_stage == Stage::chatter)
        return {};
    m_stage = Stage::output;
    return release(true);
}

void CommandOutput::findShell() {
    const std::string word = m_mark + "-shell ";
    const size_t at = m_held.find(word);
    const size_t end = at == std::string::npos ? at : m_held.find('\n', at);
    if (end == std::string::npos) {
        if (m_held.size() > 2 * kLongestChatter)
            m_held.erase(0, m_held.size() - kLongestChatter);
        return;
    }
    m_shellProcess = m_held.substr(at + word.size(), end - at - word.size());
    m_held.erase(0, end + 1);
    m_stage = Stage::profile;
}

void CommandOutput::findBegin() {
    const std::string word = m_mark + "-begin\n";
    const size_t at = m_held.find(word);
    if (at != std::string::npos)
        m_held.erase(0, at + word.size());
    if (at != std::string::npos || m_held.size() > kLongestChatter)
        m_stage = Stage::output;
}

std::string CommandOutput::release(bool isEnd) {
    const std::string last = m_mark + "-255";
    const bool hasLast =
        m_held.size() >= last.size() && m_held.compare(m_held.size() - last.size(), last.size(), last) == 0;
    if (isEnd) {
        m_endedWith255 = hasLast;
        if (hasLast)
            m_held.erase(m_held.size() - last.size());
        return std::exchange(m_held, {});
    }
    // The end of what is there may be the beginning of the last mark.
    size_t kept = std::min(last.size(), m_held.size());
    while (kept > 0 && m_held.compare(m_held.size() - kept, kept, last, 0, kept) != 0)
        --kept;
    std::string released = m_held.substr(0, m_held.size() - kept);
    m_held.erase(0, released.size());
    return released;
}

} // namespace trialdeck::transport

// SPDX-License-Identifier: Apache-2.0
#include "core/head/outbox.h"

#include <algorithm>

namespace trialdeck::head {

void Outbox::addReply(std::string frame) {
    m_bytes += frame.size();
    m_replies.push_back(std::move(frame));
}

void Outbox::addBulk(std::string frame) {
    m_bytes += frame.size();
    m_bulk.push_back(std::move(frame));
}

void Outbox::setState(std::string key, std::string frame) {
    m_bytes += frame.size();
    const auto waiting = std::find_if(m_states.begin(), m_states.end(),
                                      [&key](const auto& state) { return state.first == key; });
    if (waiting == m_states.end()) {
        m_states.emplace_back(std::move(key), std::move(frame));
        return;
    }
    m_bytes -= waiting->second.size();
    waiting->second = std::move(frame);
}

std::optional<std::string> Outbox::takeFrom(std::deque<std::string>& queue) {
    if (queue.empty())
        return std::nullopt;
    std::string frame = std::move(queue.front());
    queue.pop_front();
    m_bytes -= frame.size();
    return frame;
}

std::optional<std::string> Outbox::takeUrgent() {
    if (auto reply = takeFrom(m_replies))
        return reply;
    if (m_states.empty())
        return std::nullopt;
    std::string frame = std::move(m_states.front().second);
    m_states.pop_front();
    m_bytes -= frame.size();
    return frame;
}

std::optional<std::string> Outbox::take() {
    if (auto urgent = takeUrgent())
        return urgent;
    return takeFrom(m_bulk);
}

} // namespace trialdeck::head

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <deque>
#include <optional>
#include <string>
#include <utility>

namespace trialdeck::head {

/// What a session has to send and holds in memory: replies and states. Records and logs are not kept here:
/// they are read from disk when the line has room for them, so a slow client costs no memory. Belongs to one
/// session, used on the loop.
class Outbox {
public:
    /// A frame that answers a command; sent first, in order.
    void addReply(std::string frame);
    /// One part of a long answer: behind replies and states.
    void addBulk(std::string frame);
    /// A state under a key such as "node/head": replaces an earlier one that has not been sent.
    void setState(std::string key, std::string frame);

    /// The next frame by priority: replies, states, bulk.
    [[nodiscard]] std::optional<std::string> take();
    /// Only what goes out before records; nothing where there is no such.
    [[nodiscard]] std::optional<std::string> takeUrgent();

    /// Bytes of all frames that wait.
    [[nodiscard]] size_t bytes() const { return m_bytes; }

private:
    std::optional<std::string> takeFrom(std::deque<std::string>& queue);

    std::deque<std::string> m_replies;
    std::deque<std::pair<std::string, std::string>> m_states;
    std::deque<std::string> m_bulk;
    size_t m_bytes = 0;
};

} // namespace trialdeck::head

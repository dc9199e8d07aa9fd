// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/clock.h"
#include "core/protocol/envelope.h"

#include <chrono>
#include <compare>
#include <deque>
#include <map>
#include <string>
#include <variant>

namespace trialdeck::protocol {

/// What became of each command, by the client's UUID and the request's id, so that a command that a client
/// sends again after a cut line is answered and not done again. A value inside the daemon, used on its loop;
/// it does not outlive the daemon, which is why a client asks for `instance` in hello before it sends again.
class CommandLedger {
public:
    /// Results are kept this long after the command was done.
    static constexpr std::chrono::hours kKept{1};
    /// Nor more of them than this: the oldest go first.
    static constexpr size_t kMaxEntries = 10'000;

    struct Key {
        std::string client;
        RequestId id;
        friend auto operator<=>(const Key&, const Key&) = default;
    };
    using Outcome = Expected<Object>;

    /// Not seen before: do it, then call finish().
    struct Fresh {};
    /// Being done: the answer will come by finish().
    struct Running {};
    using Answer = std::variant<Fresh, Running, Outcome>;

    /// Asks before a command is done, and notes that it is being done where it is fresh.
    [[nodiscard]] Answer begin(const Key& key, base::SteadyTime now);
    /// The command is done. A key that was never begun is a bug.
    void finish(const Key& key, Outcome outcome, base::SteadyTime now);

    [[nodiscard]] size_t size() const { return m_entries.size(); }

private:
    void forgetOld(base::SteadyTime now);

    struct Done {
        Key key;
        base::SteadyTime at;
    };
    /// Without an outcome: running.
    std::map<Key, std::optional<Outcome>> m_entries;
    std::deque<Done> m_done;
};

} // namespace trialdeck::protocol

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/protocol/envelope.h"

#include <functional>
#include <map>
#include <string>
#include <vector>

namespace trialdeck::client {

/// Requests without their answer. Part of a Client, on its loop.
class Calls {
public:
    using Answered = std::function<void(Expected<Object>)>;

    struct Call {
        std::string method;
        protocol::RequestKind kind = protocol::RequestKind::read;
        /// The frame, as it was sent and may have to be sent again.
        std::string payload;
        /// The daemon that it was sent to.
        std::string instance;
        /// Asked for on one session only: dropped with it.
        bool ofSession = false;
        Answered answered;
        protocol::PartsReader parts;
    };

    void add(protocol::RequestId id, Call call) { m_calls.emplace(id, std::move(call)); }
    void forget(protocol::RequestId id) { m_calls.erase(id); }

    /// Tells the answer once it is whole. @return an error where the answer is broken, which ends the
    /// session.
    [[nodiscard]] Expected<void> onResponse(protocol::Response response);
    void onError(protocol::ErrorResponse response);

    /// The session is over: its own requests are dropped, half answers of the others too.
    void onLost();
    /// A new session with that daemon: what may be sent again, in order. Commands of another daemon are
    /// answered with command_unknown_outcome.
    [[nodiscard]] std::vector<std::string> onConnected(const std::string& instance);
    /// Nobody waits longer: connection_lost, for commands command_unknown_outcome.
    void giveUp();
    /// Answers everything with `cancelled`.
    void cancel();

    [[nodiscard]] bool empty() const { return m_calls.empty(); }

private:
    static Error unknownOutcome(const Call& call);
    void answer(std::map<protocol::RequestId, Call>::iterator entry, Expected<Object> result);

    std::map<protocol::RequestId, Call> m_calls;
};

} // namespace trialdeck::client

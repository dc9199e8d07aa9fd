// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/client/connection_state.h"
#include "core/client/subscription.h"
#include "core/protocol/envelope.h"

#include <chrono>
#include <functional>
#include <memory>
#include <string>

namespace asio {
class io_context;
}
namespace trialdeck::base {
class Log;
}
namespace trialdeck::transport {
class Transport;
}

namespace trialdeck::client {

struct ClientOptions {
    /// "trialdeck", "trialdeckctl": for the head's log.
    std::string name;
    std::string version;
    /// A daemon of another build is asked to hand over when start() finds it, and the new one is connected
    /// to. Not after a lost line: two builds in use side by side would take turns for ever.
    std::string buildId;
    /// Pauses between tries: the first, doubled each time up to quickPause while the connection has been away
    /// for less than quickFor, and then up to longestPause.
    std::chrono::milliseconds firstPause{1'000};
    std::chrono::milliseconds quickPause{1'500};
    std::chrono::milliseconds quickFor{600'000};
    std::chrono::milliseconds longestPause{30'000};
    /// The way leaves this computer: it is tried at once when the network comes back.
    bool watchNetwork = false;
    /// For the head's answer to hello.
    std::chrono::milliseconds helloTimeout{10'000};
    /// How long an unanswered request outlives the line it was sent on.
    std::chrono::milliseconds keepUnanswered{60'000};
};

/// Names a call that has not been answered.
using CallId = protocol::RequestId;

/// One client of one head: hello, requests with typed answers, subscriptions, and a connection that comes
/// back by itself. Shared by the window and trialdeckctl. Owned by its user; lives on one event loop: every
/// call is made there, every callback comes there and never from inside a call to the client.
class Client {
public:
    /// @param loop, clock, log  outlive the client
    Client(asio::io_context& loop, const base::Clock& clock, base::Log& log,
           std::unique_ptr<transport::Transport> transport, ClientOptions options);
    ~Client();
    Client(const Client&) = delete;
    Client& operator=(const Client&) = delete;

    /// Connects, and goes on trying until stop(). After an error that needs a person, and where the head says
    /// that it was shut down (a new connection would start it again), it waits for reconnectNow().
    void start();
    /// Closes the connection. Unanswered calls come back with `cancelled`; subscriptions stay and would go
    /// on after another start().
    void stop();
    /// Ends the pause before the next try.
    void reconnectNow();

    [[nodiscard]] const ConnectionState& state() const;
    /// Told after each change. One listener; an empty function for none.
    void setStateListener(std::function<void(const ConnectionState&)> listener);

    /// Asks the head. While not connected nothing is sent and the answer is connection_lost: a command must
    /// not happen long after it was meant. A request that was under way when the line broke is sent again on
    /// the next connection; a command only to the same daemon, whose ledger makes it happen once, else its
    /// answer is command_unknown_outcome.
    /// @param answered  called once, unless the call is forgotten
    template<typename Request>
    CallId call(Request request, std::function<void(Expected<typename Request::Result>)> answered) {
        return callMethod(Request::kMethod, Request::kKind, protocol::encode(std::move(request)),
                          [answered = std::move(answered)](Expected<Object> result) {
                              if (result)
                                  answered(protocol::decode<typename Request::Result>(std::move(*result)));
                              else
                                  answered(tl::make_unexpected(std::move(result).error()));
                          });
    }
    /// The answer will not be told. What was sent stays sent.
    void forget(CallId call);

    /// The same for a method by name: call() is built on it.
    CallId callMethod(std::string_view method, protocol::RequestKind kind, Object params,
                      std::function<void(Expected<Object>)> answered);

    /// Subscriptions may be made before a connection exists; they begin with it and come back with each new
    /// one. The listener outlives the subscription. One subscription an experiment, or log address, at a
    /// time.
    /// @param cursor  (0, 0): from the beginning
    [[nodiscard]] Subscription followRecords(ExperimentId experiment, protocol::Cursor cursor,
                                             RecordsListener& listener);
    [[nodiscard]] Subscription followState(StateListener& listener);
    /// @param offset  in bytes
    [[nodiscard]] Subscription followLog(protocol::LogAddress address, uint64_t offset,
                                         LogListener& listener);

private:
    class Core;
    std::shared_ptr<Core> m_core;
};

/// The pause before try `attempt` (from 1; the first try has none) of a connection that is away for so long.
[[nodiscard]] std::chrono::milliseconds reconnectPause(const ClientOptions& options, int attempt,
                                                       std::chrono::milliseconds away);

/// Trying again by itself would not help, and might lock the account: a person has to do something first.
[[nodiscard]] bool needsPerson(ErrorCode code);

} // namespace trialdeck::client

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/protocol/command_ledger.h"
#include "core/protocol/messages.h"
#include "core/transport/transport.h"
#include "tests/support/faulty_channel.h"

#include <asio/io_context.hpp>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

namespace trialdeck::client {
class Session;
}

namespace trialdeck::tests {

/// A head that does what a test tells it, over channels in memory: answers from a script, records and logs
/// that tests append to, lines that break, crashes that take the newest records. Commands go through a real
/// CommandLedger. Lives on the test's loop and outlives the transports that it gives out.
class ScriptedHead {
public:
    explicit ScriptedHead(asio::io_context& loop);
    ~ScriptedHead();

    /// Ways to this head.
    [[nodiscard]] std::unique_ptr<transport::Transport> transport();

    // ---- script ----
    protocol::HelloResult hello;
    protocol::StateSubscribeResult state;
    /// The next connections fail with these, first to last.
    std::deque<Error> refusals;
    /// The next connections break like this; later ones hold.
    std::deque<Fault> faults;
    /// Holds frames back for drawn numbers of turns. Outlives the head.
    base::Rng* delays = nullptr;
    transport::LoginChatter chatter;
    /// Records in one event at most.
    size_t recordsPerEvent = 3;

    /// The answer to a method; without one it is unknown_method (hello, state, records and logs answer by
    /// themselves). A command's handler runs once however often the command comes.
    template<typename Request>
    void on(std::function<Expected<typename Request::Result>(const Request&)> answer) {
        m_handlers[std::string(Request::kMethod)] = {
            Request::kKind, [answer = std::move(answer)](Object params) -> Expected<Object> {
                auto request = protocol::decode<Request>(std::move(params));
                if (!request)
                    return tl::make_unexpected(std::move(request).error());
                auto result = answer(*request);
                if (!result)
                    return tl::make_unexpected(std::move(result).error());
                return protocol::encode(std::move(*result));
            }};
    }
    /// Requests of this method stay without answer.
    void ignore(std::string_view method) { m_ignored.emplace_back(method); }

    // ---- what happens ----
    void appendRecord(const ExperimentId& experiment, std::string line);
    void appendLog(const protocol::LogAddress& address, std::string_view bytes);
    /// The worker has ended: the last event of the log says so.
    void endLog(const protocol::LogAddress& address);
    template<typename Message>
    void tell(Message message) {
        broadcast(protocol::eventOf(std::move(message)));
    }
    /// Bytes that are no message, as a frame of every session.
    void sendGarbage(const std::string& payload);
    /// Every line breaks; the daemon lives.
    void cutLines();
    /// The daemon is a new one: ledger gone, lines broken, an epoch further. Of each experiment only the
    /// first `keptRecords` are left.
    void restart(size_t keptRecords = SIZE_MAX);

    /// Methods in the order in which they came, hello included.
    std::vector<std::string> asked;
    /// As they were asked for.
    std::vector<protocol::Cursor> subscribedCursors;
    int connections = 0;

private:
    class Way;
    struct Handler {
        protocol::RequestKind kind;
        std::function<Expected<Object>(Object)> answer;
    };
    struct Journal {
        std::vector<std::string> lines;
        /// Records that were left when an epoch ended.
        std::map<protocol::Epoch, size_t> ends;
    };
    struct Line {
        std::shared_ptr<client::Session> session;
        std::string clientId;
        /// Records sent so far, by experiment.
        std::map<ExperimentId, size_t> records;
        std::vector<std::pair<protocol::LogAddress, size_t>> logs;
        bool followsState = false;
    };

    Expected<std::unique_ptr<transport::FrameChannel>> open(const asio::any_io_executor& executor);
    void onEnvelope(Line& line, protocol::Envelope envelope);
    void onRequest(Line& line, protocol::Request request);
    Expected<Object> answer(Line& line, const protocol::Request& request);
    Expected<Object> answerFromScript(Line& line, const protocol::Request& request);
    Expected<protocol::RecordsSubscribeResult> subscribe(Line& line,
                                                         const protocol::RecordsSubscribeRequest& request);
    void pushRecords(Line& line);
    void pushLogs(Line& line);
    void broadcast(const protocol::Event& event);
    static void send(Line& line, protocol::Envelope envelope);

    asio::io_context& m_loop;
    base::SystemClock m_clock;
    std::map<std::string, Handler> m_handlers;
    std::vector<std::string> m_ignored;
    std::map<ExperimentId, Journal> m_journals;
    std::vector<std::pair<protocol::LogAddress, std::string>> m_logs;
    std::vector<protocol::LogAddress> m_endedLogs;
    protocol::Epoch m_epoch{1};
    protocol::CommandLedger m_ledger;
    std::vector<std::unique_ptr<Line>> m_lines;
};

} // namespace trialdeck::tests

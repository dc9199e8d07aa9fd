// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/log.h"
#include "core/client/requests.h"
#include "core/client/subscription.h"
#include "core/protocol/envelope.h"

#include <cstdint>
#include <map>
#include <optional>

namespace trialdeck::client {

/// What a client follows, with how far each listener has come, so that every new connection goes on where
/// the last one ended. Part of a Client, on its loop. Listeners may end and begin subscriptions in every
/// call: entries are found anew by their number after each.
class Subscriptions {
public:
    using Number = uint64_t;

    Subscriptions(SessionRequests& requests, base::Log& log) : m_requests(requests), m_log(log) {}

    Number followRecords(ExperimentId experiment, protocol::Cursor cursor, RecordsListener& listener);
    Number followState(StateListener& listener);
    Number followLog(protocol::LogAddress address, uint64_t offset, LogListener& listener);
    void end(Number number);
    /// Ends all of them without a word to the head.
    void clear();

    /// Over a network records come packed.
    enum class Line { computer, network };
    /// A session is ready for requests: begins all subscriptions.
    void onConnected(Line line = Line::computer);
    void onLost();
    /// @return false for an event of a kind that this version does not know.
    bool onEvent(protocol::Event event);

private:
    /// How a subscription stands on the present session. `round` tells the answer to its newest request from
    /// those to older ones.
    struct Standing {
        bool live = false;
        uint64_t round = 0;
    };
    struct Records {
        ExperimentId experiment;
        protocol::Cursor cursor;
        RecordsListener* listener = nullptr;
        Standing standing;
        /// Pieces of an event that has more to come.
        std::string pieces;
    };
    struct State {
        StateListener* listener = nullptr;
        Standing standing;
    };
    struct Log {
        protocol::LogAddress address;
        uint64_t offset = 0;
        LogListener* listener = nullptr;
        Standing standing;
    };

    void beginRecords(Number number);
    void beginState(Number number);
    void beginLog(Number number);
    void onSubscribed(Number number, const protocol::RecordsSubscribeResult& result);
    void onRecords(protocol::RecordsEvent event);
    void onLog(protocol::LogEvent event);
    /// The subscription that the answer of that round is for; null where it has ended or asked again.
    template<typename Kind>
    static Kind* waiting(std::map<Number, Kind>& all, Number number, uint64_t round);
    template<typename Message, typename Take>
    void handle(protocol::Event event, const Take& take);

    SessionRequests& m_requests;
    base::Log& m_log;
    bool m_connected = false;
    Line m_line = Line::computer;
    Number m_last = 0;
    uint64_t m_rounds = 0;
    std::map<Number, Records> m_records;
    std::map<Number, State> m_states;
    std::map<Number, Log> m_logs;
};

} // namespace trialdeck::client

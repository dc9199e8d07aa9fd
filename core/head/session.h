// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/head/daemon.h"
#include "core/head/outbox.h"
#include "core/head/record_feed.h"
#include "core/protocol/command_ledger.h"
#include "core/protocol/frame.h"

#include <asio/awaitable.hpp>
#include <asio/local/stream_protocol.hpp>
#include <asio/steady_timer.hpp>
#include <list>
#include <map>
#include <memory>

namespace trialdeck::head {

/// One client's connection: reads requests, writes answers, and pushes states, records and logs as far as the
/// line takes them. Ends with its connection; nothing that a client sends ends the daemon. Lives as long as
/// one of its two coroutines runs; on the loop.
class Session : public std::enable_shared_from_this<Session> {
public:
    using Socket = asio::local::stream_protocol::socket;

    Session(Socket socket, Daemon& daemon);
    ~Session();

    /// Begins to read and write.
    void start();
    /// Ends the connection after what has been queued is sent; nothing that still comes is answered.
    void finish();
    /// Ends the connection now.
    void close();

    /// A state that subscribers of state follow.
    void pushState(const std::string& key, const std::string& payload);
    /// The daemon is shut down: told whatever the client follows.
    void sayFarewell(const std::string& payload);
    /// An experiment has new records.
    void wakeRecords();

private:
    /// A followed stream of one worker.
    struct LogFeed {
        protocol::LogAddress address;
        uint64_t offset = 0;
        bool complete = false;
        std::shared_ptr<void> watch;
    };

    asio::awaitable<void> readLoop();
    asio::awaitable<void> writeLoop();
    [[nodiscard]] bool takeFrame(std::string_view payload);
    void handle(protocol::Request request);
    void answer(protocol::RequestId id, Expected<Object> result);
    void addSubscriptions();
    void subscribeRecords(const protocol::RecordsSubscribeRequest& request,
                          const Reply<protocol::RecordsSubscribeResult>& reply);
    void subscribeLog(const protocol::LogSubscribeRequest& request,
                      const Reply<protocol::EmptyResult>& reply);
    [[nodiscard]] std::optional<std::string> nextFrame();
    [[nodiscard]] std::optional<std::string> nextRecords();
    [[nodiscard]] std::optional<std::string> nextLog();
    void wake();

    Socket m_socket;
    Daemon& m_daemon;
    /// What only this session can answer; everything else goes to the daemon's own dispatcher.
    Dispatcher m_subscriptions;
    protocol::FrameReader m_reader;
    Outbox m_outbox;
    asio::steady_timer m_wake;
    bool m_finishing = false;
    bool m_closed = false;
    bool m_greeted = false;
    bool m_followsState = false;
    std::string m_clientId;
    /// In turn, so that one long catch-up does not keep the others waiting.
    std::list<std::pair<ExperimentId, RecordFeed>> m_records;
    std::list<LogFeed> m_logs;
    base::SteadyTime m_lastRecords{};
};

} // namespace trialdeck::head

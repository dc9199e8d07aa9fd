// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/log.h"
#include "core/client/client.h"
#include "core/transport/transport.h"

#include <QTemporaryDir>
#include <asio/io_context.hpp>

#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

namespace trialdeck::tests {

/// The system's clock, wrong by as much as a test wants.
class ShiftedClock final : public base::Clock {
public:
    [[nodiscard]] base::SteadyTime steadyNow() const override { return m_system.steadyNow(); }
    [[nodiscard]] base::WallTime wallNow() const override { return m_system.wallNow() + ahead; }
    std::chrono::milliseconds ahead{0};

private:
    base::SystemClock m_system;
};

/// The real trialdeck-head in a home of its own, and a client of it. Ends the daemon and all trials with it.
class HeadSession final : public client::RecordsListener {
public:
    /// A way to the head; made anew for each client, on its loop.
    using MakeTransport =
        std::function<std::unique_ptr<transport::Transport>(asio::io_context& loop, HeadSession& session)>;

    /// On this computer, over a pipe.
    HeadSession();
    /// @param buildId  of the client; empty: this build's
    explicit HeadSession(MakeTransport makeTransport, std::string buildId = {});
    ~HeadSession() override;

    /// The client's clock; the head's is the system's.
    void setClockAhead(std::chrono::milliseconds ahead) { m_clock.ahead = ahead; }
    /// For clients that are made from now on: no pause ends by itself.
    void tryOnlyWhenTheNetworkComesBack() { m_waitsForNetwork = true; }
    /// Connects; starts a daemon where none is. Fails the test where it cannot.
    void connect();
    /// Does not wait.
    void start();
    void disconnect();
    [[nodiscard]] bool connected() const;
    [[nodiscard]] pid_t daemonPid() const;
    /// Whether a daemon holds the lock of this home.
    [[nodiscard]] bool served() const;

    /// Runs the loop until `done` or for a minute. @return done()
    bool waitFor(const std::function<bool()>& done);

    template<typename Request>
    Expected<typename Request::Result> ask(Request request) {
        Expected<typename Request::Result> answer = base::fail(ErrorCode::timed_out);
        bool answered = false;
        m_client->call(std::move(request), [&](Expected<typename Request::Result> result) {
            answer = std::move(result);
            answered = true;
        });
        waitFor([&answered] { return answered; });
        return answer;
    }

    /// An experiment of fake_worker with these steps, stored below the home.
    [[nodiscard]] std::string yaml(const std::string& name, const std::vector<std::string>& steps,
                                   const std::string& more = {}) const;
    /// Fails the test where it has problems.
    ExperimentId create(const std::string& yaml);
    [[nodiscard]] protocol::ExperimentSummary summary(const ExperimentId& experiment);
    bool waitForState(const ExperimentId& experiment, ExperimentState state);

    /// Follows all records; they are kept in the order in which they came.
    void follow(const ExperimentId& experiment);
    [[nodiscard]] const std::vector<protocol::Record>& records() const { return m_records; }
    /// How often following has begun: once for each connection that lived so long.
    [[nodiscard]] int timesFollowed() const { return m_timesFollowed; }
    /// Whether all has come that the head had when following began last.
    [[nodiscard]] bool hasCaughtUp() const;
    template<typename Body>
    [[nodiscard]] std::vector<Body> bodies() const {
        std::vector<Body> found;
        for (const protocol::Record& record : m_records) {
            if (const auto* body = std::get_if<Body>(&record.body))
                found.push_back(*body);
        }
        return found;
    }
    [[nodiscard]] client::Subscription followRecords(const ExperimentId& experiment,
                                                     client::RecordsListener& listener) {
        return m_client->followRecords(experiment, {}, listener);
    }
    [[nodiscard]] client::Subscription followLog(const protocol::LogAddress& address,
                                                 client::LogListener& listener) {
        return m_client->followLog(address, 0, listener);
    }
    /// "trial/attempt/iteration" of each report, in order.
    [[nodiscard]] std::vector<std::string> reports() const;

    [[nodiscard]] asio::io_context& loop() { return m_loop; }
    [[nodiscard]] const base::Clock& clock() const { return m_clock; }
    /// The newest client's state.
    [[nodiscard]] const client::ConnectionState& state() const { return m_client->state(); }
    void reconnectNow() { m_client->reconnectNow(); }
    [[nodiscard]] base::Path folder() const { return m_folder.path().toStdString(); }

private:
    void onSubscribed(const protocol::RecordsSubscribeResult& started) override;
    void onRecords(const protocol::RecordsEvent& event) override;
    protocol::Cursor onRollback(protocol::Cursor from) override;
    void onRefused(const Error& error) override;

    QTemporaryDir m_folder;
    ShiftedClock m_clock;
    base::NullLog m_log;
    asio::io_context m_loop{1};
    MakeTransport m_makeTransport;
    std::string m_buildId;
    bool m_waitsForNetwork = false;
    std::unique_ptr<client::Client> m_client;
    client::Subscription m_subscription;
    std::vector<protocol::Record> m_records;
    int m_timesFollowed = 0;
    RecordNumber m_lastThen;
};

} // namespace trialdeck::tests

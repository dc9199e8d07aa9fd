// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/log.h"
#include "core/base/process.h"
#include "core/client/client.h"
#include "tests/benchmarks/figures.h"

#include <asio/io_context.hpp>

#include <functional>
#include <memory>
#include <string>

namespace trialdeck::benchmarks {

/// The real trialdeck-head of this build in a home of its own below TMPDIR, and one real client of it. What
/// goes wrong ends the program with a sentence. Ends the daemon with its trials and removes the home.
class HeadUnderTest {
public:
    explicit HeadUnderTest(const std::string& name);
    ~HeadUnderTest();
    HeadUnderTest(const HeadUnderTest&) = delete;
    HeadUnderTest& operator=(const HeadUnderTest&) = delete;

    /// Starts the daemon where none is.
    void connect();
    void disconnect();
    [[nodiscard]] pid_t daemonPid() const { return m_pid; }
    [[nodiscard]] ProcessUsage daemonUsage() const { return usageOf(m_pid); }
    [[nodiscard]] client::Client& client() { return *m_client; }
    [[nodiscard]] const base::Path& folder() const { return m_folder; }
    /// With TRIALDECK_HOME: for trialdeckctl and the window.
    [[nodiscard]] base::Environment environment() const;

    /// Runs the loop until done() says so, which is asked after each event. Ends the program after
    /// `patience`.
    void runUntil(const std::function<bool()>& done, std::chrono::seconds patience);

    template<typename Request>
    typename Request::Result ask(Request request) {
        std::optional<Expected<typename Request::Result>> answer;
        m_client->call(std::move(request),
                       [&](Expected<typename Request::Result> result) { answer = std::move(result); });
        runUntil([&answer] { return answer.has_value(); }, std::chrono::seconds(60));
        if (!*answer)
            giveUp(base::describe(answer->error()));
        return std::move(**answer);
    }

    /// An experiment of the program `reporter` with these arguments, stored below the home. `more` is YAML.
    [[nodiscard]] ExperimentId create(const std::string& name, const std::string& reporterArguments,
                                      const std::string& more);
    void awaitEnd(const ExperimentId& experiment, std::chrono::seconds patience);
    [[nodiscard]] protocol::ExperimentSummary summary(const ExperimentId& experiment);

    [[noreturn]] static void giveUp(const std::string& sentence);

private:
    [[nodiscard]] bool isServed() const;

    base::Path m_folder;
    base::SystemClock m_clock;
    std::unique_ptr<base::Log> m_log = base::makeStderrLog(base::LogLevel::warning);
    asio::io_context m_loop{1};
    std::unique_ptr<client::Client> m_client;
    pid_t m_pid = 0;
};

/// Calls one function for each record of an experiment.
class RecordTap final : public client::RecordsListener {
public:
    using OnRecord = std::function<void(const protocol::Record& record)>;
    explicit RecordTap(OnRecord onRecord) : m_onRecord(std::move(onRecord)) {}

    void onSubscribed(const protocol::RecordsSubscribeResult&) override {}
    void onRecords(const protocol::RecordsEvent& event) override;
    protocol::Cursor onRollback(protocol::Cursor from) override { return from; }
    void onRefused(const Error& error) override { HeadUnderTest::giveUp(base::describe(error)); }

private:
    OnRecord m_onRecord;
};

} // namespace trialdeck::benchmarks

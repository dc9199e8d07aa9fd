// SPDX-License-Identifier: Apache-2.0
#include "tests/integration/head_session.h"

#include "core/base/build_id.h"
#include "core/base/file_lock.h"
#include "core/base/json.h"
#include "core/transport/pipe_transport.h"
#include "tests/support/compare.h"

#include <asio/steady_timer.hpp>

namespace trialdeck::tests {

namespace {

constexpr std::chrono::seconds kPatience{60};
const char kHead[] = TRIALDECK_BIN_DIR "/trialdeck-head";
const char kWorker[] = TRIALDECK_BIN_DIR "/fake_worker";

} // namespace

HeadSession::HeadSession()
    : HeadSession([](asio::io_context&, HeadSession& session) {
          base::Environment environment = base::currentEnvironment();
          environment["TRIALDECK_HOME"] = (session.folder() / "home").native();
          environment["HOME"] = session.folder().native();
          return std::make_unique<transport::PipeTransport>(transport::PipeOptions{kHead, environment});
      }) {}

HeadSession::HeadSession(MakeTransport makeTransport, std::string buildId)
    : m_makeTransport(std::move(makeTransport)),
      m_buildId(buildId.empty() ? std::string(base::buildId()) : std::move(buildId)) {}

HeadSession::~HeadSession() {
    if (!connected())
        connect();
    protocol::ShutdownRequest shutdown;
    shutdown.stopTrials = true;
    bool answered = false;
    m_client->call(shutdown, [&](const Expected<protocol::EmptyResult>&) {
        // A client that saw the daemon go would start another one.
        m_client->stop();
        answered = true;
    });
    waitFor([&answered] { return answered; });
    waitFor([this] { return !served(); });
    disconnect();
}

void HeadSession::connect() {
    start();
    const auto isOver = [this] {
        const client::ConnectionState& now = state();
        return connected() || (now.phase == client::ConnectionPhase::waiting && now.error &&
                               client::needsPerson(now.error->code));
    };
    waitFor(isOver);
    const auto& error = state().error;
    QVERIFY2(connected(), error ? base::describe(*error).c_str() : "the head did not answer");
}

void HeadSession::start() {
    client::ClientOptions options;
    options.name = "test";
    options.buildId = m_buildId;
    options.firstPause = std::chrono::milliseconds(50);
    options.quickPause = std::chrono::milliseconds(50);
    if (m_waitsForNetwork) {
        options.firstPause = options.quickPause = options.longestPause = std::chrono::hours(1);
        options.watchNetwork = true;
    }
    m_subscription.reset();
    m_client =
        std::make_unique<client::Client>(m_loop, m_clock, m_log, m_makeTransport(m_loop, *this), options);
    m_client->start();
}

void HeadSession::disconnect() {
    m_subscription.reset();
    if (m_client)
        m_client->stop();
    m_client.reset();
    m_loop.restart();
    m_loop.poll();
}

bool HeadSession::connected() const {
    return m_client && m_client->state().phase == client::ConnectionPhase::connected;
}

pid_t HeadSession::daemonPid() const {
    return static_cast<pid_t>(m_client->state().head->pid);
}

bool HeadSession::served() const {
    std::error_code error;
    for (const auto& host : std::filesystem::directory_iterator(folder() / "home" / "hosts", error)) {
        if (base::FileLock::isHeld(host.path() / "head.lock").value_or(false))
            return true;
    }
    return false;
}

bool HeadSession::waitFor(const std::function<bool()>& done) {
    constexpr std::chrono::milliseconds kLookAgain{20};
    const base::SteadyTime deadline = m_clock.steadyNow() + kPatience;
    while (!done()) {
        if (m_clock.steadyNow() > deadline)
            return false;
        // Conditions outside the loop (a lock, a file) are looked at again after a moment.
        asio::steady_timer pause(m_loop, kLookAgain);
        bool over = false;
        pause.async_wait([&over](const asio::error_code&) { over = true; });
        m_loop.restart();
        // Looking may run the loop, and the pause may end there.
        while (!over && !done() && !over)
            m_loop.run_one();
        pause.cancel();
        m_loop.poll();
    }
    return true;
}

std::string HeadSession::yaml(const std::string& name, const std::vector<std::string>& steps,
                              const std::string& more) const {
    Array command{kWorker};
    for (const std::string& step : steps)
        command.emplace_back(step);
    return "name: " + name + "\ntrial: {command: " + base::toJson(command) +
           "}\nstorage_path: " + base::toJson(Value((folder() / "results").native())) + "\n" + more;
}

ExperimentId HeadSession::create(const std::string& yaml) {
    protocol::ExperimentCreateRequest request;
    request.yaml = yaml;
    const auto created = ask(request);
    std::string problems = created ? "" : base::describe(created.error());
    if (created) {
        for (const protocol::Problem& problem : created->problems) {
            if (problem.severity == protocol::Severity::error)
                problems += problem.path + " " + std::string(nameOf(problem.code)) + "; ";
        }
    }
    if (!problems.empty())
        QTest::qFail(problems.c_str(), __FILE__, __LINE__);
    return created ? created->experiment : ExperimentId();
}

protocol::ExperimentSummary HeadSession::summary(const ExperimentId& experiment) {
    const auto state = ask(protocol::StateReadRequest());
    for (const auto& summary : state ? state->experiments : std::vector<protocol::ExperimentSummary>()) {
        if (summary.experiment == experiment)
            return summary;
    }
    return {};
}

bool HeadSession::waitForState(const ExperimentId& experiment, ExperimentState state) {
    return waitFor([&] { return summary(experiment).state == state; });
}

void HeadSession::follow(const ExperimentId& experiment) {
    m_records.clear();
    m_subscription = m_client->followRecords(experiment, {}, *this);
}

std::vector<std::string> HeadSession::reports() const {
    std::vector<std::string> lines;
    for (const auto& report : bodies<protocol::ReportReceived>())
        lines.push_back(std::to_string(report.trial.raw()) + "/" + std::to_string(report.attempt.raw()) +
                        "/" + std::to_string(report.iteration));
    return lines;
}

void HeadSession::onSubscribed(const protocol::RecordsSubscribeResult& started) {
    ++m_timesFollowed;
    m_lastThen = started.last;
}

bool HeadSession::hasCaughtUp() const {
    return m_lastThen.raw() == 0 || (!m_records.empty() && m_records.back().number.raw() >= m_lastThen.raw());
}

void HeadSession::onRecords(const protocol::RecordsEvent& event) {
    std::string_view rest = event.lines.data;
    while (!rest.empty()) {
        const size_t end = rest.find('\n');
        auto record = protocol::parseRecordLine(rest.substr(0, end));
        QVERIFY(record.has_value());
        m_records.push_back(std::move(*record));
        rest.remove_prefix(end + 1);
    }
}

protocol::Cursor HeadSession::onRollback(protocol::Cursor) {
    m_records.clear();
    return {};
}

void HeadSession::onRefused(const Error& error) {
    QFAIL(base::describe(error).c_str());
}

} // namespace trialdeck::tests

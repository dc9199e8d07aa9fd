// SPDX-License-Identifier: Apache-2.0
#include "tests/benchmarks/head_under_test.h"

#include "core/base/build_id.h"
#include "core/base/file_lock.h"
#include "core/base/json.h"
#include "core/transport/pipe_transport.h"

#include <asio/steady_timer.hpp>

#include <cstdio>
#include <cstdlib>
#include <filesystem>

namespace trialdeck::benchmarks {

namespace {

constexpr const char* kHead = TRIALDECK_BIN_DIR "/trialdeck-head";
constexpr const char* kReporter = TRIALDECK_BIN_DIR "/reporter";

} // namespace

HeadUnderTest::HeadUnderTest(const std::string& name)
    : m_folder(std::filesystem::temp_directory_path() /
               ("trialdeck-bench-" + name + "-" + std::to_string(getpid()))) {
    std::filesystem::remove_all(m_folder);
    std::filesystem::create_directories(m_folder);
}

HeadUnderTest::~HeadUnderTest() {
    // A client that saw the daemon go would start another one.
    if (m_client)
        disconnect();
    (void)base::runAndCollect({{TRIALDECK_BIN_DIR "/trialdeckctl", "shutdown", "--stop-trials", "-y"},
                               environment(),
                               {},
                               {},
                               false,
                               {}},
                              60'000);
    const base::SteadyTime deadline = m_clock.steadyNow() + std::chrono::seconds(60);
    while (isServed() && m_clock.steadyNow() < deadline) {
        asio::steady_timer pause(m_loop, std::chrono::milliseconds(20));
        pause.async_wait([](const asio::error_code&) {});
        m_loop.restart();
        m_loop.run();
    }
    std::error_code ignored;
    std::filesystem::remove_all(m_folder, ignored);
}

void HeadUnderTest::giveUp(const std::string& sentence) {
    std::fprintf(stderr, "benchmark: %s\n", sentence.c_str());
    std::exit(EXIT_FAILURE);
}

base::Environment HeadUnderTest::environment() const {
    base::Environment environment = base::currentEnvironment();
    environment["TRIALDECK_HOME"] = (m_folder / "home").native();
    environment["HOME"] = m_folder.native();
    return environment;
}

void HeadUnderTest::connect() {
    client::ClientOptions options;
    options.name = "benchmark";
    options.buildId = base::buildId();
    m_client = std::make_unique<client::Client>(
        m_loop, m_clock, *m_log,
        std::make_unique<transport::PipeTransport>(transport::PipeOptions{kHead, environment()}), options);
    m_client->start();
    runUntil([this] { return m_client->state().phase == client::ConnectionPhase::connected; },
             std::chrono::seconds(60));
    m_pid = static_cast<pid_t>(m_client->state().head->pid);
}

void HeadUnderTest::disconnect() {
    m_client->stop();
    m_client.reset();
    m_loop.restart();
    m_loop.poll();
}

bool HeadUnderTest::isServed() const {
    std::error_code error;
    for (const auto& host : std::filesystem::directory_iterator(m_folder / "home" / "hosts", error)) {
        if (base::FileLock::isHeld(host.path() / "head.lock").value_or(false))
            return true;
    }
    return false;
}

void HeadUnderTest::runUntil(const std::function<bool()>& done, std::chrono::seconds patience) {
    asio::steady_timer limit(m_loop, patience);
    bool late = false;
    limit.async_wait([&late](const asio::error_code& error) { late = late || !error; });
    m_loop.restart();
    while (!done()) {
        if (late)
            giveUp("nothing came within " + std::to_string(patience.count()) + " s");
        m_loop.run_one();
    }
    limit.cancel();
    m_loop.poll();
}

ExperimentId HeadUnderTest::create(const std::string& name, const std::string& reporterArguments,
                                   const std::string& more) {
    protocol::ExperimentCreateRequest request;
    request.yaml = "name: " + name +
                   "\nstorage_path: " + base::toJson(Value((m_folder / "results").native())) +
                   "\ntrial:\n  command: [" + kReporter +
                   (reporterArguments.empty() ? "" : ", " + reporterArguments) + "]\n" + more;
    const auto created = ask(request);
    for (const protocol::Problem& problem : created.problems) {
        if (problem.severity == protocol::Severity::error)
            giveUp(problem.path + ": " + std::string(nameOf(problem.code)));
    }
    return created.experiment;
}

void HeadUnderTest::awaitEnd(const ExperimentId& experiment, std::chrono::seconds patience) {
    bool over = false;
    RecordTap tap([&over](const protocol::Record& record) {
        const auto* state = std::get_if<protocol::ExperimentStateChanged>(&record.body);
        over = over || (state && protocol::isFinished(state->state));
    });
    const auto subscription = m_client->followRecords(experiment, {}, tap);
    runUntil([&over] { return over; }, patience);
}

protocol::ExperimentSummary HeadUnderTest::summary(const ExperimentId& experiment) {
    for (const protocol::ExperimentSummary& summary : ask(protocol::StateReadRequest()).experiments) {
        if (summary.experiment == experiment)
            return summary;
    }
    giveUp("the head does not know the experiment");
}

void RecordTap::onRecords(const protocol::RecordsEvent& event) {
    std::string_view rest = event.lines.data;
    while (!rest.empty()) {
        const size_t end = rest.find('\n');
        const auto record = protocol::parseRecordLine(rest.substr(0, end));
        if (!record)
            HeadUnderTest::giveUp(base::describe(record.error()));
        m_onRecord(*record);
        rest.remove_prefix(std::min(end, rest.size() - 1) + 1);
    }
}

} // namespace trialdeck::benchmarks

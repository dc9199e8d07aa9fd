// SPDX-License-Identifier: Apache-2.0
#include "tests/support/process_engine_probe.h"

#include "core/base/host.h"
#include "core/supervise/process_tree.h"

#include <algorithm>
#include <csignal>
#include <sys/prctl.h>
#include <sys/wait.h>

namespace trialdeck::tests {

using namespace engine;

namespace {

std::string describe(const WorkerEnd& end) {
    std::string text = end.exit.code     ? "code " + std::to_string(*end.exit.code)
                       : end.exit.signal ? "signal " + std::to_string(*end.exit.signal)
                                         : "unknown";
    if (end.stoppedByUs)
        text += " stopped";
    if (end.cause)
        text += " " + std::string(nameOf(end.cause->code));
    return text;
}

class KeptLog final : public base::Log {
public:
    explicit KeptLog(std::vector<std::string>& lines) : m_lines(lines) {}
    void write(base::LogLevel level, std::string_view, std::string_view text) override {
        if (level >= base::LogLevel::warning)
            m_lines.emplace_back(text);
    }

private:
    std::vector<std::string>& m_lines;
};

std::string place(const AttemptKey& key, uint32_t rank) {
    return std::to_string(key.trial) + "." + std::to_string(rank);
}

} // namespace

ProcessEngineProbe::ProcessEngineProbe(base::Path folder)
    : m_folder(std::move(folder)), m_experiment("x" + base::newUuid()),
      m_log(std::make_unique<KeptLog>(logged)) {
    // What a killed supervisor had comes to us; not every machine's first process reaps.
    prctl(PR_SET_CHILD_SUBREAPER, 1);
    m_options.runtimeFolder = m_folder / "run";
    m_options.supervisorProgram = TRIALDECK_BIN_DIR "/supervisor_program";
    m_options.supervisorWords = {"supervisor_program", "supervise"};
    m_options.nodeName = "node";
    m_options.cpus = 8;
    m_options.memoryBytes = uint64_t{8} << 30;
    m_options.devices = std::vector<Device>();
    (void)m_files.createDirectories(m_options.runtimeFolder);
    makeEngine();
}

ProcessEngineProbe::~ProcessEngineProbe() {
    m_engine.reset();
    // Nothing of a test is left, also when it failed half-way.
    for (int round = 0; round < 200; ++round) {
        const auto left = supervise::processesOfAttempt(m_experiment);
        if (left.empty())
            break;
        for (const auto& process : left)
            kill(process.pid, SIGKILL);
        while (waitpid(-1, nullptr, WNOHANG) > 0) {
        }
    }
}

void ProcessEngineProbe::makeEngine() {
    m_engine = std::make_unique<ProcessEngine>(m_loop, m_files, m_clock, *m_log, m_options);
    m_engine->setListener(this);
}

void ProcessEngineProbe::restart() {
    m_engine.reset();
    makeEngine();
}

base::Path ProcessEngineProbe::rankFolder(uint32_t trial, uint32_t rank) const {
    return m_folder / "e" / ("trial_" + std::to_string(trial)) / "attempt_0" /
           ("rank_" + std::to_string(rank));
}

std::string ProcessEngineProbe::file(uint32_t trial, uint32_t rank, const std::string& name) const {
    base::PosixFileSystem files;
    return base::readWholeFile(files, rankFolder(trial, rank) / name).value_or("?");
}

AttemptRequest ProcessEngineProbe::request(uint32_t trial, const std::vector<std::string>& steps,
                                           uint32_t workers) {
    AttemptRequest request;
    request.key = {m_experiment, trial, 0};
    request.workers = workers;
    request.command = {TRIALDECK_BIN_DIR "/fake_worker"};
    request.command.insert(request.command.end(), steps.begin(), steps.end());
    request.environment = {{"PATH", "/usr/bin:/bin"}};
    request.workingDirectory = m_folder;
    request.attemptFolder = rankFolder(trial, 0).parent_path();
    (void)m_files.createDirectories(request.attemptFolder);
    return request;
}

bool ProcessEngineProbe::runUntil(const std::function<bool()>& condition) {
    constexpr std::chrono::seconds kPatience(30);
    const auto deadline = m_clock.steadyNow() + kPatience;
    m_loop.restart();
    while (!condition()) {
        if (m_clock.steadyNow() > deadline)
            return false;
        m_loop.run_one_for(std::chrono::milliseconds(50));
        if (m_loop.stopped())
            m_loop.restart();
    }
    return true;
}

bool ProcessEngineProbe::runUntilTold(const std::string& event) {
    return runUntil([&] { return wasTold(event); });
}

void ProcessEngineProbe::runReady() {
    m_loop.restart();
    m_loop.poll();
}

bool ProcessEngineProbe::wasTold(const std::string& event) const {
    return std::find(events.begin(), events.end(), event) != events.end();
}

std::vector<std::string> ProcessEngineProbe::endings() const {
    std::vector<std::string> kept;
    std::copy_if(events.begin(), events.end(), std::back_inserter(kept), [](const std::string& event) {
        return event.rfind("report", 0) != 0 && event.rfind("output", 0) != 0;
    });
    return kept;
}

std::vector<std::string> ProcessEngineProbe::lines(const std::string& kind, uint32_t trial,
                                                   uint32_t rank) const {
    const std::string prefix = kind + " " + std::to_string(trial) + "." + std::to_string(rank) + " ";
    std::vector<std::string> found;
    for (const std::string& event : events) {
        if (event.rfind(prefix, 0) == 0)
            found.push_back(event.substr(prefix.size()));
    }
    return found;
}

void ProcessEngineProbe::tell(std::string event) {
    if (onEvent)
        onEvent(event);
    events.push_back(std::move(event));
}

void ProcessEngineProbe::onAttemptStarted(const AttemptKey& key, const std::string&,
                                          std::optional<int> masterPort) {
    ports[key] = masterPort;
    tell("started " + std::to_string(key.trial));
}

void ProcessEngineProbe::onReportLine(const AttemptKey& key, uint32_t rank, std::string_view line,
                                      uint64_t endOffset) {
    positions[{key, rank}].report = endOffset;
    ++reportCount;
    longestLine = std::max<uint64_t>(longestLine, line.size());
    if (!countOnly)
        tell("report " + place(key, rank) + " " + std::string(line));
}

void ProcessEngineProbe::onOutputLine(const AttemptKey& key, uint32_t rank, std::string_view line,
                                      uint64_t endOffset) {
    positions[{key, rank}].standardOutput = endOffset;
    if (!countOnly)
        tell("output " + place(key, rank) + " " + std::string(line));
}

void ProcessEngineProbe::onNoOutputYet(const AttemptKey& key, uint32_t rank) {
    tell("quiet " + place(key, rank));
}

void ProcessEngineProbe::onWorkerEnded(const AttemptKey& key, uint32_t rank, const WorkerEnd& end) {
    ends[{key, rank}] = end;
    tell("ended " + place(key, rank) + " " + describe(end));
}

void ProcessEngineProbe::onAttemptEnded(const AttemptKey& key) {
    tell("over " + std::to_string(key.trial));
}

void ProcessEngineProbe::onStartFailed(const AttemptKey& key, const Error& error) {
    tell("failed " + std::to_string(key.trial) + " " + std::string(nameOf(error.code)));
}

void ProcessEngineProbe::onNodesChanged() {
    // Told often and at no certain moment.
}

} // namespace trialdeck::tests

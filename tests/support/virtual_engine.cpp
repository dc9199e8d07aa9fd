// SPDX-License-Identifier: Apache-2.0
#include "tests/support/virtual_engine.h"

#include <algorithm>
#include <csignal>

namespace trialdeck::tests {

using engine::AttemptKey;
using engine::AttemptRequest;
using engine::ReadPositions;
using std::chrono::milliseconds;

// ---- the machine ----

bool VirtualMachine::Attempt::running() const {
    return std::any_of(workers.begin(), workers.end(), [](const Worker& worker) { return !worker.end; });
}

double VirtualMachine::cpusUsed() const {
    double used = 0;
    for (const auto& [key, attempt] : m_attempts) {
        if (attempt->running())
            used += attempt->request.perWorker.cpu * attempt->request.workers;
    }
    return used;
}

const VirtualMachine::Attempt* VirtualMachine::find(const AttemptKey& key) const {
    const auto found = m_attempts.find(key);
    return found == m_attempts.end() ? nullptr : found->second.get();
}

void VirtualMachine::observe(const AttemptKey& key) {
    if (m_observer)
        m_observer(key);
}

void VirtualMachine::start(const AttemptRequest& request) {
    m_started.push_back(request);
    auto attempt = std::make_unique<Attempt>();
    attempt->request = request;
    for (uint32_t rank = 0; rank < request.workers; ++rank) {
        Worker& worker = attempt->workers.emplace_back();
        worker.script = m_model(request, rank);
        worker.began = m_time.clock().steadyNow();
    }
    m_attempts[request.key] = std::move(attempt);
    for (uint32_t rank = 0; rank < request.workers; ++rank)
        scheduleNext(request.key, rank);
}

void VirtualMachine::scheduleNext(const AttemptKey& key, uint32_t rank) {
    const Worker& worker = m_attempts.at(key)->workers[rank];
    if (worker.nextAct < worker.script.acts.size())
        m_time.schedule(Lives::inWorld, worker.script.acts[worker.nextAct].after,
                        [this, key, rank] { perform(key, rank); });
}

void VirtualMachine::perform(const AttemptKey& key, uint32_t rank) {
    Attempt& attempt = *m_attempts.at(key);
    Worker& worker = attempt.workers[rank];
    if (worker.end)
        return;
    const Act& act = worker.script.acts[worker.nextAct++];
    switch (act.kind) {
    case Act::Kind::report:
        worker.report += act.text + '\n';
        break;
    case Act::Kind::rawReport:
        worker.report += act.text;
        break;
    case Act::Kind::print:
        worker.output += act.text + '\n';
        break;
    case Act::Kind::checkpoint:
        writeCheckpoint(attempt.request.attemptFolder / ("rank_" + std::to_string(rank)) / act.text,
                        act.value);
        break;
    case Act::Kind::exit: {
        std::optional<Error> cause;
        if (act.value != 0)
            cause = Error{ErrorCode::worker_exit, {{"exit_code", std::to_string(act.value)}}, {}};
        end(key, rank, {static_cast<int>(act.value), std::nullopt}, cause);
        return;
    }
    case Act::Kind::die:
        end(key, rank, {std::nullopt, static_cast<int>(act.value)},
            Error{ErrorCode::worker_signal, {{"signal", std::to_string(act.value)}}, {}});
        return;
    case Act::Kind::outOfMemory:
        end(key, rank, {std::nullopt, SIGKILL}, Error{ErrorCode::worker_out_of_memory, {}, {}});
        return;
    }
    scheduleNext(key, rank);
    observe(key);
}

void VirtualMachine::writeCheckpoint(const base::Path& folder, int64_t weights) {
    (void)m_files.createDirectories(folder);
    (void)base::replaceFile(m_files, folder / "weights.txt", std::to_string(weights));
}

void VirtualMachine::end(const AttemptKey& key, uint32_t rank, base::ProcessExit exit,
                         std::optional<Error> cause) {
    Attempt& attempt = *m_attempts.at(key);
    Worker& worker = attempt.workers[rank];
    engine::WorkerEnd result;
    result.exit = exit;
    result.stoppedByUs = worker.stoppedByUs;
    const bool failed = cause && !worker.stoppedByUs;
    if (failed)
        result.cause = std::move(cause);
    result.duration = std::chrono::duration_cast<milliseconds>(m_time.clock().steadyNow() - worker.began);
    worker.end = std::move(result);
    observe(key);
    if (failed)
        terminate(key);
}

void VirtualMachine::terminate(const AttemptKey& key) {
    const auto found = m_attempts.find(key);
    if (found == m_attempts.end())
        return;
    for (uint32_t rank = 0; rank < found->second->workers.size(); ++rank) {
        Worker& worker = found->second->workers[rank];
        if (worker.end || worker.terminated)
            continue;
        worker.terminated = true;
        worker.stoppedByUs = true;
        terminateRank(key, rank);
    }
}

void VirtualMachine::terminateRank(const AttemptKey& key, uint32_t rank) {
    const Attempt& attempt = *m_attempts.at(key);
    const OnTerminate answer = attempt.workers[rank].script.onTerminate;
    const bool ignores = answer == OnTerminate::ignores;
    m_time.schedule(Lives::inWorld, ignores ? attempt.request.stopGrace : milliseconds(1),
                    [this, key, rank, answer, ignores] {
                        if (m_attempts.at(key)->workers[rank].end)
                            return;
                        if (answer == OnTerminate::exitsWithZero)
                            end(key, rank, {0, std::nullopt}, std::nullopt);
                        else
                            end(key, rank, {std::nullopt, ignores ? SIGKILL : SIGTERM}, std::nullopt);
                    });
}

void VirtualMachine::powerCut() {
    for (auto& [key, attempt] : m_attempts) {
        for (Worker& worker : attempt->workers) {
            if (!worker.end)
                worker.end = engine::WorkerEnd{{}, Error{ErrorCode::worker_lost, {}, {}}, false, 0, {}, {}};
        }
    }
}

// ---- the engine of one daemon ----

VirtualEngine::VirtualEngine(VirtualTime& time, VirtualMachine& machine) : m_time(time), m_machine(machine) {
    m_machine.setObserver([this](const AttemptKey& key) { readSoon(key); });
}

VirtualEngine::~VirtualEngine() {
    m_machine.setObserver({});
}

void VirtualEngine::later(std::function<void()> action) {
    m_time.schedule(Lives::inDaemon, milliseconds(0), std::move(action));
}

engine::Engine::Placement VirtualEngine::place(uint32_t workers,
                                               const engine::WorkerResources& perWorker) const {
    const double wanted = perWorker.cpu * workers;
    const double used = m_machine.cpusUsed();
    Placement placement;
    placement.aboveNode = wanted > m_machine.cpus();
    placement.fitsNow = placement.aboveNode ? used == 0 : used + wanted <= m_machine.cpus();
    if (!placement.fitsNow)
        placement.waitsFor = "CPU";
    return placement;
}

Expected<void> VirtualEngine::start(const AttemptRequest& request) {
    if (m_refusal)
        return tl::make_unexpected(*std::exchange(m_refusal, std::nullopt));
    const AttemptKey key = request.key;
    if (m_lateFailure) {
        later([this, key, error = *std::exchange(m_lateFailure, std::nullopt)] {
            m_listener->onStartFailed(key, error);
        });
        return {};
    }
    Watched& watched = m_watched[key];
    watched.positions.assign(request.workers, {});
    watched.endTold.assign(request.workers, false);
    m_machine.start(request);
    later([this, key] { m_listener->onAttemptStarted(key, "node-1", 29500); });
    return {};
}

void VirtualEngine::adopt(const AttemptRequest& request, const std::vector<ReadPositions>& positions) {
    Watched& watched = m_watched[request.key];
    watched.positions = positions;
    watched.positions.resize(request.workers);
    watched.endTold.assign(request.workers, false);
    watched.lost = m_machine.find(request.key) == nullptr;
    readSoon(request.key);
}

void VirtualEngine::stopForgotten(const std::string& experiment) {
    for (const auto& [key, attempt] : m_machine.attempts()) {
        if (key.experiment == experiment && attempt->running() && !m_watched.contains(key))
            m_machine.terminate(key);
    }
}

void VirtualEngine::watchOutput(const AttemptKey& key) {
    const auto watched = m_watched.find(key);
    if (watched == m_watched.end())
        return;
    watched->second.output = true;
    readSoon(key);
}

void VirtualEngine::stop(const AttemptKey& key) {
    m_machine.terminate(key);
}

std::vector<engine::Node> VirtualEngine::nodes() const {
    engine::Node node;
    node.name = "node-1";
    node.cpus = m_machine.cpus();
    node.machineCpus = m_machine.cpus();
    node.cpusUsed = m_machine.cpusUsed();
    return {node};
}

std::vector<AttemptKey> VirtualEngine::running() const {
    std::vector<AttemptKey> keys;
    for (const auto& [key, watched] : m_watched) {
        const VirtualMachine::Attempt* attempt = m_machine.find(key);
        if (attempt && attempt->running())
            keys.push_back(key);
    }
    return keys;
}

void VirtualEngine::readSoon(const AttemptKey& key) {
    const auto watched = m_watched.find(key);
    if (watched == m_watched.end() || watched->second.pending)
        return;
    watched->second.pending = true;
    later([this, key] { read(key); });
}

void VirtualEngine::tellLost(const AttemptKey& key) {
    const size_t ranks = m_watched.at(key).positions.size();
    m_watched.erase(key);
    for (uint32_t rank = 0; rank < ranks; ++rank) {
        engine::WorkerEnd end;
        end.cause = Error{ErrorCode::worker_lost, {}, {}};
        m_listener->onWorkerEnded(key, rank, end);
    }
    m_listener->onAttemptEnded(key);
}

void VirtualEngine::read(const AttemptKey& key) {
    const auto found = m_watched.find(key);
    if (found == m_watched.end())
        return;
    found->second.pending = false;
    if (found->second.lost) {
        tellLost(key);
        return;
    }
    const VirtualMachine::Attempt& attempt = *m_machine.find(key);
    std::vector<uint32_t> ended;
    for (uint32_t rank = 0; rank < attempt.workers.size(); ++rank) {
        readReport(key, rank, attempt.workers[rank]);
        readOutput(key, rank, attempt.workers[rank]);
        if (attempt.workers[rank].end && !found->second.endTold[rank])
            ended.push_back(rank);
    }
    std::stable_sort(ended.begin(), ended.end(), [&attempt](uint32_t left, uint32_t right) {
        return attempt.workers[left].end->cause.has_value() > attempt.workers[right].end->cause.has_value();
    });
    for (const uint32_t rank : ended) {
        found->second.endTold[rank] = true;
        m_listener->onWorkerEnded(key, rank, *attempt.workers[rank].end);
    }
    const std::vector<bool>& told = found->second.endTold;
    if (!attempt.running() && std::find(told.begin(), told.end(), false) == told.end()) {
        m_watched.erase(found);
        m_listener->onAttemptEnded(key);
        m_listener->onNodesChanged();
    }
}

void VirtualEngine::readReport(const AttemptKey& key, uint32_t rank, const VirtualMachine::Worker& worker) {
    uint64_t& position = m_watched.at(key).positions[rank].report;
    while (position < worker.report.size()) {
        const size_t newline = worker.report.find('\n', position);
        if (newline == std::string::npos && !worker.end)
            return;
        const size_t end = newline == std::string::npos ? worker.report.size() : newline;
        const std::string line = worker.report.substr(position, end - position);
        position = newline == std::string::npos ? end : end + 1;
        m_listener->onReportLine(key, rank, line, position);
    }
}

void VirtualEngine::readOutput(const AttemptKey& key, uint32_t rank, const VirtualMachine::Worker& worker) {
    if (!m_watched.at(key).output)
        return;
    uint64_t& position = m_watched.at(key).positions[rank].standardOutput;
    while (position < worker.output.size()) {
        const size_t newline = worker.output.find('\n', position);
        if (newline == std::string::npos && !worker.end)
            return;
        const size_t end = newline == std::string::npos ? worker.output.size() : newline;
        const std::string line = worker.output.substr(position, end - position);
        position = newline == std::string::npos ? end : end + 1;
        m_listener->onOutputLine(key, rank, line, position);
    }
}

} // namespace trialdeck::tests

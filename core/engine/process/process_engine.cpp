// SPDX-License-Identifier: Apache-2.0
#include "core/engine/process/process_engine.h"

#include "core/base/file_lock.h"
#include "core/base/local_socket.h"
#include "core/engine/node_capacity.h"
#include "core/engine/process/attempt_run.h"
#include "core/engine/process/compute_apps.h"
#include "core/engine/process/port_lease.h"
#include "core/engine/process/resource_ledger.h"
#include "core/supervise/attempt_sweep.h"

#include <algorithm>
#include <asio/io_context.hpp>
#include <asio/post.hpp>
#include <asio/signal_set.hpp>
#include <asio/steady_timer.hpp>
#include <charconv>
#include <cmath>
#include <csignal>
#include <sys/socket.h>
#include <sys/wait.h>

namespace trialdeck::engine {

using namespace process;
using namespace std::chrono_literals;

namespace {

/// Limits may change while we run; they are not read more often than this.
constexpr std::chrono::milliseconds kCapacityAge = 1s;

/// `nvidia-smi -L`, and what CUDA_VISIBLE_DEVICES of this process leaves of it.
VisibleDevices findDevices() {
    constexpr int kTimeoutMs = 20'000;
    const base::Environment environment = base::currentEnvironment();
    const auto variable = environment.find("CUDA_VISIBLE_DEVICES");
    const auto list = base::runAndCollect({{"nvidia-smi", "-L"}, environment, {}, {}, false, {}}, kTimeoutMs);
    if (!list || list->exit.code != 0)
        return {};
    return visibleDevices(parseDeviceList(list->standardOutput),
                          variable == environment.end() ? std::nullopt
                                                        : std::optional<std::string_view>(variable->second));
}

double firstNumber(const std::string& text) {
    double number = 0;
    std::from_chars(text.data(), text.data() + text.size(), number);
    return number;
}

std::vector<std::string> splitList(std::string_view text) {
    std::vector<std::string> words;
    while (!text.empty()) {
        const size_t end = std::min(text.find(','), text.size());
        words.emplace_back(text.substr(0, end));
        text.remove_prefix(std::min(end + 1, text.size()));
    }
    return words;
}

/// Says how many threads each worker may start: the CPUs that it asks for, and where it asks for more than
/// the whole node, which it has alone then, its part of the node.
AttemptRequest withThreads(AttemptRequest request, double nodeCpus) {
    const double part = std::min(request.perWorker.cpu, nodeCpus / request.workers);
    request.environment.try_emplace("OMP_NUM_THREADS",
                                    std::to_string(std::max(1, static_cast<int>(std::floor(part)))));
    return request;
}

} // namespace

struct ProcessEngine::State final : AttemptOwner, std::enable_shared_from_this<ProcessEngine::State> {
    State(asio::io_context& loop, base::FileSystem& files, const base::Clock& clock, base::Log& log,
          ProcessOptions given)
        : options(std::move(given)), watch(loop, clock),
          turns(loop, clock), services{loop, files, clock, log, watch, turns, options, children},
          devices(options.devices ? VisibleDevices{*options.devices, {}, false} : findDevices()),
          ledger({1, 0, devices.devices, options.custom}), ports(firstEphemeralPort(files)),
          childEnded(loop, SIGCHLD) {}

    // AttemptOwner
    EngineListener& listener() override { return *told; }
    std::optional<int> replacePort(const AttemptKey& key) override { return ports.lease(key); }
    void onTreeGone(const AttemptKey& key) override;
    void onOver(const AttemptKey& key) override;

    void refreshCapacity();
    void watchComputeApps();
    void tellNodesChanged();
    void waitForChildren();
    void reapChildren();
    void forget(const AttemptKey& key);
    void stopSupervisor(const std::string& fileStem);
    void sweep(const std::shared_ptr<supervise::AttemptSweep>& forgotten);
    [[nodiscard]] bool isKnown(std::string_view attempt) const;
    [[nodiscard]] std::shared_ptr<AttemptRun> find(const AttemptKey& key) const;

    ProcessOptions options;
    EngineListener* told = nullptr;
    std::set<pid_t> children;
    FileWatch watch;
    ReadTurns turns;
    ProcessServices services;
    VisibleDevices devices;
    ResourceLedger ledger;
    std::set<std::string> busyDevices;
    std::optional<ComputeAppWatch> computeApps;
    PortLease ports;
    NodeCapacity capacity;
    base::SteadyTime capacityReadAt{};
    std::map<AttemptKey, std::shared_ptr<AttemptRun>> attempts;
    asio::signal_set childEnded;
};

void ProcessEngine::State::refreshCapacity() {
    const base::SteadyTime now = services.clock.steadyNow();
    if (capacityReadAt != base::SteadyTime{} && now - capacityReadAt < kCapacityAge)
        return;
    capacityReadAt = now;
    capacity = readNodeCapacity(services.files, options.root, affinityCpuCount());
    ledger.setSupply(options.cpus.value_or(capacity.cpus),
                     options.memoryBytes.value_or(capacity.memoryBytes));
}

void ProcessEngine::State::waitForChildren() {
    childEnded.async_wait([weak = weak_from_this()](const asio::error_code& error, int) {
        const auto self = weak.lock();
        if (!self || error)
            return;
        self->reapChildren();
        self->waitForChildren();
    });
}

void ProcessEngine::State::reapChildren() {
    // Each by its number: other children of the daemon belong to others.
    for (auto child = children.begin(); child != children.end();)
        child = waitpid(*child, nullptr, WNOHANG) != 0 ? children.erase(child) : std::next(child);
}

std::shared_ptr<AttemptRun> ProcessEngine::State::find(const AttemptKey& key) const {
    const auto found = attempts.find(key);
    return found == attempts.end() ? nullptr : found->second;
}

void ProcessEngine::State::watchComputeApps() {
    if (options.devices || devices.devices.empty())
        return;
    computeApps.emplace(services, options.gpuLook, [this](const std::vector<ComputeApp>& apps) {
        std::set<std::string> busy;
        for (const ComputeApp& app : apps) {
            const auto attempt = supervise::attemptOf(app.pid);
            if (!attempt || !isKnown(*attempt))
                busy.insert(app.deviceUuid);
        }
        if (busy == busyDevices)
            return;
        busyDevices = busy;
        ledger.setBusyDevices(std::move(busy));
        tellNodesChanged();
    });
}

void ProcessEngine::State::tellNodesChanged() {
    asio::post(services.loop, [weak = weak_from_this()] {
        const auto self = weak.lock();
        if (self && self->told)
            self->told->onNodesChanged();
    });
}

void ProcessEngine::State::onTreeGone(const AttemptKey& key) {
    ledger.release(key);
    ports.release(key);
    tellNodesChanged();
}

void ProcessEngine::State::onOver(const AttemptKey& key) {
    forget(key);
    tellNodesChanged();
}

void ProcessEngine::State::forget(const AttemptKey& key) {
    ledger.release(key);
    ports.release(key);
    attempts.erase(key);
}

bool ProcessEngine::State::isKnown(std::string_view attempt) const {
    return std::any_of(attempts.begin(), attempts.end(),
                       [attempt](const auto& known) { return nameOf(known.first) == attempt; });
}

void ProcessEngine::State::stopSupervisor(const std::string& fileStem) {
    const base::Path lock = options.runtimeFolder / (fileStem + ".lock");
    const base::Path socket = options.runtimeFolder / (fileStem + ".sock");
    if (base::FileLock::isHeld(lock).value_or(false)) {
        if (const auto connection = base::connectLocally(socket)) {
            const std::string line = encodeLine(supervise::StopRequest{0ms});
            (void)::send(connection->get(), line.data(), line.size(), MSG_NOSIGNAL);
        }
        return;
    }
    (void)services.files.remove(socket);
    (void)services.files.remove(lock);
}

void ProcessEngine::State::sweep(const std::shared_ptr<supervise::AttemptSweep>& forgotten) {
    if (!forgotten->look())
        return;
    const auto timer =
        std::make_shared<asio::steady_timer>(services.loop, supervise::AttemptSweep::kLookAgain);
    timer->async_wait([weak = weak_from_this(), timer, forgotten](const asio::error_code& error) {
        const auto self = weak.lock();
        if (self && !error)
            self->sweep(forgotten);
    });
}

ProcessEngine::ProcessEngine(asio::io_context& loop, base::FileSystem& files, const base::Clock& clock,
                             base::Log& log, ProcessOptions options)
    : m_state(std::make_shared<State>(loop, files, clock, log, std::move(options))) {
    m_state->refreshCapacity();
    m_state->waitForChildren();
    m_state->watchComputeApps();
}

ProcessEngine::~ProcessEngine() {
    m_state->computeApps.reset();
    m_state->attempts.clear();
}

void ProcessEngine::setListener(EngineListener* listener) {
    m_state->told = listener;
}

Engine::Placement ProcessEngine::place(uint32_t workers, const WorkerResources& perWorker) const {
    m_state->refreshCapacity();
    return m_state->ledger.place(workers, perWorker);
}

Expected<void> ProcessEngine::start(const AttemptRequest& request) {
    State& state = *m_state;
    if (request.command.empty() || request.workers == 0 || state.find(request.key))
        return base::fail(ErrorCode::internal, {},
                          "start of " + nameOf(request.key) +
                              ": no command, no "
                              "worker, or it runs already");
    const auto directory = state.services.files.status(request.workingDirectory / ".");
    if (!directory || directory->type != base::FileType::directory)
        return base::fail(ErrorCode::working_directory_missing,
                          {{"path", request.workingDirectory.native()}});
    if (const Placement placement = place(request.workers, request.perWorker); !placement.fitsNow)
        return base::fail(ErrorCode::unavailable, {{"reason", placement.waitsFor}},
                          nameOf(request.key) + " does not fit now");
    const auto port = state.ports.lease(request.key);
    if (!port)
        return base::fail(ErrorCode::unavailable, {{"reason", "no free TCP port"}}, "lease MASTER_PORT");
    auto devices = state.ledger.reserve(request.key, request.workers, request.perWorker);
    const bool hasDevices = !state.ledger.supply().devices.empty();
    const auto attempt =
        std::make_shared<AttemptRun>(state.services, state, withThreads(request, state.ledger.supply().cpus),
                                     *port, hasDevices ? std::optional(std::move(devices)) : std::nullopt);
    state.attempts[request.key] = attempt;
    auto started = attempt->start();
    if (!started)
        state.forget(request.key);
    return started;
}

void ProcessEngine::adopt(const AttemptRequest& request, const std::vector<ReadPositions>& positions) {
    State& state = *m_state;
    if (state.find(request.key))
        return;
    ResourceLedger::DevicesByRank devices(request.workers);
    int port = 0;
    for (uint32_t rank = 0; rank < request.workers; ++rank) {
        const auto record = supervise::readSupervisorRecord(
            state.services.files, request.attemptFolder / ("rank_" + std::to_string(rank)));
        if (!record)
            continue;
        if (const auto gpus = record->notes.find("gpus"); gpus != record->notes.end())
            devices[rank] = splitList(gpus->second);
        if (const auto given = record->notes.find("master_port"); given != record->notes.end())
            port = static_cast<int>(firstNumber(given->second));
    }
    if (port > 0)
        state.ports.leaseGiven(request.key, port);
    state.ledger.reserveGiven(request.key, request.workers, request.perWorker, devices);
    const auto attempt = std::make_shared<AttemptRun>(
        state.services, state, withThreads(request, state.ledger.supply().cpus), port, std::move(devices));
    state.attempts[request.key] = attempt;
    attempt->adopt(positions);
}

void ProcessEngine::stopForgotten(const std::string& experiment) {
    State& state = *m_state;
    const std::string prefix = experiment + ".";
    const std::string suffix = ".lock";
    const auto names = state.services.files.list(state.options.runtimeFolder);
    if (names) {
        for (const std::string& name : *names) {
            if (name.compare(0, prefix.size(), prefix) != 0 || name.size() < prefix.size() + suffix.size() ||
                name.compare(name.size() - suffix.size(), suffix.size(), suffix) != 0)
                continue;
            const std::string stem = name.substr(0, name.size() - suffix.size());
            const std::string withoutRank = stem.substr(0, stem.rfind('.'));
            std::string attempt = withoutRank.substr(prefix.size());
            std::replace(attempt.begin(), attempt.end(), '.', '/');
            if (!state.isKnown(experiment + "/" + attempt))
                state.stopSupervisor(stem);
        }
    }
    state.sweep(std::make_shared<supervise::AttemptSweep>(
        experiment,
        [&state](const supervise::AttemptProcess& process) { return state.isKnown(process.attempt); }));
}

void ProcessEngine::watchOutput(const AttemptKey& key) {
    if (const auto attempt = m_state->find(key))
        attempt->watchOutput();
}

void ProcessEngine::stop(const AttemptKey& key) {
    if (const auto attempt = m_state->find(key))
        attempt->stop();
}

std::vector<Node> ProcessEngine::nodes() const {
    State& state = *m_state;
    state.refreshCapacity();
    Node node;
    node.name = state.options.nodeName;
    node.cpus = state.ledger.supply().cpus;
    node.machineCpus = state.capacity.machineCpus;
    node.cpusUsed = state.ledger.cpusUsed();
    node.memoryBytes = state.ledger.supply().memoryBytes;
    node.memoryReservedBytes = state.ledger.memoryReserved();
    const auto load = base::readWholeFile(state.services.files, state.options.root / "proc/loadavg");
    node.load1 = load ? firstNumber(*load) : 0;
    node.gpus = state.ledger.gpus();
    node.custom = state.ledger.supply().custom;
    node.note = state.capacity.note;
    if (!state.devices.note.empty())
        node.note += (node.note.empty() ? "" : "; ") + state.devices.note;
    return {node};
}

std::vector<AttemptKey> ProcessEngine::running() const {
    std::vector<AttemptKey> keys;
    for (const auto& [key, attempt] : m_state->attempts)
        keys.push_back(key);
    return keys;
}

} // namespace trialdeck::engine

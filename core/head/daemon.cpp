// SPDX-License-Identifier: Apache-2.0
#include "core/head/daemon.h"

#include "core/base/host.h"
#include "core/head/doctor.h"
#include "core/head/log_files.h"
#include "core/head/logout.h"
#include "core/head/session.h"
#include "core/storage/folder_names.h"

#include <algorithm>

namespace trialdeck::head {

namespace {

protocol::NodeState stateOf(const engine::Node& node) {
    protocol::NodeState state;
    state.name = node.name;
    state.cpus = node.cpus;
    state.machineCpus = node.machineCpus;
    state.cpusUsed = node.cpusUsed;
    state.memoryBytes = node.memoryBytes;
    state.memoryReservedBytes = node.memoryReservedBytes;
    state.load1 = node.load1;
    for (const engine::Gpu& gpu : node.gpus) {
        protocol::GpuState gpuState{gpu.uuid, gpu.name, gpu.busy, std::nullopt};
        if (gpu.user)
            gpuState.trial = TrialId(gpu.user->trial);
        state.gpus.push_back(std::move(gpuState));
    }
    return state;
}

/// Replies of commands that only may fail.
void replyTo(const Reply<protocol::EmptyResult>& reply, Expected<void> done) {
    if (done)
        reply(protocol::EmptyResult());
    else
        reply(tl::make_unexpected(std::move(done).error()));
}

/// The path inside the folder; nothing where it leads out of it.
std::optional<base::Path> inside(const base::Path& folder, const std::string& relative) {
    const base::Path path = base::Path(relative).lexically_normal();
    if (path.is_absolute() || (!path.empty() && *path.begin() == ".."))
        return std::nullopt;
    std::error_code error;
    const base::Path resolved = std::filesystem::weakly_canonical(folder / path, error);
    const base::Path root = std::filesystem::weakly_canonical(folder, error);
    const auto end = std::mismatch(root.begin(), root.end(), resolved.begin(), resolved.end());
    return end.first == root.end() ? std::optional(resolved) : std::nullopt;
}

} // namespace

Daemon::Daemon(const tuner::Services& services, const HeadHome& home, Identity identity,
               Experiments& experiments, engine::FileWatch& watch)
    : m_services(services), m_home(home), m_identity(std::move(identity)), m_experiments(experiments),
      m_watch(watch) {
    addMethods();
    m_experiments.setEvents({[this](const protocol::ExperimentSummary& summary) { summaryChanged(summary); },
                             [this] { recordsAppended(); }});
}

Daemon::~Daemon() {
    m_experiments.setEvents({});
    // One whose client takes nothing has not ended by itself, and the loop keeps it longer than us.
    const auto sessions = m_sessions;
    for (const auto& session : sessions)
        session->close();
}

void Daemon::sessionStarted(const std::shared_ptr<Session>& session) {
    m_sessions.insert(session);
}

void Daemon::sessionEnded(Session& session) {
    m_sessions.erase(session.shared_from_this());
}

Expected<protocol::HelloResult> Daemon::hello(const protocol::HelloRequest& request) const {
    if (request.protocolMin > protocol::kProtocolVersion || request.protocolMax < protocol::kProtocolVersion)
        return base::fail(ErrorCode::version_mismatch, {{"head", std::to_string(protocol::kProtocolVersion)},
                                                        {"client", std::to_string(request.protocolMin) + "-" +
                                                                       std::to_string(request.protocolMax)}});
    protocol::HelloResult result;
    result.headVersion = m_identity.version;
    result.buildId = m_identity.buildId;
    result.instance = m_identity.instance;
    result.pid = m_services.writer.pid;
    result.host = m_services.writer.host;
    result.home = m_home.home().native();
    result.logPath = m_home.log().native();
    result.time = m_services.clock.wallNow();
    const LogoutFacts logout = readLogoutFacts(m_services.files, base::currentEnvironment(), "/");
    if (fateAtLogout(logout) != LogoutFate::survives)
        result.findings.push_back(
            {ErrorCode::ends_at_logout, {{"host", result.host}, {"user", logout.user}}, {}});
    result.capabilities = {"experiments", "pause", "stop",   "try_one", "logs",
                           "files",       "grid",  "random", "asha"};
    return result;
}

void Daemon::handle(const std::string& clientId, protocol::Request request, Reply<Object> reply) {
    if (m_dispatcher.kindOf(request.method) == protocol::RequestKind::read) {
        m_dispatcher.dispatch(std::move(request), std::move(reply));
        return;
    }
    const protocol::CommandLedger::Key key{clientId, request.id};
    auto answer = m_ledger.begin(key, m_services.clock.steadyNow());
    if (auto* outcome = std::get_if<protocol::CommandLedger::Outcome>(&answer)) {
        reply(std::move(*outcome));
        return;
    }
    m_waiting.emplace(key, std::move(reply));
    if (std::holds_alternative<protocol::CommandLedger::Running>(answer))
        return;
    m_services.log.info("command",
                        request.method + " " + std::to_string(request.id.raw()) + " of " + clientId);
    m_dispatcher.dispatch(std::move(request),
                          [this, key](const Expected<Object>& outcome) { finishCommand(key, outcome); });
}

void Daemon::finishCommand(const protocol::CommandLedger::Key& key, const Expected<Object>& outcome) {
    m_ledger.finish(key, outcome, m_services.clock.steadyNow());
    const auto [first, last] = m_waiting.equal_range(key);
    std::vector<Reply<Object>> replies;
    for (auto waiting = first; waiting != last; ++waiting)
        replies.push_back(std::move(waiting->second));
    m_waiting.erase(first, last);
    for (const Reply<Object>& reply : replies)
        reply(outcome);
}

protocol::StateSubscribeResult Daemon::stateNow() const {
    protocol::StateSubscribeResult state;
    state.experiments = m_experiments.summaries();
    for (const engine::Node& node : m_services.engine.nodes())
        state.nodes.push_back(stateOf(node));
    return state;
}

Expected<storage::JournalReader> Daemon::openJournal(const ExperimentId& experiment) {
    return m_experiments.openJournal(experiment);
}

Expected<base::Path> Daemon::rankFolder(const protocol::LogAddress& address) const {
    return m_experiments.folder(address.experiment).map([&address](const base::Path& folder) {
        return folder / storage::trialFolderName(address.trial) /
               storage::attemptFolderName(address.attempt) / storage::rankFolderName(address.rank);
    });
}

Expected<protocol::LogReadResult> Daemon::readLog(const protocol::LogReadRequest& request) {
    auto folder = rankFolder(request.address);
    if (!folder)
        return tl::make_unexpected(std::move(folder).error());
    return readLogFiles(m_services.files, *folder, request);
}

Expected<std::shared_ptr<void>> Daemon::watchLog(const protocol::LogAddress& address,
                                                 std::function<void()> changed) {
    auto folder = rankFolder(address);
    if (!folder)
        return tl::make_unexpected(std::move(folder).error());
    const engine::FileWatch::Id id = m_watch.add(*folder, std::move(changed));
    return std::shared_ptr<void>(nullptr, [this, id](void*) { m_watch.remove(id); });
}

void Daemon::addMethods() {
    using namespace protocol;
    m_dispatcher.add<SpecCheckRequest>(
        [this](const auto& request, auto reply) { m_experiments.check(request, std::move(reply)); });
    m_dispatcher.add<StateReadRequest>([this](const auto&, auto reply) { reply(stateNow()); });
    m_dispatcher.add<ExperimentCreateRequest>(
        [this](const auto& request, auto reply) { m_experiments.create(request, std::move(reply)); });
    m_dispatcher.add<ExperimentShowRequest>(
        [this](const auto& request, auto reply) { reply(m_experiments.show(request.experiment)); });
    m_dispatcher.add<WorkAtRiskRequest>([this](const auto& request, auto reply) {
        const auto tuner = m_experiments.running(request.experiment, "at_risk");
        if (tuner)
            reply((*tuner)->workAtRisk(request.trial));
        else
            reply(tl::make_unexpected(tuner.error()));
    });
    m_dispatcher.add<PauseRequest>([this](const auto& request, auto reply) {
        const auto mode = request.pauseWithoutCheckpoint ? tuner::PauseMode::withoutCheckpoint
                                                         : tuner::PauseMode::afterCheckpoint;
        const auto tuner = m_experiments.running(request.experiment, "pause");
        replyTo(reply, tuner ? (*tuner)->pause(request.trial, mode) : tl::make_unexpected(tuner.error()));
    });
    m_dispatcher.add<ResumeRequest>([this](const auto& request, auto reply) {
        const auto tuner = m_experiments.running(request.experiment, "resume");
        replyTo(reply, tuner ? (*tuner)->resume(request.trial) : tl::make_unexpected(tuner.error()));
    });
    m_dispatcher.add<StopRequest>([this](const auto& request, auto reply) {
        const auto tuner = m_experiments.running(request.experiment, "stop");
        replyTo(reply, tuner ? (*tuner)->stop(request.trial) : tl::make_unexpected(tuner.error()));
    });
    m_dispatcher.add<LogReadRequest>([this](const auto& request, auto reply) { reply(readLog(request)); });
    m_dispatcher.add<FilesListRequest>(
        [this](const auto& request, auto reply) { reply(listFiles(request)); });
    m_dispatcher.add<DoctorRequest>([this](const auto&, auto reply) {
        reply(examine(m_services.files, m_home, m_services.engine, m_experiments.missingCount()));
    });
    m_dispatcher.add<ShutdownRequest>([this](const auto& request, auto reply) {
        reply(EmptyResult());
        shutDown(request);
    });
}

void Daemon::shutDown(const protocol::ShutdownRequest& request) {
    // Supervisors are quicker than a newer build: they would start this one again before it comes.
    if (auto marked = base::replaceFile(m_services.files, m_home.restForbidden(), ""); !marked)
        m_services.log.error("daemon", marked.error());
    m_farewell = request.handOver ? Farewell::silent : Farewell::said;
    if (request.stopTrials) {
        m_waitsForTrials = true;
        m_experiments.stopAll();
        endWhenStopped();
    } else {
        end();
    }
}

void Daemon::end() {
    const auto frame = protocol::encodeEnvelope(protocol::eventOf(protocol::HeadEndedEvent{}));
    if (frame && m_farewell == Farewell::said) {
        for (const auto& session : m_sessions)
            session->sayFarewell(*frame);
    }
    if (m_shutDown)
        m_shutDown();
}

void Daemon::endWhenStopped() {
    if (!m_waitsForTrials || m_experiments.anyRunning())
        return;
    m_waitsForTrials = false;
    end();
}

Expected<protocol::FilesListResult> Daemon::listFiles(const protocol::FilesListRequest& request) {
    auto folder = m_experiments.folder(request.experiment);
    if (!folder)
        return tl::make_unexpected(std::move(folder).error());
    const auto path = inside(*folder, request.path);
    if (!path)
        return base::fail(ErrorCode::file_permission,
                          {{"path", request.path}, {"reason", "leads out of the experiment"}});
    auto names = m_services.files.list(*path);
    if (!names)
        return tl::make_unexpected(std::move(names).error());
    protocol::FilesListResult result;
    for (std::string& name : *names) {
        const auto status = m_services.files.status(*path / name);
        if (!status)
            continue;
        const base::WallTime modified{std::chrono::milliseconds(status->modifiedNanoseconds / 1'000'000)};
        result.entries.push_back(
            {std::move(name), status->type == base::FileType::directory, status->bytes, modified});
    }
    return result;
}

void Daemon::summaryChanged(const protocol::ExperimentSummary& summary) {
    auto frame = protocol::encodeEnvelope(protocol::eventOf(protocol::ExperimentChangedEvent{summary}));
    if (!frame) {
        m_services.log.error("daemon", frame.error());
        return;
    }
    for (const auto& session : m_sessions)
        session->pushState("experiment/" + summary.experiment.raw(), *frame);
    endWhenStopped();
}

void Daemon::recordsAppended() {
    for (const auto& session : m_sessions)
        session->wakeRecords();
}

void Daemon::nodesChanged() {
    for (const engine::Node& node : m_services.engine.nodes()) {
        auto frame = protocol::encodeEnvelope(protocol::eventOf(protocol::NodeChangedEvent{stateOf(node)}));
        if (!frame)
            continue;
        for (const auto& session : m_sessions)
            session->pushState("node/" + node.name, *frame);
    }
}

void Daemon::finishSessions() {
    const auto sessions = m_sessions;
    for (const auto& session : sessions)
        session->finish();
}

} // namespace trialdeck::head

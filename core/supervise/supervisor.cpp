// SPDX-License-Identifier: Apache-2.0
#include "core/supervise/supervisor.h"

#include "core/base/host.h"
#include "core/base/json.h"
#include "core/base/local_socket.h"
#include "core/supervise/attempt_sweep.h"
#include "core/supervise/process_tree.h"
#include "core/supervise/terminal_text.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <fcntl.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

namespace trialdeck::supervise {

namespace {

using namespace std::chrono_literals;

constexpr std::chrono::milliseconds kSampleEvery = 2s;
/// What a worker that ended by itself leaves behind has this long to go.
constexpr std::chrono::milliseconds kLeftoverGrace = 2s;
/// SIGKILL is sent again while new processes are born.
constexpr std::chrono::milliseconds kKillAgain = 20ms;
constexpr size_t kLogTailBytes = 4096;
constexpr std::chrono::milliseconds kFlushPatience = 1s;

sigset_t handledSignals() {
    sigset_t set;
    sigemptyset(&set);
    for (const int signal : {SIGCHLD, SIGTERM, SIGINT, SIGHUP})
        sigaddset(&set, signal);
    return set;
}

} // namespace

Supervisor::Supervisor(LaunchOrder order, SupervisorInputs inputs, base::FileSystem& files,
                       const base::Clock& clock)
    : m_order(std::move(order)), m_inputs(std::move(inputs)), m_files(files), m_clock(clock),
      m_daemon(
          m_order.revival,
          [this](const std::vector<std::string>& command) { return startDetached(command, m_inputs.self); },
          files, clock),
      m_memory(files, clock, "/"), m_output{{}, {files, m_order.folder, Stream::output, m_order.logs}},
      m_errors{{}, {files, m_order.folder, Stream::errors, m_order.logs}}, m_startedSteady(clock.steadyNow()),
      m_startedWall(clock.wallNow()) {
    m_clients.add(std::move(m_inputs.channel), std::move(m_inputs.received));
}

void Supervisor::run() {
    if (auto started = start(); !started) {
        m_startFailure = std::move(started).error();
        m_endedSteady = m_clock.steadyNow();
        m_endedWall = m_clock.wallNow();
    } else {
        loop();
        drain(m_output);
        drain(m_errors);
        if (m_stoppedByUs)
            sweepEscaped();
    }
    writeExitRecord();
    (void)m_files.remove(m_order.socket);
    // Who finds the lock free finds the record.
    (void)m_files.remove(m_order.lock);
    reviveDaemon();
}

void Supervisor::reviveDaemon() {
    // Perhaps we are the last one that can do it.
    while (m_clients.empty() && m_daemon.look()) {
        const auto wait =
            std::chrono::ceil<std::chrono::milliseconds>(*m_daemon.nextLook() - m_clock.steadyNow());
        poll(nullptr, 0, static_cast<int>(std::max<int64_t>(wait.count(), 0)));
    }
}

Expected<void> Supervisor::start() {
    prctl(PR_SET_CHILD_SUBREAPER, 1);
    const sigset_t signals = handledSignals();
    sigprocmask(SIG_BLOCK, &signals, nullptr);
    m_signals.reset(signalfd(-1, &signals, SFD_CLOEXEC | SFD_NONBLOCK));
    auto listener = base::listenLocally(m_order.socket);
    if (!listener)
        return tl::make_unexpected(std::move(listener).error());
    m_listener = std::move(*listener);
    fcntl(m_listener.get(), F_SETFL, fcntl(m_listener.get(), F_GETFL) | O_NONBLOCK);

    auto worker = startWorker(m_order, m_inputs.self);
    if (!worker)
        return tl::make_unexpected(std::move(worker).error());
    m_worker = worker->pid;
    m_memory.addProcess(m_worker);
    m_output.fd = std::move(worker->output);
    m_errors.fd = std::move(worker->errors);
    m_nextSample = m_startedSteady + kSampleEvery;
    const SupervisorRecord greeting = record();
    (void)base::replaceFile(m_files, m_order.folder / kSupervisorFile,
                            base::toPrettyJson(Value(toObject(greeting))));
    m_clients.sendAll(encodeLine(greeting));
    return {};
}

SupervisorRecord Supervisor::record() const {
    SupervisorRecord record;
    record.attempt = m_order.attempt;
    record.rank = m_order.rank;
    record.supervisorPid = getpid();
    record.workerPid = m_worker;
    record.workerStartTicks = base::processStartTicks(m_worker).value_or(0);
    record.host = base::hostName();
    record.bootId = base::bootId();
    record.socket = m_order.socket;
    record.lock = m_order.lock;
    record.startedAt = m_startedWall;
    record.notes = m_order.notes;
    return record;
}

void Supervisor::loop() {
    reapChildren();
    // What came right behind the order.
    handleClients({});
    while (!m_treeGone) {
        waitForEvents();
        handleDeadlines();
    }
}

int Supervisor::pollTimeout() const {
    base::SteadyTime next = m_nextSample;
    if (m_killAt)
        next = std::min(next, *m_killAt);
    if (m_daemon.nextLook())
        next = std::min(next, *m_daemon.nextLook());
    const auto wait = std::chrono::ceil<std::chrono::milliseconds>(next - m_clock.steadyNow());
    return static_cast<int>(std::clamp<int64_t>(wait.count(), 0, 60'000));
}

void Supervisor::waitForEvents() {
    std::vector<pollfd> polls{{m_signals.get(), POLLIN, 0},
                              {m_listener.get(), POLLIN, 0},
                              {m_output.fd.get(), POLLIN, 0},
                              {m_errors.fd.get(), POLLIN, 0}};
    const size_t fixed = polls.size();
    m_clients.appendPolls(polls);
    if (poll(polls.data(), polls.size(), pollTimeout()) <= 0)
        return;
    if (polls[2].revents)
        readStream(m_output);
    if (polls[3].revents)
        readStream(m_errors);
    const bool hadClients = !m_clients.empty();
    handleClients(std::span(polls).subspan(fixed));
    if (polls[1].revents)
        acceptClients();
    if (hadClients && m_clients.empty())
        m_daemon.daemonLost();
    if (polls[0].revents)
        onSignals();
}

void Supervisor::onSignals() {
    signalfd_siginfo info{};
    while (read(m_signals.get(), &info, sizeof info) == static_cast<ssize_t>(sizeof info)) {
        if (info.ssi_signo == SIGTERM || info.ssi_signo == SIGINT)
            stop(m_order.stopGrace);
    }
    reapChildren();
}

void Supervisor::handleClients(std::span<const pollfd> polls) {
    m_clients.handle(polls, [this](size_t client, std::string_view line) { onClientLine(client, line); });
}

void Supervisor::onClientLine(size_t client, std::string_view line) {
    const ClientLine request = parseClientLine(line);
    if (const auto* wanted = std::get_if<StopRequest>(&request)) {
        // After its own end the worker was not stopped by anybody.
        m_stoppedByUs = m_stoppedByUs || !m_exit;
        stop(wanted->grace);
    } else if (std::holds_alternative<StatusRequest>(request)) {
        m_clients.send(client, encodeLine(StatusReport{m_memory.peakBytes(), m_output.log.bytes(),
                                                       m_errors.log.bytes(), m_stoppedByUs}));
    }
}

void Supervisor::acceptClients() {
    for (;;) {
        base::UniqueFd fd(accept4(m_listener.get(), nullptr, nullptr, SOCK_CLOEXEC | SOCK_NONBLOCK));
        if (!fd)
            return;
        m_clients.add(std::move(fd));
        m_clients.sendAll(encodeLine(record()));
        m_daemon.daemonConnected();
    }
}

void Supervisor::readStream(StreamEnd& stream) {
    // So much at a time, so that a flood does not keep us from stopping it.
    constexpr int kReads = 16;
    std::array<char, size_t{64} << 10> buffer;
    for (int i = 0; i < kReads && stream.fd; ++i) {
        const ssize_t count = read(stream.fd.get(), buffer.data(), buffer.size());
        if (count > 0)
            stream.log.append({buffer.data(), static_cast<size_t>(count)});
        else if (count < 0 && errno == EAGAIN)
            return;
        else if (count == 0 || errno != EINTR)
            // A terminal whose last writer is gone says EIO.
            stream.fd.reset();
    }
}

void Supervisor::drain(StreamEnd& stream) {
    // A pipe holds 1 MiB at most; a process outside the tree may go on writing into it for ever.
    constexpr uint64_t kMost = uint64_t{2} << 20;
    const uint64_t begin = stream.log.bytes();
    uint64_t before = 0;
    do {
        before = stream.log.bytes();
        readStream(stream);
    } while (stream.fd && stream.log.bytes() != before && before - begin < kMost);
}

void Supervisor::reapChildren() {
    for (;;) {
        int status = 0;
        rusage usage{};
        const pid_t pid = wait4(-1, &status, WNOHANG, &usage);
        if (pid < 0 && errno == EINTR)
            continue;
        if (pid < 0)
            m_treeGone = true;
        if (pid <= 0)
            break;
        constexpr uint64_t kKibibyte = 1024;
        m_memory.addProcess(pid);
        m_memory.addProcessPeak(static_cast<uint64_t>(std::max(usage.ru_maxrss, 0L)) * kKibibyte);
        if (pid == m_worker)
            workerEnded(status);
    }
    if (m_exit && !m_treeGone && !m_killAt) {
        signalTree(SIGTERM);
        m_killAt = m_clock.steadyNow() + std::min(kLeftoverGrace, m_order.stopGrace);
    }
}

void Supervisor::workerEnded(int waitStatus) {
    m_exit = base::processExitFromStatus(waitStatus);
    m_endedSteady = m_clock.steadyNow();
    m_endedWall = m_clock.wallNow();
}

void Supervisor::stop(std::chrono::milliseconds grace) {
    const base::SteadyTime killAt = m_clock.steadyNow() + grace;
    const bool first = !m_killAt;
    m_killAt = std::min(m_killAt.value_or(killAt), killAt);
    if (first)
        signalTree(SIGTERM);
}

void Supervisor::signalTree(int signal) {
    const auto tree = descendantsOf(getpid());
    signalEach(tree, signal);
    if (signal == SIGTERM)
        signalEach(tree, SIGCONT);
}

void Supervisor::handleDeadlines() {
    const base::SteadyTime now = m_clock.steadyNow();
    if (m_killAt && now >= *m_killAt && !m_treeGone) {
        signalTree(SIGKILL);
        m_killAt = now + kKillAgain;
        reapChildren();
    }
    if (now >= m_nextSample) {
        m_memory.sample(getpid());
        m_nextSample = now + kSampleEvery;
        tellIfQuiet();
    }
    if (m_daemon.nextLook() && now >= *m_daemon.nextLook())
        (void)m_daemon.look();
}

void Supervisor::tellIfQuiet() {
    if (m_quietTold || m_clock.steadyNow() - m_startedSteady < m_order.quiet.after)
        return;
    const auto reports = m_files.status(m_order.folder / kReportFile);
    const bool wrote =
        m_output.log.bytes() > 0 || m_errors.log.bytes() > 0 || (reports && reports->bytes > 0);
    if (!wrote && m_memory.processorTime() < m_order.quiet.busy)
        return;
    m_quietTold = true;
    if (!wrote)
        m_clients.sendAll(encodeLine(QuietNotice{}));
}

void Supervisor::sweepEscaped() {
    // What another service started for the worker is not below us but carries the attempt's name. Other ranks
    // carry it too and have supervisors, and a grace, of their own.
    constexpr int kMostLooks = 250;
    AttemptSweep sweep(m_order.attempt, [rank = std::to_string(m_order.rank)](const AttemptProcess& process) {
        return startVariableOf(process.pid, "RANK").value_or(rank) != rank;
    });
    for (int looks = 0; looks < kMostLooks && sweep.look(); ++looks)
        poll(nullptr, 0, static_cast<int>(AttemptSweep::kLookAgain.count()));
}

void Supervisor::writeExitRecord() {
    ExitRecord record;
    record.attempt = m_order.attempt;
    record.rank = m_order.rank;
    record.evidence.exit = m_exit.value_or(base::ProcessExit{});
    record.evidence.stoppedByUs = m_stoppedByUs;
    record.evidence.memory = m_memory.finish(record.evidence.exit);
    const SegmentedLog& said = m_errors.log.bytes() > 0 ? m_errors.log : m_output.log;
    record.evidence.logTail = readableTail(said.tail(), kLogTailBytes);
    record.startFailure = m_startFailure;
    record.startedAt = m_startedWall;
    record.endedAt = m_endedWall;
    record.duration = std::chrono::duration_cast<std::chrono::milliseconds>(m_endedSteady - m_startedSteady);
    record.outputBytes = m_output.log.bytes();
    record.errorBytes = m_errors.log.bytes();
    record.lostLogBytes = m_output.log.lostBytes() + m_errors.log.lostBytes();
    const std::string line = encodeLine(record);
    (void)base::replaceFile(m_files, m_order.folder / kExitFile, base::toPrettyJson(Value(toObject(record))));
    m_clients.sendAll(line);
    m_clients.flush(kFlushPatience);
}

} // namespace trialdeck::supervise

// SPDX-License-Identifier: Apache-2.0
#include "core/engine/process/rank_run.h"

#include "core/base/file_lock.h"
#include "core/base/local_socket.h"

#include <asio/io_context.hpp>
#include <asio/post.hpp>
#include <asio/steady_timer.hpp>
#include <csignal>
#include <sys/socket.h>
#include <utility>

namespace trialdeck::engine::process {

namespace {

using namespace std::chrono_literals;

/// A supervisor that holds its lock but cannot be reached is starting or ending.
constexpr std::chrono::milliseconds kAskAgain = 100ms;
/// Read of one file in one turn.
constexpr size_t kReadAtOnce = size_t{32} << 10;

base::Path supervisorFile(const ProcessServices& services, const AttemptKey& key, uint32_t rank,
                          const char* suffix) {
    return services.options.runtimeFolder /
           (key.experiment + "." + std::to_string(key.trial) + "." + std::to_string(key.attempt) + "." +
            std::to_string(rank) + suffix);
}

} // namespace

RankRun::RankRun(ProcessServices& services, RankOwner& owner, const AttemptKey& key, uint32_t rank,
                 base::Path folder)
    : m_services(services), m_owner(owner), m_rank(rank), m_folder(std::move(folder)),
      m_socket(supervisorFile(services, key, rank, ".sock")),
      m_lock(supervisorFile(services, key, rank, ".lock")), m_attempt(nameOf(key)) {}

RankRun::~RankRun() {
    if (m_reportWatch)
        m_services.watch.remove(*m_reportWatch);
    if (m_outputWatch)
        m_services.watch.remove(*m_outputWatch);
}

Expected<void> RankRun::launch(supervise::LaunchOrder order) {
    order.socket = m_socket;
    order.lock = m_lock;
    auto lock = base::FileLock::tryAcquire(m_lock);
    if (!lock)
        return tl::make_unexpected(std::move(lock).error());
    if (!*lock)
        return base::fail(ErrorCode::spawn_failed, {{"command", order.command.front()}},
                          "a supervisor of this attempt lives already");
    // Exists before the worker does, so that it is watched from the first byte on.
    auto reports = m_services.files.open(m_folder / supervise::kReportFile, base::OpenMode::appendOrCreate);
    if (!reports)
        return tl::make_unexpected(std::move(reports).error());
    int ends[2];
    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0)
        return tl::make_unexpected(base::fileError(errno, m_socket.native(), "connect"));
    base::UniqueFd ours(ends[0]);
    const base::UniqueFd theirs(ends[1]);
    base::SpawnOptions options;
    options.program = m_services.options.supervisorProgram;
    options.command = m_services.options.supervisorWords;
    options.command.push_back(order.attempt);
    options.command.push_back(std::to_string(m_rank));
    options.environment = base::currentEnvironment();
    options.descriptors = {{theirs.get(), 3}, {(*lock)->descriptor(), 4}};
    options.newSession = true;
    auto pid = base::spawn(options);
    if (!pid)
        return tl::make_unexpected(std::move(pid).error().during("start a supervisor"));
    m_supervisor = *pid;
    m_services.children.insert(*pid);
    attach(std::move(ours));
    m_link->send(supervise::encodeLaunchOrder(order));
    follow(0);
    return {};
}

void RankRun::adopt(const ReadPositions& positions) {
    m_adopted = true;
    follow(positions.report);
    asio::post(m_services.loop, [weak = weak_from_this()] {
        if (const auto self = weak.lock())
            self->findOut();
    });
}

void RankRun::follow(uint64_t reportPosition) {
    const base::Path path = m_folder / supervise::kReportFile;
    m_reports = std::make_unique<LineFollower>(m_services.files, path, reportPosition, kMaxReportLineBytes);
    m_reportWatch = m_services.watch.add(path, [this] { askToRead(); });
}

void RankRun::watchOutput(uint64_t position) {
    if (m_output || m_down)
        return;
    m_output = std::make_unique<OutputFollower>(m_services.files, m_folder, supervise::Stream::output,
                                                position, kMaxOutputLineBytes);
    m_outputWatch = m_services.watch.add(m_folder, [this] { askToRead(); });
}

void RankRun::attach(base::UniqueFd socket) {
    m_link = std::make_unique<SupervisorLink>(
        m_services.loop, std::move(socket),
        SupervisorLink::Handlers{[this](const supervise::SupervisorLine& line) { onLine(line); },
                                 [this] { findOut(); }});
    if (m_stopWanted)
        m_link->send(encodeLine(supervise::StopRequest{*m_stopWanted}));
}

void RankRun::onLine(const supervise::SupervisorLine& line) {
    if (const auto* record = std::get_if<supervise::SupervisorRecord>(&line)) {
        m_supervisor = static_cast<pid_t>(record->supervisorPid);
        settle(std::nullopt);
    } else if (std::holds_alternative<supervise::QuietNotice>(line)) {
        m_owner.onRankQuiet(m_rank);
    } else if (const auto* exit = std::get_if<supervise::ExitRecord>(&line)) {
        ended(*exit);
    }
}

void RankRun::findOut() {
    if (m_ended)
        return;
    m_link.reset();
    auto record = supervise::readExitRecord(m_services.files, m_folder);
    if (!record && base::FileLock::isHeld(m_lock).value_or(true)) {
        if (auto socket = base::connectLocally(m_socket))
            attach(std::move(*socket));
        else
            findOutLater();
        return;
    }
    // It may have ended between our two looks.
    if (!record)
        record = supervise::readExitRecord(m_services.files, m_folder);
    ended(record && record->attempt == m_attempt ? std::optional(std::move(*record)) : std::nullopt);
}

void RankRun::findOutLater() {
    const auto timer = std::make_shared<asio::steady_timer>(m_services.loop, kAskAgain);
    timer->async_wait([weak = weak_from_this()](const asio::error_code& error) {
        const auto self = weak.lock();
        if (self && !error)
            self->findOut();
    });
    m_timer = timer;
}

void RankRun::askToRead() {
    if (m_mayRead && !m_down)
        m_services.turns.ask(shared_from_this());
}

bool RankRun::readPiece() {
    if (m_down)
        return false;
    // What is written before the end is there to be read after it.
    const bool gone = m_treeGone;
    const bool moreReports = readReports();
    const bool more = readOutput() || moreReports;
    if (!more && gone)
        finishReading();
    return more;
}

bool RankRun::readReports() {
    const auto more = m_reports->poll(
        [this](std::string_view line, uint64_t endOffset) {
            m_hasReported = true;
            m_owner.onRankReport(m_rank, line, endOffset);
        },
        kReadAtOnce);
    noteFailure(more ? std::string() : base::describe(more.error()));
    return more && *more;
}

void RankRun::noteFailure(const std::string& failure) {
    if (failure != std::exchange(m_readFailure, failure) && !failure.empty())
        m_services.log.warning("engine", failure);
}

bool RankRun::readOutput() {
    return m_output &&
           m_output->poll([this](std::string_view line,
                                 uint64_t endOffset) { m_owner.onRankOutput(m_rank, line, endOffset); },
                          kReadAtOnce);
}

void RankRun::settle(const std::optional<Error>& startFailure) {
    if (std::exchange(m_settled, true))
        return;
    const auto self = shared_from_this();
    m_owner.onRankSettled(m_rank, startFailure);
}

void RankRun::beginReading() {
    if (std::exchange(m_mayRead, true))
        return;
    askToRead();
}

void RankRun::ended(const std::optional<supervise::ExitRecord>& record) {
    if (std::exchange(m_ended, true))
        return;
    const auto self = shared_from_this();
    std::optional<Error> failure;
    if (record)
        failure = record->startFailure;
    else if (!m_adopted)
        failure = Error{ErrorCode::spawn_failed, {}, "the supervisor ended before its worker had started"};
    settle(failure);
    m_owner.onRankEnded(m_rank, record);
}

void RankRun::treeIsGone() {
    if (std::exchange(m_treeGone, true))
        return;
    m_reports->endHere();
    askToRead();
}

void RankRun::finishReading() {
    const auto onReport = [this](std::string_view line, uint64_t endOffset) {
        m_hasReported = true;
        m_owner.onRankReport(m_rank, line, endOffset);
    };
    const auto finished = m_reports->finish(onReport);
    noteFailure(finished ? std::string() : base::describe(finished.error()));
    if (m_output)
        m_output->finish([this](std::string_view line, uint64_t endOffset) {
            m_owner.onRankOutput(m_rank, line, endOffset);
        });
    m_down = true;
    m_link.reset();
    m_owner.onRankDown(m_rank);
}

void RankRun::stop(std::chrono::milliseconds grace) {
    m_stopWanted = std::min(grace, m_stopWanted.value_or(grace));
    if (m_link)
        m_link->send(encodeLine(supervise::StopRequest{*m_stopWanted}));
}

void RankRun::killSupervisor() {
    if (m_supervisor > 0 && !m_ended)
        kill(m_supervisor, SIGKILL);
}

} // namespace trialdeck::engine::process

// SPDX-License-Identifier: Apache-2.0
#include "core/base/host.h"
#include "core/transport/files/files_sync.h"
#include "core/transport/remote/remote_shell.h"
#include "core/transport/sync/sync_run.h"

#include <algorithm>
#include <asio/local/stream_protocol.hpp>
#include <asio/redirect_error.hpp>
#include <asio/this_coro.hpp>
#include <asio/use_awaitable.hpp>
#include <sys/socket.h>

namespace trialdeck::transport {

namespace {

constexpr int kPeerDescriptor = 3;
constexpr std::chrono::seconds kHeadEndTimeout{10};

std::vector<std::string> headCommand(const SyncRun& run, const std::string& nonce) {
    const SyncRequest& request = run.request;
    std::vector<std::string> command = {run.means.askpass.native(),
                                        "guard",
                                        run.means.programs.head.native(),
                                        "files",
                                        request.direction == SyncDirection::up ? "up" : "down",
                                        "--local",
                                        request.local.native(),
                                        "--nonce",
                                        nonce};
    if (request.dryRun)
        command.emplace_back("--dry-run");
    if (request.removeExtra)
        command.emplace_back("--delete");
    if (run.isLocalMissing)
        command.emplace_back("--missing-here");
    if (!run.facts.exists)
        command.emplace_back("--missing-there");
    for (const std::string& pattern : request.include)
        command.insert(command.end(), {"--include", pattern});
    for (const std::string& pattern : request.exclude)
        command.insert(command.end(), {"--exclude", pattern});
    return command;
}

/// Finds this build's head where a deployment has put it.
std::string peerScript(const SyncRun& run, const std::string& nonce) {
    const std::string folder = "/heads/" + run.means.programs.buildId;
    const std::string enter = run.facts.exists
                                  ? run.folder.enterBase + " && cd " + shellQuotedLines(run.folder.rest)
                                  : std::string("cd");
    return "unset CDPATH; " + std::string(kSetLineBreak) + enter + " || exit 1; u=`id -u`; for d in " +
           std::string(kRemotePlaces) + "; do f=\"$d" + folder +
           "/trialdeck-head\"; if [ -O \"$d\" ] && \"$f\" --version >/dev/null 2>&1; then : >\"$d" + folder +
           "/used\"; printf '\\002trialdeck-head %s\\003' " + shellQuoted(nonce) +
           "; exec \"$f\" files serve; fi; done; exit " + std::to_string(kHeadMissing);
}

/// Takes what the head here tells while it syncs.
class HeadTelling {
public:
    explicit HeadTelling(SyncRun& run) : m_run(run) { m_report.tool = SyncTool::head; }

    void read(std::string_view payload) {
        FileMessageReader message(payload);
        switch (message.word()) {
        case FileWord::progress:
            readProgress(message);
            return;
        case FileWord::change:
            readChange(message);
            return;
        case FileWord::failed:
            ++m_report.failed;
            if (m_report.failures.size() < SyncReport::kMaxListed) {
                SyncFailure failure;
                failure.name = message.text();
                failure.reason = message.text();
                m_report.failures.push_back(std::move(failure));
            }
            return;
        case FileWord::result:
            m_report.unchanged = message.number();
            m_isFull = message.number() != 0;
            m_isComplete = true;
            return;
        default:
            return;
        }
    }

    [[nodiscard]] const SyncReport& report() const { return m_report; }
    [[nodiscard]] const SyncProgress& progress() const { return m_progress; }
    [[nodiscard]] bool isFull() const { return m_isFull; }
    [[nodiscard]] bool isComplete() const { return m_isComplete; }

private:
    void readProgress(FileMessageReader& message) {
        m_progress.doneFiles = message.number();
        m_progress.totalFiles = message.number();
        m_progress.doneBytes = message.number();
        m_progress.totalBytes = message.number();
        m_progress.current = message.text();
        m_run.tell(m_progress, false);
    }

    void readChange(FileMessageReader& message) {
        SyncChange change;
        const auto kind = static_cast<SyncStep::Kind>(message.number());
        change.name = message.text();
        change.bytes = message.number();
        if (kind == SyncStep::Kind::remove) {
            change.kind = SyncChange::Kind::removed;
            ++m_report.removed;
        } else if (kind == SyncStep::Kind::file) {
            ++m_report.copied;
            m_report.bytes += change.bytes;
        } else {
            change.kind =
                kind == SyncStep::Kind::adjust ? SyncChange::Kind::adjusted : SyncChange::Kind::made;
        }
        if (m_report.changes.size() < SyncReport::kMaxListed)
            m_report.changes.push_back(std::move(change));
    }

    SyncRun& m_run;
    SyncReport m_report;
    SyncProgress m_progress;
    bool m_isFull = false;
    bool m_isComplete = false;
};

asio::awaitable<void> readTelling(asio::local::stream_protocol::socket& socket, HeadTelling& telling) {
    protocol::FrameReader reader;
    for (;;) {
        const auto frame = reader.next();
        if (!frame)
            co_return;
        if (*frame) {
            telling.read(**frame);
            continue;
        }
        const auto room = reader.prepare();
        std::error_code failure;
        const size_t count = co_await socket.async_read_some(
            asio::buffer(room.data(), room.size()), asio::redirect_error(asio::use_awaitable, failure));
        if (failure)
            co_return;
        reader.commit(count);
    }
}

/// @return nothing where this build's head is missing there
asio::awaitable<Expected<std::optional<SyncReport>>> syncOnceByHead(std::shared_ptr<SyncRun> run) {
    const asio::any_io_executor executor = co_await asio::this_coro::executor;
    auto program = co_await run->host.start(std::string(kShellCommand));
    if (!program)
        co_return tl::make_unexpected(std::move(program).error());
    run->program = std::move(*program);
    if (run->isCancelled)
        co_return base::fail(ErrorCode::cancelled);
    const std::string nonce = base::newUuid();
    const std::string line = asShellLine(peerScript(*run, nonce));
    const base::UniqueFd socket = run->program->takeSocket();
    // A new socket has room for the line.
    if (::send(socket.get(), line.data(), line.size(), MSG_NOSIGNAL | MSG_DONTWAIT) !=
        static_cast<ssize_t>(line.size()))
        co_return base::fail(ErrorCode::connection_lost, {{"host", run->means.hostName}}, "send the script");
    auto started = ChildProcess::start(executor, headCommand(*run, nonce), run->means.environment, {},
                                       {{socket.get(), kPeerDescriptor}});
    if (!started)
        co_return tl::make_unexpected(std::move(started).error().during("start the head that syncs"));
    asio::local::stream_protocol::socket told(executor, asio::local::stream_protocol(),
                                              started->socket.release());
    HeadTelling telling(*run);
    co_await readTelling(told, telling);
    const base::ProcessExit exit = co_await started->child.finish(kHeadEndTimeout);
    base::ProcessExit remoteExit;
    std::string errors = started->child.errors();
    if (run->program && !telling.isComplete()) {
        remoteExit = co_await run->program->finish(kLastWordsTimeout);
        if (run->program)
            errors += run->program->errors();
    }
    const bool wasMissing = remoteExit.code == kHeadMissing;
    run->program.reset();
    if (run->isCancelled)
        co_return base::fail(ErrorCode::cancelled);
    if (telling.isFull()) {
        const bool isUp = run->request.direction == SyncDirection::up;
        const std::string path = isUp ? run->remoteName() : run->request.local.native();
        co_return base::fail(ErrorCode::disk_full, {{"path", path}, {"reason", "No space left on device"}},
                             "sync");
    }
    if (telling.isComplete() && exit.code == kFilesDone) {
        run->tell(telling.progress(), true);
        co_return std::optional<SyncReport>(telling.report());
    }
    if (wasMissing)
        co_return std::optional<SyncReport>();
    if (!remoteExit.code || !run->host.isOpen())
        co_return base::fail(ErrorCode::connection_lost, {{"reason", errors}}, "sync");
    co_return base::fail(ErrorCode::sync_failed, {{"reason", errors}}, "sync by the head");
}

} // namespace

asio::awaitable<Expected<SyncReport>> syncByHead(std::shared_ptr<SyncRun> run) {
    auto report = co_await syncOnceByHead(run);
    if (report && !*report) {
        StepTrace trace(run->clock, {});
        const auto deployed =
            co_await deployHead(run->host, run->files, run->means.programs, run->means.hostName, trace);
        if (!deployed)
            co_return tl::make_unexpected(deployed.error());
        if (run->isCancelled)
            co_return base::fail(ErrorCode::cancelled);
        report = co_await syncOnceByHead(run);
    }
    if (!report)
        co_return tl::make_unexpected(std::move(report).error());
    if (!*report)
        co_return base::fail(ErrorCode::head_binary_missing, {{"path", run->means.hostName}});
    co_return std::move(**report);
}

} // namespace trialdeck::transport

// SPDX-License-Identifier: Apache-2.0
#include "core/base/host.h"
#include "core/base/words.h"
#include "core/transport/files/sync_names.h"
#include "core/transport/remote/remote_shell.h"
#include "core/transport/sync/rsync_output.h"
#include "core/transport/sync/sync_run.h"

#include <array>
#include <asio/local/stream_protocol.hpp>
#include <asio/redirect_error.hpp>
#include <asio/this_coro.hpp>
#include <asio/use_awaitable.hpp>
#include <sys/socket.h>

namespace trialdeck::transport {

namespace {

constexpr int kBridgeDescriptor = 3;
constexpr std::chrono::seconds kVersionTimeout{5};
/// Once its output has ended: it puts away what is half done.
constexpr std::chrono::seconds kEndTimeout{10};

/// rsync splits the option by blanks and reads a doubled quote within quotes as one.
std::string rsyncQuoted(const std::string& word) {
    std::string quoted = "'";
    for (const char letter : word)
        quoted += letter == '\'' ? std::string("''") : std::string(1, letter);
    return quoted + "'";
}

std::vector<std::string> rsyncCommand(const SyncRun& run) {
    std::vector<std::string> command = {run.means.askpass.native(), "guard", "rsync", "-rlpt", "--sparse",
                                        "--no-inc-recursive"};
    const SyncRequest& request = run.request;
    if (run.facts.isHome && request.direction == SyncDirection::up) {
        // sshd lets nobody in whose home others can write.
        command.insert(command.end(), {"--no-perms", "--executability", "--omit-dir-times"});
    }
    if (run.hasZstdHere && run.facts.hasZstd)
        command.insert(command.end(), {"-z", "--compress-choice=zstd"});
    if (request.dryRun)
        command.emplace_back("--dry-run");
    if (request.removeExtra)
        command.emplace_back("--delete");
    const std::vector<std::string> told = rsyncOutputOptions();
    command.insert(command.end(), told.begin(), told.end());
    command.push_back("--partial-dir=" + std::string(kPartFolder));
    command.push_back("--filter=- " + std::string(kPartFolder) + "/");
    for (const std::string& pattern : request.include)
        command.push_back("--filter=+ " + pattern);
    for (const std::string& pattern : request.exclude)
        command.push_back("--filter=- " + pattern);
    command.insert(command.end(), {"-e", rsyncQuoted(run.means.askpass.native()) + " bridge", "--"});
    // rsync takes a folder that is not there for an empty one, in a dry run.
    const std::string missing = ".trialdeck-dry-" + base::newUuid() + "/";
    const std::string here = run.isLocalMissing ? "/tmp/" + missing : run.request.local.native() + "/";
    const std::string there = run.facts.exists ? "host:./" : "host:./" + missing;
    const bool isUp = request.direction == SyncDirection::up;
    command.insert(command.end(), {isUp ? here : there, isUp ? there : here});
    return command;
}

/// What the whole of it has come to, from how both ends ended.
Expected<SyncReport> resultOf(const SyncRun& run, const RsyncOutput& output, const base::ProcessExit& exit,
                              const base::ProcessExit& remoteExit, const std::string& remoteErrors) {
    constexpr int kPartial = 23;
    constexpr int kVanished = 24;
    constexpr int kDeletionLimit = 25;
    constexpr int kProtocol = 2;
    constexpr int kSocket = 10;
    constexpr int kStream = 12;
    if (run.isCancelled)
        return base::fail(ErrorCode::cancelled);
    std::string complaint = output.complaint();
    if (!remoteErrors.empty())
        complaint += (complaint.empty() ? "" : "\n") + remoteErrors;
    std::string everything = complaint;
    for (const SyncFailure& failure : output.report().failures)
        everything += "\n" + failure.reason;
    const bool isUp = run.request.direction == SyncDirection::up;
    const Error full = errorFromReason(everything, isUp ? run.remoteName() : run.request.local.native());
    if (full.code == ErrorCode::disk_full)
        return tl::make_unexpected(full);
    const int code = exit.code.value_or(-1);
    const bool isCut =
        !remoteExit.code && (code == kSocket || code == kStream || code == -1 || !run.host.isOpen());
    if (code != 0 && isCut)
        return base::fail(ErrorCode::connection_lost, {{"reason", complaint}}, "rsync");
    if (code == 0 || code == kPartial || code == kVanished || code == kDeletionLimit) {
        SyncReport report = output.report();
        report.tool = SyncTool::rsync;
        if (code != 0 && report.failed == 0) {
            report.failed = 1;
            report.failures.push_back({{}, complaint});
        }
        return report;
    }
    if (complaint.empty() && !output.report().failures.empty())
        complaint = output.report().failures.back().name + ": " + output.report().failures.back().reason;
    if (complaint.empty() || code == kProtocol)
        complaint += (complaint.empty() ? "" : "\n") + ("rsync ended with " + std::to_string(code));
    return base::fail(ErrorCode::sync_failed, {{"reason", complaint}},
                      "rsync ended with " + std::to_string(code));
}

} // namespace

asio::awaitable<RsyncHere> findRsyncHere(const base::Environment& environment) {
    if (!base::findProgram("rsync", environment, {}))
        co_return RsyncHere();
    const asio::any_io_executor executor = co_await asio::this_coro::executor;
    auto started = ChildProcess::start(executor, {"rsync", "--version"}, environment);
    if (!started)
        co_return RsyncHere();
    const base::ProcessExit exit = co_await started->child.finish(kVersionTimeout);
    std::array<char, 16384> printed{};
    const ssize_t count = ::recv(started->socket.get(), printed.data(), printed.size(), MSG_DONTWAIT);
    if (exit.code != 0)
        co_return RsyncHere();
    co_return rsyncHereFrom({printed.data(), static_cast<size_t>(std::max<ssize_t>(count, 0))});
}

asio::awaitable<Expected<SyncReport>> syncByRsync(std::shared_ptr<SyncRun> run) {
    const asio::any_io_executor executor = co_await asio::this_coro::executor;
    auto program = co_await run->host.start(std::string(kShellCommand));
    if (!program)
        co_return tl::make_unexpected(std::move(program).error());
    run->program = std::move(*program);
    if (run->isCancelled)
        co_return base::fail(ErrorCode::cancelled);
    RsyncOutput output({run->request.local.native(), run->facts.path});
    const std::string nonce = base::newUuid();
    base::Environment environment = run->means.environment;
    environment["LC_ALL"] = "C";
    environment["TRIALDECK_BRIDGE_NONCE"] = nonce;
    environment["TRIALDECK_BRIDGE_SCRIPT"] = enterScript(*run, nonce);
    for (const char* name : {"RSYNC_RSH", "RSYNC_PROTECT_ARGS", "RSYNC_OLD_ARGS", "RSYNC_PARTIAL_DIR"})
        environment.erase(name);
    auto started = [&] {
        const base::UniqueFd socket = run->program->takeSocket();
        return ChildProcess::start(executor, rsyncCommand(*run), std::move(environment),
                                   [&output](std::string_view bytes) { output.readErrors(bytes); },
                                   {{socket.get(), kBridgeDescriptor}});
    }();
    if (!started)
        co_return tl::make_unexpected(std::move(started).error().during("start rsync"));
    asio::local::stream_protocol::socket printed(executor, asio::local::stream_protocol(),
                                                 started->socket.release());
    std::array<char, 16384> buffer;
    for (;;) {
        std::error_code failure;
        const size_t count = co_await printed.async_read_some(
            asio::buffer(buffer), asio::redirect_error(asio::use_awaitable, failure));
        if (failure)
            break;
        if (output.readOutput({buffer.data(), count}))
            run->tell(output.progress(), false);
    }
    const base::ProcessExit exit = co_await started->child.finish(kEndTimeout);
    base::ProcessExit remoteExit;
    std::string remoteErrors;
    if (run->program) {
        remoteExit = co_await run->program->finish(kLastWordsTimeout);
        if (run->program)
            remoteErrors = run->program->errors();
    }
    run->tell(output.progress(), true);
    co_return resultOf(*run, output, exit, remoteExit, remoteErrors);
}

} // namespace trialdeck::transport

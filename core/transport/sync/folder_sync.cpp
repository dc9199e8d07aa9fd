// SPDX-License-Identifier: Apache-2.0
#include "core/transport/sync/folder_sync.h"

#include "core/transport/remote/remote_shell.h"
#include "core/transport/sync/sync_run.h"

#include <array>

namespace trialdeck::transport {

namespace {

constexpr std::chrono::milliseconds kTellEach{100};

RemoteFolderUse useOf(const SyncRequest& request) {
    if (request.direction == SyncDirection::down)
        return RemoteFolderUse::must_exist;
    return request.dryRun ? RemoteFolderUse::is_looked_at : RemoteFolderUse::is_made;
}

/// The folder here has to be one; where files are to come it may be missing.
Expected<void> lookHere(SyncRun& run) {
    const base::Path& local = run.request.local;
    const bool isUp = run.request.direction == SyncDirection::up;
    auto status = run.files.status(local);
    if (!status && status.error().code == ErrorCode::file_not_found && !isUp) {
        run.isLocalMissing = true;
        return {};
    }
    if (!status)
        return tl::make_unexpected(std::move(status).error());
    // A link that leads to a folder is as good as one.
    if (status->type == base::FileType::link)
        status = run.files.status(local / ".");
    if (!status || status->type != base::FileType::directory)
        return base::fail(ErrorCode::not_a_directory,
                          {{"path", local.native()}, {"reason", "Not a directory"}},
                          "look for the folder here");
    return {};
}

} // namespace

std::span<const std::string_view> customaryExcludes() {
    static constexpr std::array<std::string_view, 8> kCustomary = {
        ".git/",         "__pycache__/", ".venv/",         "venv/",
        "node_modules/", ".mypy_cache/", ".pytest_cache/", ".ipynb_checkpoints/"};
    return kCustomary;
}

void SyncRun::tell(const SyncProgress& progress, bool isLast) {
    const base::SteadyTime now = clock.steadyNow();
    if (!listener || (!isLast && now - lastTold < kTellEach))
        return;
    lastTold = now;
    listener(progress);
}

std::string enterScript(const SyncRun& run, const std::string& nonce) {
    const std::string enter = run.facts.exists
                                  ? run.folder.enterBase + " && cd " + shellQuotedLines(run.folder.rest)
                                  : std::string("cd");
    return "LC_ALL=C; export LC_ALL; unset CDPATH; " + std::string(kSetLineBreak) + enter +
           " && printf '\\002trialdeck-head %s\\003' " + shellQuoted(nonce) + " && exec";
}

FolderSync::FolderSync(RemoteHost& host, base::FileSystem& files, const base::Clock& clock, SyncMeans means,
                       SyncRequest request)
    : m_run(std::make_shared<SyncRun>(
          SyncRun{host, files, clock, std::move(means), std::move(request), {}, {}, {}})) {}

FolderSync::~FolderSync() {
    cancel();
}

void FolderSync::cancel() {
    m_run->isCancelled = true;
    m_run->program.reset();
}

asio::awaitable<Expected<SyncReport>> FolderSync::run(SyncListener listener) {
    const std::shared_ptr<SyncRun> run = m_run;
    run->listener = std::move(listener);
    auto folder = remoteFolderFrom(run->request.remote);
    if (!folder)
        co_return tl::make_unexpected(std::move(folder).error());
    run->folder = std::move(*folder);
    if (auto looked = lookHere(*run); !looked)
        co_return tl::make_unexpected(std::move(looked).error());
    RsyncHere rsync;
    if (run->means.only != SyncTool::head)
        rsync = co_await findRsyncHere(run->means.environment);
    run->hasZstdHere = rsync.hasZstd;
    const RemoteFolderUse use = useOf(run->request);
    const auto output = co_await runScript(run->host, folderScript(run->folder, use));
    if (run->isCancelled)
        co_return base::fail(ErrorCode::cancelled);
    if (!output)
        co_return tl::make_unexpected(output.error());
    auto facts = folderFactsFrom(output->printed, output->errors, run->folder, use, run->means.hostName);
    if (!facts)
        co_return tl::make_unexpected(std::move(facts).error());
    run->facts = std::move(*facts);
    if (run->isLocalMissing && !run->request.dryRun) {
        if (auto made = run->files.createDirectories(run->request.local); !made)
            co_return tl::make_unexpected(std::move(made).error());
        run->isLocalMissing = false;
    }
    if (rsync.isUsable && run->facts.hasRsync)
        co_return co_await syncByRsync(run);
    if (run->means.only == SyncTool::rsync)
        co_return base::fail(ErrorCode::sync_failed, {{"reason", "rsync is not installed on both sides"}});
    co_return co_await syncByHead(run);
}

} // namespace trialdeck::transport

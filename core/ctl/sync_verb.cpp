// SPDX-License-Identifier: Apache-2.0
#include "core/ctl/sync_verb.h"

#include "core/base/host.h"
#include "core/base/json.h"
#include "core/base/utf8.h"
#include "core/ctl/words.h"

#include <algorithm>
#include <asio/io_context.hpp>
#include <asio/redirect_error.hpp>
#include <asio/use_awaitable.hpp>
#include <cstdio>

namespace trialdeck::ctl {

namespace {

using transport::SyncChange;
using transport::SyncReport;

constexpr std::chrono::milliseconds kFirstPause{1'500};
constexpr std::chrono::milliseconds kLongestPause{30'000};

/// The line or the way to it, not the login.
bool mayPass(ErrorCode code) {
    return code == ErrorCode::connection_lost || code == ErrorCode::timed_out ||
           code == ErrorCode::host_unreachable || code == ErrorCode::host_refused ||
           code == ErrorCode::host_not_found;
}

std::string sizeText(uint64_t bytes) {
    static constexpr const char* kUnits[] = {"bytes", "KiB", "MiB", "GiB", "TiB"};
    auto size = static_cast<double>(bytes);
    size_t unit = 0;
    for (; size >= 1024 && unit + 1 < std::size(kUnits); ++unit)
        size /= 1024;
    char text[32];
    std::snprintf(text, sizeof(text), unit == 0 ? "%.0f %s" : "%.1f %s", size, kUnits[unit]);
    return text;
}

Value listOf(const std::vector<SyncChange>& changes) {
    Array list;
    for (const SyncChange& change : changes)
        list.emplace_back(Object{{"kind", Value(nameOf(change.kind))},
                                 {"name", base::cleanUtf8(change.name)},
                                 {"bytes", Value(static_cast<int64_t>(change.bytes))}});
    return Value(std::move(list));
}

Object objectOf(const SyncReport& report) {
    Array failures;
    for (const transport::SyncFailure& failure : report.failures)
        failures.emplace_back(
            Object{{"name", base::cleanUtf8(failure.name)}, {"reason", base::cleanUtf8(failure.reason)}});
    const auto number = [](uint64_t count) { return Value(static_cast<int64_t>(count)); };
    return Object{{"tool", Value(nameOf(report.tool))},    {"copied", number(report.copied)},
                  {"unchanged", number(report.unchanged)}, {"removed", number(report.removed)},
                  {"bytes", number(report.bytes)},         {"changes", listOf(report.changes)},
                  {"failed", number(report.failed)},       {"failures", Value(std::move(failures))}};
}

std::string_view verbOf(SyncChange::Kind kind) {
    switch (kind) {
    case SyncChange::Kind::copied:
        return "copy";
    case SyncChange::Kind::made:
        return "make";
    case SyncChange::Kind::adjusted:
        return "adjust";
    case SyncChange::Kind::removed:
        break;
    }
    return "remove";
}

} // namespace

Expected<transport::SyncRequest> syncRequestOf(const Command& command,
                                               const std::optional<client::SyncedFolders>& last,
                                               const base::Path& home, const base::Path& workingDirectory) {
    transport::SyncRequest request;
    const bool isUp = command.verb == Verb::syncUp;
    request.direction = isUp ? transport::SyncDirection::up : transport::SyncDirection::down;
    request.include = command.include;
    request.exclude = command.exclude;
    request.dryRun = command.dryRun;
    request.removeExtra = command.removeExtra;
    if (command.folders.empty()) {
        if (!last || last->local.empty())
            return base::fail(ErrorCode::missing_key, {{"option", isUp ? "LOCAL REMOTE" : "REMOTE LOCAL"}},
                              "this connection has no folders that were synced before");
        request.local = last->local;
        request.remote = last->remote;
        if (request.include.empty() && request.exclude.empty()) {
            request.include = last->include;
            request.exclude = last->exclude;
        }
        return request;
    }
    const auto local = base::expandPath(command.folders[isUp ? 0 : 1], home);
    if (!local)
        return tl::make_unexpected(local.error());
    request.local = (workingDirectory / *local).lexically_normal();
    // "folder/." and "folder/" are that folder.
    if (!request.local.has_filename() && request.local.has_relative_path())
        request.local = request.local.parent_path();
    request.remote = command.folders[isUp ? 1 : 0];
    return request;
}

SyncVerb::SyncVerb(SyncDesk desk, transport::SyncMeans means, transport::SyncRequest request)
    : m_desk(desk), m_means(std::move(means)), m_request(std::move(request)), m_pause(desk.loop) {}

void SyncVerb::interrupt() {
    m_interrupted = true;
    m_pause.cancel();
    if (m_sync)
        m_sync->cancel();
    if (m_watch)
        m_watch->cancel();
    m_desk.host.close();
}

asio::awaitable<void> SyncVerb::pause(std::chrono::milliseconds time) {
    m_pause.expires_after(time);
    std::error_code ignored;
    co_await m_pause.async_wait(asio::redirect_error(asio::use_awaitable, ignored));
}

asio::awaitable<Expected<void>> SyncVerb::openHost() {
    for (std::chrono::milliseconds wait = kFirstPause;; wait = std::min(2 * wait, kLongestPause)) {
        auto opened = co_await m_desk.host.open({});
        if (opened)
            m_hasOpened = true;
        if (opened || m_interrupted || !m_hasOpened || !mayPass(opened.error().code))
            co_return opened;
        co_await pause(wait);
        if (m_interrupted)
            co_return base::fail(ErrorCode::cancelled);
    }
}

asio::awaitable<Expected<SyncReport>> SyncVerb::syncOnce() {
    for (;;) {
        if (!m_desk.host.isOpen()) {
            auto opened = co_await openHost();
            if (!opened)
                co_return tl::make_unexpected(std::move(opened).error());
        }
        m_sync = std::make_unique<transport::FolderSync>(m_desk.host, m_desk.files, m_desk.clock, m_means,
                                                         m_request);
        auto report =
            co_await m_sync->run([this](const transport::SyncProgress& progress) { showProgress(progress); });
        clearProgress();
        if (report || m_interrupted || report.error().code != ErrorCode::connection_lost)
            co_return report;
        m_desk.terminal.printError("warning: the line is lost; going on when it is back\n");
        m_desk.host.close();
        co_await pause(kFirstPause);
        if (m_interrupted)
            co_return base::fail(ErrorCode::cancelled);
    }
}

void SyncVerb::showProgress(const transport::SyncProgress& progress) {
    if (m_desk.command.json || !m_desk.terminal.isLive())
        return;
    std::string line = std::to_string(progress.doneFiles);
    if (progress.totalFiles > 0)
        line += " of " + std::to_string(progress.totalFiles);
    line += ", " + sizeText(progress.doneBytes);
    if (progress.totalBytes)
        line += " of " + sizeText(*progress.totalBytes);
    line += "  " + visibleText(progress.current);
    const size_t columns = m_desk.terminal.columns();
    m_desk.terminal.print("\r\x1b[K" + std::string(base::truncateUtf8(line, columns > 1 ? columns - 1 : 1)));
    m_showsProgress = true;
}

void SyncVerb::clearProgress() {
    if (std::exchange(m_showsProgress, false))
        m_desk.terminal.print("\r\x1b[K");
}

void SyncVerb::tell(const SyncReport& report) {
    if (m_desk.command.json) {
        m_desk.terminal.print(base::toJson(Value(objectOf(report))) + "\n");
        return;
    }
    if (m_request.dryRun) {
        for (const SyncChange& change : report.changes)
            m_desk.terminal.print(std::string(verbOf(change.kind)) + "  " + visibleText(change.name) + "\n");
    }
    for (const transport::SyncFailure& failure : report.failures)
        m_desk.terminal.printError("warning: " + visibleText(failure.name) + ": " +
                                   visibleText(failure.reason) + "\n");
    m_desk.terminal.print(
        std::string(m_request.dryRun ? "Would copy " : "Copied ") + counted(report.copied, "file") + " (" +
        sizeText(report.bytes) + "), " + std::to_string(report.unchanged) + " unchanged, " +
        std::to_string(report.removed) + " removed" +
        (report.failed > 0 ? ", " + std::to_string(report.failed) + " failed" : "") + ".\n");
}

ExitCode SyncVerb::fail(const Error& error) {
    clearProgress();
    if (m_interrupted)
        return ExitCode::interrupted;
    m_desk.terminal.printError(errorText(error));
    return exitCodeOf(error.code);
}

asio::awaitable<ExitCode> SyncVerb::run() {
    if (m_desk.command.watch) {
        auto watch = transport::FolderWatch::start(m_desk.loop.get_executor(), m_request.local);
        if (!watch)
            co_return fail(watch.error());
        m_watch = std::move(*watch);
    }
    for (;;) {
        const auto report = co_await syncOnce();
        if (!report)
            co_return fail(report.error());
        m_hasSynced = true;
        // What changed nothing is not told again and again.
        if (!m_watch || !report->changes.empty() || report->failed > 0)
            tell(*report);
        if (!m_watch)
            co_return report->failed > 0 ? ExitCode::failed : ExitCode::ok;
        const auto changed = co_await m_watch->change();
        if (!changed)
            co_return fail(changed.error());
    }
}

} // namespace trialdeck::ctl

// SPDX-License-Identifier: Apache-2.0
#include "app/client/host_work.h"

#include <algorithm>
#include <utility>

namespace trialdeck::app::client {

int HostWork::openForward(ForwardWish wish) {
    ForwardStatus status;
    status.number = ++m_numbers;
    status.wish = std::move(wish);
    m_forwards.push_back(status);
    emit forwardsChanged();
    beginForward(status.number, status.wish);
    return status.number;
}

void HostWork::closeForward(int number) {
    const auto closed = std::erase_if(m_forwards, [&](const auto& each) { return each.number == number; });
    if (closed == 0)
        return;
    endForward(number);
    emit forwardsChanged();
}

void HostWork::takeForward(ForwardStatus status) {
    const auto known = std::find_if(m_forwards.begin(), m_forwards.end(),
                                    [&](const auto& each) { return each.number == status.number; });
    if (known == m_forwards.end())
        return;
    const bool hasOpened =
        known->state == ForwardStatus::State::opening && status.state == ForwardStatus::State::open;
    const bool hasFailed =
        known->state == ForwardStatus::State::opening && status.state == ForwardStatus::State::failed;
    const int number = status.number;
    *known = std::move(status);
    emit forwardsChanged();
    if (hasOpened)
        emit forwardOpened(number);
    if (hasFailed)
        emit forwardFailed(number);
}

void HostWork::runCommand(const std::string& line) {
    if (m_command.state == CommandStatus::State::running)
        return;
    m_command = {CommandStatus::State::running, line, {}, {}};
    emit commandChanged();
    beginCommand(line);
}

void HostWork::takeCommandEnd(Expected<int> end) {
    m_command.state = CommandStatus::State::ended;
    if (end)
        m_command.exitCode = *end;
    else
        m_command.error = std::move(end).error();
    emit commandChanged();
}

void HostWork::startSync(const transport::SyncRequest& request, SyncStatus::Repeat repeat) {
    if (isSyncing())
        return;
    m_sync = {};
    m_sync.state = SyncStatus::State::running;
    m_sync.request = request;
    m_sync.repeat = repeat;
    emit syncChanged();
    beginSync(request, repeat);
}

void HostWork::takeSyncProgress(transport::SyncProgress progress) {
    if (m_sync.state != SyncStatus::State::running)
        return;
    m_sync.progress = std::move(progress);
    emit syncChanged();
}

void HostWork::takeSyncPass(transport::SyncReport report) {
    m_sync.state = SyncStatus::State::watching;
    // A pass that found nothing to do leaves what the last one did in view.
    if (!m_sync.report || !report.changes.empty() || report.failed > 0)
        m_sync.report = std::move(report);
    emit syncChanged();
}

void HostWork::takeNextSyncPass() {
    m_sync.state = SyncStatus::State::running;
    m_sync.progress = {};
    emit syncChanged();
}

void HostWork::takeSyncEnd(Expected<transport::SyncReport> end) {
    m_sync.state = SyncStatus::State::ended;
    if (end)
        m_sync.report = std::move(*end);
    else
        m_sync.error = std::move(end).error();
    emit syncChanged();
}

} // namespace trialdeck::app::client

// SPDX-License-Identifier: Apache-2.0
#include "core/tuner/record_log.h"

#include <cassert>
#include <utility>

namespace trialdeck::tuner {

namespace {

using namespace std::chrono_literals;

/// Projections lag the journal by at most this.
constexpr auto kProjectionDelay = 250ms;
/// Beyond so many records that wait for room, reports are let go: their workers are being stopped and will
/// repeat them from the last checkpoint.
constexpr size_t kMaxWaiting = 100'000;

} // namespace

RecordLog::RecordLog(Ledger& ledger, ExperimentFiles& files, const Services& services)
    : m_ledger(ledger), m_files(files), m_clock(services.clock), m_log(services.log),
      m_appendedTimer(services.timers), m_projectionTimer(services.timers) {}

void RecordLog::add(protocol::RecordBody body) {
    [[maybe_unused]] const auto taken = m_ledger.take(body, m_clock.wallNow());
    assert(taken);
    if (m_onTaken)
        m_onTaken(body);
    if (m_refusal) {
        keep(std::move(body));
        return;
    }
    const auto appended = append(body);
    if (appended)
        return;
    m_refusal = appended.error();
    m_log.error("tuner", *m_refusal);
    keep(std::move(body));
    if (m_onRefused)
        m_onRefused(*m_refusal);
}

Expected<void> RecordLog::append(protocol::RecordBody& body) {
    const auto line = m_writer->append(std::move(body));
    if (!line)
        return tl::make_unexpected(line.error());
    m_files.noteLine(*line);
    noteAppended();
    return {};
}

void RecordLog::keep(protocol::RecordBody body) {
    if (m_waiting.size() >= kMaxWaiting && std::holds_alternative<protocol::ReportReceived>(body)) {
        ++m_dropped;
        return;
    }
    m_waiting.push_back(std::move(body));
}

Expected<void> RecordLog::retry() {
    while (!m_waiting.empty()) {
        if (auto appended = append(m_waiting.front()); !appended) {
            m_refusal = appended.error();
            return appended;
        }
        m_waiting.pop_front();
    }
    m_refusal.reset();
    if (m_dropped > 0) {
        const std::string count = std::to_string(std::exchange(m_dropped, 0));
        add(protocol::WarningRaised{std::nullopt,
                                    Error{ErrorCode::disk_full, {{"dropped_reports", count}}, {}}});
    }
    return {};
}

void RecordLog::abandon(const Error& error) {
    m_refusal = error;
    m_abandoned = true;
}

void RecordLog::noteAppended() {
    if (!m_projectionTimer.active())
        m_projectionTimer.start(kProjectionDelay, [this] { flushProjections(); });
    if (m_onAppended && !m_appendedTimer.active())
        m_appendedTimer.start(0ms, [this] { m_onAppended(); });
}

void RecordLog::tellAppended() {
    if (!m_appendedTimer.active())
        return;
    m_appendedTimer.stop();
    m_onAppended();
}

void RecordLog::flushProjections() {
    if (m_abandoned)
        return;
    const auto flushed = m_files.flushProjections();
    const std::string failure = flushed ? std::string() : base::describe(flushed.error());
    if (failure != std::exchange(m_projectionFailure, failure) && !failure.empty())
        m_log.warning("tuner", failure);
}

Expected<void> RecordLog::close() {
    m_projectionTimer.stop();
    // There may be room by now; nobody asks again.
    Expected<void> written;
    if (m_refusal && !m_abandoned)
        written = retry();
    tellAppended();
    flushProjections();
    auto flushed = m_writer ? m_writer->flush() : Expected<void>{};
    if (written)
        return flushed;
    return tl::make_unexpected(
        std::move(written).error().during(std::to_string(m_waiting.size() + m_dropped) + " records of " +
                                          m_files.folder().native() + " could not be written"));
}

} // namespace trialdeck::tuner

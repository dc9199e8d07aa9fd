// SPDX-License-Identifier: Apache-2.0
#include "app/presenters/log_presenter.h"

#include <algorithm>

namespace trialdeck::app::presenters {

using client::HeadClient;

namespace {
/// A slice of searching that nobody feels.
constexpr size_t kSearchLines = 20'000;
constexpr std::chrono::milliseconds kChangeInterval{50};
constexpr uint64_t kFetchBytes = uint64_t{128} << 10;
} // namespace

LogPresenter::LogPresenter(ExperimentPresenter& experiment, QObject* parent)
    : QObject(parent), m_experiment(experiment) {
    connect(&experiment.head(), &HeadClient::logReceived, this, &LogPresenter::onLog);
    connect(&experiment.selection(), &TrialSelection::changed, this, &LogPresenter::choose);
    connect(&experiment.data(), &models::ExperimentData::changed, this, &LogPresenter::choose);
    m_searchTimer.setSingleShot(true);
    connect(&m_searchTimer, &QTimer::timeout, this, &LogPresenter::searchOn);
    m_changeTimer.setSingleShot(true);
    m_changeTimer.setInterval(kChangeInterval);
    connect(&m_changeTimer, &QTimer::timeout, this, [this] {
        if (const auto first = std::exchange(m_firstChanged, std::nullopt))
            emit textChanged(*first);
    });
}

LogPresenter::~LogPresenter() {
    setAddress(std::nullopt);
}

std::optional<TrialId> LogPresenter::trial() const {
    if (const auto current = m_experiment.selection().current())
        return current;
    // Nothing selected: the first running trial, else the first that ran.
    const auto& trials = m_experiment.data().trials();
    for (const models::TrialRow& trial : trials) {
        if (trial.state == TrialState::running)
            return trial.id;
    }
    const auto started =
        std::find_if(trials.begin(), trials.end(), [](const auto& trial) { return !trial.attempts.empty(); });
    return started == trials.end() ? std::nullopt : std::optional(started->id);
}

size_t LogPresenter::attempts() const {
    return m_trial ? m_experiment.data().trials()[m_trial->raw()].attempts.size() : 0;
}

uint32_t LogPresenter::ranks() const {
    if (!m_address)
        return 0;
    for (const models::AttemptRow& attempt : m_experiment.data().trials()[m_trial->raw()].attempts) {
        if (attempt.number == m_address->attempt)
            return attempt.workers;
    }
    return 1;
}

void LogPresenter::setShown(bool shown) {
    m_shown = shown;
    choose();
}

void LogPresenter::choose() {
    if (!m_shown) {
        setAddress(std::nullopt);
        return;
    }
    const auto trial = this->trial();
    // Without a selection the log stays at the trial that it is at.
    const bool stays = m_trial && !m_experiment.selection().current() &&
                       m_trial->raw() < m_experiment.data().trials().size();
    if (!stays && trial != m_trial) {
        m_trial = trial;
        m_attempt.reset();
        m_rank = 0;
    }
    if (!m_trial || attempts() == 0) {
        setAddress(std::nullopt);
        return;
    }
    const auto& all = m_experiment.data().trials()[m_trial->raw()].attempts;
    protocol::LogAddress address;
    address.experiment = m_experiment.id();
    address.trial = *m_trial;
    address.attempt = m_attempt ? AttemptNumber(*m_attempt) : all.back().number;
    address.rank = m_rank;
    address.stream = m_stream;
    setAddress(address);
}

void LogPresenter::setAddress(const std::optional<protocol::LogAddress>& address) {
    if (address == m_address)
        return;
    if (m_address)
        m_experiment.head().unsubscribeLog(*m_address);
    m_address = address;
    m_text.setEncoding(models::LogEncoding::utf8);
    m_guess = {};
    m_fetching.clear();
    m_complete = false;
    m_hits.clear();
    m_searchFrom = m_needle.isEmpty() ? std::nullopt : std::optional<size_t>(0);
    if (m_address)
        m_experiment.head().subscribeLog(*m_address, 0);
    emit addressChanged();
    emit hitsChanged();
}

void LogPresenter::setAttempt(int attempt) {
    m_attempt = static_cast<uint32_t>(attempt);
    choose();
}

void LogPresenter::setRank(int rank) {
    m_rank = static_cast<uint32_t>(rank);
    choose();
}

void LogPresenter::setStream(protocol::OutputStream stream) {
    m_stream = stream;
    choose();
}

void LogPresenter::setEncoding(models::LogEncoding encoding) {
    if (encoding == m_text.encoding() || !m_address)
        return;
    const protocol::LogAddress address = *m_address;
    setAddress(std::nullopt);
    setAddress(address);
    m_text.setEncoding(encoding);
    emit addressChanged();
}

void LogPresenter::onLog(const protocol::LogEvent& event) {
    if (event.address != m_address)
        return;
    const size_t before = m_text.lineCount();
    m_guess.add(event.data.data);
    const size_t first = m_text.append(event.offset, event.data.data);
    m_complete = m_complete || event.complete;
    m_firstChanged = std::min(m_firstChanged.value_or(first), first);
    if (!m_changeTimer.isActive())
        m_changeTimer.start();
    if (!m_needle.isEmpty() && !m_searchFrom) {
        m_searchFrom = std::min(first, before);
        std::erase_if(m_hits, [&](size_t line) { return line >= *m_searchFrom; });
        m_searchTimer.start();
    }
}

void LogPresenter::search(const QString& needle) {
    m_needle = needle;
    m_hits.clear();
    m_searchTimer.stop();
    m_searchFrom.reset();
    if (!needle.isEmpty()) {
        m_searchFrom = 0;
        searchOn();
    }
    emit hitsChanged();
}

void LogPresenter::searchOn() {
    if (!m_searchFrom)
        return;
    const models::LogText::Found found = m_text.find(m_needle.toStdString(), *m_searchFrom, kSearchLines);
    if (found.gap) {
        // Goes on from here when the text has come.
        for (const size_t line : found.lines) {
            if (line < *found.gap)
                m_hits.push_back(line);
        }
        m_searchFrom = *found.gap;
        fetch(*found.gap);
    } else {
        m_hits.insert(m_hits.end(), found.lines.begin(), found.lines.end());
        *m_searchFrom += kSearchLines;
        if (*m_searchFrom >= m_text.lineCount())
            m_searchFrom.reset();
        else
            m_searchTimer.start();
    }
    emit hitsChanged();
}

void LogPresenter::fetch(size_t line) {
    const models::LogText::Range range = m_text.rangeOf(line);
    if (!m_address || !m_fetching.insert(range.block).second)
        return;
    fetchPart(range.block, range.first, range.end, {});
}

void LogPresenter::fetchPart(size_t block, uint64_t offset, uint64_t end, std::string bytes) {
    protocol::LogReadRequest request;
    request.address = *m_address;
    request.offset = offset;
    request.maxBytes = std::min(kFetchBytes, end - offset);
    m_experiment.head().ask(this, request,
                            [this, block, end, bytes = std::move(bytes),
                             address = *m_address](Expected<protocol::LogReadResult> result) mutable {
                                if (m_address != address)
                                    return;
                                if (!result) {
                                    m_fetching.erase(block);
                                    emit failed(result.error());
                                    return;
                                }
                                bytes += result->data.data;
                                const uint64_t next = result->offset + result->data.data.size();
                                if (next < end && !result->data.data.empty()) {
                                    fetchPart(block, next, end, std::move(bytes));
                                    return;
                                }
                                m_text.refill(block, bytes);
                                m_fetching.erase(block);
                                emit textChanged(0);
                                if (m_searchFrom)
                                    m_searchTimer.start();
                            });
}

} // namespace trialdeck::app::presenters

// SPDX-License-Identifier: Apache-2.0
#include "app/models/experiment_data.h"

#include "core/base/flat_names.h"

#include <algorithm>
#include <cmath>

namespace trialdeck::app::models {

namespace {

constexpr std::chrono::milliseconds kFlushInterval{50};
constexpr std::string_view kIterationKey = "training_iteration";

double secondsBetween(base::WallTime from, base::WallTime to) {
    return std::max(0.0, std::chrono::duration<double>(to - from).count());
}

} // namespace

ExperimentData::ExperimentData(ExperimentId id, QObject* parent) : QObject(parent), m_id(std::move(id)) {
    m_flushTimer.setSingleShot(true);
    m_flushTimer.setInterval(kFlushInterval);
    connect(&m_flushTimer, &QTimer::timeout, this, &ExperimentData::flush);
}

double ExperimentData::seconds(const TrialRow& trial, base::WallTime now) {
    return trial.secondsBefore + (trial.runningSince ? secondsBetween(*trial.runningSince, now) : 0);
}

void ExperimentData::apply(std::span<const protocol::Record> records) {
    for (const protocol::Record& record : records) {
        m_lastEvent = std::max(m_lastEvent, record.time);
        std::visit([&](const auto& body) { take(record, body); }, record.body);
    }
    if (!records.empty())
        schedule();
}

void ExperimentData::setSummary(const protocol::ExperimentSummary& summary) {
    m_summary = summary;
    m_pending.header = true;
    m_pending.bestTrial = true;
    schedule();
}

void ExperimentData::restart() {
    m_trials.clear();
    m_curves.clear();
    m_parameters.clear();
    m_parameterCells.clear();
    m_metricCells.clear();
    m_notices.clear();
    m_touched.clear();
    m_best.reset();
    m_pending = {};
    m_pending.restarted = true;
    m_pending.header = true;
    m_pending.notices = true;
    schedule();
}

void ExperimentData::schedule() {
    if (!m_flushTimer.isActive())
        m_flushTimer.start();
}

void ExperimentData::flush() {
    m_flushTimer.stop();
    findBest();
    for (size_t row = 0; row < m_pending.firstNewTrial && row < m_touched.size(); ++row) {
        if (m_touched[row])
            m_pending.changedTrials.push_back(row);
    }
    std::fill(m_touched.begin(), m_touched.end(), false);
    const ExperimentChange change = std::exchange(m_pending, {});
    m_pending.firstNewTrial = m_trials.size();
    m_pending.firstNewParameter = m_parameters.size();
    m_pending.firstNewMetric = metrics().size();
    emit changed(change);
}

TrialRow* ExperimentData::find(TrialId id) {
    return id.raw() < m_trials.size() ? &m_trials[id.raw()] : nullptr;
}

void ExperimentData::touch(TrialId id) {
    m_touched[id.raw()] = true;
}

void ExperimentData::take(const protocol::Record& record, const protocol::TrialCreated& body) {
    // Trials are proposed in order; one that is known already comes from a record that was seen before.
    if (body.trial.raw() != m_trials.size())
        return;
    TrialRow& trial = m_trials.emplace_back();
    trial.id = body.trial;
    trial.configuration = body.configuration;
    trial.seed = body.seed;
    trial.created = record.time;
    m_touched.push_back(true);
    ++m_pending.newTrials;
    m_pending.header = true;
    setParameters(m_trials.size() - 1, body.configuration);
}

void ExperimentData::setParameters(size_t row, const Object& configuration) {
    for (const auto& [name, value] : base::flatten(configuration)) {
        const auto known = std::find(m_parameters.begin(), m_parameters.end(), name);
        const auto index = static_cast<size_t>(known - m_parameters.begin());
        if (known == m_parameters.end()) {
            m_parameters.push_back(name);
            m_parameterCells.emplace_back();
            ++m_pending.newParameters;
        }
        // A trial without the parameter has nothing there; null is a value that it was given.
        m_parameterCells[index].set(row, value.isNull() ? Value("null") : value);
    }
}

void ExperimentData::take(const protocol::Record& record, const protocol::AttemptStarted& body) {
    TrialRow* trial = find(body.trial);
    if (!trial)
        return;
    // An attempt is told when it is planned and again when its workers run, then with their node.
    const bool isNew = trial->attempts.empty() || trial->attempts.back().number != body.attempt;
    AttemptRow& attempt = isNew ? trial->attempts.emplace_back() : trial->attempts.back();
    attempt.number = body.attempt;
    attempt.workers = body.workers;
    attempt.node = body.node;
    attempt.resumeFrom = body.resumeFrom;
    attempt.started = record.time;
    touch(body.trial);
    if (!isNew)
        return;
    trial->iteration = body.firstIteration;
    if (trial->attempts.size() > 1)
        m_curves.truncate(body.trial, static_cast<double>(body.firstIteration));
}

void ExperimentData::take(const protocol::Record& record, const protocol::TrialStateChanged& body) {
    TrialRow* trial = find(body.trial);
    if (!trial)
        return;
    if (trial->runningSince && body.state != TrialState::running) {
        trial->secondsBefore += secondsBetween(*trial->runningSince, record.time);
        trial->runningSince.reset();
        if (!trial->attempts.empty())
            trial->attempts.back().ended = record.time;
    }
    if (!trial->runningSince && body.state == TrialState::running)
        trial->runningSince = record.time;
    const auto isOfTrial = [&](const Notice& notice) {
        return notice.trial == body.trial && notice.severity == protocol::Severity::error;
    };
    m_pending.notices = std::erase_if(m_notices, isOfTrial) > 0 || m_pending.notices;
    if (body.state == TrialState::error) {
        Notice& notice = m_notices.emplace_back();
        notice.severity = protocol::Severity::error;
        notice.trial = body.trial;
        notice.time = record.time;
        if (body.error)
            notice.error = *body.error;
        if (!trial->attempts.empty()) {
            for (const protocol::WorkerEnded& end : trial->attempts.back().ends) {
                if (notice.logTail.empty() && end.cause)
                    notice.logTail = end.logTail;
            }
        }
        m_pending.notices = true;
    }
    trial->state = body.state;
    trial->reason = body.reason;
    trial->error = body.error;
    trial->waitsFor = body.waitsFor;
    trial->resumesFrom = body.resumeFrom;
    m_pending.header = true;
    touch(body.trial);
}

void ExperimentData::take(const protocol::Record& record, const protocol::ReportReceived& body) {
    TrialRow* trial = find(body.trial);
    if (!trial || body.rank != 0)
        return;
    ++trial->reports;
    if (body.flags.repeated || body.flags.superseded) {
        ++trial->discardedReports;
        touch(body.trial);
        return;
    }
    trial->iteration = body.iteration;
    trial->lastReport = record.time;
    for (const auto& [key, value] : body.metrics) {
        if (key == kIterationKey)
            continue;
        const size_t metric = m_curves.metricIndex(key);
        if (metric == m_metricCells.size()) {
            m_metricCells.emplace_back();
            ++m_pending.newMetrics;
        }
        // A value that is missing this time leaves the newest one that came.
        if (!value.isNull())
            m_metricCells[metric].set(body.trial.raw(), value);
        const auto step = static_cast<double>(body.iteration);
        if (const auto number = value.toDouble())
            m_curves.append(body.trial, metric, step, *number);
        else if (value.isNull())
            m_curves.append(body.trial, metric, step, missingValue());
    }
    m_pending.bestTrial = true;
    touch(body.trial);
}

void ExperimentData::take(const protocol::Record& record, const protocol::CheckpointCommitted& body) {
    TrialRow* trial = find(body.trial);
    if (!trial)
        return;
    // Told again when other ranks' files have joined it.
    const auto known = std::find_if(trial->checkpoints.begin(), trial->checkpoints.end(),
                                    [&](const CheckpointRow& row) { return row.index == body.index; });
    CheckpointRow& checkpoint =
        known == trial->checkpoints.end() ? trial->checkpoints.emplace_back() : *known;
    checkpoint.bytes = 0;
    checkpoint.index = body.index;
    checkpoint.attempt = body.attempt;
    checkpoint.iteration = body.iteration;
    checkpoint.files = body.files.size();
    checkpoint.time = record.time;
    for (const protocol::ManifestEntry& file : body.files)
        checkpoint.bytes += file.bytes;
    touch(body.trial);
}

void ExperimentData::take(const protocol::Record&, const protocol::CheckpointRemoved& body) {
    TrialRow* trial = find(body.trial);
    if (!trial)
        return;
    for (CheckpointRow& checkpoint : trial->checkpoints) {
        if (checkpoint.index == body.index)
            checkpoint.removed = true;
    }
    touch(body.trial);
}

void ExperimentData::take(const protocol::Record&, const protocol::CheckpointUnusable& body) {
    TrialRow* trial = find(body.trial);
    if (!trial)
        return;
    for (CheckpointRow& checkpoint : trial->checkpoints) {
        if (checkpoint.index == body.index)
            checkpoint.unusable = true;
    }
    touch(body.trial);
}

void ExperimentData::take(const protocol::Record& record, const protocol::WorkerEnded& body) {
    TrialRow* trial = find(body.trial);
    if (!trial)
        return;
    for (AttemptRow& attempt : trial->attempts) {
        if (attempt.number != body.attempt)
            continue;
        attempt.ends.push_back(body);
        if (attempt.ends.size() >= attempt.workers)
            attempt.ended = record.time;
    }
    touch(body.trial);
}

void ExperimentData::take(const protocol::Record& record, const protocol::WarningRaised& body) {
    const auto isSame = [&](const Notice& notice) {
        return notice.trial == body.trial && notice.error == body.error;
    };
    if (std::any_of(m_notices.begin(), m_notices.end(), isSame))
        return;
    m_notices.push_back({protocol::Severity::warning, body.trial, body.error, record.time, {}});
    m_pending.notices = true;
}

void ExperimentData::take(const protocol::Record& record, const protocol::ExperimentStateChanged& body) {
    m_state = body.state;
    m_reason = body.reason;
    const auto isOfExperiment = [](const Notice& notice) {
        return !notice.trial && notice.severity == protocol::Severity::error;
    };
    m_pending.notices = std::erase_if(m_notices, isOfExperiment) > 0 || m_pending.notices;
    if (body.error) {
        m_notices.push_back({protocol::Severity::error, std::nullopt, *body.error, record.time, {}});
        m_pending.notices = true;
    }
    m_pending.header = true;
}

void ExperimentData::findBest() {
    if (!m_pending.bestTrial)
        return;
    std::optional<TrialId> best;
    const auto metric = m_summary ? m_curves.findMetric(m_summary->metric) : std::nullopt;
    if (metric && *metric < m_metricCells.size()) {
        const CellColumn& cells = m_metricCells[*metric];
        const double sign = m_summary->mode == "max" ? -1 : 1;
        double smallest = 0;
        for (const TrialRow& trial : m_trials) {
            const double value = cells.number(trial.id.raw());
            if (std::isnan(value) || (best && sign * value >= smallest))
                continue;
            best = trial.id;
            smallest = sign * value;
        }
    }
    m_pending.bestTrial = best != m_best;
    if (best != m_best) {
        for (const auto& trial : {best, m_best}) {
            if (trial && find(*trial))
                touch(*trial);
        }
        m_best = best;
        m_pending.header = true;
    }
}

} // namespace trialdeck::app::models

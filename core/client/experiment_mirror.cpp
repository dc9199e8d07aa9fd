// SPDX-License-Identifier: Apache-2.0
#include "core/client/experiment_mirror.h"

#include "core/base/enum_names.h"
#include "core/base/json.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace trialdeck::client {

namespace {

/// Doubles hold every whole number up to here.
constexpr double kExactLimit = 9007199254740992.0;

bool isExact(double value) {
    return std::abs(value) <= kExactLimit;
}

/// The last value of a curve that has one, whole where all were.
Value lastOf(const Curve& curve) {
    const double value = curve.points.back().value;
    return curve.whole && isExact(value) ? Value(static_cast<int64_t>(value)) : Value(value);
}

constexpr base::EnumNames<BestScope, 5> kScopes{{"last", "avg", "last-5-avg", "last-10-avg", "all"}};

double meanOfLast(const std::vector<Point>& points, size_t count) {
    count = std::min(count, points.size());
    double sum = 0;
    for (size_t i = points.size() - count; i < points.size(); ++i)
        sum += points[i].value;
    return sum / static_cast<double>(count);
}

/// Of a curve with points.
double valueBy(BestScope scope, const Curve& curve, bool maximise) {
    constexpr size_t kFew = 5;
    constexpr size_t kMore = 10;
    switch (scope) {
    case BestScope::last:
        return curve.points.back().value;
    case BestScope::avg:
        return meanOfLast(curve.points, curve.points.size());
    case BestScope::last_5_avg:
        return meanOfLast(curve.points, kFew);
    case BestScope::last_10_avg:
        return meanOfLast(curve.points, kMore);
    case BestScope::all:
        break;
    }
    double found = std::nan("");
    for (const Point& point : curve.points) {
        if (std::isnan(found) || (maximise ? point.value > found : point.value < found))
            found = point.value;
    }
    return found;
}

template<typename Item>
void dropBehind(std::vector<Item>& items, RecordNumber last) {
    std::erase_if(items, [last](const Item& item) { return item.record > last; });
}

void cutAfter(std::vector<Point>& points, int64_t iteration) {
    const auto end =
        std::upper_bound(points.begin(), points.end(), iteration,
                         [](int64_t limit, const Point& point) { return limit < point.iteration; });
    points.erase(end, points.end());
}

} // namespace

std::string_view nameOf(BestScope scope) {
    return kScopes.name(scope);
}

std::optional<BestScope> bestScopeFromString(std::string_view name) {
    return name == "best" ? std::optional(BestScope::all) : kScopes.find(name);
}

bool MirrorChanges::empty() const {
    return !experiment && !warnings && !best && !metrics && trials.empty() && points.empty();
}

/// Folds each kind of record into the mirror.
struct ExperimentMirror::Fold {
    ExperimentMirror& mirror;
    const protocol::Record& record;

    void operator()(protocol::ExperimentCreated& created) const {
        mirror.m_experiment = std::move(created);
        mirror.m_experimentRecord = record.number;
        mirror.m_changes.experiment = true;
    }
    void operator()(protocol::Amended&) const { mirror.m_changes.experiment = true; }
    void operator()(protocol::ExperimentStateChanged& change) const {
        mirror.m_states.push_back({record.number, std::move(change)});
        mirror.m_changes.experiment = true;
    }
    void operator()(protocol::TrialCreated& created) const {
        // Trials are numbered without gaps; anything else is no journal of ours.
        if (created.trial.raw() != mirror.m_trials.size())
            return;
        MirroredTrial trial;
        trial.record = record.number;
        trial.created = record.time;
        trial.id = created.trial;
        trial.configuration = std::move(created.configuration);
        trial.seed = created.seed;
        mirror.m_trials.push_back(std::move(trial));
        mirror.m_told.resize(std::max(mirror.m_told.size(), mirror.m_trials.size()));
        mirror.markChanged(created.trial);
    }
    void operator()(protocol::AttemptStarted& start) const {
        MirroredTrial* trial = mirror.find(start.trial);
        if (!trial)
            return;
        mirror.markChanged(trial->id);
        if (!trial->attempts.empty() && trial->attempts.back().start.attempt == start.attempt) {
            Attempt& planned = trial->attempts.back();
            planned.ran = record.number;
            planned.start = std::move(start);
            return;
        }
        Attempt attempt;
        attempt.record = record.number;
        attempt.started = record.time;
        if (start.resumeFrom && !trial->attempts.empty())
            attempt.reports = inherited(trial->attempts.back().reports, start.firstIteration);
        attempt.start = std::move(start);
        trial->attempts.push_back(std::move(attempt));
        mirror.m_told[trial->id.raw()].curvesReplaced = true;
    }
    void operator()(protocol::TrialStateChanged& change) const {
        if (MirroredTrial* trial = mirror.find(change.trial)) {
            mirror.markChanged(trial->id);
            trial->states.push_back({record.number, record.time, std::move(change)});
        }
    }
    void operator()(protocol::ReportReceived& report) const { mirror.fold(record, report); }
    void operator()(protocol::CheckpointCommitted& committed) const {
        MirroredTrial* trial = mirror.find(committed.trial);
        if (!trial)
            return;
        uint64_t bytes = 0;
        for (const protocol::ManifestEntry& file : committed.files)
            bytes += file.bytes;
        const auto known = std::find_if(trial->checkpoints.begin(), trial->checkpoints.end(),
                                        [&committed](const MirroredCheckpoint& checkpoint) {
                                            return checkpoint.index == committed.index;
                                        });
        mirror.markChanged(trial->id);
        if (known != trial->checkpoints.end()) {
            known->growths.push_back({record.number, known->bytes, known->files});
            known->bytes = bytes;
            known->files = committed.files.size();
            return;
        }
        MirroredCheckpoint checkpoint;
        checkpoint.record = record.number;
        checkpoint.time = record.time;
        checkpoint.attempt = committed.attempt;
        checkpoint.index = committed.index;
        checkpoint.iteration = committed.iteration;
        checkpoint.bytes = bytes;
        checkpoint.files = committed.files.size();
        trial->checkpoints.push_back(std::move(checkpoint));
    }
    void operator()(protocol::CheckpointRemoved& removed) const {
        MirroredTrial* trial = mirror.find(removed.trial);
        if (!trial)
            return;
        for (MirroredCheckpoint& checkpoint : trial->checkpoints) {
            if (checkpoint.index == removed.index && !checkpoint.removed)
                checkpoint.removed = record.number;
        }
        mirror.markChanged(trial->id);
    }
    void operator()(protocol::CheckpointUnusable& told) const {
        MirroredTrial* trial = mirror.find(told.trial);
        if (!trial)
            return;
        for (MirroredCheckpoint& checkpoint : trial->checkpoints) {
            if (checkpoint.index == told.index && !checkpoint.unusable)
                checkpoint.unusable = record.number;
        }
        mirror.markChanged(trial->id);
    }
    void operator()(protocol::WorkerEnded& end) const {
        MirroredTrial* trial = mirror.find(end.trial);
        Attempt* attempt = trial ? ExperimentMirror::find(*trial, end.attempt) : nullptr;
        if (!attempt)
            return;
        attempt->ends.push_back({record.number, record.time, std::move(end)});
        mirror.markChanged(trial->id);
    }
    void operator()(protocol::WarningRaised& warning) const {
        mirror.m_warnings.push_back({record.number, record.time, std::move(warning)});
        mirror.m_changes.warnings = true;
    }
    // Decisions show in the states that follow them; the others say nothing to a person.
    void operator()(protocol::DecisionMade&) const {}
    void operator()(protocol::SegmentHeader&) const {}
    void operator()(protocol::Heartbeat&) const {}
    void operator()(protocol::Snapshot&) const {}
    void operator()(protocol::UnknownRecord&) const {}

    Reports inherited(const Reports& before, int64_t lastIteration) const {
        Reports reports;
        for (const ReportRow& row : before.rows) {
            if (row.iteration <= lastIteration)
                reports.rows.push_back(row);
        }
        reports.curves = before.curves;
        for (Curve& curve : reports.curves)
            cutAfter(curve.points, lastIteration);
        // What was said at the checkpoint: word for word where nothing came after it.
        if (!before.rows.empty() && before.rows.back().iteration == lastIteration)
            reports.last = before.last;
        else
            mirror.restoreLast(reports);
        return reports;
    }
};

void ExperimentMirror::apply(const protocol::RecordsEvent& event) {
    applyLines(event.lines.data);
    m_cursor = {event.epoch, std::max(m_cursor.number, event.last)};
}

void ExperimentMirror::applyLines(std::string_view lines) {
    while (!lines.empty()) {
        const size_t end = std::min(lines.find('\n'), lines.size());
        auto record = protocol::parseRecordLine(lines.substr(0, end));
        if (record)
            apply(std::move(*record));
        else
            ++m_unreadable;
        lines.remove_prefix(std::min(end + 1, lines.size()));
    }
}

void ExperimentMirror::apply(protocol::Record record) {
    const bool isHeader = std::holds_alternative<protocol::SegmentHeader>(record.body);
    if (isHeader || record.number <= m_cursor.number)
        return;
    m_cursor.number = record.number;
    std::visit(Fold{*this, record}, record.body);
}

void ExperimentMirror::fold(const protocol::Record& record, protocol::ReportReceived& report) {
    MirroredTrial* trial = find(report.trial);
    Attempt* attempt = trial ? find(*trial, report.attempt) : nullptr;
    if (!attempt)
        return;
    markChanged(trial->id);
    Reports& reports = attempt->reports;
    if (report.flags.superseded) {
        ++reports.superseded;
        return;
    }
    if (report.rank != 0) {
        auto known = std::find_if(attempt->otherRanks.begin(), attempt->otherRanks.end(),
                                  [&report](const RankReport& other) { return other.rank == report.rank; });
        if (known == attempt->otherRanks.end())
            known = attempt->otherRanks.insert(known, RankReport{});
        *known = {record.number, report.rank, report.iteration, std::move(report.metrics)};
        return;
    }
    if (report.flags.repeated ||
        (!reports.rows.empty() && report.iteration <= reports.rows.back().iteration)) {
        ++reports.repeated;
        return;
    }
    reports.rows.push_back({record.number, record.time, report.iteration});
    if (m_keepsReports)
        reports.rows.back().said = std::make_shared<const std::string>(base::toJson(report.metrics));
    addPoints(reports, report);
    reports.last = std::move(report.metrics);
}

void ExperimentMirror::addPoints(Reports& reports, const protocol::ReportReceived& report) {
    uint32_t guess = 0;
    for (const auto& [name, value] : report.metrics) {
        const auto number = value.toDouble();
        if (!number)
            continue;
        const uint32_t index = metricIndex(name, guess);
        guess = index + 1;
        if (index >= reports.curves.size())
            reports.curves.resize(index + 1);
        Curve& curve = reports.curves[index];
        curve.points.push_back({report.iteration, *number});
        curve.whole = curve.whole && value.isInteger();
    }
}

uint32_t ExperimentMirror::metricIndex(const std::string& name, uint32_t guess) {
    // Reports bring their metrics in the same order each time.
    if (guess < m_metrics.size() && m_metrics[guess] == name)
        return guess;
    const auto known = m_metricIndices.find(name);
    if (known != m_metricIndices.end())
        return known->second;
    const auto index = static_cast<uint32_t>(m_metrics.size());
    m_metrics.push_back(name);
    m_metricIndices.emplace(name, index);
    return index;
}

void ExperimentMirror::rollBack(protocol::Cursor to) {
    m_cursor = to;
    m_changes.experiment = true;
    m_changes.warnings = true;
    if (m_experimentRecord > to.number)
        m_experiment.reset();
    dropBehind(m_states, to.number);
    dropBehind(m_warnings, to.number);
    m_bestIsOld = true;
    while (!m_trials.empty() && m_trials.back().record > to.number) {
        m_told[m_trials.size() - 1].curvesReplaced = true;
        m_trials.pop_back();
    }
    for (MirroredTrial& trial : m_trials)
        rollBack(trial, to.number);
}

void ExperimentMirror::rollBack(MirroredTrial& trial, RecordNumber last) {
    dropBehind(trial.states, last);
    dropBehind(trial.attempts, last);
    dropBehind(trial.checkpoints, last);
    for (MirroredCheckpoint& checkpoint : trial.checkpoints) {
        if (checkpoint.unusable > last)
            checkpoint.unusable.reset();
        if (checkpoint.removed > last)
            checkpoint.removed.reset();
        for (; !checkpoint.growths.empty() && checkpoint.growths.back().record > last;
             checkpoint.growths.pop_back()) {
            checkpoint.bytes = checkpoint.growths.back().bytesBefore;
            checkpoint.files = checkpoint.growths.back().filesBefore;
        }
    }
    for (Attempt& attempt : trial.attempts) {
        if (attempt.ran > last) {
            attempt.ran.reset();
            attempt.start.node.clear();
            attempt.start.masterPort.reset();
        }
        dropBehind(attempt.ends, last);
        dropBehind(attempt.otherRanks, last);
        Reports& reports = attempt.reports;
        const size_t before = reports.rows.size();
        dropBehind(reports.rows, last);
        if (reports.rows.size() == before)
            continue;
        const int64_t iteration =
            reports.rows.empty() ? std::numeric_limits<int64_t>::min() : reports.rows.back().iteration;
        for (Curve& curve : reports.curves)
            cutAfter(curve.points, iteration);
        restoreLast(reports);
    }
    m_told[trial.id.raw()].curvesReplaced = true;
    markChanged(trial.id);
}

void ExperimentMirror::restoreLast(Reports& reports) const {
    reports.last = {};
    if (reports.rows.empty())
        return;
    if (const auto& said = reports.rows.back().said) {
        const auto metrics = base::parseJson(*said);
        if (metrics && metrics->asObject())
            reports.last = *metrics->asObject();
        return;
    }
    for (size_t i = 0; i < reports.curves.size(); ++i) {
        const Curve& curve = reports.curves[i];
        if (curve.points.empty() || curve.points.back().iteration != reports.rows.back().iteration)
            continue;
        reports.last.append(m_metrics[i], lastOf(curve));
    }
}

std::optional<Value> ExperimentMirror::newestValue(const MirroredTrial& trial,
                                                   std::string_view metricName) const {
    const Reports* reports = trial.reports();
    if (!reports)
        return std::nullopt;
    const Value* said = reports->last.find(metricName);
    if (said && !said->isNull())
        return *said;
    const auto id = metric(metricName);
    const Curve* curve = id ? reports->curve(*id) : nullptr;
    return curve && !curve->points.empty() ? std::optional(lastOf(*curve)) : std::nullopt;
}

void ExperimentMirror::setObjective(std::string metric, std::string_view mode) {
    m_objective = std::move(metric);
    m_maximise = mode == "max";
    m_bestIsOld = true;
}

const Curve* ExperimentMirror::objectiveOf(const MirroredTrial& trial) const {
    const auto objective = metric(m_objective);
    const Reports* reports = objective ? trial.reports() : nullptr;
    const Curve* curve = reports ? reports->curve(*objective) : nullptr;
    return curve && !curve->points.empty() ? curve : nullptr;
}

std::optional<ExperimentMirror::BestTrial> ExperimentMirror::best(BestScope scope) const {
    std::optional<BestTrial> best;
    for (const MirroredTrial& trial : m_trials) {
        const Curve* curve = objectiveOf(trial);
        const double value = curve ? valueBy(scope, *curve, m_maximise) : std::nan("");
        const bool isBetter = !best || (m_maximise ? value > best->value : value < best->value);
        if (!std::isnan(value) && isBetter)
            best = BestTrial{trial.id, value};
    }
    return best;
}

std::optional<TrialId> ExperimentMirror::best() const {
    if (m_bestIsOld) {
        const auto found = best(BestScope::last);
        m_best = found ? std::optional(found->trial) : std::nullopt;
    }
    m_bestIsOld = false;
    return m_best;
}

bool ExperimentMirror::hasDiverged(const MirroredTrial& trial) const {
    const Curve* curve = objectiveOf(trial);
    return curve && std::isnan(curve->points.back().value);
}

void ExperimentMirror::markChanged(TrialId id) {
    m_bestIsOld = true;
    Told& told = m_told[id.raw()];
    if (!told.changed)
        m_changed.push_back(id.raw());
    told.changed = true;
}

void ExperimentMirror::tellPoints(TrialId id, std::vector<MirrorChanges::Points>& points) {
    Told& told = m_told[id.raw()];
    const Reports* reports = m_trials[id.raw()].reports();
    const size_t curves = reports ? reports->curves.size() : 0;
    told.points.resize(std::max(told.points.size(), curves));
    for (uint32_t metric = 0; metric < told.points.size(); ++metric) {
        const auto count = static_cast<uint32_t>(metric < curves ? reports->curves[metric].points.size() : 0);
        const uint32_t before = told.points[metric];
        if (told.curvesReplaced ? before > 0 || count > 0 : count != before)
            points.push_back({id, MetricId(metric), told.curvesReplaced ? 0 : before});
        told.points[metric] = count;
    }
    told.curvesReplaced = false;
}

MirrorChanges ExperimentMirror::takeChanges() {
    MirrorChanges changes = std::exchange(m_changes, {});
    m_changes.trialsBefore = static_cast<uint32_t>(m_trials.size());
    changes.metrics = m_metrics.size() != m_metricsTold;
    m_metricsTold = static_cast<uint32_t>(m_metrics.size());
    std::sort(m_changed.begin(), m_changed.end());
    for (const uint32_t index : m_changed) {
        m_told[index].changed = false;
        // Trials that a rollback took are told by the number that is left.
        if (index >= m_trials.size())
            continue;
        tellPoints(TrialId(index), changes.points);
        if (!changes.trials.empty() && changes.trials.back().first + changes.trials.back().count == index)
            ++changes.trials.back().count;
        else
            changes.trials.push_back({index, 1});
    }
    m_changed.clear();
    m_told.resize(m_trials.size());
    const auto bestBefore = std::exchange(m_bestTold, best());
    changes.best = m_bestTold != bestBefore;
    return changes;
}

ExperimentState ExperimentMirror::state() const {
    return m_states.empty() ? ExperimentState::running : m_states.back().change.state;
}

ExperimentReason ExperimentMirror::reason() const {
    return m_states.empty() ? ExperimentReason::none : m_states.back().change.reason;
}

const Error* ExperimentMirror::error() const {
    return m_states.empty() || !m_states.back().change.error ? nullptr : &*m_states.back().change.error;
}

const MirroredTrial* ExperimentMirror::trial(TrialId id) const {
    return id.raw() < m_trials.size() ? &m_trials[id.raw()] : nullptr;
}

MirroredTrial* ExperimentMirror::find(TrialId id) {
    return id.raw() < m_trials.size() ? &m_trials[id.raw()] : nullptr;
}

Attempt* ExperimentMirror::find(MirroredTrial& trial, AttemptNumber number) {
    const auto newestFirst =
        std::find_if(trial.attempts.rbegin(), trial.attempts.rend(),
                     [number](const Attempt& attempt) { return attempt.start.attempt == number; });
    return newestFirst == trial.attempts.rend() ? nullptr : &*newestFirst;
}

std::optional<MetricId> ExperimentMirror::metric(std::string_view name) const {
    const auto known = m_metricIndices.find(name);
    return known == m_metricIndices.end() ? std::nullopt : std::optional(MetricId(known->second));
}

} // namespace trialdeck::client

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/models/cell_column.h"
#include "app/models/metric_store.h"
#include "core/protocol/messages.h"

#include <QObject>
#include <QTimer>

#include <optional>
#include <span>
#include <string>
#include <vector>

namespace trialdeck::app::models {

struct AttemptRow {
    AttemptNumber number;
    uint32_t workers = 1;
    std::string node;
    std::optional<CheckpointIndex> resumeFrom;
    base::WallTime started;
    std::optional<base::WallTime> ended;
    std::vector<protocol::WorkerEnded> ends;
};

struct CheckpointRow {
    CheckpointIndex index;
    AttemptNumber attempt;
    int64_t iteration = 0;
    uint64_t bytes = 0;
    size_t files = 0;
    base::WallTime time;
    bool removed = false;
    /// Damaged or given up: no attempt goes on from it.
    bool unusable = false;
};

struct TrialRow {
    TrialId id;
    Object configuration;
    uint64_t seed = 0;
    TrialState state = TrialState::pending;
    TrialReason reason = TrialReason::none;
    std::optional<Error> error;
    /// While it is pending: what it waits for ("1 GPU"), and the checkpoint that it goes on from.
    std::string waitsFor;
    std::optional<CheckpointIndex> resumesFrom;
    base::WallTime created;
    std::vector<AttemptRow> attempts;
    std::vector<CheckpointRow> checkpoints;
    /// Newest training_iteration of the newest attempt.
    int64_t iteration = 0;
    size_t reports = 0;
    /// Kept by the head, but repeated or of an attempt that a newer one has replaced: on no curve.
    size_t discardedReports = 0;
    /// Seconds of finished attempts.
    double secondsBefore = 0;
    std::optional<base::WallTime> runningSince;
    base::WallTime lastReport;
};

/// Something that went wrong and that nobody has mended since.
struct Notice {
    protocol::Severity severity = protocol::Severity::warning;
    std::optional<TrialId> trial;
    Error error;
    base::WallTime time;
    /// What the worker said last, cleaned.
    std::string logTail;
};

/// What happened since the change before. Trials are numbered by their row.
struct ExperimentChange {
    /// Everything before is void: the head's journal begins anew.
    bool restarted = false;
    size_t firstNewTrial = 0;
    size_t newTrials = 0;
    /// Trials that were there before and have other values now, rising.
    std::vector<size_t> changedTrials;
    size_t firstNewParameter = 0;
    size_t newParameters = 0;
    size_t firstNewMetric = 0;
    size_t newMetrics = 0;
    /// State, name or counts of the experiment.
    bool header = false;
    bool notices = false;
    bool bestTrial = false;
};

/// One experiment as its records tell it: trials, curves, cells. Owned by its page's presenter, on the
/// window's thread. Records go in as they come; changed() follows at most 20 times a second.
class ExperimentData : public QObject {
    Q_OBJECT

public:
    explicit ExperimentData(ExperimentId id, QObject* parent = nullptr);

    [[nodiscard]] const ExperimentId& id() const { return m_id; }
    [[nodiscard]] const std::vector<TrialRow>& trials() const { return m_trials; }
    [[nodiscard]] const MetricStore& curves() const { return m_curves; }
    [[nodiscard]] const std::vector<std::string>& parameters() const { return m_parameters; }
    [[nodiscard]] const std::vector<std::string>& metrics() const { return m_curves.metrics(); }
    [[nodiscard]] const CellColumn& parameterCells(size_t parameter) const {
        return m_parameterCells[parameter];
    }
    /// Each trial's newest value of the metric.
    [[nodiscard]] const CellColumn& metricCells(size_t metric) const { return m_metricCells[metric]; }
    [[nodiscard]] const std::vector<Notice>& notices() const { return m_notices; }
    [[nodiscard]] const std::optional<protocol::ExperimentSummary>& summary() const { return m_summary; }
    [[nodiscard]] ExperimentState state() const { return m_state; }
    [[nodiscard]] ExperimentReason reason() const { return m_reason; }
    /// By the newest report, as the experiment's metric and mode say; nothing without them.
    [[nodiscard]] std::optional<TrialId> bestTrial() const { return m_best; }
    /// Of the newest record.
    [[nodiscard]] base::WallTime lastEvent() const { return m_lastEvent; }
    /// Seconds that the trial's workers have run, up to `now` for a running one.
    [[nodiscard]] static double seconds(const TrialRow& trial, base::WallTime now);

public slots:
    void apply(std::span<const protocol::Record> records);
    void setSummary(const protocol::ExperimentSummary& summary);
    /// Forgets all records: they will come again from the first.
    void restart();
    /// Emits what is waiting now.
    void flush();

signals:
    void changed(const trialdeck::app::models::ExperimentChange& change);

private:
    void take(const protocol::Record& record, const protocol::TrialCreated& body);
    void take(const protocol::Record& record, const protocol::AttemptStarted& body);
    void take(const protocol::Record& record, const protocol::TrialStateChanged& body);
    void take(const protocol::Record& record, const protocol::ReportReceived& body);
    void take(const protocol::Record& record, const protocol::CheckpointCommitted& body);
    void take(const protocol::Record& record, const protocol::CheckpointRemoved& body);
    void take(const protocol::Record& record, const protocol::CheckpointUnusable& body);
    void take(const protocol::Record& record, const protocol::WorkerEnded& body);
    void take(const protocol::Record& record, const protocol::WarningRaised& body);
    void take(const protocol::Record& record, const protocol::ExperimentStateChanged& body);
    template<typename Other>
    void take(const protocol::Record&, const Other&) {}

    TrialRow* find(TrialId id);
    void touch(TrialId id);
    void setParameters(size_t row, const Object& configuration);
    void schedule();
    void findBest();

    ExperimentId m_id;
    std::optional<protocol::ExperimentSummary> m_summary;
    std::vector<TrialRow> m_trials;
    MetricStore m_curves;
    std::vector<std::string> m_parameters;
    std::vector<CellColumn> m_parameterCells;
    std::vector<CellColumn> m_metricCells;
    std::vector<Notice> m_notices;
    ExperimentState m_state = ExperimentState::running;
    ExperimentReason m_reason = ExperimentReason::none;
    std::optional<TrialId> m_best;
    base::WallTime m_lastEvent;

    ExperimentChange m_pending;
    std::vector<bool> m_touched;
    QTimer m_flushTimer;
};

} // namespace trialdeck::app::models

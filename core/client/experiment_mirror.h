// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/client/mirrored_trial.h"
#include "core/protocol/messages/records.h"

#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace trialdeck::client {

struct MirroredWarning {
    RecordNumber record;
    base::WallTime time;
    protocol::WarningRaised warning;
};

/// By what of its newest attempt's curve a trial is compared; named as the scopes of Ray's get_best_trial.
enum class BestScope {
    last,
    avg,
    last_5_avg,
    last_10_avg,
    /// The best point.
    all,
};
/// "last", "avg", "last-5-avg", "last-10-avg", "all"
[[nodiscard]] std::string_view nameOf(BestScope scope);
/// Also "best" for `all`.
[[nodiscard]] std::optional<BestScope> bestScopeFromString(std::string_view name);

/// What became different since it was last asked, coarse enough for a window: whole ranges of rows, and new
/// points as "from this index on".
struct MirrorChanges {
    struct Range {
        uint32_t first = 0;
        uint32_t count = 0;
        friend bool operator==(const Range&, const Range&) = default;
    };
    struct Points {
        TrialId trial;
        MetricId metric;
        /// Points before this index are as they were; 0: all are new.
        uint32_t first = 0;
        friend bool operator==(const Points&, const Points&) = default;
    };
    /// Name, state, plan or specification of the experiment.
    bool experiment = false;
    bool warnings = false;
    bool best = false;
    /// Some metrics are new at the end of the list.
    bool metrics = false;
    /// How many trials there were before; fewer now only after a rollback.
    uint32_t trialsBefore = 0;
    /// Changed or new trials, rising, without overlap.
    std::vector<Range> trials;
    std::vector<Points> points;

    [[nodiscard]] bool empty() const;
};

/// Folds an experiment's records into the experiment as a person sees it. A value without I/O, for one thread
/// at a time; window and trialdeckctl share it.
class ExperimentMirror {
public:
    /// From now on each report's own words are kept beside the curves: for those who hand them on exactly.
    void keepReports() { m_keepsReports = true; }

    /// Takes the lines of an event and moves the cursor behind them. Records that are known already are
    /// passed over, lines that cannot be read are counted.
    void apply(const protocol::RecordsEvent& event);
    /// Takes whole lines of the epoch that writes them.
    void applyLines(std::string_view lines);
    void apply(protocol::Record record);

    /// Drops everything behind the cursor: a crash took it.
    void rollBack(protocol::Cursor to);

    /// Which trial is best depends on these (ExperimentSummary): the newest value of `metric`, "min" or
    /// "max". Without a metric none is.
    void setObjective(std::string metric, std::string_view mode);

    /// What changed since the last call.
    [[nodiscard]] MirrorChanges takeChanges();

    [[nodiscard]] protocol::Cursor cursor() const { return m_cursor; }
    /// Null before the first record.
    [[nodiscard]] const protocol::ExperimentCreated* experiment() const {
        return m_experiment ? &*m_experiment : nullptr;
    }
    [[nodiscard]] ExperimentState state() const;
    [[nodiscard]] ExperimentReason reason() const;
    /// Null where the state has none.
    [[nodiscard]] const Error* error() const;
    /// By TrialId.
    [[nodiscard]] const std::vector<MirroredTrial>& trials() const { return m_trials; }
    [[nodiscard]] const MirroredTrial* trial(TrialId id) const;
    /// Names of numeric metrics, by MetricId.
    [[nodiscard]] const std::vector<std::string>& metrics() const { return m_metrics; }
    [[nodiscard]] std::optional<MetricId> metric(std::string_view name) const;
    /// By the newest value of the objective in each trial's newest attempt; NaN never wins, the earlier trial
    /// wins a draw.
    [[nodiscard]] std::optional<TrialId> best() const;
    struct BestTrial {
        TrialId trial;
        double value = 0;
        friend bool operator==(const BestTrial&, const BestTrial&) = default;
    };
    /// The best by another scope. An average over a NaN is none; the best point of a curve passes over NaN.
    [[nodiscard]] std::optional<BestTrial> best(BestScope scope) const;
    /// The newest value of the objective is NaN: it takes no part in the choice of the best.
    [[nodiscard]] bool hasDiverged(const MirroredTrial& trial) const;
    /// What the newest attempt said last of a metric, as it was reported; a report without it leaves the one
    /// before. Nothing where it never came. Where it is not in the newest report, whole numbers beyond 2^53
    /// are rounded.
    [[nodiscard]] std::optional<Value> newestValue(const MirroredTrial& trial, std::string_view metric) const;
    [[nodiscard]] const std::vector<MirroredWarning>& warnings() const { return m_warnings; }
    [[nodiscard]] uint64_t unreadableLines() const { return m_unreadable; }

private:
    struct StateRecord {
        RecordNumber record;
        protocol::ExperimentStateChanged change;
    };
    struct TextHash {
        using is_transparent = void;
        size_t operator()(std::string_view text) const { return std::hash<std::string_view>{}(text); }
    };
    /// What has been told of a trial, so that changes can be told.
    struct Told {
        bool changed = false;
        /// Its curves are another attempt's, or shorter than they were.
        bool curvesReplaced = false;
        /// Points told, by MetricId.
        std::vector<uint32_t> points;
    };
    struct Fold;

    MirroredTrial* find(TrialId id);
    static Attempt* find(MirroredTrial& trial, AttemptNumber number);
    void fold(const protocol::Record& record, protocol::ReportReceived& report);
    void addPoints(Reports& reports, const protocol::ReportReceived& report);
    uint32_t metricIndex(const std::string& name, uint32_t guess);
    void rollBack(MirroredTrial& trial, RecordNumber last);
    void restoreLast(Reports& reports) const;
    void markChanged(TrialId id);
    const Curve* objectiveOf(const MirroredTrial& trial) const;
    void tellPoints(TrialId id, std::vector<MirrorChanges::Points>& points);

    protocol::Cursor m_cursor;
    std::optional<protocol::ExperimentCreated> m_experiment;
    RecordNumber m_experimentRecord;
    std::vector<StateRecord> m_states;
    std::vector<MirroredTrial> m_trials;
    std::vector<MirroredWarning> m_warnings;
    std::vector<std::string> m_metrics;
    std::unordered_map<std::string, uint32_t, TextHash, std::equal_to<>> m_metricIndices;
    std::string m_objective;
    bool m_maximise = false;
    /// Found again when it is asked for and something changed.
    mutable std::optional<TrialId> m_best;
    mutable bool m_bestIsOld = false;
    uint64_t m_unreadable = 0;
    bool m_keepsReports = false;

    std::vector<Told> m_told;
    std::vector<uint32_t> m_changed;
    MirrorChanges m_changes;
    uint32_t m_metricsTold = 0;
    std::optional<TrialId> m_bestTold;
};

} // namespace trialdeck::client

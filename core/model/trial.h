// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/model/configuration.h"
#include "core/model/metric.h"
#include "core/model/report.h"
#include "core/protocol/ids.h"
#include "core/protocol/states.h"

#include <limits>
#include <optional>
#include <string>
#include <vector>

namespace trialdeck::model {

/// A complete folder checkpoint_00000N of a trial.
struct Checkpoint {
    CheckpointIndex index;
    AttemptNumber attempt;
    int64_t iteration = 0;
    /// Of its report's metric checkpoint_score_attribute; nothing where that is missing or no number.
    std::optional<double> score = {};
    /// Attempts that went on from it and failed before their first report.
    uint32_t fruitlessAttempts = 0;
    /// Damaged, or two attempts came to nothing: no attempt goes on from it.
    bool unusable = false;
    friend bool operator==(const Checkpoint&, const Checkpoint&) = default;
};

/// One accepted value of the search's metric.
struct CurvePoint {
    int64_t iteration = 0;
    double value = 0;
    friend bool operator==(const CurvePoint&, const CurvePoint&) = default;
};

/// The iteration of a report that names none; the largest number has none behind it and is repeated.
[[nodiscard]] constexpr int64_t iterationAfter(int64_t last) {
    return last < std::numeric_limits<int64_t>::max() ? last + 1 : last;
}

enum class BestScope {
    /// By the last report that has the metric.
    last,
    /// By the best report.
    best,
};

/// Whether a trial may go from one state to another.
[[nodiscard]] bool mayMove(TrialState from, TrialState to);
/// Whether the reason belongs to the state: completed to TERMINATED, oom to ERROR, …. A running trial may
/// already have the reason for which it is being ended.
[[nodiscard]] bool reasonFits(TrialState state, TrialReason reason);

/// One configuration being run: the state that the journal's records add up to. Changed by the tuner alone,
/// on its loop; knows no clock and no process.
class Trial {
public:
    Trial(TrialId id, Configuration configuration, uint64_t seed);

    [[nodiscard]] TrialId id() const { return m_id; }
    [[nodiscard]] const Configuration& configuration() const { return m_configuration; }
    [[nodiscard]] uint64_t seed() const { return m_seed; }
    [[nodiscard]] TrialState state() const { return m_state; }
    [[nodiscard]] TrialReason reason() const { return m_reason; }
    [[nodiscard]] const std::optional<Error>& error() const { return m_error; }

    /// @return wrong_state where the table does not allow it; nothing is changed then. To the same state with
    /// another reason is allowed for unfinished ones.
    [[nodiscard]] Expected<void> moveTo(TrialState state, TrialReason reason,
                                        std::optional<Error> error = std::nullopt);

    /// Nothing before the first attempt.
    [[nodiscard]] std::optional<AttemptNumber> attempt() const { return m_attempt; }
    [[nodiscard]] AttemptNumber nextAttempt() const;
    /// A new attempt takes over behind `firstIteration` (its checkpoint's; 0 on a fresh start): points of the
    /// curve above it no longer count.
    void beginAttempt(AttemptNumber attempt, int64_t firstIteration);

    /// The iteration of a report that names none: one more than the last of the attempt.
    [[nodiscard]] int64_t nextIteration() const { return iterationAfter(m_iteration); }
    /// Takes a report that counts. `metric` is the search's, where it has one.
    void addReport(int64_t iteration, const Object& metrics, const std::optional<Metric>& metric);

    /// Newest iteration of the newest attempt; where it began before any report.
    [[nodiscard]] int64_t iteration() const { return m_iteration; }
    /// Reports that counted, over all attempts.
    [[nodiscard]] uint64_t reportCount() const { return m_reportCount; }
    /// Metrics of the newest report that counted; empty from the start of an attempt that goes back behind
    /// it.
    [[nodiscard]] const Object& lastMetrics() const { return m_lastMetrics; }
    /// The metric's values along the newest attempt's curve, iterations rising. NaN and infinities included.
    [[nodiscard]] const std::vector<CurvePoint>& curve() const { return m_curve; }
    /// Nothing where the curve has no number (NaN counts as none).
    [[nodiscard]] std::optional<double> value(Mode mode, BestScope scope = BestScope::last) const;
    /// The newest value of the metric is NaN.
    [[nodiscard]] bool diverged() const;

    void addCheckpoint(Checkpoint checkpoint);
    void removeCheckpoint(CheckpointIndex index);
    [[nodiscard]] const std::vector<Checkpoint>& checkpoints() const { return m_checkpoints; }
    [[nodiscard]] const Checkpoint* findCheckpoint(CheckpointIndex index) const;
    /// The newest that an attempt may go on from; null where there is none.
    [[nodiscard]] const Checkpoint* newestCheckpoint() const;
    void markUnusable(CheckpointIndex index);
    /// An attempt that went on from it failed before its first report.
    void noteFruitless(CheckpointIndex index);
    /// Never one that was given before, also where the newest was removed.
    [[nodiscard]] CheckpointIndex nextCheckpoint() const { return m_nextCheckpoint; }

private:
    TrialId m_id;
    Configuration m_configuration;
    uint64_t m_seed;
    TrialState m_state = TrialState::pending;
    TrialReason m_reason = TrialReason::queued;
    std::optional<Error> m_error;
    std::optional<AttemptNumber> m_attempt;
    int64_t m_iteration = 0;
    uint64_t m_reportCount = 0;
    Object m_lastMetrics;
    std::vector<CurvePoint> m_curve;
    std::vector<Checkpoint> m_checkpoints;
    CheckpointIndex m_nextCheckpoint{0};
};

} // namespace trialdeck::model

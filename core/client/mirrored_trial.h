// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/protocol/record.h"

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace trialdeck::client {

/// Index of a metric in ExperimentMirror::metrics(), in order of first appearance.
using MetricId = base::StrongId<struct MetricTag, uint32_t>;

/// One value of a curve. `value` may be NaN or infinite; whole numbers beyond 2^53 are rounded here and exact
/// in Reports::last.
struct Point {
    int64_t iteration = 0;
    double value = 0;
    friend bool operator==(const Point&, const Point&) = default;
};

/// One metric of one attempt, iterations rising.
struct Curve {
    std::vector<Point> points;
    /// Every value was reported as a whole number.
    bool whole = true;
};

/// One report of rank 0.
struct ReportRow {
    RecordNumber record;
    base::WallTime time;
    int64_t iteration = 0;
    /// The report's metrics as JSON, exact; null unless ExperimentMirror::keepReports() was called before.
    std::shared_ptr<const std::string> said = {};
};

/// What rank 0 of an attempt reported. An attempt that resumed begins with the points of the one before, up
/// to the checkpoint's iteration. Repeated and superseded reports are counted only.
struct Reports {
    std::vector<ReportRow> rows;
    /// By MetricId; shorter than the list of metrics where later ones never came.
    std::vector<Curve> curves;
    /// The newest report, numbers exact, in the order reported. After a rollback, where reports are not kept,
    /// made from the curves: then without what is no number.
    Object last;
    uint64_t repeated = 0;
    uint64_t superseded = 0;

    [[nodiscard]] const Curve* curve(MetricId metric) const {
        return metric.raw() < curves.size() ? &curves[metric.raw()] : nullptr;
    }
};

/// The newest report of a rank other than 0.
struct RankReport {
    RecordNumber record;
    uint32_t rank = 0;
    int64_t iteration = 0;
    Object metrics;
};

struct WorkerEnding {
    RecordNumber record;
    base::WallTime time;
    protocol::WorkerEnded end;
};

struct Attempt {
    /// It was planned; `started` is when.
    RecordNumber record;
    base::WallTime started;
    protocol::AttemptStarted start;
    /// Told again, with its node, once all of its workers ran; missing before.
    std::optional<RecordNumber> ran;
    std::vector<WorkerEnding> ends;
    Reports reports;
    std::vector<RankReport> otherRanks;

    /// When the last of its workers ended; missing while any may be running.
    [[nodiscard]] std::optional<base::WallTime> ended() const;
};

struct TrialStateRecord {
    RecordNumber record;
    base::WallTime time;
    protocol::TrialStateChanged change;
};

struct MirroredCheckpoint {
    RecordNumber record;
    base::WallTime time;
    AttemptNumber attempt;
    CheckpointIndex index;
    int64_t iteration = 0;
    uint64_t bytes = 0;
    size_t files = 0;
    /// What it held before other ranks' files joined it, and the record that brought them: oldest first.
    struct Growth {
        RecordNumber record;
        uint64_t bytesBefore = 0;
        size_t filesBefore = 0;
    };
    std::vector<Growth> growths;
    /// Record that said that no attempt goes on from it any more.
    std::optional<RecordNumber> unusable;
    /// Record that removed it.
    std::optional<RecordNumber> removed;
};

/// A trial as its records tell it.
struct MirroredTrial {
    RecordNumber record;
    base::WallTime created;
    TrialId id;
    Object configuration;
    uint64_t seed = 0;
    /// Oldest first; the newest is the trial's state. Empty: PENDING.
    std::vector<TrialStateRecord> states;
    /// Each once, however often it was told of.
    std::vector<Attempt> attempts;
    std::vector<MirroredCheckpoint> checkpoints;

    [[nodiscard]] TrialState state() const;
    [[nodiscard]] TrialReason reason() const;
    /// Null where its state has none.
    [[nodiscard]] const Error* error() const;
    /// Null before the first start.
    [[nodiscard]] const Attempt* newestAttempt() const {
        return attempts.empty() ? nullptr : &attempts.back();
    }
    /// Of the newest attempt; null before the first start.
    [[nodiscard]] const Reports* reports() const {
        return attempts.empty() ? nullptr : &attempts.back().reports;
    }
    /// training_iteration of the newest report, or of the checkpoint that was resumed from.
    [[nodiscard]] std::optional<int64_t> iteration() const;
    /// Time during which it had workers, over all attempts; `now` counts for one that is running.
    [[nodiscard]] std::chrono::milliseconds runningTime(base::WallTime now) const;
};

} // namespace trialdeck::client

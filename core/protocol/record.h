// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/clock.h"
#include "core/base/value.h"
#include "core/protocol/ids.h"
#include "core/protocol/states.h"

#include <optional>
#include <string>
#include <variant>
#include <vector>

/// The records of an experiment's journal: the truth of which everything else is a projection. A record is
/// one line of JSON, `{"n": number, "t": time, "kind": …, fields…}`; the same bytes lie in the journal and
/// travel to clients, so that catching up is a read from disk. Kinds and fields are only ever added.
namespace trialdeck::protocol {

/// Which process writes a segment; boot id and start ticks tell it from a later one with the same pid.
struct Writer {
    std::string host;
    std::string boot;
    int64_t pid = 0;
    uint64_t startTicks = 0;
    friend bool operator==(const Writer&, const Writer&) = default;
};

/// What the next segment takes over of the one before: bytes beyond `length` are nobody's.
struct Predecessor {
    uint32_t segment = 0;
    uint64_t length = 0;
    std::string sha256;
    friend bool operator==(const Predecessor&, const Predecessor&) = default;
};

/// kind "segment": first line of each segment file. Its number is that of the segment's first record - 1,
/// and it counts as no record itself.
struct SegmentHeader {
    int version = 1;
    ExperimentId experiment;
    Writer writer;
    Epoch epoch;
    uint32_t segment = 0;
    std::optional<Predecessor> predecessor;
};

/// kind "experiment": record 1.
struct ExperimentCreated {
    ExperimentId experiment;
    std::string name;
    /// Drawn where the user gave none.
    uint64_t seed = 0;
    /// Absolute folder against which the user's relative paths are read.
    std::string baseDirectory;
    /// Absolute place of the folder when written: tells a copy from a moved folder.
    std::string folder;
    /// How many trials are planned; missing where that is open (num_samples: -1).
    std::optional<uint64_t> plannedTrials;
    std::string headVersion;
    /// True for "Try one configuration".
    bool single = false;
};

/// kind "amended": a later change of the specification, by canonical path ("search.max_concurrent_trials").
struct Amended {
    Object changes;
};

/// kind "experiment_state".
struct ExperimentStateChanged {
    ExperimentState state = ExperimentState::running;
    ExperimentReason reason = ExperimentReason::none;
    /// What the disk or the program said, where the reason wants it.
    std::optional<Error> error;
};

/// kind "trial": a recorded proposal; on replay it is applied and never computed again.
struct TrialCreated {
    TrialId trial;
    Object configuration;
    /// The trial's own seed, stable over its attempts.
    uint64_t seed = 0;
    /// Finished trials whose outcomes the Searcher knew.
    std::vector<TrialId> known;
};

/// kind "attempt". Written before the workers start, so that no crash leaves an attempt that nobody knows of;
/// then `node` is empty. Written again with node and port when all of them run.
struct AttemptStarted {
    TrialId trial;
    AttemptNumber attempt;
    uint32_t workers = 1;
    std::string node;
    /// Missing on a fresh start.
    std::optional<CheckpointIndex> resumeFrom;
    /// training_iteration of the checkpoint, 0 on a fresh start: reports without one count on from here.
    int64_t firstIteration = 0;
    std::optional<int> masterPort;
};

/// kind "trial_state". RUNNING with a reason: told to end, and this will be the reason of the next state
/// (user_paused: after its next checkpoint; queued: it was resumed while it ended for a pause). PENDING with
/// retry: its attempt failed and max_failures allows another; with preempted: its attempt was lost with its
/// machine, which max_preemption_failures counts. `error` is then what ended the attempt.
struct TrialStateChanged {
    TrialId trial;
    TrialState state = TrialState::pending;
    TrialReason reason = TrialReason::none;
    std::optional<Error> error;
    /// PENDING: nothing starts before; missing where it may at once.
    std::optional<base::WallTime> notBefore = {};
    /// PENDING: the checkpoint that it is to go on from.
    std::optional<CheckpointIndex> resumeFrom = {};
    /// waits_for_resources: "1 GPU".
    std::string waitsFor = {};
};

/// Marks of a report that keep it from Searcher, Scheduler, stop rules and best.
struct ReportFlags {
    /// Its training_iteration is not above the one before in the same attempt.
    bool repeated = false;
    /// It belongs to an attempt that a newer one has replaced.
    bool superseded = false;
    friend bool operator==(const ReportFlags&, const ReportFlags&) = default;
};

/// kind "report". Metrics are flat (nested ones joined with "/"), in the order reported, numbers exact;
/// lists and texts are kept as they are.
struct ReportReceived {
    TrialId trial;
    AttemptNumber attempt;
    uint32_t rank = 0;
    int64_t iteration = 0;
    ReportSource source = ReportSource::file;
    /// Offset in bytes just behind the line in its file or stream: a restarted daemon reads on from here.
    uint64_t endOffset = 0;
    ReportFlags flags;
    /// The folder in the attempt's rank folder that the worker named as a checkpoint; empty: none. The record
    /// "checkpoint" follows when it is complete.
    std::string checkpoint;
    Object metrics;
};

/// kind "decision". Only what changes something is recorded for `proceed`-minded deciders: stop and pause
/// always, continue where the Scheduler's own state depends on it.
struct DecisionMade {
    TrialId trial;
    int64_t iteration = 0;
    DecisionAction action = DecisionAction::proceed;
    /// "scheduler", or the stop rule's metric.
    std::string by;
};

struct ManifestEntry {
    std::string path;
    uint64_t bytes = 0;
    std::string sha256;
    friend bool operator==(const ManifestEntry&, const ManifestEntry&) = default;
};

/// kind "checkpoint": the folder checkpoint_<index> is complete and carries these files.
struct CheckpointCommitted {
    TrialId trial;
    AttemptNumber attempt;
    CheckpointIndex index;
    int64_t iteration = 0;
    std::vector<ManifestEntry> files;
};

/// kind "checkpoint_removed".
struct CheckpointRemoved {
    TrialId trial;
    CheckpointIndex index;
};

/// kind "checkpoint_unusable": no attempt goes on from it, nothing deletes it. `error` says why:
/// checkpoint_damaged, or checkpoint_fruitless.
struct CheckpointUnusable {
    TrialId trial;
    CheckpointIndex index;
    Error error;
};

/// kind "worker_end": one rank's end, as its supervisor saw it.
struct WorkerEnded {
    TrialId trial;
    AttemptNumber attempt;
    uint32_t rank = 0;
    std::optional<int> exitCode;
    std::optional<int> signal;
    /// worker_exit, worker_signal, worker_out_of_memory, worker_lost, worker_killed_unknown; missing after a
    /// clean exit.
    std::optional<Error> cause;
    /// Ended because we asked: not a failure whatever the signal.
    bool stoppedByUs = false;
    uint64_t peakMemoryBytes = 0;
    double seconds = 0;
    /// Last lines of standard error (else output), cleaned, at most 4 KiB.
    std::string logTail;
};

/// kind "warning": something to tell the user that changes no state.
struct WarningRaised {
    std::optional<TrialId> trial;
    Error error;
};

/// kind "heartbeat": the writer lives.
struct Heartbeat {};

/// kind "snapshot": the whole state at this record, so that replay may begin here.
struct Snapshot {
    Object state;
};

/// A kind that this version does not know: kept, shown to nobody, ends nothing.
struct UnknownRecord {
    std::string kind;
};

using RecordBody = std::variant<SegmentHeader, ExperimentCreated, Amended, ExperimentStateChanged,
                                TrialCreated, AttemptStarted, TrialStateChanged, ReportReceived, DecisionMade,
                                CheckpointCommitted, CheckpointRemoved, WorkerEnded, WarningRaised, Heartbeat,
                                Snapshot, CheckpointUnusable, UnknownRecord>;

struct Record {
    RecordNumber number;
    base::WallTime time;
    RecordBody body;
};

/// A longer line is no record.
constexpr size_t kMaxRecordBytes = size_t{32} << 20;

/// Appends the record's line with its newline. An UnknownRecord keeps its kind only.
void appendRecordLine(std::string& out, const Record& record);

/// Reads one line, without its newline. Fields of later versions are passed over, unknown kinds become
/// UnknownRecord, unknown error codes `internal` with the code put before the detail.
/// @return bad_json, bad_utf8, too_deep, too_large, missing_field or wrong_type (field).
[[nodiscard]] Expected<Record> parseRecordLine(std::string_view line);

/// "segment", "report", …
[[nodiscard]] std::string_view kindOf(const RecordBody& body);

/// A place in an experiment's records: everything up to and with `number`, as epoch `epoch` wrote it.
struct Cursor {
    Epoch epoch;
    RecordNumber number;
    friend auto operator<=>(const Cursor&, const Cursor&) = default;
};

} // namespace trialdeck::protocol

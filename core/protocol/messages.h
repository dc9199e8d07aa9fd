// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/protocol/record.h"

/// What client and head say to each other, as plain structs. PROTOCOL.md is the text that goes with them.
/// Each has one list of its fields, visited by encoder and decoder alike (fields.h): a field that is missing
/// keeps its default unless it is in `required`, one that is unknown is passed over.
/// A request names its method and the type of its result.
namespace trialdeck::protocol {

constexpr int kProtocolVersion = 1;

// ---- hello ----

struct HelloResult {
    int protocol = kProtocolVersion;
    std::string headVersion;
    /// Identifies the build: another one than the client's own is handed over from.
    std::string buildId;
    int64_t pid = 0;
    std::string host;
    /// TRIALDECK_HOME of the head, absolute.
    std::string home;
    std::string logPath;
    /// What this head can do: "experiments", "pause", "asha", …; the window shows no button without it.
    std::vector<std::string> capabilities;
    template<typename V, typename S>
    static void fields(V& v, S& s) {
        v("protocol", s.protocol);
        v("head_version", s.headVersion);
        v("build_id", s.buildId);
        v("pid", s.pid);
        v("host", s.host);
        v("home", s.home);
        v("log_path", s.logPath);
        v("capabilities", s.capabilities);
    }
};

/// First request of every session. @return version_mismatch where the ranges do not meet.
struct HelloRequest {
    static constexpr std::string_view kMethod = "hello";
    using Result = HelloResult;
    std::string clientName;
    std::string clientVersion;
    std::string buildId;
    /// A UUID that stays the same over reconnects; with the request id it names a command for an hour.
    std::string clientId;
    int protocolMin = kProtocolVersion;
    int protocolMax = kProtocolVersion;
    template<typename V, typename S>
    static void fields(V& v, S& s) {
        v("client_name", s.clientName);
        v("client_version", s.clientVersion);
        v("build_id", s.buildId);
        v("client_id", s.clientId);
        v("protocol_min", s.protocolMin);
        v("protocol_max", s.protocolMax);
    }
};

// ---- experiment.yaml ----

/// One finding in an experiment.yaml or form.
struct Problem {
    /// Canonical path, "param_space.lr.loguniform[0]"; empty for the whole file.
    std::string path;
    /// From 1; 0 where the draft came as a form or the whole file is meant.
    int line = 0;
    int column = 0;
    Severity severity = Severity::error;
    ErrorCode code = ErrorCode::internal;
    base::ErrorArguments arguments;
    /// What could stand there instead, as YAML; empty where nothing is near.
    std::string suggestion;
    template<typename V, typename S>
    static void fields(V& v, S& s) {
        v("path", s.path);
        v("line", s.line);
        v("column", s.column);
        v("severity", s.severity);
        v("code", s.code);
        v("arguments", s.arguments);
        v("suggestion", s.suggestion);
    }
};

/// Values that a parameter would take: 200 draws, or all of them where they are few.
struct ParameterPreview {
    std::string parameter;
    Array values;
    template<typename V, typename S>
    static void fields(V& v, S& s) {
        v("parameter", s.parameter);
        v("values", s.values);
    }
};

struct SpecPreview {
    /// Missing where open (num_samples: -1) or the draft has errors.
    std::optional<uint64_t> trials;
    /// After the node's size and max_concurrent_trials.
    std::optional<uint64_t> concurrentTrials;
    /// Largest training_iteration that stop or scheduler allow.
    std::optional<int64_t> iterationsPerTrial;
    std::vector<ParameterPreview> parameters;
    /// The first trial's command line, placeholders filled.
    std::vector<std::string> firstCommand;
    template<typename V, typename S>
    static void fields(V& v, S& s) {
        v("trials", s.trials);
        v("concurrent_trials", s.concurrentTrials);
        v("iterations_per_trial", s.iterationsPerTrial);
        v("parameters", s.parameters);
        v("first_command", s.firstCommand);
    }
};

struct SpecCheckResult {
    /// The draft as experiment.yaml: the user's own text where the draft was one, else written from the form.
    std::string yaml;
    /// The draft as a map with canonical keys and the structure of experiment.yaml; defaults left out.
    Value form;
    std::vector<Problem> problems;
    SpecPreview preview;
    template<typename V, typename S>
    static void fields(V& v, S& s) {
        v("yaml", s.yaml);
        v("form", s.form);
        v("problems", s.problems);
        v("preview", s.preview);
    }
};

/// Checks a draft; starts and writes nothing. Exactly one of yaml and form is given.
struct SpecCheckRequest {
    static constexpr std::string_view kMethod = "spec.check";
    using Result = SpecCheckResult;
    std::optional<std::string> yaml;
    std::optional<Value> form;
    /// Absolute folder for relative paths; empty: the home.
    std::string baseDirectory;
    template<typename V, typename S>
    static void fields(V& v, S& s) {
        v("yaml", s.yaml);
        v("form", s.form);
        v("base_directory", s.baseDirectory);
    }
};

// ---- experiments ----

struct ExperimentSummary {
    ExperimentId experiment;
    std::string name;
    /// Absolute.
    std::string folder;
    ExperimentState state = ExperimentState::running;
    ExperimentReason reason = ExperimentReason::none;
    /// The folder is not there now; everything else is as last known.
    bool missing = false;
    bool single = false;
    base::WallTime created;
    std::optional<base::WallTime> ended;
    std::optional<uint64_t> plannedTrials;
    uint64_t trials = 0;
    uint64_t pending = 0;
    uint64_t running = 0;
    uint64_t paused = 0;
    uint64_t terminated = 0;
    uint64_t errored = 0;
    std::string metric;
    /// "min" or "max"; empty where no metric is named.
    std::string mode;
    std::optional<TrialId> bestTrial;
    std::optional<double> bestValue;
    /// Estimated from the trials so far; missing while nothing is known.
    std::optional<double> secondsLeft;
    Cursor cursor;
    template<typename V, typename S>
    static void fields(V& v, S& s) {
        v("experiment", s.experiment);
        v("name", s.name);
        v("folder", s.folder);
        v("state", s.state);
        v("reason", s.reason);
        v("missing", s.missing);
        v("single", s.single);
        v("created", s.created);
        v("ended", s.ended);
        v("planned_trials", s.plannedTrials);
        v("trials", s.trials);
        v("pending", s.pending);
        v("running", s.running);
        v("paused", s.paused);
        v("terminated", s.terminated);
        v("errored", s.errored);
        v("metric", s.metric);
        v("mode", s.mode);
        v("best_trial", s.bestTrial);
        v("best_value", s.bestValue);
        v("seconds_left", s.secondsLeft);
        v("epoch", s.cursor.epoch);
        v("record", s.cursor.number);
    }
};

struct ExperimentCreateResult {
    ExperimentId experiment;
    std::string folder;
    std::vector<Problem> problems;
    template<typename V, typename S>
    static void fields(V& v, S& s) {
        v("experiment", s.experiment);
        v("folder", s.folder);
        v("problems", s.problems);
    }
};

/// Checks, writes the folder and starts. A draft with errors starts nothing: the result then has an empty
/// experiment and the problems.
struct ExperimentCreateRequest {
    static constexpr std::string_view kMethod = "experiment.create";
    using Result = ExperimentCreateResult;
    std::string yaml;
    std::string baseDirectory;
    /// "Try one configuration": the first proposal alone, in an experiment of its own named `<name>-try-<n>`.
    bool single = false;
    template<typename V, typename S>
    static void fields(V& v, S& s) {
        v("yaml", s.yaml);
        v("base_directory", s.baseDirectory);
        v("single", s.single);
    }
};

struct ExperimentShowResult {
    ExperimentSummary summary;
    /// As the user wrote it.
    std::string yaml;
    /// Canonical form of yaml with later changes applied.
    Value form;
    /// environment.json: command, git commit and diff, host, versions, variables without secret-like names.
    Value environment;
    std::string baseDirectory;
    uint64_t seed = 0;
    template<typename V, typename S>
    static void fields(V& v, S& s) {
        v("summary", s.summary);
        v("yaml", s.yaml);
        v("form", s.form);
        v("environment", s.environment);
        v("base_directory", s.baseDirectory);
        v("seed", s.seed);
    }
};

struct ExperimentShowRequest {
    static constexpr std::string_view kMethod = "experiment.show";
    using Result = ExperimentShowResult;
    ExperimentId experiment;
    template<typename V, typename S>
    static void fields(V& v, S& s) {
        v("experiment", s.experiment);
    }
};

struct EmptyResult {
    template<typename V, typename S>
    static void fields(V&, S&) {}
};

/// What stopping now would lose.
struct WorkAtRiskResult {
    uint64_t runningTrials = 0;
    /// Longest running time among them.
    double runningSeconds = 0;
    /// Work since the last checkpoint (or the start), summed over the trials.
    double lostSeconds = 0;
    std::vector<TrialId> withoutCheckpoint;
    template<typename V, typename S>
    static void fields(V& v, S& s) {
        v("running_trials", s.runningTrials);
        v("running_seconds", s.runningSeconds);
        v("lost_seconds", s.lostSeconds);
        v("without_checkpoint", s.withoutCheckpoint);
    }
};

struct WorkAtRiskRequest {
    static constexpr std::string_view kMethod = "experiment.at_risk";
    using Result = WorkAtRiskResult;
    ExperimentId experiment;
    /// Missing: the whole experiment.
    std::optional<TrialId> trial;
    template<typename V, typename S>
    static void fields(V& v, S& s) {
        v("experiment", s.experiment);
        v("trial", s.trial);
    }
};

/// Nothing new starts; each running trial ends after its next checkpoint and is PAUSED. A trial that has no
/// checkpoint yet goes on until it has one, unless pauseWithoutCheckpoint: then it ends now and will start
/// anew.
struct PauseRequest {
    static constexpr std::string_view kMethod = "experiment.pause";
    using Result = EmptyResult;
    ExperimentId experiment;
    std::optional<TrialId> trial;
    bool pauseWithoutCheckpoint = false;
    template<typename V, typename S>
    static void fields(V& v, S& s) {
        v("experiment", s.experiment);
        v("trial", s.trial);
        v("pause_without_checkpoint", s.pauseWithoutCheckpoint);
    }
};

/// Goes on after a pause: attempt N+1 from the newest checkpoint.
struct ResumeRequest {
    static constexpr std::string_view kMethod = "experiment.resume";
    using Result = EmptyResult;
    ExperimentId experiment;
    std::optional<TrialId> trial;
    template<typename V, typename S>
    static void fields(V& v, S& s) {
        v("experiment", s.experiment);
        v("trial", s.trial);
    }
};

/// SIGTERM, after stop_grace_s SIGKILL. A stopped trial is TERMINATED (user); a stopped experiment is
/// INTERRUPTED where trials were unfinished.
struct StopRequest {
    static constexpr std::string_view kMethod = "experiment.stop";
    using Result = EmptyResult;
    ExperimentId experiment;
    std::optional<TrialId> trial;
    template<typename V, typename S>
    static void fields(V& v, S& s) {
        v("experiment", s.experiment);
        v("trial", s.trial);
    }
};

// ---- state: latest wins ----

struct GpuState {
    std::string uuid;
    std::string name;
    /// Used by something that is not ours: shown, not taken.
    bool busy = false;
    std::optional<TrialId> trial;
    template<typename V, typename S>
    static void fields(V& v, S& s) {
        v("uuid", s.uuid);
        v("name", s.name);
        v("busy", s.busy);
        v("trial", s.trial);
    }
};

struct NodeState {
    std::string name;
    /// What trials may use, after container limits.
    double cpus = 0;
    /// What the machine has.
    double machineCpus = 0;
    double cpusUsed = 0;
    uint64_t memoryBytes = 0;
    uint64_t memoryReservedBytes = 0;
    double load1 = 0;
    std::vector<GpuState> gpus;
    template<typename V, typename S>
    static void fields(V& v, S& s) {
        v("name", s.name);
        v("cpus", s.cpus);
        v("machine_cpus", s.machineCpus);
        v("cpus_used", s.cpusUsed);
        v("memory_bytes", s.memoryBytes);
        v("memory_reserved_bytes", s.memoryReservedBytes);
        v("load1", s.load1);
        v("gpus", s.gpus);
    }
};

struct StateSubscribeResult {
    std::vector<ExperimentSummary> experiments;
    std::vector<NodeState> nodes;
    template<typename V, typename S>
    static void fields(V& v, S& s) {
        v("experiments", s.experiments);
        v("nodes", s.nodes);
    }
};

/// The experiments and nodes now (in parts), then the events experiment_changed and node_changed.
struct StateSubscribeRequest {
    static constexpr std::string_view kMethod = "state.subscribe";
    using Result = StateSubscribeResult;
    template<typename V, typename S>
    static void fields(V&, S&) {}
};

/// The same answer once, without events.
struct StateReadRequest {
    static constexpr std::string_view kMethod = "state.read";
    using Result = StateSubscribeResult;
    template<typename V, typename S>
    static void fields(V&, S&) {}
};

struct ExperimentChangedEvent {
    static constexpr std::string_view kEvent = "experiment_changed";
    ExperimentSummary summary;
    template<typename V, typename S>
    static void fields(V& v, S& s) {
        v("summary", s.summary);
    }
};

struct NodeChangedEvent {
    static constexpr std::string_view kEvent = "node_changed";
    NodeState node;
    template<typename V, typename S>
    static void fields(V& v, S& s) {
        v("node", s.node);
    }
};

// ---- records: none lost, none twice ----

struct RecordsSubscribeResult {
    /// The epoch that writes now.
    Epoch epoch;
    /// The cursor from which records follow. Lower than asked for where a crash took records of the client's
    /// epoch: the client drops what it has behind it.
    Cursor from;
    /// Newest record at this moment: for progress while catching up.
    RecordNumber last;
    template<typename V, typename S>
    static void fields(V& v, S& s) {
        v("epoch", s.epoch);
        v("from_epoch", s.from.epoch);
        v("from_record", s.from.number);
        v("last_record", s.last);
    }
};

/// All records behind the cursor, then each new one, as events `records`.
struct RecordsSubscribeRequest {
    static constexpr std::string_view kMethod = "records.subscribe";
    using Result = RecordsSubscribeResult;
    ExperimentId experiment;
    /// (0, 0): from the beginning.
    Cursor cursor;
    template<typename V, typename S>
    static void fields(V& v, S& s) {
        v("experiment", s.experiment);
        v("epoch", s.cursor.epoch);
        v("record", s.cursor.number);
    }
};

struct RecordsUnsubscribeRequest {
    static constexpr std::string_view kMethod = "records.unsubscribe";
    using Result = EmptyResult;
    ExperimentId experiment;
    template<typename V, typename S>
    static void fields(V& v, S& s) {
        v("experiment", s.experiment);
    }
};

struct RecordsEvent {
    static constexpr std::string_view kEvent = "records";
    ExperimentId experiment;
    Epoch epoch;
    RecordNumber first;
    RecordNumber last;
    /// Whole lines of the journal.
    base::Bytes lines;
    template<typename V, typename S>
    static void fields(V& v, S& s) {
        v("experiment", s.experiment);
        v("epoch", s.epoch);
        v("first", s.first);
        v("last", s.last);
        v("lines", s.lines);
    }
};

// ---- logs ----

/// One stream of one worker; offsets in bytes count from its start, also where old segments are gone.
struct LogAddress {
    ExperimentId experiment;
    TrialId trial;
    AttemptNumber attempt;
    uint32_t rank = 0;
    OutputStream stream = OutputStream::standardOutput;
    friend bool operator==(const LogAddress&, const LogAddress&) = default;
    template<typename V, typename S>
    static void fields(V& v, S& s) {
        v("experiment", s.experiment);
        v("trial", s.trial);
        v("attempt", s.attempt);
        v("rank", s.rank);
        v("stream", s.stream);
    }
};

struct LogReadResult {
    /// Offset of data's first byte: higher than asked for where the beginning is gone.
    uint64_t offset = 0;
    base::Bytes data;
    /// Bytes the stream has now.
    uint64_t end = 0;
    /// The worker has ended: nothing will follow.
    bool complete = false;
    template<typename V, typename S>
    static void fields(V& v, S& s) {
        v("offset", s.offset);
        v("data", s.data);
        v("end", s.end);
        v("complete", s.complete);
    }
};

struct LogReadRequest {
    static constexpr std::string_view kMethod = "log.read";
    using Result = LogReadResult;
    LogAddress address;
    uint64_t offset = 0;
    /// Count `offset` back from the end.
    bool fromEnd = false;
    /// At most 128 KiB are sent.
    uint64_t maxBytes = 65536;
    template<typename V, typename S>
    static void fields(V& v, S& s) {
        v("address", s.address);
        v("offset", s.offset);
        v("from_end", s.fromEnd);
        v("max_bytes", s.maxBytes);
    }
};

/// New bytes from `offset` on, as events `log`.
struct LogSubscribeRequest {
    static constexpr std::string_view kMethod = "log.subscribe";
    using Result = EmptyResult;
    LogAddress address;
    uint64_t offset = 0;
    template<typename V, typename S>
    static void fields(V& v, S& s) {
        v("address", s.address);
        v("offset", s.offset);
    }
};

struct LogUnsubscribeRequest {
    static constexpr std::string_view kMethod = "log.unsubscribe";
    using Result = EmptyResult;
    LogAddress address;
    template<typename V, typename S>
    static void fields(V& v, S& s) {
        v("address", s.address);
    }
};

struct LogEvent {
    static constexpr std::string_view kEvent = "log";
    LogAddress address;
    uint64_t offset = 0;
    base::Bytes data;
    bool complete = false;
    template<typename V, typename S>
    static void fields(V& v, S& s) {
        v("address", s.address);
        v("offset", s.offset);
        v("data", s.data);
        v("complete", s.complete);
    }
};

// ---- files of an experiment ----

struct FileEntry {
    std::string name;
    bool directory = false;
    uint64_t bytes = 0;
    std::optional<base::WallTime> modified;
    template<typename V, typename S>
    static void fields(V& v, S& s) {
        v("name", s.name);
        v("directory", s.directory);
        v("bytes", s.bytes);
        v("modified", s.modified);
    }
};

struct FilesListResult {
    std::vector<FileEntry> entries;
    template<typename V, typename S>
    static void fields(V& v, S& s) {
        v("entries", s.entries);
    }
};

/// Names in one folder of the experiment. @return file_not_found; paths that lead out are refused.
struct FilesListRequest {
    static constexpr std::string_view kMethod = "files.list";
    using Result = FilesListResult;
    ExperimentId experiment;
    /// Relative; empty: the experiment's folder.
    std::string path;
    template<typename V, typename S>
    static void fields(V& v, S& s) {
        v("experiment", s.experiment);
        v("path", s.path);
    }
};

// ---- the head itself ----

struct DoctorCheck {
    std::string name;
    Severity severity = Severity::note;
    std::string detail;
    template<typename V, typename S>
    static void fields(V& v, S& s) {
        v("name", s.name);
        v("severity", s.severity);
        v("detail", s.detail);
    }
};

struct DoctorResult {
    std::vector<DoctorCheck> checks;
    template<typename V, typename S>
    static void fields(V& v, S& s) {
        v("checks", s.checks);
    }
};

struct DoctorRequest {
    static constexpr std::string_view kMethod = "head.doctor";
    using Result = DoctorResult;
    template<typename V, typename S>
    static void fields(V&, S&) {}
};

/// Ends the daemon. Running trials go on and wait for the next one unless stopTrials.
struct ShutdownRequest {
    static constexpr std::string_view kMethod = "head.shutdown";
    using Result = EmptyResult;
    bool stopTrials = false;
    /// Leave no mark that forbids the supervisors to start it again: a newer build takes over.
    bool handOver = false;
    template<typename V, typename S>
    static void fields(V& v, S& s) {
        v("stop_trials", s.stopTrials);
        v("hand_over", s.handOver);
    }
};

} // namespace trialdeck::protocol

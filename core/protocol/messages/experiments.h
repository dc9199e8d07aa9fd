// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/protocol/messages/spec.h"

namespace trialdeck::protocol {

struct ExperimentSummary {
    ExperimentId experiment;
    std::string name;
    /// Absolute.
    std::string folder;
    ExperimentState state = ExperimentState::running;
    ExperimentReason reason = ExperimentReason::none;
    /// The head cannot go on with it now: the folder is not there, or `error` says why. Everything else is as
    /// last known.
    bool missing = false;
    /// Why it is as it is, where state and reason do not say it all: a command that does not start, a full
    /// disk, another daemon that holds it.
    std::optional<Error> error;
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
    /// Trials whose newest value of the metric is NaN, whatever their state.
    uint64_t diverged = 0;
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
        v.required("experiment", s.experiment);
        v.required("name", s.name);
        v.required("folder", s.folder);
        v.required("state", s.state);
        v("reason", s.reason);
        v("missing", s.missing);
        v("error", s.error);
        v("single", s.single);
        v.required("created", s.created);
        v("ended", s.ended);
        v("planned_trials", s.plannedTrials);
        v("trials", s.trials);
        v("pending", s.pending);
        v("running", s.running);
        v("paused", s.paused);
        v("terminated", s.terminated);
        v("errored", s.errored);
        v("diverged", s.diverged);
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
    static constexpr RequestKind kKind = RequestKind::command;
    using Result = ExperimentCreateResult;
    std::string yaml;
    std::string baseDirectory;
    /// "Try one configuration": the first proposal alone, in an experiment of its own named `<name>-try-<n>`.
    bool single = false;
    template<typename V, typename S>
    static void fields(V& v, S& s) {
        v.required("yaml", s.yaml);
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
        v.required("summary", s.summary);
        v.required("yaml", s.yaml);
        v("form", s.form);
        v("environment", s.environment);
        v("base_directory", s.baseDirectory);
        v("seed", s.seed);
    }
};

struct ExperimentShowRequest {
    static constexpr std::string_view kMethod = "experiment.show";
    static constexpr RequestKind kKind = RequestKind::read;
    using Result = ExperimentShowResult;
    ExperimentId experiment;
    template<typename V, typename S>
    static void fields(V& v, S& s) {
        v.required("experiment", s.experiment);
    }
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
    static constexpr RequestKind kKind = RequestKind::read;
    using Result = WorkAtRiskResult;
    ExperimentId experiment;
    /// Missing: the whole experiment.
    std::optional<TrialId> trial;
    template<typename V, typename S>
    static void fields(V& v, S& s) {
        v.required("experiment", s.experiment);
        v("trial", s.trial);
    }
};

/// Nothing new starts; each running trial ends after its next checkpoint and is PAUSED. A trial that has no
/// checkpoint yet goes on until it has one, unless pauseWithoutCheckpoint: then it ends now and will start
/// anew.
struct PauseRequest {
    static constexpr std::string_view kMethod = "experiment.pause";
    static constexpr RequestKind kKind = RequestKind::command;
    using Result = EmptyResult;
    ExperimentId experiment;
    std::optional<TrialId> trial;
    bool pauseWithoutCheckpoint = false;
    template<typename V, typename S>
    static void fields(V& v, S& s) {
        v.required("experiment", s.experiment);
        v("trial", s.trial);
        v("pause_without_checkpoint", s.pauseWithoutCheckpoint);
    }
};

/// Goes on after a pause: attempt N+1 from the newest checkpoint.
struct ResumeRequest {
    static constexpr std::string_view kMethod = "experiment.resume";
    static constexpr RequestKind kKind = RequestKind::command;
    using Result = EmptyResult;
    ExperimentId experiment;
    std::optional<TrialId> trial;
    template<typename V, typename S>
    static void fields(V& v, S& s) {
        v.required("experiment", s.experiment);
        v("trial", s.trial);
    }
};

/// SIGTERM, after stop_grace_s SIGKILL. A stopped trial is TERMINATED (user); a stopped experiment is
/// INTERRUPTED where trials were unfinished.
struct StopRequest {
    static constexpr std::string_view kMethod = "experiment.stop";
    static constexpr RequestKind kKind = RequestKind::command;
    using Result = EmptyResult;
    ExperimentId experiment;
    std::optional<TrialId> trial;
    template<typename V, typename S>
    static void fields(V& v, S& s) {
        v.required("experiment", s.experiment);
        v("trial", s.trial);
    }
};

} // namespace trialdeck::protocol

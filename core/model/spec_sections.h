// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/model/experiment_spec.h"
#include "core/model/field_reader.h"
#include "core/model/spec_space.h"

#include <limits>

/// The readers of the sections of experiment.yaml: each fills its part of the specification and reports
/// every mistake. Keys are canonical already.
namespace trialdeck::model {

/// Words for what exists now and what is known but not built: the one place to change when something is.
struct Available {
    static constexpr std::string_view kAlgorithms[] = {"random", "grid"};
    static constexpr std::string_view kLaterAlgorithms[] = {
        "sobol", "tpe",  "gp",    "bayesopt",  "hyperopt", "optuna", "bohb",
        "ax",    "hebo", "zoopt", "nevergrad", "flaml",    "cfo",    "blendsearch"};
    static constexpr std::string_view kSchedulers[] = {"fifo", "asha"};
    static constexpr std::string_view kLaterSchedulers[] = {"hyperband", "pbt",        "pb2",
                                                            "median",    "bohb",       "median_stopping_rule",
                                                            "hb_bohb",   "pbt_replay", "resource_changing"};
    static constexpr std::string_view kEngines[] = {"process"};
    static constexpr std::string_view kLaterEngines[] = {"ray"};
};

/// Limits of counts and times that have none of their own: ten years tell a slip of the pen from a long wait.
inline constexpr int64_t kLargestCount = std::numeric_limits<int64_t>::max();
inline constexpr double kLongestSeconds = 10.0 * 365 * 24 * 3600;

void readTrial(const FieldReader& trial, TrialSpec& spec);
void readSearch(const FieldReader& search, const ReadSpace& space, SearchSpec& spec);
void readScheduler(const FieldReader& scheduler, SchedulerSpec& spec);
void readStop(const FieldReader& stop, const std::optional<Metric>& metric, std::vector<StopRule>& rules);
void readFailure(const FieldReader& failure, FailureSpec& spec);
void readCheckpoint(const FieldReader& checkpoint, CheckpointSpec& spec);
void readStoragePath(const FieldReader& storagePath, std::string& path);
void readSync(const FieldReader& sync, SyncSpec& spec);
void readEngine(const FieldReader& engine, EngineSpec& spec);
void readName(const FieldReader& name, std::string& text);

/// Bytes from "1GiB", "512 MB", "2G" or a number. Nothing where it is none of them or beyond 2^63.
[[nodiscard]] std::optional<uint64_t> bytesFromText(std::string_view text);

/// What the sections say together: a metric where the Scheduler wants one, a grid that is finite and not too
/// large, something that ends the experiment.
void checkTogether(const FieldReader& root, const ExperimentSpec& spec);

/// What a template left to be filled in: <NAME>, ${NAME} where nothing expands it, your-bucket, CHANGE_ME. An
/// error where it can be meant in no other way, a warning in commands and environment.
void checkUnfilled(const FieldReader& root);

/// Placeholders of the command against the parameters, and parameters that no placeholder uses.
/// `yaml` is the text that the draft came from, empty for a form.
void checkPlaceholders(const FieldReader& root, const ReadSpace& space, std::string_view yaml);

/// A sample of what the experiment would do. `complete`: the specification has no errors.
[[nodiscard]] protocol::SpecPreview previewOf(const ExperimentSpec& spec, bool complete);

} // namespace trialdeck::model

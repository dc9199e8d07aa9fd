// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/model/metric.h"
#include "core/model/search_space.h"

#include <chrono>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace trialdeck::model {

/// How a worker finds its files and variables. Paths as written: relative ones are read against the folder
/// that the user's file was opened from.
struct RuntimeEnv {
    /// Empty: that folder.
    std::string workingDir;
    /// Win over the login environment; in the order written.
    std::vector<std::pair<std::string, std::string>> envVars;
    /// An interpreter: its folder comes first in PATH.
    std::string python;
    friend bool operator==(const RuntimeEnv&, const RuntimeEnv&) = default;
};

/// Beside the report file, which is always read.
struct ReportSpec {
    /// Pattern with named groups for lines of standard output; empty: none.
    std::string stdoutPattern;
    /// The worker gets a pseudo-terminal.
    bool terminal = false;
    friend bool operator==(const ReportSpec&, const ReportSpec&) = default;
};

/// What a report without a usable number for the search's metric does to its trial.
enum class OnNan { proceed, stop, fail };
/// "continue", "stop", "fail".
[[nodiscard]] std::string_view nameOf(OnNan onNan);
[[nodiscard]] std::optional<OnNan> onNanFromString(std::string_view name);

/// num_workers: one number, or a range where training is elastic.
struct WorkerCount {
    uint32_t min = 1;
    uint32_t max = 1;
    friend bool operator==(const WorkerCount&, const WorkerCount&) = default;
};

/// What one worker asks for.
struct Resources {
    /// Cores, may be fractional.
    double cpu = 1;
    double gpu = 0;
    /// Reserved and watched; 0: none.
    uint64_t memoryBytes = 0;
    std::map<std::string, double> custom;
    /// Empty: any.
    std::string acceleratorType;
    std::map<std::string, std::string> labelSelector;
    friend bool operator==(const Resources&, const Resources&) = default;
};

enum class PlacementStrategy { pack, spread, strictPack, strictSpread };
/// "PACK", "SPREAD", "STRICT_PACK", "STRICT_SPREAD".
[[nodiscard]] std::string_view nameOf(PlacementStrategy strategy);
[[nodiscard]] std::optional<PlacementStrategy> placementStrategyFromString(std::string_view name);

struct TrialSpec {
    /// Program and arguments with {placeholders}; never joined into a shell line.
    std::vector<std::string> command;
    RuntimeEnv runtimeEnv;
    ReportSpec report;
    OnNan onNan = OnNan::proceed;
    /// Missing: silence never ends a trial.
    std::optional<std::chrono::milliseconds> noReportTimeout;
    std::chrono::milliseconds stopGrace{30'000};
    /// ray engine only.
    std::chrono::milliseconds lease{60'000};
    WorkerCount numWorkers;
    Resources resourcesPerWorker;
    PlacementStrategy placementStrategy = PlacementStrategy::pack;
    /// In place of numWorkers × resourcesPerWorker where not empty; the first is rank 0's.
    std::vector<Resources> bundles;
    friend bool operator==(const TrialSpec&, const TrialSpec&) = default;
};

enum class SearchAlgorithm { random, grid, sobol, tpe, gp };
[[nodiscard]] std::string_view nameOf(SearchAlgorithm algorithm);
[[nodiscard]] std::optional<SearchAlgorithm> searchAlgorithmFromString(std::string_view name);

struct SearchSpec {
    SearchAlgorithm algorithm = SearchAlgorithm::random;
    /// Times the size of the grid, as in Ray; -1: until the budget ends. Where only `trials` is given: 1 for
    /// grid, else -1.
    int64_t numSamples = 1;
    /// `trials`: a cap on the total.
    std::optional<uint64_t> maxTrials;
    /// Drawn by the head where missing.
    std::optional<uint64_t> seed;
    std::optional<Metric> metric;
    /// Missing: as many as fit.
    std::optional<uint32_t> maxConcurrentTrials;
    std::optional<std::chrono::milliseconds> timeBudget;
    /// Configurations (nested, may be partial) that are proposed first.
    std::vector<Object> pointsToEvaluate;
    friend bool operator==(const SearchSpec&, const SearchSpec&) = default;
};

enum class SchedulerType { fifo, asha, hyperband, pbt, median };
[[nodiscard]] std::string_view nameOf(SchedulerType type);
[[nodiscard]] std::optional<SchedulerType> schedulerTypeFromString(std::string_view name);

struct SchedulerSpec {
    SchedulerType type = SchedulerType::fifo;
    /// asha; defaults are Ray's.
    std::string timeAttr = "training_iteration";
    int64_t maxT = 100;
    int64_t gracePeriod = 1;
    double reductionFactor = 4;
    uint32_t brackets = 1;
    friend bool operator==(const SchedulerSpec&, const SchedulerSpec&) = default;
};

struct FailureSpec {
    /// -1: without limit.
    int64_t maxFailures = 0;
    bool failFast = false;
    int64_t maxPreemptionFailures = -1;
    friend bool operator==(const FailureSpec&, const FailureSpec&) = default;
};

struct CheckpointSpec {
    /// Told to the program (TRIALDECK_CHECKPOINT_FREQUENCY): every so many iterations; 0: never asked for.
    int64_t frequency = 0;
    bool atEnd = false;
    /// Missing: all.
    std::optional<int64_t> numToKeep;
    /// Empty: the newest are kept.
    std::string scoreAttribute;
    Mode scoreOrder = Mode::max;
    friend bool operator==(const CheckpointSpec&, const CheckpointSpec&) = default;
};

struct SyncSpec {
    std::vector<std::string> exclude;
    std::optional<std::chrono::milliseconds> maxLag;
    bool pathStyle = false;
    friend bool operator==(const SyncSpec&, const SyncSpec&) = default;
};

enum class EngineKind { process, ray };
[[nodiscard]] std::string_view nameOf(EngineKind kind);
[[nodiscard]] std::optional<EngineKind> engineKindFromString(std::string_view name);

struct EngineSpec {
    EngineKind kind = EngineKind::process;
    /// ray: "auto" or an address.
    std::string address;
    friend bool operator==(const EngineSpec&, const EngineSpec&) = default;
};

/// One experiment.yaml, read and checked, defaults filled in. Only checkYaml() and checkForm() make one, so
/// that whoever holds one need not check it again. A value: shared as a const snapshot.
struct ExperimentSpec {
    std::string name;
    TrialSpec trial;
    SearchSpace space;
    SearchSpec search;
    SchedulerSpec scheduler;
    std::vector<StopRule> stop;
    FailureSpec failure;
    CheckpointSpec checkpoint;
    /// As written ("~/trialdeck"); results go to storagePath/name.
    std::string storagePath = "~/trialdeck";
    SyncSpec sync;
    EngineSpec engine;
    friend bool operator==(const ExperimentSpec&, const ExperimentSpec&) = default;
};

/// How many trials there will be: num_samples times the grid, at most `trials`. A configuration of
/// points_to_evaluate takes the place of one sample, times what it leaves open of the grid, as in Ray; with
/// search_alg grid it adds one only where it is not on the grid. Nothing where that is open. Saturates at
/// 2^64 - 1.
[[nodiscard]] std::optional<uint64_t> plannedTrials(const ExperimentSpec& spec);

/// The largest training_iteration that stop rules or the Scheduler allow; nothing where nothing bounds it.
[[nodiscard]] std::optional<int64_t> lastIteration(const ExperimentSpec& spec);

} // namespace trialdeck::model

// SPDX-License-Identifier: Apache-2.0
#include "core/model/experiment_spec.h"

#include "core/base/enum_names.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace trialdeck::model {

namespace {

constexpr base::EnumNames<OnNan, 3> kOnNan{{"continue", "stop", "fail"}};
constexpr base::EnumNames<PlacementStrategy, 4> kPlacementStrategies{
    {"PACK", "SPREAD", "STRICT_PACK", "STRICT_SPREAD"}};
constexpr base::EnumNames<SearchAlgorithm, 5> kSearchAlgorithms{{"random", "grid", "sobol", "tpe", "gp"}};
constexpr base::EnumNames<SchedulerType, 5> kSchedulerTypes{{"fifo", "asha", "hyperband", "pbt", "median"}};
constexpr base::EnumNames<EngineKind, 2> kEngines{{"process", "ray"}};

uint64_t timesSaturating(uint64_t left, uint64_t right) {
    uint64_t product = 0;
    return __builtin_mul_overflow(left, right, &product) ? std::numeric_limits<uint64_t>::max() : product;
}

/// The iteration at which a rule on training_iteration ends every trial.
std::optional<int64_t> bound(const StopRule& rule) {
    if (rule.metric != "training_iteration" || !(rule.value < 0x1p62))
        return std::nullopt;
    if (rule.comparison == Comparison::ge)
        return std::max<int64_t>(1, static_cast<int64_t>(std::ceil(rule.value)));
    if (rule.comparison == Comparison::gt)
        return std::max<int64_t>(1, static_cast<int64_t>(std::floor(rule.value)) + 1);
    return std::nullopt;
}

uint64_t plusSaturating(uint64_t left, uint64_t right) {
    uint64_t sum = 0;
    return __builtin_add_overflow(left, right, &sum) ? std::numeric_limits<uint64_t>::max() : sum;
}

/// Trials of a search whose algorithm is the grid itself.
uint64_t fullGridTrials(const ExperimentSpec& spec) {
    const auto beside = std::count_if(
        spec.search.pointsToEvaluate.begin(), spec.search.pointsToEvaluate.end(),
        [&spec](const Object& point) { return !isOnGrid(spec.space, pointValues(spec.space, point)); });
    const uint64_t grid = fullGridSize(spec.space).value_or(0);
    return plusSaturating(timesSaturating(static_cast<uint64_t>(spec.search.numSamples), grid),
                          static_cast<uint64_t>(beside));
}

/// Trials of a search whose samples grid_search parameters multiply.
uint64_t sampledTrials(const ExperimentSpec& spec) {
    uint64_t trials = 0;
    for (const Object& point : spec.search.pointsToEvaluate) {
        SearchSpace open;
        const PointValues given = pointValues(spec.space, point);
        for (size_t i = 0; i < given.size(); ++i) {
            if (!given[i])
                open.parameters.push_back(spec.space.parameters[i]);
        }
        trials = plusSaturating(trials, gridSearchSize(open));
    }
    const uint64_t points = spec.search.pointsToEvaluate.size();
    const auto samples = static_cast<uint64_t>(spec.search.numSamples);
    return plusSaturating(trials,
                          timesSaturating(samples - std::min(samples, points), gridSearchSize(spec.space)));
}

} // namespace

std::string_view nameOf(OnNan onNan) {
    return kOnNan.name(onNan);
}
std::optional<OnNan> onNanFromString(std::string_view name) {
    return kOnNan.find(name);
}
std::string_view nameOf(PlacementStrategy strategy) {
    return kPlacementStrategies.name(strategy);
}
std::optional<PlacementStrategy> placementStrategyFromString(std::string_view name) {
    return kPlacementStrategies.find(name);
}
std::string_view nameOf(SearchAlgorithm algorithm) {
    return kSearchAlgorithms.name(algorithm);
}
std::optional<SearchAlgorithm> searchAlgorithmFromString(std::string_view name) {
    return kSearchAlgorithms.find(name);
}
std::string_view nameOf(SchedulerType type) {
    return kSchedulerTypes.name(type);
}
std::optional<SchedulerType> schedulerTypeFromString(std::string_view name) {
    return kSchedulerTypes.find(name);
}
std::string_view nameOf(EngineKind kind) {
    return kEngines.name(kind);
}
std::optional<EngineKind> engineKindFromString(std::string_view name) {
    return kEngines.find(name);
}

std::optional<uint64_t> plannedTrials(const ExperimentSpec& spec) {
    const SearchSpec& search = spec.search;
    std::optional<uint64_t> trials;
    if (search.numSamples >= 0)
        trials = search.algorithm == SearchAlgorithm::grid ? fullGridTrials(spec) : sampledTrials(spec);
    if (search.maxTrials)
        trials = std::min(trials.value_or(*search.maxTrials), *search.maxTrials);
    return trials;
}

std::optional<int64_t> lastIteration(const ExperimentSpec& spec) {
    std::optional<int64_t> last;
    for (const StopRule& rule : spec.stop) {
        if (const auto iteration = bound(rule))
            last = std::min(last.value_or(*iteration), *iteration);
    }
    if (spec.scheduler.type == SchedulerType::asha && spec.scheduler.timeAttr == "training_iteration")
        last = std::min(last.value_or(spec.scheduler.maxT), spec.scheduler.maxT);
    return last;
}

} // namespace trialdeck::model

// SPDX-License-Identifier: Apache-2.0
#include "core/model/spec_sections.h"
#include "core/model/yaml_writer.h"

#include <algorithm>

namespace trialdeck::model {

namespace {

/// More trials than a grid is likely to have been meant for, and far more than anyone looks through.
constexpr uint64_t kMostGridTrials = 1'000'000;
constexpr uint64_t kShownValues = 16;

/// The reader of a parameter's place in param_space.
FieldReader placeOf(const FieldReader& root, const Parameter& parameter) {
    FieldReader place = root.field("param_space");
    for (const std::string& key : parameter.path)
        place = place.field(key);
    return place;
}

void checkGrid(const FieldReader& root, const ExperimentSpec& spec) {
    if (spec.search.algorithm == SearchAlgorithm::grid) {
        for (const Parameter& parameter : spec.space.parameters) {
            const Distribution& distribution = parameter.distribution;
            if (std::holds_alternative<Constant>(distribution) ||
                std::holds_alternative<Choice>(distribution) ||
                std::holds_alternative<GridSearch>(distribution))
                continue;
            const auto count = cardinality(distribution);
            const auto values = allValues(distribution, kShownValues);
            std::string suggestion;
            if (values)
                suggestion = flowYaml(Object{{"grid_search", Value(Array(values->begin(), values->end()))}});
            placeOf(root, parameter)
                .error(ErrorCode::grid_needs_finite_space,
                       {{"parameter", parameter.name},
                        {"distribution", std::string(nameOf(parameter.kind))},
                        {"values", count ? std::to_string(*count) : std::string("infinite")}},
                       std::move(suggestion));
        }
    }
    const auto planned = plannedTrials(spec);
    const uint64_t grid = spec.search.algorithm == SearchAlgorithm::grid
                              ? fullGridSize(spec.space).value_or(0)
                              : gridSearchSize(spec.space);
    if (planned && grid > 1 && *planned > kMostGridTrials && !spec.search.maxTrials)
        root.field("search")
            .field("search_alg")
            .error(ErrorCode::grid_too_large,
                   {{"trials", std::to_string(*planned)}, {"limit", std::to_string(kMostGridTrials)}},
                   "trials: 1000");
}

/// {seed} and {config} speak of a parameter of that name where there is one.
void noteReservedNames(const FieldReader& root, const ExperimentSpec& spec) {
    for (const Parameter& parameter : spec.space.parameters) {
        if (parameter.name == "seed" || parameter.name == "config")
            placeOf(root, parameter).note(ErrorCode::seed_parameter_wins, {{"parameter", parameter.name}});
    }
}

} // namespace

void checkTogether(const FieldReader& root, const ExperimentSpec& spec) {
    const FieldReader search = root.field("search");
    const FieldReader metric = search.field("metric");
    if (!spec.search.metric && !metric.has()) {
        if (spec.scheduler.type == SchedulerType::asha)
            root.field("scheduler")
                .field("type")
                .error(ErrorCode::metric_required, {{"key", "search.metric"}, {"by", "asha"}},
                       "search: {metric: loss, mode: min}");
        else
            metric.note(ErrorCode::metric_required, {{"key", "search.metric"}, {"by", "best"}});
    }
    checkGrid(root, spec);
    noteReservedNames(root, spec);
    if (spec.search.numSamples == -1 && !spec.search.maxTrials && !spec.search.timeBudget)
        search.field("num_samples")
            .warning(ErrorCode::nothing_stops_trials, {{"value", "-1"}}, "time_budget_s: 3600");
}

} // namespace trialdeck::model

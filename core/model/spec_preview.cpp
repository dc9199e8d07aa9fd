// SPDX-License-Identifier: Apache-2.0
#include "core/model/placeholders.h"
#include "core/model/spec_sections.h"

#include <algorithm>

namespace trialdeck::model {

namespace {

constexpr uint64_t kDraws = 200;
/// A preview is for a person: parameters beyond these are left out of it.
constexpr size_t kMostParameters = 200;

Array sampleOf(const Parameter& parameter, uint64_t seed) {
    if (auto all = allValues(parameter.distribution, kDraws))
        return {std::make_move_iterator(all->begin()), std::make_move_iterator(all->end())};
    Array values;
    for (uint64_t i = 0; i < kDraws; ++i) {
        base::Rng rng(seed, i, parameter.name);
        values.push_back(draw(parameter.distribution, rng));
    }
    return values;
}

/// What the first trial gets: as random and grid propose it for this seed.
std::vector<Value> firstValues(const ExperimentSpec& spec, uint64_t seed) {
    const std::vector<Object>& points = spec.search.pointsToEvaluate;
    const PointValues given = pointValues(spec.space, points.empty() ? Object() : points.front());
    std::vector<Value> values;
    for (size_t i = 0; i < given.size(); ++i) {
        const Parameter& parameter = spec.space.parameters[i];
        base::Rng rng(seed, 0, parameter.name);
        if (given[i])
            values.push_back(*given[i]);
        else if (spec.search.algorithm == SearchAlgorithm::grid ||
                 std::holds_alternative<GridSearch>(parameter.distribution))
            values.push_back(valueAt(parameter.distribution, 0));
        else
            values.push_back(draw(parameter.distribution, rng));
    }
    return values;
}

} // namespace

protocol::SpecPreview previewOf(const ExperimentSpec& spec, bool complete) {
    protocol::SpecPreview preview;
    const uint64_t seed = spec.search.seed.value_or(0);
    for (const Parameter& parameter : spec.space.parameters) {
        if (preview.parameters.size() >= kMostParameters)
            break;
        preview.parameters.push_back({parameter.name, sampleOf(parameter, seed)});
    }
    if (!complete)
        return preview;
    preview.trials = plannedTrials(spec);
    if (spec.search.maxConcurrentTrials)
        preview.concurrentTrials = std::min<uint64_t>(
            *spec.search.maxConcurrentTrials, preview.trials.value_or(*spec.search.maxConcurrentTrials));
    preview.iterationsPerTrial = lastIteration(spec);
    const Configuration first(nestValues(spec.space, firstValues(spec, seed)));
    if (auto command = fillCommand(spec.trial.command, first, {seed, "params.json"}))
        preview.firstCommand = std::move(*command);
    return preview;
}

} // namespace trialdeck::model

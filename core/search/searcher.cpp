// SPDX-License-Identifier: Apache-2.0
#include "core/search/searcher.h"

#include "core/base/rng.h"
#include "core/search/grid_searcher.h"
#include "core/search/random_searcher.h"

namespace trialdeck::search {

Expected<std::unique_ptr<Searcher>> makeSearcher(const std::shared_ptr<const model::ExperimentSpec>& spec,
                                                 uint64_t seed) {
    switch (spec->search.algorithm) {
    case model::SearchAlgorithm::grid:
        return std::make_unique<GridSearcher>(spec);
    case model::SearchAlgorithm::random:
        return std::make_unique<RandomSearcher>(spec, seed);
    case model::SearchAlgorithm::sobol:
    case model::SearchAlgorithm::tpe:
    case model::SearchAlgorithm::gp:
        break;
    }
    return base::fail(ErrorCode::not_available_yet,
                      {{"value", std::string(model::nameOf(spec->search.algorithm))}});
}

uint64_t trialSeed(uint64_t experimentSeed, TrialId trial) {
    // No parameter can have this name: keys of YAML hold no line break.
    base::Rng rng(experimentSeed, trial.raw(), "\ntrial seed");
    return rng() >> 33U;
}

} // namespace trialdeck::search

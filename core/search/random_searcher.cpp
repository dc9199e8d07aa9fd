// SPDX-License-Identifier: Apache-2.0
#include "core/search/random_searcher.h"

namespace trialdeck::search {

namespace {

bool isGridSearch(const model::Parameter& parameter) {
    return std::holds_alternative<model::GridSearch>(parameter.distribution);
}

/// The grid_search parameters that `fixed` leaves open.
Grid openGrid(const model::SearchSpace& space, const model::PointValues& fixed) {
    std::vector<size_t> axes;
    for (size_t i = 0; i < space.parameters.size(); ++i) {
        if (isGridSearch(space.parameters[i]) && !fixed[i])
            axes.push_back(i);
    }
    return {space, axes};
}

} // namespace

RandomSearcher::RandomSearcher(std::shared_ptr<const model::ExperimentSpec> spec, uint64_t seed)
    : m_spec(std::move(spec)), m_seed(seed),
      m_grid(openGrid(m_spec->space, model::PointValues(m_spec->space.parameters.size()))),
      m_size(model::plannedTrials(*m_spec)) {
    for (const Object& point : m_spec->search.pointsToEvaluate) {
        model::PointValues fixed = model::pointValues(m_spec->space, point);
        Grid open = openGrid(m_spec->space, fixed);
        m_points.push_back({std::move(fixed), std::move(open)});
    }
}

Expected<model::Configuration> RandomSearcher::propose(uint64_t number, std::span<const Outcome>) const {
    if (m_size && number >= *m_size)
        return base::fail(ErrorCode::search_space_exhausted, {{"trials", std::to_string(*m_size)}});
    const std::vector<model::Parameter>& parameters = m_spec->space.parameters;
    const Grid* grid = &m_grid;
    const model::PointValues* fixed = nullptr;
    uint64_t index = number;
    for (const Point& point : m_points) {
        if (index < point.open.size()) {
            grid = &point.open;
            fixed = &point.fixed;
            break;
        }
        index -= point.open.size();
    }
    std::vector<Value> values(parameters.size());
    for (size_t i = 0; i < parameters.size(); ++i) {
        if (fixed && (*fixed)[i]) {
            values[i] = *(*fixed)[i];
        } else if (!isGridSearch(parameters[i])) {
            base::Rng rng(m_seed, number, parameters[i].name);
            values[i] = model::draw(parameters[i].distribution, rng);
        }
    }
    grid->fill(index % grid->size(), values);
    return model::Configuration(model::nestValues(m_spec->space, values));
}

} // namespace trialdeck::search

// SPDX-License-Identifier: Apache-2.0
#include "core/search/grid_searcher.h"

#include <algorithm>
#include <limits>
#include <numeric>

namespace trialdeck::search {

namespace {

Grid gridOverAll(const model::SearchSpace& space) {
    std::vector<size_t> axes(space.parameters.size());
    std::iota(axes.begin(), axes.end(), size_t{0});
    return {space, axes};
}

} // namespace

GridSearcher::GridSearcher(std::shared_ptr<const model::ExperimentSpec> spec)
    : m_spec(std::move(spec)), m_grid(gridOverAll(m_spec->space)) {
    const model::SearchSpace& space = m_spec->space;
    for (const Object& point : m_spec->search.pointsToEvaluate) {
        const model::PointValues fixed = model::pointValues(space, point);
        const auto index = m_grid.find(fixed);
        if (index && std::find(m_taken.begin(), m_taken.end(), *index) != m_taken.end())
            continue;
        std::vector<Value> values(space.parameters.size());
        m_grid.fill(index.value_or(0), values);
        for (size_t i = 0; i < values.size(); ++i) {
            if (fixed[i])
                values[i] = *fixed[i];
        }
        m_points.push_back(std::move(values));
        if (index)
            m_taken.push_back(*index);
    }
    std::sort(m_taken.begin(), m_taken.end());
    m_size = model::plannedTrials(*m_spec);
}

uint64_t GridSearcher::gridIndex(uint64_t behindPoints) const {
    uint64_t index = behindPoints;
    for (const uint64_t taken : m_taken) {
        if (taken <= index)
            ++index;
    }
    return index % m_grid.size();
}

Expected<model::Configuration> GridSearcher::propose(uint64_t number, std::span<const Outcome>) const {
    if (m_size && number >= *m_size)
        return base::fail(ErrorCode::search_space_exhausted, {{"trials", std::to_string(*m_size)}});
    if (number < m_points.size())
        return model::Configuration(model::nestValues(m_spec->space, m_points[number]));
    std::vector<Value> values(m_spec->space.parameters.size());
    m_grid.fill(gridIndex(number - m_points.size()), values);
    return model::Configuration(model::nestValues(m_spec->space, values));
}

} // namespace trialdeck::search

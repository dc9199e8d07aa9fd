// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/search/grid.h"
#include "core/search/searcher.h"

namespace trialdeck::search {

/// Draws each parameter by itself; grid_search parameters multiply each sample, as in Ray Tune. A
/// configuration of points_to_evaluate takes the place of one sample; what it leaves open is drawn, and
/// multiplied where it is a grid_search. A draw rests on (seed, number of the proposal, parameter's name)
/// alone.
class RandomSearcher final : public Searcher {
public:
    RandomSearcher(std::shared_ptr<const model::ExperimentSpec> spec, uint64_t seed);

    [[nodiscard]] Expected<model::Configuration> propose(uint64_t number,
                                                         std::span<const Outcome> history) const override;
    [[nodiscard]] std::optional<uint64_t> size() const override { return m_size; }

private:
    /// A point and the grid over what it leaves open.
    struct Point {
        model::PointValues fixed;
        Grid open;
    };

    std::shared_ptr<const model::ExperimentSpec> m_spec;
    uint64_t m_seed;
    std::vector<Point> m_points;
    Grid m_grid;
    std::optional<uint64_t> m_size;
};

} // namespace trialdeck::search

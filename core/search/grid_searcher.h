// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/search/grid.h"
#include "core/search/searcher.h"

namespace trialdeck::search {

/// Every combination of the space's values once for each of num_samples, in the order written with the last
/// parameter fastest. points_to_evaluate come first: one that is on the grid is not proposed again in the
/// first round, one that is not is proposed in addition; what a point leaves open is the first value of its
/// parameter.
class GridSearcher final : public Searcher {
public:
    explicit GridSearcher(std::shared_ptr<const model::ExperimentSpec> spec);

    [[nodiscard]] Expected<model::Configuration> propose(uint64_t number,
                                                         std::span<const Outcome> history) const override;
    [[nodiscard]] std::optional<uint64_t> size() const override { return m_size; }

private:
    /// The grid point of the index-th proposal behind the points, all rounds counted on.
    [[nodiscard]] uint64_t gridIndex(uint64_t behindPoints) const;

    std::shared_ptr<const model::ExperimentSpec> m_spec;
    Grid m_grid;
    /// One full set of values a point.
    std::vector<std::vector<Value>> m_points;
    /// Grid points that the points took, rising, each once.
    std::vector<uint64_t> m_taken;
    std::optional<uint64_t> m_size;
};

} // namespace trialdeck::search

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/model/search_space.h"

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace trialdeck::search {

/// The product of some finite parameters in the order written, the last one fastest; never laid out in
/// memory. Each different value of a parameter counts once.
class Grid {
public:
    /// @param axes  indices of the parameters, rising; each is finite
    Grid(const model::SearchSpace& space, const std::vector<size_t>& axes);

    /// Saturates at 2^64 - 1; 1 without axes.
    [[nodiscard]] uint64_t size() const { return m_size; }
    /// Sets the values of the axes at the grid point, index < size(). `values` has one entry a parameter.
    void fill(uint64_t index, std::span<Value> values) const;
    /// The first grid point that agrees with what `fixed` says of the axes; nothing where it has a value that
    /// is not on the grid.
    [[nodiscard]] std::optional<uint64_t> find(const model::PointValues& fixed) const;

private:
    struct Axis {
        size_t parameter = 0;
        std::vector<Value> values;
    };

    std::vector<Axis> m_axes;
    uint64_t m_size = 1;
};

} // namespace trialdeck::search

// SPDX-License-Identifier: Apache-2.0
#include "core/search/grid.h"

#include "core/model/configuration.h"

#include <algorithm>
#include <cassert>
#include <limits>

namespace trialdeck::search {

namespace {

uint64_t timesSaturating(uint64_t left, uint64_t right) {
    uint64_t product = 0;
    return __builtin_mul_overflow(left, right, &product) ? std::numeric_limits<uint64_t>::max() : product;
}

std::optional<uint64_t> indexOf(const std::vector<Value>& values, const Value& value) {
    const std::string wanted = model::canonicalText(value);
    const auto found = std::find_if(values.begin(), values.end(), [&wanted](const Value& candidate) {
        return model::canonicalText(candidate) == wanted;
    });
    return found == values.end() ? std::nullopt : std::optional<uint64_t>(found - values.begin());
}

} // namespace

Grid::Grid(const model::SearchSpace& space, const std::vector<size_t>& axes) {
    for (const size_t parameter : axes) {
        auto values =
            model::allValues(space.parameters[parameter].distribution, std::numeric_limits<uint64_t>::max());
        assert(values && !values->empty());
        m_size = timesSaturating(m_size, values->size());
        m_axes.push_back({parameter, std::move(*values)});
    }
}

void Grid::fill(uint64_t index, std::span<Value> values) const {
    assert(index < m_size);
    for (size_t axis = m_axes.size(); axis-- > 0;) {
        const std::vector<Value>& choices = m_axes[axis].values;
        values[m_axes[axis].parameter] = choices[index % choices.size()];
        index /= choices.size();
    }
}

std::optional<uint64_t> Grid::find(const model::PointValues& fixed) const {
    uint64_t index = 0;
    for (const auto& [parameter, values] : m_axes) {
        uint64_t position = 0;
        if (fixed[parameter]) {
            const auto found = indexOf(values, *fixed[parameter]);
            if (!found)
                return std::nullopt;
            position = *found;
        }
        // Overflows only where the grid is larger than any index that is ever asked for.
        index = index * values.size() + position;
    }
    return index;
}

} // namespace trialdeck::search

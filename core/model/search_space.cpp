// SPDX-License-Identifier: Apache-2.0
#include "core/model/search_space.h"

#include <algorithm>
#include <cassert>
#include <limits>

namespace trialdeck::model {

namespace {

void put(Object& object, const std::vector<std::string>& path, size_t level, Value value) {
    const std::string& key = path[level];
    if (level + 1 == path.size()) {
        object.append(key, std::move(value));
        return;
    }
    Value* inner = object.find(key);
    if (!inner) {
        object.append(key, Object());
        inner = object.find(key);
    }
    put(*inner->asObject(), path, level + 1, std::move(value));
}

void multiplySaturating(uint64_t& product, uint64_t factor) {
    if (__builtin_mul_overflow(product, factor, &product))
        product = std::numeric_limits<uint64_t>::max();
}

/// The value at the path in nested maps; null where there is none.
const Value* valueAtPath(const Object& nested, const std::vector<std::string>& path) {
    const Object* map = &nested;
    for (size_t level = 0; level + 1 < path.size(); ++level) {
        const Value* next = map->find(path[level]);
        map = next ? next->asObject() : nullptr;
        if (!map)
            return nullptr;
    }
    return map->find(path.back());
}

} // namespace

const Parameter* SearchSpace::find(std::string_view name) const {
    const auto found = std::find_if(parameters.begin(), parameters.end(),
                                    [name](const Parameter& parameter) { return parameter.name == name; });
    return found == parameters.end() ? nullptr : &*found;
}

Object nestValues(const SearchSpace& space, const std::vector<Value>& values) {
    assert(values.size() == space.parameters.size());
    Object nested;
    for (size_t i = 0; i < values.size(); ++i)
        put(nested, space.parameters[i].path, 0, values[i]);
    return nested;
}

PointValues pointValues(const SearchSpace& space, const Object& point) {
    PointValues values;
    values.reserve(space.parameters.size());
    for (const Parameter& parameter : space.parameters) {
        const Value* value = valueAtPath(point, parameter.path);
        values.push_back(value ? std::optional(*value) : std::nullopt);
    }
    return values;
}

bool isOnGrid(const SearchSpace& space, const PointValues& point) {
    for (size_t i = 0; i < point.size(); ++i) {
        const Distribution& distribution = space.parameters[i].distribution;
        if (point[i] && !(cardinality(distribution) && toUnit(distribution, *point[i])))
            return false;
    }
    return true;
}

uint64_t gridSearchSize(const SearchSpace& space) {
    uint64_t size = 1;
    for (const Parameter& parameter : space.parameters) {
        if (const auto* grid = std::get_if<GridSearch>(&parameter.distribution))
            multiplySaturating(size, grid->values.size());
    }
    return size;
}

std::optional<uint64_t> fullGridSize(const SearchSpace& space) {
    uint64_t size = 1;
    for (const Parameter& parameter : space.parameters) {
        const Distribution& distribution = parameter.distribution;
        if (!std::holds_alternative<Constant>(distribution) &&
            !std::holds_alternative<Choice>(distribution) &&
            !std::holds_alternative<GridSearch>(distribution))
            return std::nullopt;
        multiplySaturating(size, *cardinality(distribution));
    }
    return size;
}

} // namespace trialdeck::model

// SPDX-License-Identifier: Apache-2.0
#include "core/base/enum_names.h"
#include "core/model/configuration.h"
#include "core/model/decimal_steps.h"
#include "core/model/normal_quantile.h"
#include "core/model/search_space.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <limits>
#include <unordered_set>

namespace trialdeck::model {

namespace {

constexpr base::EnumNames<DistributionKind, 14> kKinds{
    {"constant", "uniform", "quniform", "loguniform", "qloguniform", "randint", "qrandint", "lograndint",
     "qlograndint", "randn", "qrandn", "choice", "grid_search", "int"}};

constexpr double kExactWholes = 0x1p53;

/// low + u (high - low), in [low, high] also where the difference overflows.
double between(double low, double high, double u) {
    const double value = std::isfinite(high - low) ? low + (high - low) * u : low * (1 - u) + high * u;
    return std::clamp(value, low, high);
}

/// The same on the scale of the distribution.
double between(double low, double high, Scale scale, double u) {
    if (scale == Scale::linear)
        return between(low, high, u);
    return std::clamp(std::exp(between(std::log(low), std::log(high), u)), low, high);
}

/// Inverse of between(): 0 at low, 1 at high.
double share(double low, double high, Scale scale, double value) {
    if (!(low < high))
        return 0.5;
    if (scale == Scale::logarithmic)
        return share(std::log(low), std::log(high), Scale::linear, std::log(value));
    // Halves first: high - low may be infinite.
    const double position = (value / 2 - low / 2) / (high / 2 - low / 2);
    return std::clamp(position, 0.0, 1.0);
}

/// floor(u × count), below count.
uint64_t indexAt(double u, uint64_t count) {
    const double product = u * static_cast<double>(count);
    return product >= static_cast<double>(count) ? count - 1
                                                 : std::min(static_cast<uint64_t>(product), count - 1);
}

/// The multiples of a step: factors first..last.
struct Factors {
    int64_t first = 0;
    int64_t last = 0;
    /// 2^64 does not fit: then 0 stands for it.
    [[nodiscard]] uint64_t count() const {
        return static_cast<uint64_t>(last) - static_cast<uint64_t>(first) + 1;
    }
    [[nodiscard]] int64_t at(uint64_t index) const {
        return static_cast<int64_t>(static_cast<uint64_t>(first) + index);
    }
    [[nodiscard]] bool has(int64_t factor) const { return first <= factor && factor <= last; }
};

/// Nothing where the range has no step that double can tell apart.
std::optional<Factors> factorsOf(const RealRange& range) {
    if (!range.step)
        return std::nullopt;
    const DecimalSteps steps(*range.step);
    const auto first = steps.factorOf(range.low);
    const auto last = steps.factorOf(range.high);
    if (!first || !last)
        return std::nullopt;
    return Factors{*first, *last};
}

Factors factorsOf(const WholeRange& range) {
    const int64_t step = range.step;
    // Division rounds towards 0: up for negative and down for positive numbers.
    const int64_t first = range.low / step + (range.low > 0 && range.low % step != 0 ? 1 : 0);
    const int64_t last = range.high / step - (range.high < 0 && range.high % step != 0 ? 1 : 0);
    return {first, last};
}

struct FromUnit {
    double u;

    Value operator()(const Constant& constant) const { return constant.value; }
    Value operator()(const RealRange& range) const {
        const auto factors = factorsOf(range);
        if (factors) {
            const DecimalSteps steps(*range.step);
            if (range.scale == Scale::linear)
                return Value(steps.multiple(factors->at(indexAt(u, factors->count()))));
            const int64_t nearest = steps.nearestFactor(between(range.low, range.high, range.scale, u));
            return Value(steps.multiple(std::clamp(nearest, factors->first, factors->last)));
        }
        const double value = between(range.low, range.high, range.scale, u);
        return Value(value < range.high ? value : std::nextafter(range.high, range.low));
    }
    Value operator()(const WholeRange& range) const {
        const Factors factors = factorsOf(range);
        if (range.scale == Scale::linear)
            return Value(factors.at(indexAt(u, factors.count())) * range.step);
        const auto step = static_cast<double>(range.step);
        const auto low = static_cast<double>(factors.first) * step;
        const auto high = static_cast<double>(factors.last) * step;
        const double factor = range.step == 1 ? std::floor(between(low, high + 1, range.scale, u))
                                              : std::round(between(low, high, range.scale, u) / step);
        if (factor >= static_cast<double>(factors.last))
            return Value(factors.last * range.step);
        return Value(std::max(static_cast<int64_t>(factor), factors.first) * range.step);
    }
    Value operator()(const Normal& normal) const {
        // Half a grid point of Rng::uniform() away from the infinite ends.
        const double p = std::clamp(u, 0x1p-54, 1 - 0x1p-53);
        const double value = normal.mean + normal.deviation * normalQuantile(p);
        if (!normal.step)
            return Value(value);
        const DecimalSteps steps(*normal.step);
        return Value(steps.multiple(steps.nearestFactor(value)));
    }
    Value operator()(const Choice& choice) const { return choice.values[indexAt(u, choice.values.size())]; }
    Value operator()(const GridSearch& grid) const { return grid.values[indexAt(u, grid.values.size())]; }
};

std::optional<double> placeInList(const std::vector<Value>& values, const Value& value) {
    const std::string wanted = canonicalText(value);
    for (size_t i = 0; i < values.size(); ++i) {
        if (canonicalText(values[i]) == wanted)
            return (static_cast<double>(i) + 0.5) / static_cast<double>(values.size());
    }
    return std::nullopt;
}

std::vector<Value> differentValues(const std::vector<Value>& values) {
    std::vector<Value> different;
    std::unordered_set<std::string> seen;
    for (const Value& value : values) {
        if (seen.insert(canonicalText(value)).second)
            different.push_back(value);
    }
    return different;
}

struct ToUnit {
    const Value& value;

    std::optional<double> operator()(const Constant& constant) const {
        return placeInList({constant.value}, value);
    }
    std::optional<double> operator()(const RealRange& range) const {
        const auto number = value.toDouble();
        if (!number || !(*number >= range.low && *number <= range.high))
            return std::nullopt;
        const auto factors = factorsOf(range);
        if (!factors)
            return share(range.low, range.high, range.scale, *number);
        const DecimalSteps steps(*range.step);
        const int64_t factor = steps.nearestFactor(*number);
        if (!factors->has(factor) || steps.multiple(factor) != *number)
            return std::nullopt;
        if (range.scale == Scale::linear)
            return (static_cast<double>(factor - factors->first) + 0.5) /
                   static_cast<double>(factors->count());
        const double half = *range.step / 2;
        const double below = share(range.low, range.high, range.scale, std::max(*number - half, range.low));
        const double above = share(range.low, range.high, range.scale, std::min(*number + half, range.high));
        return (below + above) / 2;
    }
    std::optional<double> operator()(const WholeRange& range) const {
        const auto whole = value.isInteger() ? value.toInteger() : std::nullopt;
        const Factors factors = factorsOf(range);
        if (!whole || *whole % range.step != 0 || !factors.has(*whole / range.step))
            return std::nullopt;
        const int64_t factor = *whole / range.step;
        if (range.scale == Scale::linear) {
            const uint64_t index = static_cast<uint64_t>(factor) - static_cast<uint64_t>(factors.first);
            const double count = factors.count() == 0 ? 0x1p64 : static_cast<double>(factors.count());
            return (static_cast<double>(index) + 0.5) / count;
        }
        const auto step = static_cast<double>(range.step);
        const auto low = static_cast<double>(factors.first) * step;
        const auto high = static_cast<double>(factors.last) * step;
        const auto number = static_cast<double>(*whole);
        const double top = range.step == 1 ? high + 1 : high;
        const double below = range.step == 1 ? number : std::max(number - step / 2, low);
        const double above = range.step == 1 ? number + 1 : std::min(number + step / 2, high);
        return (share(low, top, range.scale, below) + share(low, top, range.scale, above)) / 2;
    }
    std::optional<double> operator()(const Normal& normal) const {
        const auto number = value.toDouble();
        if (!number || !std::isfinite(*number))
            return std::nullopt;
        return normalProbability((*number - normal.mean) / normal.deviation);
    }
    std::optional<double> operator()(const Choice& choice) const { return placeInList(choice.values, value); }
    std::optional<double> operator()(const GridSearch& grid) const { return placeInList(grid.values, value); }
};

struct Cardinality {
    std::optional<uint64_t> operator()(const Constant&) const { return 1; }
    std::optional<uint64_t> operator()(const RealRange& range) const {
        const auto factors = factorsOf(range);
        return factors ? std::optional(factors->count()) : std::nullopt;
    }
    std::optional<uint64_t> operator()(const WholeRange& range) const {
        const uint64_t count = factorsOf(range).count();
        return count == 0 ? std::nullopt : std::optional(count);
    }
    std::optional<uint64_t> operator()(const Normal&) const { return std::nullopt; }
    std::optional<uint64_t> operator()(const Choice& choice) const {
        return differentValues(choice.values).size();
    }
    std::optional<uint64_t> operator()(const GridSearch& grid) const { return grid.values.size(); }
};

struct ValueAt {
    uint64_t index;

    Value operator()(const Constant& constant) const { return constant.value; }
    Value operator()(const RealRange& range) const {
        return Value(DecimalSteps(*range.step).multiple(factorsOf(range)->at(index)));
    }
    Value operator()(const WholeRange& range) const { return Value(factorsOf(range).at(index) * range.step); }
    Value operator()(const Normal&) const {
        assert(!"a normal distribution has no list of values");
        return {};
    }
    Value operator()(const Choice& choice) const { return differentValues(choice.values)[index]; }
    Value operator()(const GridSearch& grid) const { return grid.values[index]; }
};

} // namespace

std::string_view nameOf(DistributionKind kind) {
    return kKinds.name(kind);
}
std::optional<DistributionKind> distributionKindFromString(std::string_view name) {
    return kKinds.find(name);
}

Value draw(const Distribution& distribution, base::Rng& rng) {
    const auto* whole = std::get_if<WholeRange>(&distribution);
    if (whole && whole->scale == Scale::linear) {
        const Factors factors = factorsOf(*whole);
        if (factors.count() == 0 || static_cast<double>(factors.count()) > kExactWholes)
            return Value(rng.uniformInteger(factors.first, factors.last) * whole->step);
    }
    return fromUnit(distribution, rng.uniform());
}

Value fromUnit(const Distribution& distribution, double u) {
    return std::visit(FromUnit{u}, distribution);
}

std::optional<double> toUnit(const Distribution& distribution, const Value& value) {
    return std::visit(ToUnit{value}, distribution);
}

std::optional<uint64_t> cardinality(const Distribution& distribution) {
    return std::visit(Cardinality{}, distribution);
}

Value valueAt(const Distribution& distribution, uint64_t index) {
    assert(index < cardinality(distribution).value_or(0));
    return std::visit(ValueAt{index}, distribution);
}

std::optional<std::vector<Value>> allValues(const Distribution& distribution, uint64_t limit) {
    if (const auto* choice = std::get_if<Choice>(&distribution)) {
        std::vector<Value> different = differentValues(choice->values);
        return different.size() <= limit ? std::optional(std::move(different)) : std::nullopt;
    }
    const auto count = cardinality(distribution);
    if (!count || *count > limit)
        return std::nullopt;
    std::vector<Value> values;
    values.reserve(*count);
    for (uint64_t i = 0; i < *count; ++i)
        values.push_back(valueAt(distribution, i));
    return values;
}

} // namespace trialdeck::model

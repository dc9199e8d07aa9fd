// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/rng.h"
#include "core/base/value.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace trialdeck::model {

/// The words of experiment.yaml. Meanings are Ray Tune's (checked against Ray 2.60); `integer` is written
/// "int" and is ours.
enum class DistributionKind {
    constant,
    uniform,
    quniform,
    loguniform,
    qloguniform,
    randint,
    qrandint,
    lograndint,
    qlograndint,
    randn,
    qrandn,
    choice,
    gridSearch,
    integer,
};

/// "uniform", "grid_search", "int", …
[[nodiscard]] std::string_view nameOf(DistributionKind kind);
[[nodiscard]] std::optional<DistributionKind> distributionKindFromString(std::string_view name);

enum class Scale { linear, logarithmic };

/// Always this one value.
struct Constant {
    Value value;
    friend bool operator==(const Constant&, const Constant&) = default;
};

/// Reals in [low, high): uniform, loguniform. With a step both ends belong to it and only multiples of the
/// step are drawn, each exactly the double nearest to its decimal (0.3, never 0.30000000000000004):
/// quniform with equal chances, qloguniform rounded from the continuous draw. A step so fine that double
/// cannot tell its multiples apart (high / step above 2^53) counts as none.
struct RealRange {
    double low = 0;
    double high = 1;
    Scale scale = Scale::linear;
    std::optional<double> step;
    friend bool operator==(const RealRange&, const RealRange&) = default;
};

/// Whole numbers low..high, both included: randint and lograndint have lost their excluded end already. With
/// a step above 1 only its multiples inside the bounds. Logarithmic: the chance of i is that of a
/// log-uniform real in [i, i + 1).
struct WholeRange {
    int64_t low = 0;
    int64_t high = 0;
    Scale scale = Scale::linear;
    int64_t step = 1;
    friend bool operator==(const WholeRange&, const WholeRange&) = default;
};

/// randn and qrandn: unbounded; rounded to a multiple of the step.
struct Normal {
    double mean = 0;
    double deviation = 1;
    std::optional<double> step;
    friend bool operator==(const Normal&, const Normal&) = default;
};

/// One of the values with equal chances; a value that stands there twice is drawn twice as often.
struct Choice {
    std::vector<Value> values;
    friend bool operator==(const Choice&, const Choice&) = default;
};

/// Every value once for each of num_samples; the values differ from each other.
struct GridSearch {
    std::vector<Value> values;
    friend bool operator==(const GridSearch&, const GridSearch&) = default;
};

/// Bounds belong to the space: every Searcher gets its values from here, whatever its algorithm. Checked when
/// the experiment is read: bounds are finite and in order, logarithmic ones above 0, lists not empty.
using Distribution = std::variant<Constant, RealRange, WholeRange, Normal, Choice, GridSearch>;

/// A value drawn with the distribution's own chances. GridSearch draws like Choice: for Searchers that have
/// no grid.
[[nodiscard]] Value draw(const Distribution& distribution, base::Rng& rng);

/// The value at u in [0, 1) of the distribution's cumulative order (list order for choices): for
/// low-discrepancy sequences and models that search the unit cube. draw() is this at a uniform u wherever the
/// number of values is at most 2^53.
[[nodiscard]] Value fromUnit(const Distribution& distribution, double u);

/// Where the value lies in [0, 1]: the middle of the interval that fromUnit() maps to it. Nothing where the
/// distribution has no such value.
[[nodiscard]] std::optional<double> toUnit(const Distribution& distribution, const Value& value);

/// How many different values there are; nothing for continuous ones and above 2^64 - 1.
[[nodiscard]] std::optional<uint64_t> cardinality(const Distribution& distribution);

/// The index-th different value, in order (lists: as written), index < cardinality().
[[nodiscard]] Value valueAt(const Distribution& distribution, uint64_t index);

/// All different values of a finite distribution with at most `limit`; nothing otherwise.
[[nodiscard]] std::optional<std::vector<Value>> allValues(const Distribution& distribution, uint64_t limit);

/// One entry of param_space that is not a map of entries.
struct Parameter {
    /// Keys from the outermost map inwards: {"opt", "lr"}.
    std::vector<std::string> path;
    /// The path joined with '/'. A key that itself has a slash is quoted where it would otherwise be taken
    /// for a nested one: opt/lr and "opt/lr".
    std::string name;
    Distribution distribution;
    /// The word that was written, for messages.
    DistributionKind kind = DistributionKind::constant;
    friend bool operator==(const Parameter&, const Parameter&) = default;
};

/// Parameters in the order written.
struct SearchSpace {
    std::vector<Parameter> parameters;

    /// By name; null where there is none.
    [[nodiscard]] const Parameter* find(std::string_view name) const;
    friend bool operator==(const SearchSpace&, const SearchSpace&) = default;
};

/// The configuration of values (one a parameter, in order): nested as param_space is written.
[[nodiscard]] Object nestValues(const SearchSpace& space, const std::vector<Value>& values);

/// What a configuration of points_to_evaluate says of each parameter, in order: nothing where it leaves one
/// open.
using PointValues = std::vector<std::optional<Value>>;
[[nodiscard]] PointValues pointValues(const SearchSpace& space, const Object& point);

/// Whether each value of the point that is given is one of its distribution's different values; for finite
/// distributions.
[[nodiscard]] bool isOnGrid(const SearchSpace& space, const PointValues& point);

/// Product of the sizes of grid_search parameters, saturating at 2^64 - 1: what num_samples multiplies
/// beside any Searcher but grid. 1 without any.
[[nodiscard]] uint64_t gridSearchSize(const SearchSpace& space);

/// Product over all parameters (search_alg: grid): nothing where one is neither grid_search, choice nor
/// constant; saturates at 2^64 - 1.
[[nodiscard]] std::optional<uint64_t> fullGridSize(const SearchSpace& space);

} // namespace trialdeck::model

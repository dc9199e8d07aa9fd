// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/value.h"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace trialdeck::model {

enum class Mode { min, max };
[[nodiscard]] std::string_view nameOf(Mode mode);
[[nodiscard]] std::optional<Mode> modeFromString(std::string_view name);

/// What is searched for: one number of the reports and its direction.
struct Metric {
    /// Flat name: "accuracy", "eval/acc".
    std::string name;
    Mode mode = Mode::min;
    friend bool operator==(const Metric&, const Metric&) = default;
};

/// Strictly better. NaN is worse than every number, infinities included, and than nothing else.
[[nodiscard]] bool isBetter(double left, double right, Mode mode);

/// A flat metric as a number: numbers as they are, texts that spell one ("nan", "0.5"), nothing for missing,
/// null, lists, maps, truth values and other texts. A missing name is looked for in its quoted form too
/// ("eval/acc" finds the literal key).
[[nodiscard]] std::optional<double> numericMetric(const Object& metrics, std::string_view name);

/// The number that the whole text spells, whole ones exact: 12, -1.5e-3, nan, NaN, -Inf, Infinity. Nothing
/// otherwise. Independent of the locale.
[[nodiscard]] std::optional<Value> numberFromText(std::string_view text);

enum class Comparison { ge, gt, le, lt };
/// "ge", "gt", "le", "lt".
[[nodiscard]] std::string_view nameOf(Comparison comparison);
[[nodiscard]] std::optional<Comparison> comparisonFromString(std::string_view name);

/// Ends a trial by its own reports: `training_iteration: 10` means ge 10, as in Ray.
struct StopRule {
    std::string metric;
    Comparison comparison = Comparison::ge;
    double value = 0;
    friend bool operator==(const StopRule&, const StopRule&) = default;
};

/// The first rule that the report meets; null where none does. NaN meets none. "training_iteration" is
/// `iteration`, everything else is looked for in the flat metrics.
[[nodiscard]] const StopRule* firstMet(const std::vector<StopRule>& rules, int64_t iteration,
                                       const Object& metrics);

} // namespace trialdeck::model

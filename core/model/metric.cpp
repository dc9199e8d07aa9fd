// SPDX-License-Identifier: Apache-2.0
#include "core/model/metric.h"

#include "core/base/enum_names.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>

namespace trialdeck::model {

namespace {

constexpr base::EnumNames<Mode, 2> kModes{{"min", "max"}};
constexpr base::EnumNames<Comparison, 4> kComparisons{{"ge", "gt", "le", "lt"}};

bool equalsIgnoringCase(std::string_view text, std::string_view lower) {
    return std::equal(text.begin(), text.end(), lower.begin(), lower.end(), [](char a, char b) {
        return (a >= 'A' && a <= 'Z' ? static_cast<char>(a - 'A' + 'a') : a) == b;
    });
}

template<typename Number>
std::optional<Number> wholeText(std::string_view text) {
    Number number{};
    const char* const end = text.data() + text.size();
    const auto [stop, error] = std::from_chars(text.data(), end, number);
    if (error != std::errc{} || stop != end)
        return std::nullopt;
    return number;
}

bool holds(Comparison comparison, double left, double right) {
    switch (comparison) {
    case Comparison::ge:
        return left >= right;
    case Comparison::gt:
        return left > right;
    case Comparison::le:
        return left <= right;
    case Comparison::lt:
        return left < right;
    }
    return false;
}

} // namespace

std::string_view nameOf(Mode mode) {
    return kModes.name(mode);
}
std::optional<Mode> modeFromString(std::string_view name) {
    return kModes.find(name);
}
std::string_view nameOf(Comparison comparison) {
    return kComparisons.name(comparison);
}
std::optional<Comparison> comparisonFromString(std::string_view name) {
    return kComparisons.find(name);
}

bool isBetter(double left, double right, Mode mode) {
    if (std::isnan(left))
        return false;
    if (std::isnan(right))
        return true;
    return mode == Mode::min ? left < right : left > right;
}

std::optional<Value> numberFromText(std::string_view text) {
    const bool negative = text.starts_with('-');
    const std::string_view bare = negative || text.starts_with('+') ? text.substr(1) : text;
    if (bare.empty() || bare.front() == '-' || bare.front() == '+')
        return std::nullopt;
    if (equalsIgnoringCase(bare, "nan"))
        return Value(std::numeric_limits<double>::quiet_NaN());
    constexpr double kInfinity = std::numeric_limits<double>::infinity();
    if (equalsIgnoringCase(bare, "inf") || equalsIgnoringCase(bare, "infinity"))
        return Value(negative ? -kInfinity : kInfinity);
    // from_chars would take "1e5" and hexadecimal words too: a number begins with a digit or a point.
    if (bare.front() != '.' && (bare.front() < '0' || bare.front() > '9'))
        return std::nullopt;
    const std::string_view withSign = negative ? text : bare;
    if (const auto whole = wholeText<int64_t>(withSign))
        return Value(*whole);
    if (const auto large = negative ? std::nullopt : wholeText<uint64_t>(bare))
        return Value(*large);
    if (const auto real = wholeText<double>(withSign))
        return Value(*real);
    return std::nullopt;
}

std::optional<double> numericMetric(const Object& metrics, std::string_view name) {
    const Value* value = metrics.find(name);
    if (!value)
        value = metrics.find('"' + std::string(name) + '"');
    if (!value)
        return std::nullopt;
    if (const std::string* text = value->asString()) {
        const auto number = numberFromText(*text);
        return number ? number->toDouble() : std::nullopt;
    }
    return value->toDouble();
}

const StopRule* firstMet(const std::vector<StopRule>& rules, int64_t iteration, const Object& metrics) {
    for (const StopRule& rule : rules) {
        const auto number = rule.metric == "training_iteration" ? static_cast<double>(iteration)
                                                                : numericMetric(metrics, rule.metric);
        if (number && holds(rule.comparison, *number, rule.value))
            return &rule;
    }
    return nullptr;
}

} // namespace trialdeck::model

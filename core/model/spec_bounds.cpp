// SPDX-License-Identifier: Apache-2.0
#include "core/model/spec_bounds.h"

#include "core/model/configuration.h"
#include "core/model/decimal_steps.h"
#include "core/model/yaml_writer.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <unordered_map>

namespace trialdeck::model {

namespace {

using Kind = DistributionKind;

/// {loguniform: [1.0e-5, 1.0]}
std::string written(Kind kind, std::vector<Value> bounds) {
    Object map;
    map.append(std::string(nameOf(kind)), Value(Array(bounds.begin(), bounds.end())));
    return flowYaml(Value(std::move(map)));
}

/// A number as short as it was thought of: 1 instead of 1.0 is left to whole ones.
std::string shownNumber(const Value& value) {
    return flowYaml(value);
}

bool hasStep(Kind kind) {
    return kind == Kind::quniform || kind == Kind::qloguniform || kind == Kind::qrandint ||
           kind == Kind::qlograndint || kind == Kind::qrandn;
}

bool isLogarithmic(Kind kind) {
    return kind == Kind::loguniform || kind == Kind::qloguniform || kind == Kind::lograndint ||
           kind == Kind::qlograndint;
}

bool isWhole(Kind kind) {
    return kind == Kind::randint || kind == Kind::qrandint || kind == Kind::lograndint ||
           kind == Kind::qlograndint || kind == Kind::integer;
}

/// The kind with a step for one without, and back.
std::optional<Kind> counterpart(Kind kind) {
    static constexpr std::array<std::pair<Kind, Kind>, 5> kPairs = {{{Kind::uniform, Kind::quniform},
                                                                     {Kind::loguniform, Kind::qloguniform},
                                                                     {Kind::randint, Kind::qrandint},
                                                                     {Kind::lograndint, Kind::qlograndint},
                                                                     {Kind::randn, Kind::qrandn}}};
    for (const auto& [plain, stepped] : kPairs) {
        if (kind == plain)
            return stepped;
        if (kind == stepped)
            return plain;
    }
    return std::nullopt;
}

/// [0,1, 0,9] was meant as [0.1, 0.9] where every entry is digits.
std::string withDecimalPoints(const FieldReader& arguments, Kind kind, size_t expected) {
    if (arguments.size() != 2 * expected)
        return {};
    std::vector<Value> bounds;
    for (size_t i = 0; i < arguments.size(); i += 2) {
        const std::string& whole = arguments.node()->items[i].text;
        const std::string& fraction = arguments.node()->items[i + 1].text;
        const bool digits =
            !fraction.empty() && fraction.find_first_not_of("0123456789") == std::string::npos;
        const ResolvedScalar number = resolvePlain(whole + '.' + fraction);
        if (!digits || !number.value.isNumber())
            return {};
        bounds.push_back(number.value);
    }
    return written(kind, std::move(bounds));
}

void reportCount(const FieldReader& arguments, Kind kind, size_t expected) {
    std::string suggestion = withDecimalPoints(arguments, kind, expected);
    const auto other = counterpart(kind);
    const size_t otherCount = hasStep(kind) ? expected - 1 : expected + 1;
    if (suggestion.empty() && other && arguments.size() == otherCount) {
        Array values = *valueOf(*arguments.node()).asArray();
        suggestion = written(*other, {values.begin(), values.end()});
    }
    arguments.error(
        ErrorCode::bounds_count,
        {{"distribution", std::string(nameOf(kind))},
         {"expected", std::to_string(expected)},
         {"found", std::to_string(arguments.size())},
         {"meant", other && arguments.size() == otherCount ? std::string(nameOf(*other)) : std::string()}},
        std::move(suggestion));
}

/// {uniform: {low: 0, high: 1}} and {uniform: 5}: offers the list of the numbers that stand there.
bool isListOfBounds(const FieldReader& arguments, Kind kind) {
    const SpecNode* node = arguments.node();
    if (node->kind == SpecNode::Kind::list)
        return true;
    std::vector<Value> numbers;
    for (const SpecEntry& entry : node->entries) {
        if (entry.node.value.isNumber())
            numbers.push_back(entry.node.value);
    }
    arguments.wrongType(ValueKind::list, numbers.size() >= 2 ? written(kind, numbers) : std::string());
    return false;
}

/// The numbers of the list; nothing where one is missing, is no number or is not finite.
std::optional<std::vector<Value>> readNumbers(const FieldReader& arguments, Kind kind, size_t expected) {
    if (!isListOfBounds(arguments, kind))
        return std::nullopt;
    if (arguments.size() != expected) {
        reportCount(arguments, kind, expected);
        return std::nullopt;
    }
    std::vector<Value> numbers;
    for (size_t i = 0; i < expected; ++i) {
        const FieldReader item = arguments.item(i);
        if (!item.has()) {
            item.wrongType(ValueKind::number);
            continue;
        }
        const auto number = item.numeric(ValueKind::number);
        if (number && !std::isfinite(*number->toDouble()))
            item.error(ErrorCode::bounds_not_finite, {{"value", shownNumber(*number)}});
        else if (number)
            numbers.push_back(*number);
    }
    return numbers.size() == expected ? std::optional(std::move(numbers)) : std::nullopt;
}

void reportReversed(const FieldReader& arguments, Kind kind, const std::vector<Value>& numbers) {
    std::vector<Value> swapped = numbers;
    std::swap(swapped[0], swapped[1]);
    arguments.error(ErrorCode::bounds_reversed,
                    {{"low", shownNumber(numbers[0])}, {"high", shownNumber(numbers[1])}},
                    written(kind, swapped));
}

/// What was meant by a logarithmic range that does not lie above 0.
std::string aboveZero(Kind kind, const std::vector<Value>& numbers) {
    const double low = *numbers[0].toDouble();
    const double high = *numbers[1].toDouble();
    std::vector<Value> bounds = numbers;
    constexpr double kSmallestPower = -300;
    if (isWhole(kind)) {
        if (high < 1)
            return {};
        bounds[0] = Value(1);
    } else if (low < 0 && high <= 0 && low >= kSmallestPower && std::trunc(low) == low &&
               std::trunc(high) == high) {
        // Exponents in place of values.
        bounds[0] = resolvePlain("1.0e" + std::to_string(static_cast<int>(low))).value;
        bounds[1] = resolvePlain("1.0e" + std::to_string(static_cast<int>(high))).value;
    } else if (high > 0) {
        constexpr double kEightDecades = 1.0e8;
        bounds[0] = hasStep(kind) ? numbers[2] : Value(high / kEightDecades);
    } else {
        return {};
    }
    return written(kind, bounds);
}

void reportNotPositive(const FieldReader& arguments, Kind kind, const std::vector<Value>& numbers) {
    const bool exponents = *numbers[0].toDouble() < 0 && *numbers[1].toDouble() <= 0;
    arguments.error(ErrorCode::bounds_not_positive,
                    {{"distribution", std::string(nameOf(kind))},
                     {"low", shownNumber(numbers[0])},
                     {"high", shownNumber(numbers[1])},
                     {"exponents", exponents ? "true" : "false"}},
                    aboveZero(kind, numbers));
}

bool checkStepOfReals(const FieldReader& arguments, Kind kind, const std::vector<Value>& numbers) {
    const double low = *numbers[0].toDouble();
    const double high = *numbers[1].toDouble();
    const double step = *numbers[2].toDouble();
    const base::ErrorArguments facts = {{"low", shownNumber(numbers[0])},
                                        {"high", shownNumber(numbers[1])},
                                        {"step", shownNumber(numbers[2])}};
    if (step <= 0) {
        arguments.item(2).error(ErrorCode::step_not_positive, facts);
        return false;
    }
    const DecimalSteps steps(step);
    if (step > high - low) {
        const bool reachesLow = steps.factorOf(low).has_value();
        arguments.error(ErrorCode::step_too_wide, facts,
                        reachesLow ? shownNumber(numbers[0]) : std::string());
        return false;
    }
    constexpr double kLargestFactor = 0x1p53;
    if (std::abs(low / step) > kLargestFactor || std::abs(high / step) > kLargestFactor)
        return true;
    if (steps.factorOf(low) && steps.factorOf(high))
        return true;
    const auto first = static_cast<int64_t>(std::ceil(low / step - 1e-9));
    const auto last = static_cast<int64_t>(std::floor(high / step + 1e-9));
    arguments.error(
        ErrorCode::step_does_not_fit, facts,
        first < last ? written(kind, {Value(steps.multiple(first)), Value(steps.multiple(last)), numbers[2]})
                     : std::string());
    return false;
}

std::optional<Distribution> readReals(const FieldReader& arguments, Kind kind) {
    const auto numbers = readNumbers(arguments, kind, hasStep(kind) ? 3 : 2);
    if (!numbers)
        return std::nullopt;
    RealRange range;
    range.low = *numbers->at(0).toDouble();
    range.high = *numbers->at(1).toDouble();
    if (isLogarithmic(kind) && (range.low <= 0 || range.high <= 0)) {
        reportNotPositive(arguments, kind, *numbers);
        return std::nullopt;
    }
    if (range.low > range.high) {
        reportReversed(arguments, kind, *numbers);
        return std::nullopt;
    }
    if (range.low == range.high) {
        arguments.note(ErrorCode::bounds_equal, {{"value", shownNumber(numbers->at(0))}},
                       shownNumber(numbers->at(0)));
        return Constant{Value(range.low)};
    }
    range.scale = isLogarithmic(kind) ? Scale::logarithmic : Scale::linear;
    if (hasStep(kind)) {
        if (!checkStepOfReals(arguments, kind, *numbers))
            return std::nullopt;
        range.step = *numbers->at(2).toDouble();
    }
    return range;
}

/// "1, 2, 3, 4", long ones with their middle left out.
std::string listed(const Distribution& distribution) {
    constexpr uint64_t kShown = 12;
    const uint64_t count = cardinality(distribution).value_or(0);
    std::string text;
    for (uint64_t i = 0; i < count; ++i) {
        if (count > kShown && i == kShown / 2) {
            text += ", …";
            i = count - 2;
        }
        text += (text.empty() ? "" : ", ") + shownNumber(valueAt(distribution, i));
    }
    return text;
}

/// The whole numbers of the list; nothing where one is none.
std::optional<std::vector<int64_t>> readWholes(const FieldReader& arguments,
                                               const std::vector<Value>& numbers) {
    std::vector<int64_t> wholes;
    for (size_t i = 0; i < numbers.size(); ++i) {
        if (const auto whole = arguments.item(i).whole())
            wholes.push_back(*whole);
    }
    return wholes.size() == numbers.size() ? std::optional(std::move(wholes)) : std::nullopt;
}

void noteStepValues(const FieldReader& arguments, const WholeRange& range) {
    const std::string values = listed(range);
    if (range.step == 1) {
        // Ray 2.60's code draws like randint here, without the upper end that its documents include.
        WholeRange ray = range;
        --ray.high;
        arguments.note(ErrorCode::differs_from_ray, {{"values", values}, {"ray_values", listed(ray)}});
        return;
    }
    base::ErrorArguments facts = {{"values", values}, {"step", std::to_string(range.step)}};
    if (range.high % range.step != 0)
        facts["not_reached"] = std::to_string(range.high);
    arguments.note(ErrorCode::step_values, std::move(facts));
}

bool holdsMultiple(int64_t low, int64_t high, int64_t step) {
    const int64_t first = low / step + (low > 0 && low % step != 0 ? 1 : 0);
    const int64_t last = high / step - (high < 0 && high % step != 0 ? 1 : 0);
    return first <= last;
}

std::optional<Distribution> readStepRange(const FieldReader& arguments, Kind kind, WholeRange range,
                                          int64_t step) {
    if (step < 1) {
        arguments.item(2).error(ErrorCode::step_not_positive, {{"step", std::to_string(step)}});
        return std::nullopt;
    }
    range.step = step;
    if (!holdsMultiple(range.low, range.high, step)) {
        arguments.error(ErrorCode::empty_range, {{"low", std::to_string(range.low)},
                                                 {"high", std::to_string(range.high)},
                                                 {"step", std::to_string(step)},
                                                 {"distribution", std::string(nameOf(kind))}});
        return std::nullopt;
    }
    noteStepValues(arguments, range);
    return range;
}

std::optional<Distribution> readWholeRange(const FieldReader& arguments, Kind kind) {
    const auto numbers = readNumbers(arguments, kind, hasStep(kind) ? 3 : 2);
    const auto wholes = numbers ? readWholes(arguments, *numbers) : std::nullopt;
    if (!wholes)
        return std::nullopt;
    WholeRange range{wholes->at(0), wholes->at(1), isLogarithmic(kind) ? Scale::logarithmic : Scale::linear};
    if (isLogarithmic(kind) && (range.low < 1 || range.high < 1)) {
        reportNotPositive(arguments, kind, *numbers);
        return std::nullopt;
    }
    if (range.low > range.high) {
        reportReversed(arguments, kind, *numbers);
        return std::nullopt;
    }
    const bool excludesEnd = kind == Kind::randint || kind == Kind::lograndint;
    if (excludesEnd && range.low == range.high) {
        constexpr int64_t kLargest = std::numeric_limits<int64_t>::max();
        arguments.error(ErrorCode::empty_range,
                        {{"low", std::to_string(range.low)},
                         {"high", std::to_string(range.high)},
                         {"distribution", std::string(nameOf(kind))}},
                        range.high < kLargest ? written(kind, {Value(range.low), Value(range.high + 1)})
                                              : "");
        return std::nullopt;
    }
    if (range.low == range.high) {
        arguments.note(ErrorCode::bounds_equal, {{"value", std::to_string(range.low)}},
                       std::to_string(range.low));
        return Constant{Value(range.low)};
    }
    if (excludesEnd) {
        const std::string end = std::to_string(range.high);
        --range.high;
        arguments.note(ErrorCode::range_excludes_end, {{"values", listed(range)}, {"end", end}});
    }
    if (hasStep(kind))
        return readStepRange(arguments, kind, range, wholes->at(2));
    return range;
}

std::optional<Distribution> readNormal(const FieldReader& arguments, Kind kind) {
    const bool isEmpty = arguments.node()->kind == SpecNode::Kind::list && arguments.size() == 0;
    if (kind == Kind::randn && isEmpty)
        return Normal{};
    const auto numbers = readNumbers(arguments, kind, hasStep(kind) ? 3 : 2);
    if (!numbers)
        return std::nullopt;
    Normal normal{*numbers->at(0).toDouble(), *numbers->at(1).toDouble(), std::nullopt};
    if (normal.deviation < 0) {
        arguments.item(1).outOfRange("0", "");
        return std::nullopt;
    }
    if (normal.deviation == 0) {
        arguments.note(ErrorCode::bounds_equal, {{"value", shownNumber(numbers->at(0))}},
                       shownNumber(numbers->at(0)));
        return Constant{Value(normal.mean)};
    }
    if (!hasStep(kind))
        return normal;
    normal.step = *numbers->at(2).toDouble();
    if (*normal.step <= 0) {
        arguments.item(2).error(ErrorCode::step_not_positive, {{"step", shownNumber(numbers->at(2))}});
        return std::nullopt;
    }
    return normal;
}

/// {loguniform: …} inside a list of values: a space in a choice, which is not built.
bool holdsDistribution(const SpecNode& node) {
    if (node.kind == SpecNode::Kind::list)
        return std::any_of(node.items.begin(), node.items.end(), holdsDistribution);
    return std::any_of(node.entries.begin(), node.entries.end(), [](const SpecEntry& entry) {
        const bool isWord = distributionKindFromString(entry.key).has_value() && entry.key != "constant";
        return (isWord && entry.node.kind == SpecNode::Kind::list) || holdsDistribution(entry.node);
    });
}

std::optional<Distribution> readList(const FieldReader& arguments, Kind kind) {
    if (!isListOfBounds(arguments, kind))
        return std::nullopt;
    if (arguments.size() == 0) {
        arguments.error(ErrorCode::empty_choice, {{"distribution", std::string(nameOf(kind))}});
        return std::nullopt;
    }
    bool allRead = true;
    std::vector<Value> values;
    std::vector<Value> different;
    std::unordered_map<std::string, size_t> seen;
    for (size_t i = 0; i < arguments.size(); ++i) {
        const FieldReader item = arguments.item(i);
        if (holdsDistribution(*item.node())) {
            item.error(ErrorCode::not_available_yet,
                       {{"value", "a distribution inside " + std::string(nameOf(kind))},
                        {"available", "plain values"}});
            allRead = false;
            continue;
        }
        auto value = item.anyValue();
        if (!value) {
            allRead = false;
            continue;
        }
        const auto [place, isNew] = seen.try_emplace(canonicalText(*value), i);
        if (isNew)
            different.push_back(*value);
        else
            item.note(ErrorCode::duplicate_choice, {{"value", flowYaml(*value)},
                                                    {"first", std::to_string(place->second + 1)},
                                                    {"place", std::to_string(i + 1)},
                                                    {"distribution", std::string(nameOf(kind))}});
        values.push_back(std::move(*value));
    }
    if (!allRead)
        return std::nullopt;
    if (kind == Kind::gridSearch)
        return GridSearch{std::move(different)};
    return Choice{std::move(values)};
}

} // namespace

std::optional<Distribution> readDistribution(const FieldReader& arguments, DistributionKind kind) {
    if (!arguments.has()) {
        arguments.wrongType(ValueKind::list);
        return std::nullopt;
    }
    if (kind == Kind::choice || kind == Kind::gridSearch)
        return readList(arguments, kind);
    if (kind == Kind::randn || kind == Kind::qrandn)
        return readNormal(arguments, kind);
    return isWhole(kind) ? readWholeRange(arguments, kind) : readReals(arguments, kind);
}

} // namespace trialdeck::model

// SPDX-License-Identifier: Apache-2.0
#include "core/base/json.h"
#include "core/model/configuration.h"
#include "core/model/spec_sections.h"
#include "core/model/yaml_writer.h"

#include <algorithm>
#include <cmath>

namespace trialdeck::model {

namespace {

constexpr std::string_view kModes[] = {"min", "max"};
constexpr std::string_view kComparisons[] = {"ge", "gt", "le", "lt"};

/// A direction that the metric's name speaks for.
std::string likelyMode(std::string_view metric) {
    for (const std::string_view part : {"loss", "err", "mse", "mae", "rmse", "perplexity", "ppl", "time"}) {
        if (metric.find(part) != std::string_view::npos)
            return "min";
    }
    for (const std::string_view part :
         {"acc", "auc", "f1", "score", "reward", "precision", "recall", "bleu"}) {
        if (metric.find(part) != std::string_view::npos)
            return "max";
    }
    return {};
}

void readMetric(const FieldReader& search, SearchSpec& spec) {
    const FieldReader metric = search.field("metric");
    const FieldReader mode = search.field("mode");
    const auto name = metric.text();
    const auto word = mode.word({kModes});
    if (!metric.has() && mode.has())
        mode.note(ErrorCode::no_effect, {{"key", "mode"}, because(FindingReason::no_metric)});
    if (!name)
        return;
    if (name->empty()) {
        metric.error(ErrorCode::bad_name, {{"name", ""}, because(FindingReason::empty)});
        return;
    }
    if (!mode.has()) {
        const std::string likely = likelyMode(*name);
        mode.error(ErrorCode::missing_key, {{"key", "search.mode"}, {"allowed", "min, max"}},
                   likely.empty() ? std::string() : "mode: " + likely);
        return;
    }
    if (word)
        spec.metric = Metric{*name, *modeFromString(*word)};
}

void readCounts(const FieldReader& search, SearchSpec& spec) {
    const FieldReader numSamples = search.field("num_samples");
    const FieldReader trials = search.field("trials");
    if (const auto cap = trials.whole({1, kLargestCount}))
        spec.maxTrials = static_cast<uint64_t>(*cap);
    if (const auto samples = numSamples.whole({-1, kLargestCount})) {
        spec.numSamples = *samples;
        if (*samples == 0)
            numSamples.error(ErrorCode::value_out_of_range, {{"value", "0"}, {"min", "1"}}, "1");
    } else if (!numSamples.has() && trials.has()) {
        spec.numSamples = spec.algorithm == SearchAlgorithm::grid ? 1 : -1;
    }
    if (const auto seed = search.field("seed").whole({0, kLargestCount}))
        spec.seed = static_cast<uint64_t>(*seed);
    if (const auto most = search.field("max_concurrent_trials").whole({1, 1'000'000}))
        spec.maxConcurrentTrials = static_cast<uint32_t>(*most);
    if (const auto seconds = search.field("time_budget_s").number({0.001, kLongestSeconds}))
        spec.timeBudget = std::chrono::milliseconds(std::llround(*seconds * 1000));
}

/// One configuration to begin with: nested like param_space or with flat names; parameters may be left out.
class PointReader {
public:
    explicit PointReader(const ReadSpace& space) : m_space(space.space), m_refused(space.refused) {
        for (const Parameter& parameter : m_space.parameters)
            m_names.push_back(parameter.name);
    }

    Object read(const FieldReader& point) {
        m_values.assign(m_space.parameters.size(), std::nullopt);
        std::vector<std::string> path;
        readMap(point, path);
        SearchSpace given;
        std::vector<Value> values;
        for (size_t i = 0; i < m_values.size(); ++i) {
            if (!m_values[i])
                continue;
            given.parameters.push_back(m_space.parameters[i]);
            values.push_back(std::move(*m_values[i]));
        }
        return nestValues(given, values);
    }

private:
    void readMap(const FieldReader& map, std::vector<std::string>& path) {
        for (SpecEntry& entry : map.node()->entries) {
            const FieldReader field(&entry.node, childPath(map.path(), entry.key), map.problems());
            path.push_back(entry.key);
            const Parameter* parameter = find(path);
            if (parameter)
                readValue(field, *parameter);
            else if (entry.node.kind == SpecNode::Kind::map && !entry.node.entries.empty())
                readMap(field, path);
            else
                refuse(field, path);
            path.pop_back();
        }
    }

    [[nodiscard]] const Parameter* find(const std::vector<std::string>& path) const {
        const auto byPath =
            std::find_if(m_space.parameters.begin(), m_space.parameters.end(),
                         [&path](const Parameter& parameter) { return parameter.path == path; });
        if (byPath != m_space.parameters.end())
            return &*byPath;
        return path.size() == 1 ? m_space.find(path.front()) : nullptr;
    }

    void refuse(const FieldReader& field, const std::vector<std::string>& path) const {
        std::string name;
        for (const std::string& key : path)
            name += (name.empty() ? "" : "/") + key;
        if (std::find(m_refused.begin(), m_refused.end(), name) != m_refused.end())
            return;
        const auto meant = meantWord(name, m_names);
        field.error(ErrorCode::unknown_key,
                    {{"key", name},
                     {"section", field.path()},
                     {"nearest", meant.value_or("")},
                     {"allowed", joined(m_names)}},
                    meant.value_or(""));
    }

    void readValue(const FieldReader& field, const Parameter& parameter) {
        auto value = field.anyValue();
        if (!value)
            return;
        const bool isReal = std::holds_alternative<RealRange>(parameter.distribution) ||
                            std::holds_alternative<Normal>(parameter.distribution);
        if (isReal && value->isInteger())
            value = Value(*value->toDouble());
        if (!toUnit(parameter.distribution, *value)) {
            field.error(ErrorCode::value_out_of_range, {{"value", flowYaml(*value)},
                                                        {"parameter", parameter.name},
                                                        because(FindingReason::not_in_space)});
            return;
        }
        m_values[static_cast<size_t>(&parameter - m_space.parameters.data())] = std::move(*value);
    }

    const SearchSpace& m_space;
    const std::vector<std::string>& m_refused;
    std::vector<std::string_view> m_names;
    std::vector<std::optional<Value>> m_values;
};

void readPoints(const FieldReader& points, const ReadSpace& space, SearchSpec& spec) {
    if (!points.isList())
        return;
    PointReader reader(space);
    for (size_t i = 0; i < points.size(); ++i) {
        const FieldReader point = points.item(i);
        if (point.isMap())
            spec.pointsToEvaluate.push_back(reader.read(point));
        else if (!point.has())
            point.wrongType(ValueKind::map);
    }
}

/// ">=" and its like mean our words.
std::string comparisonWord(std::string_view typed) {
    static constexpr std::pair<std::string_view, std::string_view> kSigns[] = {
        {">=", "ge"}, {">", "gt"}, {"<=", "le"}, {"<", "lt"}, {"min", "ge"}, {"max", "le"}, {"==", "ge"}};
    for (const auto& [sign, word] : kSigns) {
        if (typed == sign)
            return std::string(word);
    }
    return meantWord(typed, kComparisons).value_or("");
}

void readComparisons(const FieldReader& field, const std::string& metric, std::vector<StopRule>& rules) {
    for (SpecEntry& entry : field.node()->entries) {
        const FieldReader value(&entry.node, childPath(field.path(), entry.key), field.problems());
        const auto comparison = comparisonFromString(entry.key);
        if (!comparison) {
            std::string meant = comparisonWord(entry.key);
            field.problems().add(value.path(), entry.keyPosition, protocol::Severity::error,
                                 ErrorCode::unknown_key,
                                 {{"key", entry.key},
                                  {"section", field.path()},
                                  {"nearest", meant},
                                  {"allowed", joined(kComparisons)}},
                                 meant);
            continue;
        }
        if (!value.has())
            value.wrongType(ValueKind::number);
        else if (const auto number = value.number())
            rules.push_back({metric, *comparison, *number});
    }
}

} // namespace

void readSearch(const FieldReader& search, const ReadSpace& space, SearchSpec& spec) {
    if (!search.isMap())
        return;
    const auto algorithm =
        search.field("search_alg").word({Available::kAlgorithms, Available::kLaterAlgorithms});
    if (algorithm)
        spec.algorithm = *searchAlgorithmFromString(*algorithm);
    readMetric(search, spec);
    readCounts(search, spec);
    readPoints(search.field("points_to_evaluate"), space, spec);
}

void readScheduler(const FieldReader& scheduler, SchedulerSpec& spec) {
    if (!scheduler.isMap())
        return;
    const FieldReader type = scheduler.field("type");
    // Ray's names for the same one.
    if (type.has() && (type.node()->text == "async_hyperband" || type.node()->text == "asynchyperband"))
        *type.node() = [](SpecNode node) {
            node.value = Value("asha");
            node.text = "asha";
            return node;
        }(*type.node());
    if (const auto word = type.word({Available::kSchedulers, Available::kLaterSchedulers}))
        spec.type = *schedulerTypeFromString(*word);
    else if (!type.has())
        type.error(ErrorCode::missing_key,
                   {{"key", "scheduler.type"}, {"allowed", joined(Available::kSchedulers)}}, "type: asha");

    constexpr int64_t kMost = int64_t{1} << 53;
    spec.timeAttr = scheduler.field("time_attr").text().value_or(spec.timeAttr);
    const FieldReader maxT = scheduler.field("max_t");
    const FieldReader grace = scheduler.field("grace_period");
    const FieldReader factor = scheduler.field("reduction_factor");
    const FieldReader brackets = scheduler.field("brackets");
    spec.maxT = maxT.whole({1, kMost}).value_or(spec.maxT);
    spec.gracePeriod = grace.whole({1, kMost}).value_or(spec.gracePeriod);
    spec.reductionFactor = factor.number({1, 1e9}).value_or(spec.reductionFactor);
    if (const auto count = brackets.whole({1, 100})) {
        if (*count > 1)
            brackets.error(ErrorCode::not_available_yet,
                           {{"value", "brackets: " + std::to_string(*count)}, {"available", "1"}}, "1");
    }
    if (spec.reductionFactor <= 1)
        factor.error(ErrorCode::value_out_of_range,
                     {{"value", flowYaml(Value(spec.reductionFactor))}, {"above", "1"}}, "4");
    if (spec.gracePeriod > spec.maxT)
        (grace.has() ? grace : maxT)
            .error(ErrorCode::value_out_of_range, {{"value", std::to_string(spec.gracePeriod)},
                                                   {"max", std::to_string(spec.maxT)},
                                                   {"limit", "max_t"}});
    if (type.has() && spec.type == SchedulerType::fifo) {
        for (const FieldReader& field : {maxT, grace, factor, brackets, scheduler.field("time_attr")}) {
            if (field.has())
                field.note(ErrorCode::no_effect, {{"key", field.path()}, because(FindingReason::fifo)});
        }
    }
}

void readStop(const FieldReader& stop, const std::optional<Metric>& metric, std::vector<StopRule>& rules) {
    if (stop.has() && stop.node()->value.isNumber()) {
        stop.wrongType(ValueKind::map, "{training_iteration: " + stop.node()->text + "}");
        return;
    }
    if (!stop.isMap())
        return;
    for (SpecEntry& entry : stop.node()->entries) {
        const FieldReader field(&entry.node, childPath(stop.path(), entry.key), stop.problems());
        if (entry.node.kind == SpecNode::Kind::map) {
            readComparisons(field, entry.key, rules);
            continue;
        }
        if (!field.has()) {
            field.wrongType(ValueKind::number);
            continue;
        }
        const auto number = field.number();
        if (!number)
            continue;
        rules.push_back({entry.key, Comparison::ge, *number});
        if (metric && metric->mode == Mode::min && metric->name == entry.key)
            field.warning(ErrorCode::stop_on_minimised_metric,
                          {{"metric", entry.key}, {"value", entry.node.text}},
                          "{le: " + flowYaml(entry.node.value) + "}");
    }
}

} // namespace trialdeck::model

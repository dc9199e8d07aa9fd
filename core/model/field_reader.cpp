// SPDX-License-Identifier: Apache-2.0
#include "core/model/field_reader.h"

#include "core/base/json.h"
#include "core/base/nearest_word.h"
#include "core/base/utf8.h"
#include "core/base/words.h"
#include "core/model/metric.h"
#include "core/model/placeholders.h"
#include "core/model/yaml_writer.h"

#include <algorithm>
#include <cmath>

namespace trialdeck::model {

using protocol::Severity;

namespace {

constexpr size_t kMaxProblems = 500;
constexpr size_t kShownBytes = 120;

std::string kindOf(const SpecNode& node) {
    if (node.kind == SpecNode::Kind::map)
        return "map";
    if (node.kind == SpecNode::Kind::list)
        return "list";
    return std::string(base::kindName(node.value));
}

std::string numberText(double number) {
    return std::isinf(number) ? std::string() : argumentText(Value(number));
}

} // namespace

void ProblemList::add(std::string path, SourcePosition position, Severity severity, ErrorCode code,
                      base::ErrorArguments arguments, std::string suggestion) {
    if (severity == Severity::error)
        ++m_errors;
    if (m_problems.size() >= kMaxProblems)
        return;
    protocol::Problem problem;
    problem.path = std::move(path);
    problem.line = position.line;
    problem.column = position.column;
    problem.severity = severity;
    problem.code = code;
    problem.arguments = std::move(arguments);
    problem.suggestion = std::move(suggestion);
    m_problems.push_back(std::move(problem));
}

FieldReader FieldReader::field(std::string_view key) const {
    SpecEntry* entry = m_node ? m_node->find(key) : nullptr;
    return {entry ? &entry->node : nullptr, childPath(m_path, key), *m_problems};
}

FieldReader FieldReader::item(size_t index) const {
    return {index < size() ? &m_node->items[index] : nullptr, itemPath(m_path, index), *m_problems};
}

bool FieldReader::isMap() const {
    if (has() && m_node->kind != SpecNode::Kind::map)
        wrongType(ValueKind::map);
    return has() && m_node->kind == SpecNode::Kind::map;
}

bool FieldReader::isList() const {
    if (has() && m_node->kind != SpecNode::Kind::list)
        wrongType(ValueKind::list);
    return has() && m_node->kind == SpecNode::Kind::list;
}

std::optional<Value> FieldReader::numeric(ValueKind expected) const {
    if (!has())
        return std::nullopt;
    if (m_node->kind != SpecNode::Kind::scalar) {
        wrongType(expected);
        return std::nullopt;
    }
    if (m_node->value.isNumber()) {
        if (m_node->writing == NumberWriting::textInYaml11)
            note(ErrorCode::yaml_text_number, {{"text", m_node->text}}, flowYaml(m_node->value));
        return m_node->value;
    }
    auto number = m_node->value.isString() ? numberFromText(m_node->text) : std::nullopt;
    if (!number) {
        wrongType(expected);
        return std::nullopt;
    }
    note(ErrorCode::number_as_text, {{"text", m_node->text}}, flowYaml(*number));
    m_node->value = *number;
    return number;
}

std::optional<double> FieldReader::number(NumberLimits limits) const {
    const auto value = numeric(ValueKind::number);
    if (!value)
        return std::nullopt;
    const double number = *value->toDouble();
    if (!(number >= limits.min && number <= limits.max)) {
        outOfRange(numberText(limits.min), numberText(limits.max));
        return std::nullopt;
    }
    return number;
}

std::optional<int64_t> FieldReader::whole(WholeLimits limits) const {
    const auto value = numeric(ValueKind::whole_number);
    if (!value)
        return std::nullopt;
    const auto number = value->toInteger();
    if (!number) {
        const bool large = m_node->writing == NumberWriting::tooLarge || value->isInteger();
        error(large ? ErrorCode::integer_too_large : ErrorCode::not_whole_number, {{"value", shown()}});
        return std::nullopt;
    }
    if (*number < limits.min || *number > limits.max) {
        constexpr WholeLimits kNone;
        outOfRange(limits.min == kNone.min ? std::string() : std::to_string(limits.min),
                   limits.max == kNone.max ? std::string() : std::to_string(limits.max));
        return std::nullopt;
    }
    m_node->value = Value(*number);
    return number;
}

std::optional<std::string> FieldReader::text() const {
    if (!has())
        return std::nullopt;
    if (m_node->kind != SpecNode::Kind::scalar) {
        wrongType(ValueKind::text);
        return std::nullopt;
    }
    if (m_node->text.find('\0') != std::string::npos) {
        error(ErrorCode::value_out_of_range, {{"value", shown()}, because(FindingReason::zero_byte)});
        return std::nullopt;
    }
    // 1.50 would become 1.5 on its way through a form, and .nan NaN.
    const Value& value = m_node->value;
    if (!value.isString() && (argumentText(value) != m_node->text || flowYaml(value) != m_node->text))
        m_node->value = Value(m_node->text);
    return m_node->text;
}

std::optional<bool> FieldReader::boolean() const {
    if (!has())
        return std::nullopt;
    if (m_node->kind == SpecNode::Kind::scalar) {
        if (const bool* flag = m_node->value.asBool())
            return *flag;
        // YAML 1.1 has these words too.
        const std::string word = base::lowerCase(m_node->text);
        const bool yes = word == "yes" || word == "on" || word == "true";
        if (yes || word == "no" || word == "off" || word == "false") {
            m_node->value = Value(yes);
            return yes;
        }
    }
    wrongType(ValueKind::boolean);
    return std::nullopt;
}

std::optional<std::string> FieldReader::word(const WordList& words) const {
    auto given = text();
    if (!given)
        return std::nullopt;
    const auto isIn = [&given](std::span<const std::string_view> list) {
        return std::find(list.begin(), list.end(), *given) != list.end();
    };
    if (isIn(words.available))
        return given;
    if (isIn(words.later)) {
        error(ErrorCode::not_available_yet, {{"value", *given}, {"available", joined(words.available)}});
        return std::nullopt;
    }
    const auto meant = meantWord(*given, words.available);
    error(ErrorCode::unknown_value,
          {{"value", shown()}, {"allowed", joined(words.available)}, {"nearest", meant.value_or("")}},
          meant.value_or(""));
    return std::nullopt;
}

std::optional<Value> FieldReader::anyValue() const {
    bool fits = true;
    if (m_node->kind == SpecNode::Kind::list) {
        for (size_t i = 0; i < m_node->items.size(); ++i)
            fits = item(i).anyValue().has_value() && fits;
    } else if (m_node->kind == SpecNode::Kind::map) {
        for (SpecEntry& entry : m_node->entries) {
            const FieldReader inner(&entry.node, childPath(m_path, entry.key), *m_problems);
            fits = inner.anyValue().has_value() && fits;
        }
    } else if (m_node->writing == NumberWriting::textInYaml11) {
        note(ErrorCode::yaml_text_number, {{"text", m_node->text}}, flowYaml(m_node->value));
    } else if (m_node->writing == NumberWriting::tooLarge) {
        error(ErrorCode::integer_too_large, {{"value", shown()}});
        return std::nullopt;
    }
    return fits ? std::optional(valueOf(*m_node)) : std::nullopt;
}

void FieldReader::error(ErrorCode code, base::ErrorArguments arguments, std::string suggestion) const {
    report(Severity::error, code, std::move(arguments), std::move(suggestion));
}
void FieldReader::warning(ErrorCode code, base::ErrorArguments arguments, std::string suggestion) const {
    report(Severity::warning, code, std::move(arguments), std::move(suggestion));
}
void FieldReader::note(ErrorCode code, base::ErrorArguments arguments, std::string suggestion) const {
    report(Severity::note, code, std::move(arguments), std::move(suggestion));
}

void FieldReader::wrongType(ValueKind expected, std::string suggestion) const {
    error(ErrorCode::wrong_value_type,
          {{"expected", std::string(nameOf(expected))}, {"found", kindOf(*m_node)}, {"value", shown()}},
          std::move(suggestion));
}

void FieldReader::outOfRange(const std::string& min, const std::string& max) const {
    base::ErrorArguments arguments = {{"value", shown()}};
    if (!min.empty())
        arguments["min"] = min;
    if (!max.empty())
        arguments["max"] = max;
    error(ErrorCode::value_out_of_range, std::move(arguments));
}

void FieldReader::report(Severity severity, ErrorCode code, base::ErrorArguments arguments,
                         std::string suggestion) const {
    m_problems->add(m_path, m_node ? m_node->position : SourcePosition(), severity, code,
                    std::move(arguments), std::move(suggestion));
}

std::string FieldReader::shown() const {
    if (m_node->kind == SpecNode::Kind::scalar)
        return std::string(base::truncateUtf8(base::cleanUtf8(m_node->text), kShownBytes));
    return std::string(base::truncateUtf8(flowYaml(model::valueOf(*m_node)), kShownBytes));
}

std::string joined(std::span<const std::string_view> words) {
    std::string text;
    for (const std::string_view word : words) {
        if (!text.empty())
            text += ", ";
        text += word;
    }
    return text;
}

std::optional<std::string> meantWord(std::string_view typed, std::span<const std::string_view> words) {
    if (auto nearest = base::nearestWord(typed, words))
        return nearest;
    constexpr size_t kLeast = 3;
    if (typed.size() < kLeast || typed.size() > 64)
        return std::nullopt;
    const std::string lower = base::lowerCase(typed);
    // A part of one word alone, else the longest word that is a part of what was typed.
    std::vector<std::string_view> around;
    std::string_view inside;
    for (const std::string_view word : words) {
        const std::string candidate = base::lowerCase(word);
        if (candidate.find(lower) != std::string::npos)
            around.push_back(word);
        else if (candidate.size() > inside.size() && candidate.size() >= kLeast &&
                 lower.find(candidate) != std::string::npos)
            inside = word;
    }
    if (around.size() == 1)
        return std::string(around.front());
    return inside.empty() ? std::nullopt : std::optional(std::string(inside));
}

} // namespace trialdeck::model

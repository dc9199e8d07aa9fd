// SPDX-License-Identifier: Apache-2.0
#include "core/model/yaml_writer.h"

#include "core/model/spec_check.h"
#include "core/model/yaml_scalar.h"

#include <optional>
#include <vector>

namespace trialdeck::model {

namespace {

/// Longest line that a list or map in flow style may make.
constexpr size_t kLineWidth = 120;
/// Lines of one list or map in flow style.
constexpr size_t kMostFlowLines = 4;

struct FlowText {
    std::string operator()(std::monostate) const { return "null"; }
    std::string operator()(bool flag) const { return flag ? "true" : "false"; }
    std::string operator()(int64_t whole) const { return std::to_string(whole); }
    std::string operator()(uint64_t whole) const { return std::to_string(whole); }
    std::string operator()(double real) const { return yamlNumber(real); }
    std::string operator()(const std::string& text) const { return yamlText(text); }
    std::string operator()(const base::Bytes& bytes) const { return yamlText(bytes.data); }
    std::string operator()(const Array& array) const {
        std::string out = "[";
        const char* separator = "";
        for (const Value& element : array) {
            out += separator + flowYaml(element);
            separator = ", ";
        }
        return out + ']';
    }
    std::string operator()(const Object& object) const {
        std::string out = "{";
        const char* separator = "";
        for (const auto& [key, element] : object) {
            out += separator + yamlText(key) + ": " + flowYaml(element);
            separator = ", ";
        }
        return out + '}';
    }
};

/// The list or map in flow style over several lines, its first one at `column`; nothing where a part is too
/// long for a line or the parts for the lines.
std::optional<std::string> wrappedFlow(const Value& value, size_t column) {
    std::vector<std::string> parts;
    if (const Array* array = value.asArray()) {
        for (const Value& element : *array)
            parts.push_back(flowYaml(element));
    } else {
        for (const auto& [key, element] : *value.asObject())
            parts.push_back(yamlText(key) + ": " + flowYaml(element));
    }
    std::string out(1, value.isArray() ? '[' : '{');
    size_t used = column + 1;
    size_t lines = 1;
    for (size_t i = 0; i < parts.size(); ++i) {
        const size_t width = parts[i].size() + 1;
        if (column + 1 + width > kLineWidth)
            return std::nullopt;
        if (i > 0 && used + 1 + width > kLineWidth) {
            out += '\n' + std::string(column + 1, ' ');
            used = column + 1;
            ++lines;
        } else if (i > 0) {
            out += ' ';
            ++used;
        }
        out += parts[i] + (i + 1 < parts.size() ? ',' : value.isArray() ? ']' : '}');
        used += width;
    }
    return lines <= kMostFlowLines ? std::optional(std::move(out)) : std::nullopt;
}

bool isEmptyOrScalar(const Value& value) {
    if (const Array* array = value.asArray())
        return array->empty();
    if (const Object* object = value.asObject())
        return object->empty();
    return true;
}

enum class Layout { whereItFits, block };

void appendNode(std::string& out, const Value& value, size_t indent, size_t column, Layout layout);

/// Keys of the map, each on a line of its own; the first one goes on where the text ends.
void appendMap(std::string& out, const Object& object, size_t indent) {
    bool first = true;
    for (const auto& [key, element] : object) {
        if (!first)
            out.append(indent, ' ');
        first = false;
        const std::string name = yamlText(key) + ':';
        out += name;
        // Where people look for their parameters and their command: one line each, however few there are.
        const bool isSection = indent == 0 && (key == "trial" || key == "param_space");
        appendNode(out, element, indent + 2, indent + name.size(),
                   isSection ? Layout::block : Layout::whereItFits);
    }
}

void appendList(std::string& out, const Array& array, size_t indent) {
    for (const Value& element : array) {
        out.append(indent, ' ');
        out += '-';
        const Object* map = element.asObject();
        if (map && !map->empty() && indent + 2 + flowYaml(element).size() > kLineWidth) {
            out += ' ';
            appendMap(out, *map, indent + 2);
        } else {
            appendNode(out, element, indent + 2, indent + 1, Layout::whereItFits);
        }
    }
}

/// The value behind "key:" or "-", which end at `column`; always ends with a newline.
void appendNode(std::string& out, const Value& value, size_t indent, size_t column, Layout layout) {
    if (isEmptyOrScalar(value)) {
        out += ' ' + flowYaml(value) + '\n';
        return;
    }
    if (layout == Layout::whereItFits) {
        if (const auto flow = wrappedFlow(value, column + 1)) {
            out += ' ' + *flow + '\n';
            return;
        }
    }
    out += '\n';
    if (const Object* object = value.asObject()) {
        out.append(indent, ' ');
        appendMap(out, *object, indent);
    } else {
        appendList(out, *value.asArray(), indent);
    }
}

} // namespace

std::string flowYaml(const Value& value) {
    return std::visit(FlowText{}, value.storage());
}

std::string writeYaml(const Value& form) {
    const Object* object = form.asObject();
    if (!object || object->empty())
        return flowYaml(form) + '\n';
    std::string out;
    appendMap(out, *object, 0);
    return out;
}

} // namespace trialdeck::model

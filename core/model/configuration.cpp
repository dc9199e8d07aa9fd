// SPDX-License-Identifier: Apache-2.0
#include "core/model/configuration.h"

#include "core/base/flat_names.h"
#include "core/base/json.h"

#include <algorithm>

namespace trialdeck::model {

namespace {

void appendCanonical(std::string& out, const Value& value);

void appendCanonical(std::string& out, const Object& object) {
    std::vector<const Object::Entry*> entries;
    entries.reserve(object.size());
    for (const Object::Entry& entry : object)
        entries.push_back(&entry);
    std::sort(entries.begin(), entries.end(),
              [](const auto* left, const auto* right) { return left->first < right->first; });
    out += '{';
    for (const Object::Entry* entry : entries) {
        base::appendJsonString(out, entry->first);
        out += ':';
        appendCanonical(out, entry->second);
        out += ',';
    }
    out += '}';
}

void appendCanonical(std::string& out, const Value& value) {
    if (const Object* object = value.asObject()) {
        appendCanonical(out, *object);
    } else if (const Array* array = value.asArray()) {
        out += '[';
        for (const Value& element : *array) {
            appendCanonical(out, element);
            out += ',';
        }
        out += ']';
    } else if (const base::Bytes* bytes = value.asBytes()) {
        out += 'b';
        base::appendJsonString(out, bytes->data);
    } else if (value == Value(0.0)) {
        out += "0.0";
    } else {
        base::appendJson(out, value);
    }
}

} // namespace

std::vector<std::string> flatNames(const std::vector<std::vector<std::string>>& paths) {
    return base::flatNames(paths);
}

Object flatten(const Object& nested) {
    return base::flatten(nested);
}

std::string canonicalText(const Value& value) {
    std::string text;
    appendCanonical(text, value);
    return text;
}

} // namespace trialdeck::model

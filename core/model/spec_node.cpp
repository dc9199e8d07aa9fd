// SPDX-License-Identifier: Apache-2.0
#include "core/model/spec_node.h"

#include "core/base/json.h"
#include "core/model/placeholders.h"

#include <algorithm>

namespace trialdeck::model {

namespace {

Expected<SpecNode> nodeOf(const Value& value, int depth) {
    if (depth > kMaxSpecDepth)
        return base::fail(ErrorCode::too_deep, {{"limit", std::to_string(kMaxSpecDepth)}});
    SpecNode node;
    if (const Array* array = value.asArray()) {
        node.kind = SpecNode::Kind::list;
        for (const Value& element : *array) {
            auto item = nodeOf(element, depth + 1);
            if (!item)
                return item;
            node.items.push_back(std::move(*item));
        }
    } else if (const Object* object = value.asObject()) {
        node.kind = SpecNode::Kind::map;
        for (const auto& [key, element] : *object) {
            auto child = nodeOf(element, depth + 1);
            if (!child)
                return child;
            node.entries.push_back({key, {}, std::move(*child)});
        }
    } else {
        return scalarNode(value);
    }
    return node;
}

bool isPlainWord(std::string_view key) {
    return !key.empty() && std::all_of(key.begin(), key.end(), [](char c) {
        return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
               c == '-' || static_cast<unsigned char>(c) >= 0x80;
    });
}

} // namespace

SpecEntry* SpecNode::find(std::string_view key) {
    const auto found = std::find_if(entries.begin(), entries.end(),
                                    [key](const SpecEntry& entry) { return entry.key == key; });
    return found == entries.end() ? nullptr : &*found;
}

const SpecEntry* SpecNode::find(std::string_view key) const {
    return const_cast<SpecNode*>(this)->find(key);
}

SpecNode scalarNode(Value value) {
    SpecNode node;
    if (const base::Bytes* bytes = value.asBytes())
        value = Value(bytes->data);
    node.text = value.isNull() ? std::string() : argumentText(value);
    node.value = std::move(value);
    return node;
}

Expected<SpecNode> nodeOf(const Value& value) {
    return nodeOf(value, 0);
}

Value valueOf(const SpecNode& node) {
    if (node.kind == SpecNode::Kind::list) {
        Array array;
        for (const SpecNode& item : node.items)
            array.push_back(valueOf(item));
        return array;
    }
    if (node.kind == SpecNode::Kind::map) {
        Object object;
        for (const SpecEntry& entry : node.entries)
            object.append(entry.key, valueOf(entry.node));
        return object;
    }
    return node.value;
}

std::string childPath(std::string_view parent, std::string_view key) {
    std::string path(parent);
    if (!path.empty())
        path += '.';
    if (isPlainWord(key))
        path += key;
    else
        base::appendJsonString(path, key);
    return path;
}

std::string itemPath(std::string_view parent, size_t index) {
    return std::string(parent) + '[' + std::to_string(index) + ']';
}

} // namespace trialdeck::model

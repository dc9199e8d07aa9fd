// SPDX-License-Identifier: Apache-2.0
#include "core/base/flat_names.h"

#include <algorithm>
#include <unordered_map>

namespace trialdeck::base {

namespace {

using KeyPath = std::vector<std::string>;

bool needsQuotes(std::string_view key) {
    return key.find_first_of("/\"") != std::string_view::npos;
}

std::string inQuotes(std::string_view key) {
    std::string text = "\"";
    for (const char c : key) {
        if (c == '"' || c == '\\')
            text += '\\';
        text += c;
    }
    text += '"';
    return text;
}

enum class Quoting { never, whereNeeded };

std::string join(const KeyPath& path, Quoting quoting) {
    std::string name;
    for (size_t i = 0; i < path.size(); ++i) {
        if (i > 0)
            name += '/';
        name += quoting == Quoting::whereNeeded && needsQuotes(path[i]) ? inQuotes(path[i]) : path[i];
    }
    return name;
}

std::unordered_map<std::string_view, int> countNames(const std::vector<std::string>& names) {
    std::unordered_map<std::string_view, int> count;
    for (const std::string& name : names)
        ++count[name];
    return count;
}

bool anyTwice(const std::unordered_map<std::string_view, int>& count) {
    return std::any_of(count.begin(), count.end(), [](const auto& entry) { return entry.second > 1; });
}

void collect(const Object& object, KeyPath& path, std::vector<KeyPath>& paths,
             std::vector<const Value*>& values) {
    for (const auto& [key, value] : object) {
        path.push_back(key);
        if (const Object* inner = value.asObject()) {
            collect(*inner, path, paths, values);
        } else {
            paths.push_back(path);
            values.push_back(&value);
        }
        path.pop_back();
    }
}

} // namespace

std::vector<std::string> flatNames(const std::vector<std::vector<std::string>>& paths) {
    std::vector<std::string> names;
    names.reserve(paths.size());
    for (const KeyPath& path : paths)
        names.push_back(join(path, Quoting::never));
    const auto count = countNames(names);
    if (!anyTwice(count))
        return names;
    std::vector<std::string> apart;
    apart.reserve(paths.size());
    for (size_t i = 0; i < paths.size(); ++i)
        apart.push_back(count.at(names[i]) > 1 ? join(paths[i], Quoting::whereNeeded) : names[i]);
    if (!anyTwice(countNames(apart)))
        return apart;
    // A key may spell another one's quoted form; with every such key quoted no two paths agree.
    for (size_t i = 0; i < paths.size(); ++i)
        apart[i] = join(paths[i], Quoting::whereNeeded);
    return apart;
}

Object flatten(const Object& nested) {
    std::vector<KeyPath> paths;
    std::vector<const Value*> values;
    KeyPath path;
    collect(nested, path, paths, values);
    std::vector<std::string> names = flatNames(paths);
    Object flat;
    for (size_t i = 0; i < names.size(); ++i)
        flat.append(std::move(names[i]), *values[i]);
    return flat;
}

} // namespace trialdeck::base

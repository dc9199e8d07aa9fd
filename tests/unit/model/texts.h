// SPDX-License-Identifier: Apache-2.0
// What the model's tests compare: values as one line of text each.
#pragma once

#include "core/base/json.h"
#include "core/model/search_space.h"

#include <QStringList>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

namespace trialdeck::model {

inline QString textOf(const Value& value) {
    return QString::fromStdString(base::toJson(value));
}

inline QString textOf(const std::vector<Value>& values) {
    QStringList texts;
    for (const Value& value : values)
        texts << textOf(value);
    return texts.join(", ");
}

/// "name = value" for each entry.
inline QStringList linesOf(const Object& object) {
    QStringList lines;
    for (const auto& [key, value] : object)
        lines << QString::fromStdString(key) + " = " + textOf(value);
    return lines;
}

/// The whole text of a file in tests/cases.
inline std::string caseText(const std::string& path) {
    std::ifstream file(TRIALDECK_SOURCE_DIR "/tests/cases/" + path, std::ios::binary);
    std::ostringstream text;
    text << file.rdbuf();
    return std::move(text).str();
}

inline std::vector<std::string> caseLines(const std::string& path) {
    std::istringstream text(caseText(path));
    std::vector<std::string> lines;
    for (std::string line; std::getline(text, line);)
        lines.push_back(line);
    return lines;
}

} // namespace trialdeck::model

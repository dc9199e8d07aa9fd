// SPDX-License-Identifier: Apache-2.0
#include "core/storage/csv_text.h"

#include "core/base/csv.h"
#include "core/base/json.h"

#include <charconv>
#include <cmath>

namespace trialdeck::storage {

namespace {

template<typename Integer>
void appendDigits(std::string& out, Integer value) {
    char buffer[24];
    out.append(buffer, std::to_chars(buffer, buffer + sizeof buffer, value).ptr);
}

struct CsvWriter {
    std::string& out;
    void operator()(std::monostate) const {}
    void operator()(bool flag) const { out += flag ? "True" : "False"; }
    void operator()(int64_t whole) const { appendDigits(out, whole); }
    void operator()(uint64_t whole) const { appendDigits(out, whole); }
    void operator()(double real) const {
        if (std::isnan(real))
            out += "nan";
        else if (std::isinf(real))
            out += real > 0 ? "inf" : "-inf";
        else
            base::appendJsonNumber(out, real);
    }
    void operator()(const std::string& text) const { base::appendCsvField(out, text); }
    void operator()(const base::Bytes&) const {}
    void operator()(const Array& array) const { base::appendCsvField(out, base::toJson(Value(array))); }
    void operator()(const Object& object) const { base::appendCsvField(out, base::toJson(Value(object))); }
};

} // namespace

void appendCsvValue(std::string& out, const Value& value) {
    std::visit(CsvWriter{out}, value.storage());
}

std::string widenCsv(std::string_view lines, size_t fields) {
    std::string wide;
    wide.reserve(lines.size() + lines.size() / 8);
    bool quoted = false;
    for (size_t i = 0; i < lines.size(); ++i) {
        if (lines[i] == '"')
            quoted = !quoted;
        if (!quoted && lines.substr(i, base::kCsvLineEnd.size()) == base::kCsvLineEnd)
            wide.append(fields, ',');
        wide += lines[i];
    }
    return wide;
}

} // namespace trialdeck::storage

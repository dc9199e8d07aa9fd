// SPDX-License-Identifier: Apache-2.0
// Any line of a report file, and any line of output under any pattern (the first line of the input): what is
// read is flat, each name once, and written as JSON that reads back.
#include "core/base/json.h"
#include "core/model/report.h"

#include <cstdint>
#include <cstdlib>
#include <set>
#include <string>

using namespace trialdeck;
using namespace trialdeck::model;

namespace {

void expectGood(const Report& report) {
    std::set<std::string> names;
    for (const auto& [name, value] : report.metrics) {
        if (value.isObject() || !names.insert(name).second)
            std::abort();
    }
    if (!base::parseJson(base::toJson(report.metrics)))
        std::abort();
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
    const std::string_view bytes(reinterpret_cast<const char*>(data), size);
    if (const auto report = parseReportLine(bytes)) {
        expectGood(*report);
        if (report->checkpoint)
            (void)checkCheckpointName(*report->checkpoint);
    }
    const size_t lineEnd = bytes.find('\n');
    if (lineEnd == std::string_view::npos)
        return 0;
    if (const auto pattern = OutputPattern::compile(std::string(bytes.substr(0, lineEnd)))) {
        if (const auto report = pattern->match(bytes.substr(lineEnd + 1)))
            expectGood(*report);
    }
    return 0;
}

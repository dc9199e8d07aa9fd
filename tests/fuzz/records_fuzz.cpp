// SPDX-License-Identifier: Apache-2.0
// Any line: parsing must not crash, the quick reader of reports must agree with the general one, and what
// was read must be written and read again without change.
#include "core/base/json.h"
#include "core/protocol/record.h"
#include "core/protocol/report_line.h"

#include <cstdint>
#include <cstdlib>

using namespace trialdeck;

namespace {

void require(bool holds) {
    if (!holds)
        std::abort();
}

std::string lineOf(const protocol::Record& record) {
    std::string line;
    protocol::appendRecordLine(line, record);
    line.pop_back();
    return line;
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
    const std::string_view line(reinterpret_cast<const char*>(data), size);
    if (const auto quick = protocol::parseReportLine(line)) {
        const auto general = base::parseJson(line);
        require(general.has_value());
        const auto& report = std::get<protocol::ReportReceived>(quick->body);
        require(*general->find("metrics") == Value(report.metrics));
        require(general->find("n")->toInteger() || quick->number.raw() > INT64_MAX);
        require(general->find("iteration")->toInteger() == report.iteration);
    }
    const auto record = protocol::parseRecordLine(line);
    if (!record)
        return 0;
    const std::string written = lineOf(*record);
    const auto again = protocol::parseRecordLine(written);
    require(again.has_value());
    require(lineOf(*again) == written);
    return 0;
}

// SPDX-License-Identifier: Apache-2.0
#include "core/base/csv.h"

namespace trialdeck::base {

void appendCsvField(std::string& out, std::string_view text) {
    if (text.find_first_of("\",\r\n") == std::string_view::npos) {
        out += text;
        return;
    }
    out += '"';
    for (const char c : text) {
        if (c == '"')
            out += '"';
        out += c;
    }
    out += '"';
}

} // namespace trialdeck::base

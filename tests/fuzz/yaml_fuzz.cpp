// SPDX-License-Identifier: Apache-2.0
// Any experiment.yaml: the check ends, its form is written as YAML that reads back as the same form, and no
// problem stands outside the text.
#include "core/model/spec_check.h"

#include <algorithm>
#include <cstdint>
#include <cstdlib>

using namespace trialdeck;
using namespace trialdeck::model;

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
    const std::string_view text(reinterpret_cast<const char*>(data), size);
    const SpecCheck check = checkYaml(text);
    const int lines = static_cast<int>(std::count(text.begin(), text.end(), '\n')) + 1;
    for (const protocol::Problem& problem : check.result.problems) {
        if (problem.line > lines)
            std::abort();
    }
    const SpecCheck fromForm = checkForm(check.result.form);
    const SpecCheck again = checkYaml(fromForm.result.yaml);
    if (!(again.result.form == fromForm.result.form) || again.spec.has_value() != fromForm.spec.has_value())
        std::abort();
    return 0;
}

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/value.h"

#include <string>

namespace trialdeck::model {

/// The value on one line: {loguniform: [1.0e-5, 1.0]}.
[[nodiscard]] std::string flowYaml(const Value& value);

} // namespace trialdeck::model

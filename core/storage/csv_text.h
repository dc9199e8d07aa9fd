// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/value.h"

#include <string>
#include <string_view>

/// progress.csv as Python's csv module writes it for Ray Tune; see base/csv.h.
namespace trialdeck::storage {

/// None is empty, booleans True and False, numbers as pandas reads them (nan, inf, -inf), lists and maps
/// JSON.
void appendCsvValue(std::string& out, const Value& value);

/// The lines with so many empty fields more at each end.
/// @param lines  whole lines; line breaks inside quotes are no ends
[[nodiscard]] std::string widenCsv(std::string_view lines, size_t fields);

} // namespace trialdeck::storage

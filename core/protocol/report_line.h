// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/protocol/record.h"

namespace trialdeck::protocol {

/// Reads a report's line exactly as appendRecordLine writes it, with metrics that are numbers, booleans or
/// plain ASCII texts: the one record that comes by the million. Nothing for any other line, which is not to
/// say that it is wrong: the general reader decides then.
[[nodiscard]] std::optional<Record> parseReportLine(std::string_view line);

} // namespace trialdeck::protocol

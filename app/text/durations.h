// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QString>

#include <cstdint>

namespace trialdeck::app::text {

/// "0.8 s", "12 s", "4 m 12 s", "2 h 05 m", "3 d 4 h" in the user's language.
[[nodiscard]] QString duration(double seconds);
/// About as long, in one unit: "40 s", "4 m", "2 h".
[[nodiscard]] QString roughDuration(double seconds);
/// "12 B", "3.4 KiB", "1.2 GiB".
[[nodiscard]] QString byteSize(uint64_t bytes);

} // namespace trialdeck::app::text

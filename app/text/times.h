// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/clock.h"

#include <QString>

namespace trialdeck::app::text {

/// "14:05:09" today, else "2026-11-30 14:05", in the user's zone.
[[nodiscard]] QString shortTime(base::WallTime time, base::WallTime now);
/// "2026-11-30 14:05:09.123 UTC+8": for tooltips.
[[nodiscard]] QString exactTime(base::WallTime time);
/// "2 s ago"; "just now" below a second.
[[nodiscard]] QString ago(base::WallTime time, base::WallTime now);

} // namespace trialdeck::app::text

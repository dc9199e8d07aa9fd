// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QString>

namespace trialdeck::app::models {

/// Somebody else's text as one line of the window: what would move or hide letters (control characters,
/// changes of writing direction, breaks of line) is written out as in "\u202e".
[[nodiscard]] QString visibleText(const QString& text);

} // namespace trialdeck::app::models

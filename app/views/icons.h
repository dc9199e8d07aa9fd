// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QColor>
#include <QIcon>

namespace trialdeck::app::views {

/// One of our own drawings in resources/icons, in that colour; drawn from its SVG at each size and scale.
[[nodiscard]] QIcon icon(const QString& name, const QColor& colour);

/// The program's icon, in its own colours.
[[nodiscard]] QIcon programIcon();

} // namespace trialdeck::app::views

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/models/curve_shape.h"

#include <QColor>
#include <QImage>

namespace trialdeck::app::views {

/// Draws a curve's lines straight into a picture (ARGB32_Premultiplied), a pixel column at a time: what is
/// drawn where a column is crossed is the stretch between its lowest and highest point, widened to the line's
/// width, with soft ends. Several times as fast as QPainter where curves have a point or more a column, which
/// is what it is for; steep lines have hard sides. Dashes are counted along x.
/// @param shape  in the picture's own pixels
void rasterizeCurve(QImage& picture, const models::CurveShape& shape, const QColor& colour, double width,
                    Qt::PenStyle dash);

} // namespace trialdeck::app::views

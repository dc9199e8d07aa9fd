// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/views/theme.h"

#include <QString>

#include <vector>

namespace trialdeck::app::views {

class Appearance;

/// How each page is photographed.
struct PictureLook {
    QString language;
    ThemeKind theme;
    /// "-light-en"
    QString suffix;
};

/// Both languages in both themes.
[[nodiscard]] std::vector<PictureLook> pictureLooks();

/// The application looks so from now on, laid out for it. Of what waits only words and layout are handled: an
/// answer of a head would change what is photographed.
void dress(Appearance& appearance, const PictureLook& look);
void layOutNow();

} // namespace trialdeck::app::views

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/views/theme.h"

#include <QString>

#include <vector>

namespace trialdeck::app::views {

/// How each page is photographed.
struct PictureLook {
    QString language;
    ThemeKind theme;
    /// "-light-en"
    QString suffix;
};

/// Both languages in both themes.
[[nodiscard]] inline std::vector<PictureLook> pictureLooks() {
    return {{QStringLiteral("en"), ThemeKind::light, QStringLiteral("-light-en")},
            {QStringLiteral("en"), ThemeKind::dark, QStringLiteral("-dark-en")},
            {QStringLiteral("zh_CN"), ThemeKind::light, QStringLiteral("-light-zh")},
            {QStringLiteral("zh_CN"), ThemeKind::dark, QStringLiteral("-dark-zh")}};
}

} // namespace trialdeck::app::views

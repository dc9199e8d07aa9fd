// SPDX-License-Identifier: Apache-2.0
#include "app/views/picture_looks.h"

#include "app/views/appearance.h"

#include <QCoreApplication>
#include <QEvent>

namespace trialdeck::app::views {

std::vector<PictureLook> pictureLooks() {
    return {{QStringLiteral("en"), ThemeKind::light, QStringLiteral("-light-en")},
            {QStringLiteral("en"), ThemeKind::dark, QStringLiteral("-dark-en")},
            {QStringLiteral("zh_CN"), ThemeKind::light, QStringLiteral("-light-zh")},
            {QStringLiteral("zh_CN"), ThemeKind::dark, QStringLiteral("-dark-zh")}};
}

void dress(Appearance& appearance, const PictureLook& look) {
    appearance.setLanguage(look.language);
    appearance.setTheme(look.theme);
    QCoreApplication::sendPostedEvents(nullptr, QEvent::LanguageChange);
    layOutNow();
}

void layOutNow() {
    constexpr int kNestedLayouts = 6;
    for (int i = 0; i < kNestedLayouts; ++i)
        QCoreApplication::sendPostedEvents(nullptr, QEvent::LayoutRequest);
}

} // namespace trialdeck::app::views

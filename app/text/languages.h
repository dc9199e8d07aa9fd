// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QString>
#include <QStringList>

namespace trialdeck::app::text {

/// What decides the language of the window.
struct LanguageWishes {
    /// "en", "zh_CN" or empty: what the user chose in the window.
    QString chosen;
    /// The variables of the same names.
    QString language;
    QString lcAll;
    QString lcMessages;
    QString lang;
};

/// "zh_CN" or "en". The choice wins; then LC_ALL, LC_MESSAGES and LANG in POSIX's order, of which LANGUAGE
/// is a list of preferences unless the locale is C. Every kind of Chinese gets Simplified Chinese.
[[nodiscard]] QString windowLanguage(const LanguageWishes& wishes);

} // namespace trialdeck::app::text

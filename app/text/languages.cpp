// SPDX-License-Identifier: Apache-2.0
#include "app/text/languages.h"

namespace trialdeck::app::text {

namespace {

/// "zh_CN", "en", or empty for a language that the window does not speak.
QString spoken(const QString& locale) {
    const QString name = locale.section(QLatin1Char('.'), 0, 0).section(QLatin1Char('@'), 0, 0);
    const QString language = name.section(QLatin1Char('_'), 0, 0).section(QLatin1Char('-'), 0, 0).toLower();
    if (language == QLatin1String("zh"))
        return QStringLiteral("zh_CN");
    return language == QLatin1String("en") ? QStringLiteral("en") : QString();
}

bool isC(const QString& locale) {
    return locale.isEmpty() || locale == QLatin1String("C") || locale == QLatin1String("POSIX") ||
           locale.startsWith(QLatin1String("C."));
}

} // namespace

QString windowLanguage(const LanguageWishes& wishes) {
    QString english = QStringLiteral("en");
    if (!wishes.chosen.isEmpty())
        return spoken(wishes.chosen).isEmpty() ? english : spoken(wishes.chosen);
    QString locale = wishes.lcAll;
    if (locale.isEmpty())
        locale = wishes.lcMessages;
    if (locale.isEmpty())
        locale = wishes.lang;
    if (isC(locale))
        return english;
    for (const QString& wish : wishes.language.split(QLatin1Char(':'), Qt::SkipEmptyParts)) {
        if (QString language = spoken(wish); !language.isEmpty())
            return language;
    }
    const QString language = spoken(locale);
    return language.isEmpty() ? english : language;
}

} // namespace trialdeck::app::text

// SPDX-License-Identifier: Apache-2.0
#include "app/views/appearance.h"

#include <QApplication>
#include <QFontDatabase>
#include <QFontInfo>
#include <QLibraryInfo>
#include <QLocale>
#include <QStyleFactory>

namespace trialdeck::app::views {

namespace {
constexpr int kPointSize = 10;
} // namespace

Appearance::Appearance(QObject* parent) : QObject(parent) {
    QApplication::setStyle(QStyleFactory::create(QStringLiteral("Fusion")));
    chooseFonts();
    setTheme(ThemeKind::light);
}

bool Appearance::hasChineseFont() {
    return !QFontDatabase::families(QFontDatabase::SimplifiedChinese).isEmpty();
}

QFont Appearance::fixedFont() {
    QFont font = QFontDatabase::systemFont(QFontDatabase::FixedFont);
    font.setFamilies({QFontInfo(font).family(), QStringLiteral("Noto Sans Mono CJK SC")});
    font.setPointSizeF(QApplication::font().pointSizeF());
    return font;
}

/// The system's font; where it has no Chinese letters, or is only what there is when nothing was chosen, Noto
/// Sans CJK in its Simplified form comes first or second.
void Appearance::chooseFonts() {
    const QString noto = QStringLiteral("Noto Sans CJK SC");
    QFont font = QFontDatabase::systemFont(QFontDatabase::GeneralFont);
    const QString chosen = QFontInfo(font).family();
    const bool isLeftover = chosen.startsWith(QLatin1String("DejaVu")) || chosen.isEmpty();
    font.setFamilies(isLeftover ? QStringList{noto, chosen} : QStringList{chosen, noto});
    if (font.pointSize() < kPointSize)
        font.setPointSize(kPointSize);
    QApplication::setFont(font);
}

void Appearance::setTheme(ThemeKind theme) {
    m_theme = theme;
    const Theme& colours = Theme::of(theme);
    QApplication::setPalette(colours.palette());
    qApp->setStyleSheet(colours.styleSheet());
    emit themeChanged();
}

void Appearance::setLanguage(const QString& language) {
    if (language == m_language)
        return;
    m_language = language;
    QCoreApplication::removeTranslator(&m_texts);
    QCoreApplication::removeTranslator(&m_qtTexts);
    // Our language decides Qt's own texts too, whatever the system's is.
    if (language != QLatin1String("en") && m_qtTexts.load(QStringLiteral("qtbase_") + language,
                                                          QLibraryInfo::path(QLibraryInfo::TranslationsPath)))
        QCoreApplication::installTranslator(&m_qtTexts);
    if (m_texts.load(QStringLiteral(":/i18n/trialdeck_%1.qm").arg(language)))
        QCoreApplication::installTranslator(&m_texts);
    emit languageChanged();
}

} // namespace trialdeck::app::views

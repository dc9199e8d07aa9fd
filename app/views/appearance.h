// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/views/theme.h"

#include <QFont>
#include <QObject>
#include <QTranslator>

namespace trialdeck::app::views {

/// The window's theme, language and fonts, for the whole application at once; switched at any time, every
/// view follows by itself (PaletteChange, LanguageChange). Owned by main, one an application.
class Appearance : public QObject {
    Q_OBJECT

public:
    explicit Appearance(QObject* parent = nullptr);

    [[nodiscard]] ThemeKind theme() const { return m_theme; }
    void setTheme(ThemeKind theme);
    /// "en" or "zh_CN".
    [[nodiscard]] const QString& language() const { return m_language; }
    void setLanguage(const QString& language);

    /// Whether Chinese letters can be drawn at all.
    [[nodiscard]] static bool hasChineseFont();

    /// For code, paths and logs: as large as the window's own font.
    [[nodiscard]] static QFont fixedFont();

signals:
    void themeChanged();
    void languageChanged();

private:
    void chooseFonts();

    ThemeKind m_theme = ThemeKind::light;
    QString m_language;
    QTranslator m_texts;
    QTranslator m_qtTexts;
};

} // namespace trialdeck::app::views

// SPDX-License-Identifier: Apache-2.0
#include "app/views/theme.h"

#include <QFile>

namespace trialdeck::app::views {

namespace {

Theme light() {
    Theme theme;
    theme.kind = ThemeKind::light;
    theme.background = 0xf7f8fa;
    theme.panel = 0xffffff;
    theme.line = 0xdfe3e8;
    theme.text = 0x1d2329;
    theme.muted = 0x5f6873;
    theme.accent = 0x1b67de;
    theme.onAccent = 0xffffff;
    theme.selection = 0xe5effd;
    theme.good = 0x187a47;
    theme.bad = 0xc0362c;
    theme.warning = 0x8f6000;
    theme.grid = 0xeceff3;
    theme.curves = {QColor(0x1f6feb), QColor(0xd9730d), QColor(0x1a7f4b), QColor(0x8250df),
                    QColor(0xc0362c), QColor(0x0e8a8a), QColor(0x9a6700), QColor(0x57606a)};
    return theme;
}

Theme dark() {
    Theme theme;
    theme.kind = ThemeKind::dark;
    theme.background = 0x16191d;
    theme.panel = 0x1e2227;
    theme.line = 0x333a42;
    theme.text = 0xe6e9ed;
    theme.muted = 0x9ba5b0;
    theme.accent = 0x6ea8fe;
    theme.onAccent = 0x10141a;
    theme.selection = 0x253a57;
    theme.good = 0x57c785;
    theme.bad = 0xff7b72;
    theme.warning = 0xe3b341;
    theme.grid = 0x2a3037;
    theme.curves = {QColor(0x6ea8fe), QColor(0xf0a35e), QColor(0x57c785), QColor(0xc297ff),
                    QColor(0xff7b72), QColor(0x4fd1d1), QColor(0xe3b341), QColor(0x98a2ad)};
    return theme;
}

} // namespace

const Theme& Theme::of(ThemeKind kind) {
    static const Theme lightTheme = light();
    static const Theme darkTheme = dark();
    return kind == ThemeKind::light ? lightTheme : darkTheme;
}

Qt::PenStyle Theme::dash(uint32_t trial) {
    constexpr std::array<Qt::PenStyle, 4> kStyles = {Qt::SolidLine, Qt::DashLine, Qt::DashDotLine,
                                                     Qt::DotLine};
    return kStyles[trial / 8 % kStyles.size()];
}

QPalette Theme::palette() const {
    QPalette palette;
    palette.setColor(QPalette::Window, background);
    palette.setColor(QPalette::WindowText, text);
    palette.setColor(QPalette::Base, panel);
    palette.setColor(QPalette::AlternateBase, background);
    palette.setColor(QPalette::Text, text);
    palette.setColor(QPalette::PlaceholderText, muted);
    palette.setColor(QPalette::Button, panel);
    palette.setColor(QPalette::ButtonText, text);
    palette.setColor(QPalette::BrightText, bad);
    palette.setColor(QPalette::Highlight, selection);
    palette.setColor(QPalette::HighlightedText, text);
    palette.setColor(QPalette::Link, accent);
    palette.setColor(QPalette::LinkVisited, accent);
    palette.setColor(QPalette::ToolTipBase, panel);
    palette.setColor(QPalette::ToolTipText, text);
    palette.setColor(QPalette::Light, panel);
    palette.setColor(QPalette::Midlight, line);
    palette.setColor(QPalette::Mid, line);
    palette.setColor(QPalette::Dark, line);
    palette.setColor(QPalette::Shadow, line);
    for (const auto role : {QPalette::WindowText, QPalette::Text, QPalette::ButtonText})
        palette.setColor(QPalette::Disabled, role, muted);
    return palette;
}

QString Theme::styleSheet() const {
    QFile file(QStringLiteral(":/style/trialdeck.qss"));
    if (!file.open(QIODevice::ReadOnly))
        return {};
    QString sheet = QString::fromUtf8(file.readAll());
    const std::array<std::pair<const char*, QColor>, 11> colours = {{{"@background", background},
                                                                     {"@panel", panel},
                                                                     {"@line", line},
                                                                     {"@text", text},
                                                                     {"@muted", muted},
                                                                     {"@accent", accent},
                                                                     {"@onAccent", onAccent},
                                                                     {"@selection", selection},
                                                                     {"@good", good},
                                                                     {"@bad", bad},
                                                                     {"@warning", warning}}};
    for (const auto& [name, colour] : colours)
        sheet.replace(QLatin1String(name) + QLatin1Char(';'), colour.name() + QLatin1Char(';'));
    sheet.replace(QLatin1String("@theme"),
                  kind == ThemeKind::light ? QLatin1String("light") : QLatin1String("dark"));
    return sheet;
}

} // namespace trialdeck::app::views

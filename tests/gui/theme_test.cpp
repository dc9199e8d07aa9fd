// SPDX-License-Identifier: Apache-2.0
#include "app/views/theme.h"

#include <QtTest>

#include <cmath>

using namespace trialdeck::app::views;

namespace {

double linear(double channel) {
    return channel <= 0.04045 ? channel / 12.92 : std::pow((channel + 0.055) / 1.055, 2.4);
}

double luminance(const QColor& colour) {
    return 0.2126 * linear(colour.redF()) + 0.7152 * linear(colour.greenF()) +
           0.0722 * linear(colour.blueF());
}

/// Source: WCAG 2.1, contrast ratio.
double contrast(const QColor& a, const QColor& b) {
    const double lighter = std::max(luminance(a), luminance(b));
    const double darker = std::min(luminance(a), luminance(b));
    return (lighter + 0.05) / (darker + 0.05);
}

struct Named {
    const char* name;
    QColor colour;
};

QStringList below(const std::vector<Named>& texts, const std::vector<Named>& grounds, double wanted) {
    QStringList found;
    for (const Named& text : texts) {
        for (const Named& ground : grounds) {
            const double ratio = contrast(text.colour, ground.colour);
            if (ratio < wanted)
                found << QStringLiteral("%1 on %2: %3")
                             .arg(text.name, ground.name, QString::number(ratio, 'f', 2));
        }
    }
    return found;
}

} // namespace

class ThemeTest : public QObject {
    Q_OBJECT

private slots:
    void everyTextCanBeRead_data() {
        QTest::addColumn<bool>("isDark");
        QTest::newRow("light") << false;
        QTest::newRow("dark") << true;
    }
    void everyTextCanBeRead() {
        QFETCH(const bool, isDark);
        const Theme& theme = Theme::of(isDark ? ThemeKind::dark : ThemeKind::light);
        const std::vector<Named> texts = {{"text", theme.text},
                                          {"muted", theme.muted},
                                          {"good", theme.good},
                                          {"bad", theme.bad},
                                          {"warning", theme.warning}};
        const std::vector<Named> grounds = {
            {"background", theme.background}, {"panel", theme.panel}, {"selection", theme.selection}};
        QCOMPARE(below(texts, grounds, 4.5).join('\n'), QString());
        QCOMPARE(
            below({{"accent", theme.accent}}, {{"background", theme.background}, {"panel", theme.panel}}, 4.5)
                .join('\n'),
            QString());
        QCOMPARE(
            below({{"text on accent", theme.onAccent}}, {{"accent", theme.accent}, {"bad", theme.bad}}, 4.5)
                .join('\n'),
            QString());
    }

    void everyCurveCanBeSeen_data() { everyTextCanBeRead_data(); }
    void everyCurveCanBeSeen() {
        QFETCH(const bool, isDark);
        const Theme& theme = Theme::of(isDark ? ThemeKind::dark : ThemeKind::light);
        std::vector<Named> curves;
        for (const QColor& colour : theme.curves)
            curves.push_back({"curve", colour});
        QCOMPARE(below(curves, {{"panel", theme.panel}}, 3).join('\n'), QString());
    }

    void theStyleSheetHasNoNameLeftOver() {
        for (const ThemeKind kind : {ThemeKind::light, ThemeKind::dark})
            QVERIFY(!Theme::of(kind).styleSheet().contains('@'));
    }
};

QTEST_MAIN(ThemeTest)
#include "theme_test.moc"

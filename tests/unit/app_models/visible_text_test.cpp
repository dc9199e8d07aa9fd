// SPDX-License-Identifier: Apache-2.0
#include "app/models/visible_text.h"

#include <QtTest>

using trialdeck::app::models::visibleText;

class VisibleTextTest : public QObject {
    Q_OBJECT

private slots:
    void whatMovesOrHidesLettersIsWrittenOut_data() {
        QTest::addColumn<QString>("text");
        QTest::addColumn<QString>("visible");
        QTest::newRow("plain") << QStringLiteral("lr-sweep 实验 é") << QStringLiteral("lr-sweep 实验 é");
        QTest::newRow("override") << QStringLiteral("a\u202egpj.exe") << QStringLiteral("a\\u202egpj.exe");
        QTest::newRow("isolate") << QStringLiteral("\u2066x\u2069") << QStringLiteral("\\u2066x\\u2069");
        QTest::newRow("marks") << QStringLiteral("\u200e\u200f\u061c")
                               << QStringLiteral("\\u200e\\u200f\\u061c");
        QTest::newRow("escape") << QStringLiteral("\x1b[31mred") << QStringLiteral("\\u001b[31mred");
        QTest::newRow("lines") << QStringLiteral("a\nb\tc\u2028d") << QStringLiteral("a\\nb\\tc\\u2028d");
        QTest::newRow("joined emoji")
            << QStringLiteral("\U0001F469\u200D\U0001F52C") << QStringLiteral("\U0001F469\u200D\U0001F52C");
    }
    void whatMovesOrHidesLettersIsWrittenOut() {
        QFETCH(const QString, text);
        QTEST(visibleText(text), "visible");
    }
};

QTEST_APPLESS_MAIN(VisibleTextTest)
#include "visible_text_test.moc"

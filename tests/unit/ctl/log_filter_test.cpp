// SPDX-License-Identifier: Apache-2.0
#include "core/ctl/log_filter.h"
#include "tests/support/compare.h"

#include <QtTest>

using namespace trialdeck;
using ctl::LogFilter;

class LogFilterTest : public QObject {
    Q_OBJECT
private slots:
    void onlyColoursSurvive_data() {
        QTest::addColumn<QByteArray>("printed");
        QTest::addColumn<QByteArray>("shown");
        const auto row = [](const char* name, const QByteArray& printed, const QByteArray& shown) {
            QTest::newRow(name) << printed << shown;
        };
        row("text", "epoch 1\tloss 0.5\r\n", "epoch 1\tloss 0.5\r\n");
        row("Chinese", "损失 é 😀\n", "损失 é 😀\n");
        row("colour", "\x1b[1;31mred\x1b[0m\n", "\x1b[1;31mred\x1b[0m\n");
        row("colour left on", "\x1b[38:2::1:2:3mred\n", "\x1b[38:2::1:2:3mred\n\x1b[0m");
        row("cursor", "a\x1b[2J\x1b[10A\x1b[?25lb\x1b[6n", "ab");
        row("private colour", "\x1b[>4;2mx\x1b[?1m", "x");
        row("title",
            "a\x1b]0;owned\x07"
            "b\x1b]52;c;aGk=\x1b\\c",
            "abc");
        row("device string", "a\x1bP1$q\x1b\\b\x1b_x\x1b\\c\x1b^y\x1b\\d", "abcd");
        row("title without end", "a\x1b]0;owned\nb", "a\nb");
        row("reset and charset",
            "a\x1b"
            "cb\x1b(0c\x1b#8d\x1b=e",
            "abcde");
        row("bell and backspace", QByteArray("a\a\b\x7f\0b", 6), "ab");
        row("C1",
            "a\u009b2Jb\u009d0;x\x07"
            "c\u0085d",
            "abcd");
        row("direction", "a\u202e b", "a\\u202e b");
        row("not UTF-8", "a\xff\xc3(", "a\ufffd\ufffd(");
        row("cut off", "a\x1b[3", "a");
        row("cut letter", "a\xe6\x8d", "a\ufffd\ufffd");
        row("escape in escape", "\x1b\x1b[31mx", "\x1b[31mx\x1b[0m");
    }
    void onlyColoursSurvive() {
        QFETCH(QByteArray, printed);
        QFETCH(QByteArray, shown);
        LogFilter whole;
        std::string all = whole.take(printed.toStdString());
        all += whole.end();
        QCOMPARE(QByteArray::fromStdString(all), shown);
        LogFilter bytes;
        std::string pieces;
        for (const char byte : printed)
            pieces += bytes.take({&byte, 1});
        pieces += bytes.end();
        QCOMPARE(QByteArray::fromStdString(pieces), shown);
    }

    void theTerminalsColoursComeBackOnce() {
        LogFilter filter;
        QCOMPARE(filter.take("\x1b[31m"), std::string("\x1b[31m"));
        QCOMPARE(filter.end(), std::string("\x1b[0m"));
        QCOMPARE(filter.end(), std::string(""));
    }
};

QTEST_APPLESS_MAIN(LogFilterTest)
#include "log_filter_test.moc"

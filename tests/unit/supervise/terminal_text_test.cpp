// SPDX-License-Identifier: Apache-2.0
#include "core/supervise/terminal_text.h"

#include "tests/support/compare.h"

#include <QtTest>

using namespace trialdeck::supervise;

class TerminalTextTest : public QObject {
    Q_OBJECT
private slots:
    void aLineIsWhatACarriageReturnLeftOfIt_data() {
        QTest::addColumn<QByteArray>("line");
        QTest::addColumn<QByteArray>("state");
        QTest::newRow("none") << QByteArray("epoch 1") << QByteArray("epoch 1");
        QTest::newRow("bar") << QByteArray("\r 0%\r 50%\r100%") << QByteArray("100%");
        QTest::newRow("CRLF") << QByteArray("epoch 1\r") << QByteArray("epoch 1");
        QTest::newRow("bar and CRLF") << QByteArray("0%\r99%\r\r") << QByteArray("99%");
        QTest::newRow("nothing else") << QByteArray("\r\r") << QByteArray("");
    }
    void aLineIsWhatACarriageReturnLeftOfIt() {
        QFETCH(QByteArray, line);
        QFETCH(QByteArray, state);
        QCOMPARE(std::string(lastState(line.toStdString())), state.toStdString());
    }

    void sequencesForTerminalsAreLeftOut_data() {
        QTest::addColumn<QByteArray>("text");
        QTest::addColumn<QByteArray>("plain");
        QTest::newRow("colour") << QByteArray("\x1b[1;31mloss\x1b[0m 0.5") << QByteArray("loss 0.5");
        QTest::newRow("title") << QByteArray("\x1b]0;title\x07"
                                             "a")
                               << QByteArray("a");
        QTest::newRow("link") << QByteArray("\x1b]8;;http://x\x1b\\text\x1b]8;;\x1b\\") << QByteArray("text");
        QTest::newRow("cursor") << QByteArray("\x1b[?25la\x1b[2Kb") << QByteArray("ab");
        QTest::newRow("character set") << QByteArray("\x1b(Bx") << QByteArray("x");
        QTest::newRow("two bytes") << QByteArray("\x1b"
                                                 "7x\x1b"
                                                 "8")
                                   << QByteArray("x");
        QTest::newRow("half a colour") << QByteArray("a\x1b[3") << QByteArray("a");
        QTest::newRow("half a title") << QByteArray("a\x1b]0;t") << QByteArray("a");
        QTest::newRow("only the escape") << QByteArray("a\x1b") << QByteArray("a");
        QTest::newRow("control characters") << QByteArray("a\x08\x07\tb\x7f") << QByteArray("a\tb");
        QTest::newRow("no UTF-8") << QByteArray("\x82\xff") << QByteArray("\x82\xff");
    }
    void sequencesForTerminalsAreLeftOut() {
        QFETCH(QByteArray, text);
        QFETCH(QByteArray, plain);
        QCOMPARE(withoutEscapes(text.toStdString()), plain.toStdString());
    }

    void theTailBeginsWithAWholeLine() {
        QCOMPARE(readableTail("first line\nsecond line\nthird\n", 18), std::string("second line\nthird\n"));
        QCOMPARE(readableTail("first line\nsecond line\nthird\n", 17), std::string("third\n"));
    }

    void theTailOfOneLongLineBeginsWithAWholeCharacter() {
        QCOMPARE(readableTail("训练训练", 7), std::string("训练"));
    }

    void theTailIsCleanTextAndBarsInTheirLastState() {
        QCOMPARE(readableTail("\r 1%\r 2%\rdone\n\xff"
                              "bad\n\x1b[31mred\x1b[0m",
                              100),
                 std::string("done\n\xEF\xBF\xBD"
                             "bad\nred"));
    }
};

QTEST_GUILESS_MAIN(TerminalTextTest)
#include "terminal_text_test.moc"

// SPDX-License-Identifier: Apache-2.0
#include "core/ctl/text_table.h"

#include "tests/support/compare.h"

#include <QtTest>

using namespace trialdeck::ctl;

class TextTableTest : public QObject {
    Q_OBJECT
private slots:
    void widthIsThatOfTheTerminal_data() {
        QTest::addColumn<QByteArray>("text");
        QTest::addColumn<int>("width");
        QTest::newRow("ASCII") << QByteArray("loss") << 4;
        QTest::newRow("Chinese") << QByteArray("损失 loss") << 9;
        QTest::newRow("full-width punctuation") << QByteArray("（a）") << 5;
        QTest::newRow("accents") << QByteArray("é") << 1;
        QTest::newRow("combining accent") << QByteArray("e\xcc\x81") << 1;
        QTest::newRow("Hangul") << QByteArray("학습") << 4;
        QTest::newRow("emoji") << QByteArray("🚀") << 2;
        QTest::newRow("bad byte") << QByteArray("a\xffz") << 3;
        QTest::newRow("cut character") << QByteArray("a\xe6\x8d") << 3;
    }
    void widthIsThatOfTheTerminal() {
        QFETCH(QByteArray, text);
        QFETCH(int, width);
        QCOMPARE(displayWidth(text.toStdString()), static_cast<size_t>(width));
    }

    void textIsCutAtACharacter() {
        QCOMPARE(fitted("loss", 4), std::string("loss"));
        QCOMPARE(fitted("losses", 4), std::string("los…"));
        QCOMPARE(fitted("损失函数", 5), std::string("损失…"));
        QCOMPARE(fitted("损失函数", 4), std::string("损…"));
        QCOMPARE(fitted("loss", 0), std::string(""));
    }

    void columnsAreAligned() {
        TextTable table;
        table.addColumn("trial", TextTable::Align::right);
        table.addColumn("状态", TextTable::Align::left);
        table.addColumn("loss", TextTable::Align::right);
        table.addRow({"3", "运行中", "0.5"});
        table.addRow({"12", "ok", ""});
        QCOMPARE(table.text(), std::string("trial  状态    loss\n"
                                           "    3  运行中   0.5\n"
                                           "   12  ok\n"));
    }

    void columnsThatDoNotFitAreLeftOut() {
        TextTable table;
        table.addColumn("a", TextTable::Align::left);
        table.addColumn("bbbb", TextTable::Align::left);
        table.addColumn("c", TextTable::Align::left);
        table.addRow({"1", "2", "3"});
        QCOMPARE(table.text(7), std::string("a  bbbb\n1  2\n"));
        QCOMPARE(table.text(10), std::string("a  bbbb  c\n1  2     3\n"));
    }
};

QTEST_APPLESS_MAIN(TextTableTest)
#include "text_table_test.moc"

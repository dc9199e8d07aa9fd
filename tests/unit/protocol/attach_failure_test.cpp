// SPDX-License-Identifier: Apache-2.0
#include "core/protocol/elsewhere.h"
#include "core/protocol/frame.h"
#include "tests/support/compare.h"

#include <QtTest>

using namespace trialdeck;
using namespace trialdeck::protocol;

class ElsewhereTest : public QObject {
    Q_OBJECT
private slots:
    void aLineIsReadBack_data() {
        QTest::addColumn<QByteArray>("host");
        QTest::addColumn<QByteArray>("user");
        QTest::addColumn<int>("port");
        QTest::newRow("all known") << QByteArray("login2") << QByteArray("anna") << 22;
        QTest::newRow("no ssh there") << QByteArray("login2.lab.example.com") << QByteArray("anna") << 0;
        QTest::newRow("no user") << QByteArray("2001:db8::1") << QByteArray() << 65535;
    }
    void aLineIsReadBack() {
        QFETCH(QByteArray, host);
        QFETCH(QByteArray, user);
        QFETCH(int, port);
        const DaemonElsewhere place{host.toStdString(), user.toStdString(), static_cast<uint16_t>(port)};
        const std::string printed = "welcome" + elsewhereLine("n-1", place) + "bye\n";
        const auto found = findElsewhereLine(cleanTerminalText(printed, 4096), "n-1");
        QVERIFY(found.has_value());
        QCOMPARE(*found == place, true);
    }

    void otherWordsAreNone_data() {
        QTest::addColumn<QByteArray>("printed");
        QTest::newRow("nothing") << QByteArray();
        QTest::newRow("another nonce") << QByteArray("trialdeck-head n-2 elsewhere 22 anna login2\n");
        QTest::newRow("no host") << QByteArray("trialdeck-head n-1 elsewhere 22 anna\n");
        QTest::newRow("cut") << QByteArray("trialdeck-head n-1 elsewhere ");
    }
    void otherWordsAreNone() {
        QFETCH(QByteArray, printed);
        QVERIFY(!findElsewhereLine(printed.toStdString(), "n-1").has_value());
    }
};

QTEST_APPLESS_MAIN(ElsewhereTest)
#include "elsewhere_test.moc"

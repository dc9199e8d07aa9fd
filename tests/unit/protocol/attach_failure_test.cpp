// SPDX-License-Identifier: Apache-2.0
#include "core/protocol/attach_failure.h"
#include "core/protocol/frame.h"
#include "tests/support/compare.h"

#include <QtTest>

using namespace trialdeck;
using namespace trialdeck::protocol;

class AttachFailureTest : public QObject {
    Q_OBJECT
private slots:
    void anErrorIsReadBack() {
        const Error error{ErrorCode::read_only_storage,
                          {{"path", "/home/安娜 \"x\"\n/.trialdeck"}, {"reason", "Read-only file system"}},
                          "make the head's folder"};
        const std::string printed = "welcome" + attachFailureLine("n-1", error) + "bye\n";
        const auto found = findAttachFailure(cleanTerminalText(printed, 4096), "n-1");
        QVERIFY(found.has_value());
        QCOMPARE(base::describe(*found), base::describe(error));
        QVERIFY(found->arguments == error.arguments);
    }

    void aCodeOfTheFutureIsInternal() {
        const auto found = findAttachFailure("trialdeck-head n-1 failed {\"code\":\"moon_phase\"}\n", "n-1");
        QVERIFY(found.has_value());
        QCOMPARE(found->code, ErrorCode::internal);
        QCOMPARE(found->detail, std::string("moon_phase"));
    }

    void otherWordsAreNone_data() {
        QTest::addColumn<QByteArray>("printed");
        QTest::newRow("nothing") << QByteArray();
        QTest::newRow("another nonce") << QByteArray("trialdeck-head n-2 failed {\"code\":\"disk_full\"}\n");
        QTest::newRow("no JSON") << QByteArray("trialdeck-head n-1 failed with honour\n");
        QTest::newRow("cut") << QByteArray("trialdeck-head n-1 failed {\"code\":\"disk");
        QTest::newRow("no map") << QByteArray("trialdeck-head n-1 failed [1]\n");
    }
    void otherWordsAreNone() {
        QFETCH(QByteArray, printed);
        QVERIFY(!findAttachFailure(printed.toStdString(), "n-1").has_value());
    }
};

QTEST_APPLESS_MAIN(AttachFailureTest)
#include "attach_failure_test.moc"

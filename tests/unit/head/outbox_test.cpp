// SPDX-License-Identifier: Apache-2.0
#include "core/head/outbox.h"
#include "tests/support/compare.h"

using trialdeck::head::Outbox;

class OutboxTest : public QObject {
    Q_OBJECT
private slots:
    void repliesGoBeforeStatesAndStatesBeforeBulk() {
        Outbox outbox;
        outbox.addBulk("bulk 1");
        outbox.setState("node", "state");
        outbox.addReply("reply 1");
        outbox.addBulk("bulk 2");
        outbox.addReply("reply 2");
        QCOMPARE(drain(outbox), (QStringList{"reply 1", "reply 2", "state", "bulk 1", "bulk 2"}));
    }

    void theLatestStateReplacesOneThatWaits() {
        Outbox outbox;
        outbox.setState("a", "old a");
        outbox.setState("b", "b");
        outbox.setState("a", "new");
        QCOMPARE(outbox.bytes(), size_t{4});
        QCOMPARE(drain(outbox), (QStringList{"new", "b"}));
        QCOMPARE(outbox.bytes(), size_t{0});
    }

    void urgentLeavesBulkWaiting() {
        Outbox outbox;
        outbox.addBulk("bulk");
        QVERIFY(!outbox.takeUrgent());
        QCOMPARE(outbox.take().value(), std::string("bulk"));
    }

private:
    static QStringList drain(Outbox& outbox) {
        QStringList frames;
        while (const auto frame = outbox.take())
            frames << QString::fromStdString(*frame);
        return frames;
    }
};

QTEST_APPLESS_MAIN(OutboxTest)
#include "outbox_test.moc"

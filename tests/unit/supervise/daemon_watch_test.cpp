// SPDX-License-Identifier: Apache-2.0
#include "core/supervise/daemon_watch.h"

#include "core/base/file_lock.h"
#include "tests/support/compare.h"

#include <QTemporaryDir>
#include <QtTest>

using namespace trialdeck;
using namespace trialdeck::supervise;
using namespace std::chrono_literals;

class DaemonWatchTest : public QObject {
    Q_OBJECT
private slots:
    void init() {
        m_folder = std::make_unique<QTemporaryDir>();
        m_starts = 0;
    }

    void waitsLongerEachTimeAndGivesUpAfterFive_data() {
        QTest::addColumn<QList<int>>("secondsAgo");
        QTest::addColumn<QString>("decision");
        QTest::newRow("never started") << QList<int>{} << "now";
        QTest::newRow("once, just now") << QList<int>{0} << "in 2000 ms";
        QTest::newRow("once, a while ago") << QList<int>{2} << "now";
        QTest::newRow("twice") << QList<int>{100, 4} << "in 6000 ms";
        QTest::newRow("three times") << QList<int>{100, 50, 10} << "in 20000 ms";
        QTest::newRow("four times") << QList<int>{100, 50, 30, 20} << "in 40000 ms";
        QTest::newRow("five times") << QList<int>{500, 400, 300, 200, 100} << "never";
        QTest::newRow("five times in more than ten minutes") << QList<int>{601, 400, 300, 200, 100} << "now";
        QTest::newRow("the clock was set back") << QList<int>{-50, -40} << "now";
    }
    void waitsLongerEachTimeAndGivesUpAfterFive() {
        QFETCH(QList<int>, secondsAgo);
        QFETCH(QString, decision);
        StartHistory history;
        for (const int seconds : secondsAgo)
            history.starts.push_back(m_clock.wallNow() - std::chrono::seconds(seconds));
        const StartDecision made = decideStart(history, m_clock.wallNow());
        const QString text = made.kind == StartDecision::Kind::now ? "now"
                             : made.kind == StartDecision::Kind::never
                                 ? "never"
                                 : QString("in %1 ms").arg(made.wait.count());
        QCOMPARE(text, decision);
    }

    void startsADaemonThatIsGone() {
        auto watch = makeWatch();
        watch.daemonLost();
        QVERIFY(watch.nextLook());
        QVERIFY(!watch.look());
        QCOMPARE(m_starts, 1);
    }

    void leavesALivingDaemonAlone() {
        const auto lock = base::FileLock::tryAcquire(revival().lock);
        auto watch = makeWatch();
        watch.daemonLost();
        QVERIFY(!watch.look());
        QCOMPARE(m_starts, 0);
        QVERIFY(watch.nextLook());
    }

    void leavesAShutDownDaemonAlone() {
        QVERIFY(base::replaceFile(m_files, revival().stayDown, ""));
        auto watch = makeWatch();
        QVERIFY(!watch.look());
        QCOMPARE(m_starts, 0);
    }

    void oneOfManyStartsIt() {
        auto first = makeWatch();
        auto second = makeWatch();
        QVERIFY(!first.look());
        QVERIFY(second.look());
        QCOMPARE(m_starts, 1);
    }

    void anotherThatIsAtItIsNotDisturbed() {
        base::Path starting = revival().lock;
        starting += ".starting";
        const auto lock = base::FileLock::tryAcquire(starting);
        auto watch = makeWatch();
        QVERIFY(!watch.look());
        QCOMPARE(m_starts, 0);
    }

    void givesUpWithANoteAfterFiveTimes() {
        auto watch = makeWatch();
        for (int i = 0; i < 20; ++i) {
            watch.look();
            m_clock.advance(20s);
        }
        QCOMPARE(m_starts, 5);
        QVERIFY(base::exists(m_files, base::Path(revival().lock.native() + ".given-up")));
    }

    void doesNothingWithoutADaemonToStart() {
        DaemonWatch watch(std::nullopt, nullptr, m_files, m_clock);
        watch.daemonLost();
        QVERIFY(!watch.nextLook());
        QVERIFY(!watch.look());
    }

    void aDaemonThatConnectsEndsTheWatch() {
        auto watch = makeWatch();
        watch.daemonLost();
        watch.daemonConnected();
        QVERIFY(!watch.nextLook());
    }

private:
    DaemonRevival revival() const {
        const base::Path folder = m_folder->path().toStdString();
        return {{"head", "serve"}, folder / "head.lock", folder / "stay-down"};
    }
    DaemonWatch makeWatch() {
        return {revival(),
                [this](const std::vector<std::string>&) {
                    ++m_starts;
                    return Expected<void>();
                },
                m_files, m_clock};
    }

    base::PosixFileSystem m_files;
    base::ManualClock m_clock;
    std::unique_ptr<QTemporaryDir> m_folder;
    int m_starts = 0;
};

QTEST_GUILESS_MAIN(DaemonWatchTest)
#include "daemon_watch_test.moc"

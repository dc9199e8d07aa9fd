// SPDX-License-Identifier: Apache-2.0
#include "core/supervise/process_tree.h"
#include "tests/support/compare.h"
#include "tests/support/supervised_worker.h"

#include <QTemporaryDir>
#include <QtTest>

using namespace trialdeck;
using namespace trialdeck::supervise;
using trialdeck::tests::eventually;
using trialdeck::tests::pidsIn;
using trialdeck::tests::SupervisedWorker;
using namespace std::chrono_literals;

/// What real supervisors do when the daemon is gone.
class RevivalTest : public QObject {
    Q_OBJECT
private slots:
    void init() { m_folder = std::make_unique<QTemporaryDir>(); }

    void theLostDaemonIsStartedAgainOutsideTheTree() {
        SupervisedWorker worker(orderWithDaemon({"hang"}));
        worker.start();
        QVERIFY(worker.awaitHello());
        worker.closeChannel();
        QVERIFY(eventually([&] { return base::exists(m_files, folder() / "daemon ran"); }));
        QVERIFY(worker.connect());
        QVERIFY(worker.awaitHello());
        // The "daemon" still runs; the worker's end must neither wait for it nor end it.
        worker.send(encodeLine(StopRequest{10s}));
        QVERIFY(worker.awaitExit());
        worker.awaitGone();
        QVERIFY(base::replaceFile(m_files, folder() / "daemon may end", ""));
        QVERIFY(eventually([&] { return base::exists(m_files, folder() / "daemon ended"); }));
    }

    void theDaemonHasNothingOfTheWorkersEnvironment() {
        SupervisedWorker worker(orderWithDaemon({"hang"}));
        worker.start();
        QVERIFY(worker.awaitHello());
        worker.closeChannel();
        QVERIFY(eventually([&] { return base::exists(m_files, folder() / "daemon ran"); }));
        QVERIFY(base::replaceFile(m_files, folder() / "daemon may end", ""));
        QVERIFY(eventually([&] { return base::exists(m_files, folder() / "daemon ended"); }));
        QCOMPARE(base::readWholeFile(m_files, folder() / "daemon ran").value(), std::string("attempt=\n"));
    }

    void theLastSupervisorStartsItAlsoWhenItsWorkerEnds() {
        LaunchOrder given = orderWithDaemon({"wait=" + (folder() / "go").native()});
        SupervisedWorker worker(given);
        worker.start();
        QVERIFY(worker.awaitHello());
        const auto lock = base::FileLock::tryAcquire(given.revival->lock);
        worker.closeChannel();
        QVERIFY(base::replaceFile(m_files, folder() / "go", ""));
        QVERIFY(eventually([&] { return base::exists(m_files, given.folder / kExitFile); }));
        QVERIFY(!base::exists(m_files, folder() / "daemon ran"));
        worker.awaitGone();
    }

    void afterAShutdownNothingIsStarted() {
        LaunchOrder given = orderWithDaemon({"wait=" + (folder() / "go").native()});
        QVERIFY(base::replaceFile(m_files, given.revival->stayDown, ""));
        SupervisedWorker worker(given);
        worker.start();
        QVERIFY(worker.awaitHello());
        worker.closeChannel();
        QVERIFY(base::replaceFile(m_files, folder() / "go", ""));
        worker.awaitGone();
        QVERIFY(base::exists(m_files, given.folder / kExitFile));
        QVERIFY(!base::exists(m_files, folder() / "daemon ran"));
    }

private:
    base::Path folder() const { return m_folder->path().toStdString(); }

    LaunchOrder orderWithDaemon(const std::vector<std::string>& steps) {
        LaunchOrder order = SupervisedWorker::order(folder(), steps);
        const std::string script =
            "cd '" + folder().native() +
            "'; echo \"attempt=$TRIALDECK_ATTEMPT\" > ran.tmp; mv ran.tmp 'daemon ran'; "
            "while [ ! -e 'daemon may end' ]; do :; done; touch 'daemon ended'";
        order.revival =
            DaemonRevival{{"/bin/sh", "-c", script}, folder() / "head.lock", folder() / "stay-down"};
        return order;
    }

    base::PosixFileSystem m_files;
    std::unique_ptr<QTemporaryDir> m_folder;
};

QTEST_GUILESS_MAIN(RevivalTest)
#include "revival_test.moc"

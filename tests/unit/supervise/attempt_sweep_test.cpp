// SPDX-License-Identifier: Apache-2.0
#include "core/supervise/attempt_sweep.h"

#include <QProcess>
#include <QtTest>

using namespace trialdeck;
using supervise::AttemptProcess;
using supervise::AttemptSweep;

class AttemptSweepTest : public QObject {
    Q_OBJECT
private slots:
    void killsWhatCarriesTheAttemptAndNothingElse() {
        QProcess mine;
        QProcess neighbour;
        start(mine, name() + "/1/0");
        start(neighbour, name() + "/10/0");
        AttemptSweep sweep(name() + "/1");
        QVERIFY(sweep.look());
        QVERIFY(mine.waitForFinished());
        QCOMPARE(mine.exitStatus(), QProcess::CrashExit);
        QCOMPARE(neighbour.state(), QProcess::Running);
        neighbour.kill();
        QVERIFY(neighbour.waitForFinished());
    }

    void oneLookThatFindsNothingIsNotEnough() {
        AttemptSweep sweep(name());
        QVERIFY(sweep.look());
        QVERIFY(!sweep.look());
    }

    void aLateChildBeginsTheCountAgain() {
        AttemptSweep sweep(name());
        QVERIFY(sweep.look());
        QProcess late;
        start(late, name() + "/3/1");
        QVERIFY(sweep.look());
        QVERIFY(late.waitForFinished());
        QVERIFY(sweep.look());
        QVERIFY(!sweep.look());
    }

    void leavesAloneWhatIsSpared() {
        QProcess spared;
        start(spared, name() + "/2/0");
        AttemptSweep sweep(name(),
                           [&](const AttemptProcess& process) { return process.attempt == name() + "/2/0"; });
        QVERIFY(sweep.look());
        QVERIFY(!sweep.look());
        QCOMPARE(spared.state(), QProcess::Running);
        spared.kill();
        QVERIFY(spared.waitForFinished());
    }

private:
    /// Not shared with a test that runs beside this one.
    static std::string name() { return "sweep-" + std::to_string(QCoreApplication::applicationPid()); }

    static void start(QProcess& process, const std::string& attempt) {
        QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
        environment.insert("TRIALDECK_ATTEMPT", QString::fromStdString(attempt));
        process.setProcessEnvironment(environment);
        process.start("sleep", {"600"});
        QVERIFY(process.waitForStarted());
    }
};

QTEST_GUILESS_MAIN(AttemptSweepTest)
#include "attempt_sweep_test.moc"

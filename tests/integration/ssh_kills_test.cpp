// SPDX-License-Identifier: Apache-2.0
// kill -9 of each program between a window and its trials, at any moment.
#include "tests/integration/line_scene.h"
#include "tests/support/compare.h"

#include <QElapsedTimer>
#include <QProcess>
#include <QSet>

#include <csignal>

using namespace trialdeck;
using tests::Followed;
using tests::LineScene;
using tests::PlainSshd;
using tests::processesOf;
using tests::seedOfRun;
using tests::SshWay;
using tests::WholeLog;

class SshKillsTest : public QObject {
    Q_OBJECT
private slots:
    void initTestCase() {
        if (!PlainSshd::available())
            QSKIP("there is no sshd");
    }

    void nothingIsLostByKills_data() { tests::addSshWays(); }
    void nothingIsLostByKills() {
        QFETCH(SshWay, way);
        constexpr int kKills = 9;
        base::Rng rng(seedOfRun(), static_cast<uint64_t>(way), "kills");
        LineScene scene(way);
        WholeLog log;
        const Followed followed(scene, log);
        for (int kill = 0; kill < kKills; ++kill) {
            QElapsedTimer since;
            since.start();
            const auto moment = qint64(rng.uniform() * 300);
            scene.session.waitFor([&] { return since.hasExpired(moment); });
            const auto lost = scene.session.state().unknownSince;
            switch (kill % 3) {
            case 0:
                scene.server.killSessions();
                break;
            case 1:
                for (const pid_t relay : processesOf(scene.dataHome(), "attach"))
                    ::kill(relay, SIGKILL);
                break;
            default:
                for (const pid_t daemon : processesOf(scene.dataHome(), "serve"))
                    ::kill(daemon, SIGKILL);
            }
            QVERIFY(scene.session.waitFor([&] { return scene.session.state().unknownSince != lost; }));
            QVERIFY(scene.session.waitFor([&] { return scene.session.connected(); }));
        }
        scene.finish(followed.id, log);
    }

    /// The client itself goes: what it has started here and there goes with it, and the next one has it all.
    void nothingIsLeftOfAKilledClient_data() { tests::addSshWays(); }
    void nothingIsLeftOfAKilledClient() {
        QFETCH(SshWay, way);
        constexpr int kKills = 8;
        constexpr double kMilliseconds = 1'500;
        base::Rng rng(seedOfRun(), static_cast<uint64_t>(way), "clients");
        LineScene scene(way);
        scene.session.connect();
        const ExperimentId id = scene.start();
        for (int kill = 0; kill < kKills; ++kill) {
            QProcess client;
            scene.startClient(client, id);
            QElapsedTimer since;
            since.start();
            const auto moment = qint64(rng.uniform() * kMilliseconds);
            scene.session.waitFor([&] { return since.hasExpired(moment); });
            ::kill(static_cast<pid_t>(client.processId()), SIGKILL);
            QVERIFY(client.waitForFinished());
            // Ours is still there, and nothing else.
            QVERIFY(scene.session.waitFor([&] {
                return processesOf(scene.dataHome(), "attach").size() == 1 && scene.server.connections() == 1;
            }));
            QVERIFY(scene.session.connected());
        }
        QProcess last;
        scene.startClient(last, id);
        QVERIFY(last.waitForReadyRead(60'000));
        scene.stopTrials();
        QVERIFY(scene.session.waitForState(id, ExperimentState::completed));
        const std::vector<size_t> counts = scene.countsOfTrials();
        QCOMPARE(counts.size(), size_t{2});
        const auto expected = qsizetype(counts[0] + counts[1]);
        QByteArray lines;
        QVERIFY(scene.session.waitFor([&] {
            (void)last.waitForReadyRead(0);
            return (lines += last.readAll()).count('\n') >= expected;
        }));
        QList<QByteArray> reports = lines.split('\n');
        QVERIFY(reports.takeLast().isEmpty());
        QCOMPARE(reports.size(), expected);
        QCOMPARE(QSet<QByteArray>(reports.begin(), reports.end()).size(), expected);
        last.kill();
        QVERIFY(last.waitForFinished());
    }
};

QTEST_GUILESS_MAIN(SshKillsTest)
#include "ssh_kills_test.moc"

// SPDX-License-Identifier: Apache-2.0
// A line that goes silent without an end, and a head that does: a laptop asleep, a change of networks, a host
// that is too busy to answer.
#include "core/client/client.h"
#include "tests/integration/line_scene.h"
#include "tests/support/compare.h"

#include <QElapsedTimer>

#include <csignal>

using namespace trialdeck;
using namespace std::chrono_literals;
using client::ConnectionPhase;
using tests::FaultProxy;
using tests::Followed;
using tests::LineScene;
using tests::PlainSshd;
using tests::processesOf;
using tests::SshWay;
using tests::WholeLog;

namespace {

void tell(const char* what, const QElapsedTimer& since) {
    qInfo("%s after %lld ms", what, static_cast<long long>(since.elapsed()));
}

} // namespace

class SshHalfOpenTest : public QObject {
    Q_OBJECT
private slots:
    void initTestCase() {
        if (!PlainSshd::available())
            QSKIP("there is no sshd");
    }

    void aSilentLineIsNoticedAndComesBackWithEverything_data() { tests::addSshWays(); }
    void aSilentLineIsNoticedAndComesBackWithEverything() {
        QFETCH(SshWay, way);
        LineScene scene(way);
        WholeLog log;
        const Followed followed(scene, log);
        QVERIFY(scene.session.waitFor([&] { return scene.session.reports().size() >= 10; }));
        scene.proxy.freeze();
        QElapsedTimer since;
        since.start();
        QVERIFY(scene.session.waitFor([&] { return scene.session.state().unknownSince.has_value(); }));
        tell("the silence was noticed", since);
        QVERIFY(!scene.session.connected());
        // It is tried again and again meanwhile, and no try hangs for ever.
        const int before = scene.proxy.connections();
        QVERIFY(scene.session.waitFor([&] { return scene.proxy.connections() > before + 1; }));
        scene.proxy.thaw();
        since.restart();
        QVERIFY(scene.session.waitFor([&] { return scene.session.connected(); }));
        tell("connected again", since);
        scene.finish(followed.id, log);
    }

    /// What was under way stays away, and so does all that is sent over the old connection.
    void aChangeOfNetworksLosesNothing_data() { tests::addSshWays(); }
    void aChangeOfNetworksLosesNothing() {
        QFETCH(SshWay, way);
        LineScene scene(way);
        WholeLog log;
        const Followed followed(scene, log);
        QVERIFY(scene.session.waitFor([&] { return scene.session.reports().size() >= 10; }));
        scene.proxy.cut(FaultProxy::End::silence);
        QElapsedTimer since;
        since.start();
        QVERIFY(scene.session.waitFor([&] { return scene.session.state().unknownSince.has_value(); }));
        tell("the silence was noticed", since);
        QVERIFY(scene.session.waitFor([&] { return scene.session.connected(); }));
        tell("connected again", since);
        scene.finish(followed.id, log);
    }

    /// Who closes the window while the line is dead does not wait for it.
    void aClientEndsWhileTheLineIsSilent_data() { tests::addSshWays(); }
    void aClientEndsWhileTheLineIsSilent() {
        QFETCH(SshWay, way);
        LineScene scene(way);
        WholeLog log;
        {
            Followed followed(scene, log);
            QVERIFY(scene.session.waitFor([&] { return scene.session.reports().size() >= 10; }));
            scene.proxy.freeze();
            QElapsedTimer since;
            since.start();
            followed.following.reset();
            scene.session.disconnect();
            tell("closed", since);
            QTRY_COMPARE(tests::childrenNamed("ssh"), 0);
        }
        scene.proxy.thaw();
        scene.session.connect();
        // The trials went on, and the old relay is not left there.
        QTRY_COMPARE_WITH_TIMEOUT(processesOf(scene.dataHome(), "attach").size(), size_t{1}, 40'000);
        QCOMPARE(processesOf(scene.dataHome(), "serve").size(), size_t{1});
    }

    /// The line lives, the daemon says nothing for a while: it is not taken for dead, and gets no second one.
    void aBusyHeadIsWaitedFor_data() { tests::addSshWays(); }
    void aBusyHeadIsWaitedFor() {
        QFETCH(SshWay, way);
        LineScene scene(way);
        WholeLog log;
        const Followed followed(scene, log);
        QVERIFY(scene.session.waitFor([&] { return scene.session.reports().size() >= 10; }));
        const std::vector<pid_t> daemons = processesOf(scene.dataHome(), "serve");
        QCOMPARE(daemons.size(), size_t{1});
        const int connections = scene.proxy.connections();
        ::kill(daemons.front(), SIGSTOP);
        QElapsedTimer since;
        since.start();
        scene.session.waitFor([&] { return since.hasExpired(12'000); });
        QCOMPARE(processesOf(scene.dataHome(), "serve"), daemons);
        ::kill(daemons.front(), SIGCONT);
        since.restart();
        const size_t reports = scene.session.reports().size();
        QVERIFY(scene.session.waitFor([&] { return scene.session.reports().size() > reports; }));
        tell("reports come again", since);
        QCOMPARE(scene.proxy.connections(), connections);
        scene.finish(followed.id, log);
    }
};

QTEST_GUILESS_MAIN(SshHalfOpenTest)
#include "ssh_half_open_test.moc"

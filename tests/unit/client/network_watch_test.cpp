// SPDX-License-Identifier: Apache-2.0
// In a network of the test's own, whose interfaces it may change.
#include "core/client/network_watch.h"

#include "core/base/log.h"
#include "core/client/client.h"
#include "tests/fakes/scripted_head.h"
#include "tests/support/pump.h"

#include <QProcess>
#include <QtTest>

#include <sched.h>

using namespace trialdeck;
using namespace std::chrono_literals;
using tests::pumpUntil;

namespace {

void ip(const QStringList& arguments) {
    QProcess program;
    program.start(QStringLiteral("ip"), arguments);
    QVERIFY(program.waitForFinished());
    QCOMPARE(program.exitCode(), 0);
}

} // namespace

class NetworkWatchTest : public QObject {
    Q_OBJECT

private slots:
    void initTestCase() {
        if (::unshare(CLONE_NEWNET) != 0)
            QSKIP("a network of its own needs root");
    }

    void aLinkThatComesUpAndAnAddressAreToldOnce() {
        asio::io_context loop;
        int returns = 0;
        const client::NetworkWatch watch(loop, [&] { ++returns; });
        ip({"link", "set", "lo", "up"});
        ip({"addr", "add", "10.9.0.2/24", "dev", "lo"});
        ip({"route", "add", "default", "dev", "lo"});
        QVERIFY(pumpUntil(loop, [&] { return returns > 0; }));
        QCOMPARE(returns, 1);
    }

    void whatGoesIsNotTold() {
        asio::io_context loop;
        int returns = 0;
        const client::NetworkWatch watch(loop, [&] { ++returns; });
        ip({"route", "del", "default"});
        ip({"addr", "del", "10.9.0.2/24", "dev", "lo"});
        ip({"link", "set", "lo", "down"});
        loop.run_for(400ms);
        QCOMPARE(returns, 0);
    }

    void aClientThatWaitsTriesAtOnce() {
        asio::io_context loop;
        const base::SystemClock clock;
        base::NullLog log;
        tests::ScriptedHead head(loop);
        client::ClientOptions options;
        options.firstPause = options.quickPause = options.longestPause = 1h;
        options.buildId = "build-1";
        options.watchNetwork = true;
        client::Client client(loop, clock, log, head.transport(), options);
        head.refusals.push_back({ErrorCode::host_unreachable, {}, {}});
        client.start();
        QVERIFY(pumpUntil(loop, [&] { return client.state().phase == client::ConnectionPhase::waiting; }));
        ip({"link", "set", "lo", "up"});
        QVERIFY(pumpUntil(loop, [&] { return client.state().phase == client::ConnectionPhase::connected; }));
    }
};

QTEST_GUILESS_MAIN(NetworkWatchTest)
#include "network_watch_test.moc"

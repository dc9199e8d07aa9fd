// SPDX-License-Identifier: Apache-2.0
// login1 and login2 share a home: two hosts with an sshd each, and the real head.
#include "core/base/build_id.h"
#include "core/transport/remote/ssh_transport.h"
#include "core/transport/ssh/system_ssh_host.h"
#include "tests/integration/head_session.h"
#include "tests/support/compare.h"
#include "tests/support/scripted_prompts.h"
#include "tests/support/ssh_server.h"

#include <QFile>

#include <csignal>

using namespace trialdeck;
using namespace trialdeck::transport;
using tests::HeadSession;
using tests::PrivateHost;
using tests::SshServer;
using tests::SshServerOptions;

namespace {

constexpr const char* kFirst = "127.0.0.1";
constexpr const char* kSecond = "127.0.0.2";
/// Both know each other by name, as on a cluster.
const std::string kHosts =
    "127.0.0.1 localhost\n" + std::string(kFirst) + " login1\n" + kSecond + " login2\n";

/// Another host with the accounts and homes of the server: all of its folder, under another name and address.
std::unique_ptr<PrivateHost> secondHost(const SshServer& server) {
    const base::Path etc = server.folder() / "etc";
    QFile config(QString::fromStdString(etc / "sshd_config"));
    QFile second(QString::fromStdString(etc / "sshd_config_2"));
    if (!config.open(QIODevice::ReadOnly) || !second.open(QIODevice::WriteOnly))
        return nullptr;
    second.write(config.readAll().replace(QByteArray("ListenAddress ") + kFirst,
                                          QByteArray("ListenAddress ") + kSecond));
    second.close();
    PrivateHost::Options how;
    how.name = "login2";
    how.kept = {server.folder()};
    if (std::string_view(TRIALDECK_BIN_DIR).substr(0, 5) == "/tmp/")
        how.kept.emplace_back(TRIALDECK_BIN_DIR);
    for (const char* name : {"passwd", "group", "shadow", "hosts"})
        how.binds.emplace_back(etc / name, base::Path("/etc") / name);
    how.log = server.folder() / "sshd_2.log";
    how.listening = "Server listening on";
    how.command = {"/usr/sbin/sshd", "-D", "-e", "-f", (etc / "sshd_config_2").native()};
    auto host = PrivateHost::make(how);
    return host && (*host)->start() ? std::move(*host) : nullptr;
}

/// What one session to the pool shall do.
struct Wish {
    const char* address = kFirst;
    bool here = false;
};

struct Pool {
    Pool() : server(options()), second(secondHost(server)) {}

    static SshServerOptions options() {
        SshServerOptions options;
        options.hostName = "login1";
        options.hosts = kHosts;
        return options;
    }

    HeadSession::MakeTransport way(Wish wish) {
        return [this, wish](asio::io_context&, HeadSession&) -> std::unique_ptr<Transport> {
            SystemSshOptions ssh;
            ssh.destination = server.destination();
            ssh.askpass = TRIALDECK_BIN_DIR "/trialdeck-askpass";
            ssh.environment = server.clientEnvironment();
            if (wish.address != std::string(kFirst))
                ssh.neighbour = wish.address;
            SshTransportOptions options;
            options.hostName = "lab";
            options.programs.head = TRIALDECK_BIN_DIR "/trialdeck-head";
            options.programs.buildId = base::buildId();
            options.here = wish.here;
            return std::make_unique<SshTransport>(std::make_unique<SystemSshHost>(ssh, clock, prompts), files,
                                                  clock, options);
        };
    }

    [[nodiscard]] pid_t secondDaemon() const {
        const std::vector<pid_t> daemons = second->processes("trialdeck-head", "serve");
        return daemons.empty() ? 0 : daemons.front();
    }

    base::SystemClock clock;
    base::PosixFileSystem files;
    /// Host keys are unknown at first: one for each name.
    tests::ScriptedPrompts prompts{{"yes", "yes", "yes", "yes"}};
    SshServer server;
    std::unique_ptr<PrivateHost> second;
};

std::string hostOf(const HeadSession& session) {
    return session.connected() ? session.state().head->host : "nowhere";
}

/// "connected", or why the last try failed.
std::string outcome(HeadSession& session) {
    session.start();
    session.waitFor([&] { return session.connected() || session.state().error; });
    return session.connected() ? "connected" : std::string(nameOf(session.state().error->code));
}

} // namespace

class SshHomesTest : public QObject {
    Q_OBJECT
private slots:
    void initTestCase() {
        if (const std::string why = SshServer::whyNot(); !why.empty())
            QSKIP(why.c_str());
    }

    void theDaemonIsReachedOnWhicheverHostItLives() {
        Pool pool;
        QVERIFY(pool.second);
        HeadSession first(pool.way({kSecond}));
        first.connect();
        QCOMPARE(hostOf(first), std::string("login2"));
        const pid_t daemon = pool.secondDaemon();
        QVERIFY(daemon != 0);

        HeadSession other(pool.way({kFirst}));
        other.connect();
        QCOMPARE(hostOf(other), std::string("login2"));
        QCOMPARE(other.state().head->instance, first.state().head->instance);
        QCOMPARE(pool.server.daemonPid(), 0);
        // The new name was asked for as any new host's is.
        QCOMPARE(pool.prompts.asked.size(), size_t{2});

        // A line that breaks comes back to it.
        const auto lost = other.state().unknownSince;
        tests::killAndWait(pool.second->processes("trialdeck-head", "attach"));
        QVERIFY(other.waitFor([&] { return other.state().unknownSince != lost; }));
        QVERIFY(other.waitFor([&] { return other.connected(); }));
        QCOMPARE(pool.secondDaemon(), daemon);
        pool.server.killSessions();
        QVERIFY(other.waitFor([&] { return !other.connected(); }));
        QVERIFY(other.waitFor([&] { return other.connected(); }));
        QCOMPARE(hostOf(other), std::string("login2"));
        QCOMPARE(pool.secondDaemon(), daemon);
        first.disconnect();
    }

    void aDaemonThatCannotBeReachedIsNamed() {
        Pool pool;
        QVERIFY(pool.second);
        {
            HeadSession first(pool.way({kSecond}));
            first.connect();
            const ExperimentId id = first.create("name: far\ntrial: {command: [sh, -c, \"echo "
                                                 "'{{\\\"loss\\\": 1}}' >>$TRIALDECK_REPORT\"]}\n");
            QVERIFY(first.waitForState(id, ExperimentState::completed));
            first.disconnect();
            pool.second->stop();

            HeadSession other(pool.way({kFirst}));
            QCOMPARE(outcome(other), std::string("daemon_elsewhere"));
            const Error error = *other.state().error;
            QCOMPARE(error.arguments.at("host"), std::string("lab"));
            QCOMPARE(error.arguments.at("daemon_host"), std::string("login2"));
            QVERIFY(!error.arguments.at("reason").empty());
            QCOMPARE(pool.server.daemonPid(), 0);
            other.disconnect();

            // Another one on purpose: what it knows is its own.
            HeadSession here(pool.way({kFirst, true}));
            here.connect();
            QCOMPARE(hostOf(here), std::string("login1"));
            QCOMPARE(here.ask(protocol::StateReadRequest())->experiments.size(), size_t{0});
            QVERIFY(pool.secondDaemon() != 0);
            QVERIFY(pool.second->start().has_value());
        }
        // All have ended as they should, so nobody is elsewhere.
        QTRY_COMPARE(pool.secondDaemon(), 0);
        HeadSession again(pool.way({kFirst}));
        again.connect();
        QCOMPARE(hostOf(again), std::string("login1"));
    }
};

QTEST_GUILESS_MAIN(SshHomesTest)
#include "ssh_homes_test.moc"

// SPDX-License-Identifier: Apache-2.0
// login1 and login2 share a home: two hosts with an sshd each, and the real head.
#include "core/base/build_id.h"
#include "core/transport/libssh2/ssh_hosts.h"
#include "core/transport/remote/ssh_transport.h"
#include "core/transport/ssh/system_ssh_host.h"
#include "tests/integration/head_session.h"
#include "tests/support/compare.h"
#include "tests/support/scripted_prompts.h"
#include "tests/support/ssh_server.h"

#include <QDir>
#include <QFile>

#include <csignal>
#include <set>
#include <unistd.h>

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

/// The head's program with another build id in it.
struct OtherBuild {
    explicit OtherBuild(const base::Path& folder) : head(folder / "newer" / "trialdeck-head") {
        std::filesystem::create_directory(head.parent_path());
        QFile original(TRIALDECK_BIN_DIR "/trialdeck-head");
        QFile changed(QString::fromStdString(head));
        QVERIFY(original.open(QIODevice::ReadOnly) && changed.open(QIODevice::WriteOnly));
        QByteArray bytes = original.readAll();
        const std::string ours(base::buildId());
        id = std::string(ours.rbegin(), ours.rend());
        QVERIFY(id != ours && bytes.contains(ours.c_str()));
        changed.write(bytes.replace(ours.c_str(), QByteArray::fromStdString(id)));
    }
    base::Path head;
    std::string id;
};

/// A trial that reports so often, and slowly enough to be met while it runs.
std::string counting(int reports) {
    return "name: counting\ntrial: {command: [sh, -c, \"i=0; while [ $i -lt " + std::to_string(reports) +
           " ]; do i=$((i+1)); echo '{{\\\"loss\\\": '$i'}}' >>$TRIALDECK_REPORT; sleep 0.1; done\"]}\n";
}

std::vector<pid_t> processesOfSession(pid_t session) {
    std::vector<pid_t> found;
    for (const QString& name : QDir("/proc").entryList({"[0-9]*"}, QDir::Dirs)) {
        if (getsid(name.toInt()) == session)
            found.push_back(name.toInt());
    }
    return found;
}

/// What one session to the pool shall do.
struct Wish {
    const char* address = kFirst;
    bool here = false;
    SshClient client = SshClient::system_ssh;
    const OtherBuild* build = nullptr;
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
            SshTransportOptions options;
            options.hostName = "lab";
            options.programs.head = TRIALDECK_BIN_DIR "/trialdeck-head";
            options.programs.buildId = base::buildId();
            options.here = wish.here;
            if (wish.build != nullptr) {
                options.programs.head = wish.build->head;
                options.programs.buildId = wish.build->id;
            }
            return std::make_unique<SshTransport>(wish.address == std::string(kFirst) ? first(wish.client)
                                                                                      : other(wish.address),
                                                  files, clock, options);
        };
    }
    std::shared_ptr<RemoteHost> first(SshClient client) {
        SshHostOptions ssh;
        ssh.destination = server.destination();
        ssh.askpass = TRIALDECK_BIN_DIR "/trialdeck-askpass";
        ssh.environment = server.clientEnvironment();
        ssh.pinned = client;
        return makeSshHost(std::move(ssh), files, clock, prompts);
    }
    std::shared_ptr<RemoteHost> other(const std::string& address) {
        SystemSshOptions ssh;
        ssh.destination = server.destination();
        ssh.askpass = TRIALDECK_BIN_DIR "/trialdeck-askpass";
        ssh.environment = server.clientEnvironment();
        ssh.neighbour = address;
        return std::make_shared<SystemSshHost>(std::move(ssh), clock, prompts);
    }

    [[nodiscard]] base::Path heads() const { return server.home() / ".local/share/trialdeck/heads"; }
    /// The builds that lie on the host.
    [[nodiscard]] std::set<std::string> builds() const {
        std::set<std::string> names;
        for (const auto& entry : std::filesystem::directory_iterator(heads()))
            names.insert(entry.path().filename());
        return names;
    }
    void makeBuild(const std::string& name, int daysAgo) {
        server.write(".local/share/trialdeck/heads/" + name + "/trialdeck-head", "");
        server.write(".local/share/trialdeck/heads/" + name + "/used", "");
        ageBuild(name, daysAgo);
    }
    void ageBuild(const std::string& name, int daysAgo) const {
        std::filesystem::last_write_time(heads() / name / "used",
                                         std::filesystem::file_time_type::clock::now() -
                                             std::chrono::hours(24 * daysAgo));
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

    void theDaemonIsReachedOnWhicheverHostItLives_data() {
        QTest::addColumn<int>("client");
        QTest::newRow("system ssh") << static_cast<int>(SshClient::system_ssh);
        QTest::newRow("libssh2") << static_cast<int>(SshClient::libssh2);
    }
    void theDaemonIsReachedOnWhicheverHostItLives() {
        QFETCH(int, client);
        Pool pool;
        QVERIFY(pool.second);
        HeadSession first(pool.way({kSecond}));
        first.connect();
        QCOMPARE(hostOf(first), std::string("login2"));
        const pid_t daemon = pool.secondDaemon();
        QVERIFY(daemon != 0);

        HeadSession other(pool.way({kFirst, false, static_cast<SshClient>(client)}));
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

    /// What a logout does where systemd has no hand in it: every process of the login goes.
    void theDaemonAndItsTrialsOutliveTheLogin() {
        Pool pool;
        HeadSession session(pool.way({kFirst}));
        session.connect();
        const ExperimentId id = session.create(counting(40));
        session.follow(id);
        QVERIFY(session.waitFor([&] { return session.reports().size() >= 3; }));
        const pid_t daemon = pool.server.daemonPid();
        const std::vector<pid_t> relays = pool.server.relayPids();
        QVERIFY(daemon != 0 && relays.size() == 1);
        QCOMPARE(getsid(daemon), daemon);
        // A hang-up, the relay's process group, its whole session, and then sshd.
        const pid_t login = getsid(relays.front());
        QVERIFY(login != getsid(daemon));
        ::kill(daemon, SIGHUP);
        ::kill(-getpgid(relays.front()), SIGKILL);
        tests::killAndWait(processesOfSession(login));
        pool.server.killSessions();
        pool.server.stop();
        QVERIFY(session.waitFor([&] { return !session.connected(); }));
        pool.server.restart();
        session.reconnectNow();
        QVERIFY(session.waitFor([&] { return session.connected(); }));
        QCOMPARE(pool.server.daemonPid(), daemon);
        QVERIFY(session.waitForState(id, ExperimentState::completed));
        QVERIFY(session.waitFor([&] { return session.reports().size() == 40; }));
        for (const auto& attempt : session.bodies<protocol::AttemptStarted>())
            QCOMPARE(attempt.attempt.raw(), 0U);
        QVERIFY(session.state().findings.empty());
    }

    /// A client of another build comes: its program is put beside the old one, the old daemon makes room, the
    /// trials do not notice.
    void aNewerBuildTakesOver() {
        Pool pool;
        HeadSession old(pool.way({kFirst}));
        old.connect();
        const ExperimentId id = old.create(counting(60));
        old.follow(id);
        QVERIFY(old.waitFor([&] { return old.reports().size() >= 3; }));
        const pid_t daemon = pool.server.daemonPid();
        const std::vector<pid_t> supervisors = pool.server.host().processes("trialdeck-head", "supervise");
        QVERIFY(!supervisors.empty());
        old.disconnect();

        const OtherBuild newer(pool.server.clientFolder());
        HeadSession session(pool.way({kFirst, false, SshClient::system_ssh, &newer}), newer.id);
        session.connect();
        QCOMPARE(session.state().head->buildId, newer.id);
        QTRY_VERIFY(pool.server.daemonPid() != daemon);
        QCOMPARE(pool.server.host().processes("trialdeck-head", "supervise"), supervisors);
        session.follow(id);
        QVERIFY(session.waitForState(id, ExperimentState::completed));
        QVERIFY(session.waitFor([&] { return session.reports().size() == 60; }));
        const std::vector<std::string> all = session.reports();
        QCOMPARE(std::set<std::string>(all.begin(), all.end()).size(), all.size());
        for (const auto& attempt : session.bodies<protocol::AttemptStarted>())
            QCOMPARE(attempt.attempt.raw(), 0U);
        QCOMPARE(pool.builds(), (std::set<std::string>{std::string(base::buildId()), newer.id}));
    }

    /// Old builds go when a new one comes, but not those that run or were used in the last two weeks.
    void oldBuildsAreRemoved() {
        Pool pool;
        HeadSession session(pool.way({kFirst}));
        session.connect();
        pool.makeBuild("unused", 15);
        pool.makeBuild("used lately", 13);
        // The running one looks as if nobody had used it for long.
        const std::string running(base::buildId());
        pool.ageBuild(running, 30);
        const OtherBuild newer(pool.server.clientFolder());
        {
            HeadSession other(pool.way({kFirst, false, SshClient::system_ssh, &newer}));
            other.connect();
            QCOMPARE(pool.builds(), (std::set<std::string>{running, newer.id, "used lately"}));
            other.disconnect();
        }
    }
};

QTEST_GUILESS_MAIN(SshHomesTest)
#include "ssh_homes_test.moc"

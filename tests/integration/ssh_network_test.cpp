// SPDX-License-Identifier: Apache-2.0
// Several hosts, each in a network of its own, joined by cables that the test pulls:
//   this computer ── gate ── inner ── deep
// "near" is on the cable between gate and inner, so one jump leads to it; two lead to "deep".
#include "core/base/build_id.h"
#include "core/transport/libssh2/ssh_hosts.h"
#include "core/transport/remote/port_forward.h"
#include "core/transport/remote/ssh_transport.h"
#include "core/transport/sync/folder_sync.h"
#include "tests/integration/head_session.h"
#include "tests/support/compare.h"
#include "tests/support/private_network.h"
#include "tests/support/run_awaitable.h"
#include "tests/support/scripted_prompts.h"
#include "tests/support/ssh_server.h"

#include <QElapsedTimer>
#include <QFile>
#include <QTcpSocket>

#include <set>

using namespace trialdeck;
using namespace trialdeck::transport;
using namespace std::chrono_literals;
using tests::HeadSession;
using tests::PrivateNetwork;
using tests::runAwaitable;
using tests::SshServer;
using tests::SshServerOptions;

namespace {

constexpr const char* kHere = "10.77.1.1/24";
constexpr const char* kGate = "10.77.1.2";
constexpr const char* kGateInside = "10.77.2.1/24";
constexpr const char* kInner = "10.77.2.2";
constexpr const char* kInnerInside = "10.77.3.1/24";
constexpr const char* kDeep = "10.77.3.2";
constexpr const char* kCable = "cable0";

SshServerOptions host(const std::string& name, const std::string& address,
                      std::function<void(pid_t)> bringUp) {
    SshServerOptions options;
    options.hostName = name;
    options.address = address;
    options.bringUp = std::move(bringUp);
    return options;
}

std::string withPrefix(const char* address) {
    return std::string(address) + "/24";
}

QByteArray contentOf(const base::Path& path) {
    QFile file(QString::fromStdString(path));
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

/// The hosts with their cables, and one configuration for all of them.
struct Lab {
    Lab()
        : gate(host("gate", kGate,
                    [](pid_t host) {
                        PrivateNetwork::connect({0, kCable, kHere}, {host, "front0", withPrefix(kGate)});
                    })),
          inner(host("inner", kInner,
                     [this](pid_t host) {
                         PrivateNetwork::connect({gate.host().pid(), "back0", kGateInside},
                                                 {host, "front0", withPrefix(kInner)});
                     })),
          deep(host("deep", kDeep, [this](pid_t host) {
              PrivateNetwork::connect({inner.host().pid(), "back0", kInnerInside},
                                      {host, "front0", withPrefix(kDeep)});
          })) {
        QFile config(QString::fromStdString(configFile()));
        QVERIFY(config.open(QIODevice::WriteOnly));
        config.write(section(gate, "gate", {}) + section(inner, "near", "gate") +
                     section(inner, "inner", {}) + section(deep, "deep", "gate,inner") +
                     section(deep, "behind-nothing", "10.77.1.99") + section(deep, "unknown-way", "gate"));
    }

    // Networks vanish some time after their last process; the next one wants the name at once.
    ~Lab() { PrivateNetwork::ip({"link", "del", kCable}); }
    Lab(const Lab&) = delete;
    Lab& operator=(const Lab&) = delete;

    /// Of a server's own configuration, under another name and with a way to it.
    static QByteArray section(const SshServer& server, const QByteArray& name, const QByteArray& jump) {
        QByteArray text = contentOf(server.clientFolder() / "config");
        text.replace("Host lab\n", "Host " + name + "\n");
        text += "IdentityFile " + QByteArray::fromStdString(server.clientFolder() / "id_ed25519") + "\n";
        if (name == "unknown-way")
            text.replace(QByteArray("HostName ") + kDeep, "HostName no-such-host.invalid");
        return jump.isEmpty() ? text : text + "ProxyJump " + jump + "\n";
    }
    [[nodiscard]] base::Path configFile() const { return gate.clientFolder() / "config_of_lab"; }

    SshHostOptions to(const std::string& name, SshClient client) const {
        SshHostOptions ssh;
        ssh.destination.host = name;
        ssh.destination.configFile = configFile();
        ssh.askpass = TRIALDECK_BIN_DIR "/trialdeck-askpass";
        ssh.environment = gate.clientEnvironment();
        ssh.pinned = client;
        return ssh;
    }
    std::shared_ptr<RemoteHost> make(const std::string& name, SshClient client) {
        return makeSshHost(to(name, client), files, clock, prompts);
    }
    static HeadPrograms programs() {
        HeadPrograms programs;
        programs.head = TRIALDECK_BIN_DIR "/trialdeck-head";
        programs.buildId = base::buildId();
        return programs;
    }
    HeadSession::MakeTransport way(const std::string& name, SshClient client) {
        return [this, name, client](asio::io_context&, HeadSession&) -> std::unique_ptr<Transport> {
            SshTransportOptions options;
            options.hostName = name;
            options.programs = programs();
            return std::make_unique<SshTransport>(make(name, client), files, clock, options);
        };
    }

    base::SystemClock clock;
    base::PosixFileSystem files;
    tests::ScriptedPrompts prompts;
    SshServer gate;
    SshServer inner;
    SshServer deep;
};

/// Reports, ten in a second: a line is found dead within ten seconds.
constexpr size_t kLongEnough = 130;

std::string counting(size_t reports) {
    return "name: counting\ntrial: {command: [sh, -c, \"i=0; while [ $i -lt " + std::to_string(reports) +
           " ]; do i=$((i+1)); echo '{{\\\"loss\\\": '$i'}}' >>$TRIALDECK_REPORT; sleep 0.1; done\"]}\n";
}

/// "open", or the error with what it says of places.
std::string outcomeOf(Expected<void> opened) {
    if (opened)
        return "open";
    std::string told(nameOf(opened.error().code));
    if (const auto at = opened.error().arguments.find("host"); at != opened.error().arguments.end())
        told += " " + at->second;
    return told;
}

} // namespace

class SshNetworkTest : public QObject {
    Q_OBJECT

    static void eachClient() {
        QTest::addColumn<int>("client");
        QTest::newRow("system ssh") << static_cast<int>(SshClient::system_ssh);
        QTest::newRow("libssh2") << static_cast<int>(SshClient::libssh2);
    }
    static void eachWay() {
        QTest::addColumn<QByteArray>("name");
        QTest::addColumn<int>("client");
        for (const char* name : {"near", "deep"}) {
            QTest::addRow("%s, system ssh", name)
                << QByteArray(name) << static_cast<int>(SshClient::system_ssh);
            QTest::addRow("%s, libssh2", name) << QByteArray(name) << static_cast<int>(SshClient::libssh2);
        }
    }
    static void waitUntilComplete(HeadSession& session, const ExperimentId& id, size_t reports) {
        QVERIFY(session.waitForState(id, ExperimentState::completed));
        QVERIFY(session.waitFor([&] { return session.reports().size() >= reports; }));
        const std::vector<std::string> all = session.reports();
        QCOMPARE(all.size(), reports);
        QCOMPARE(std::set<std::string>(all.begin(), all.end()).size(), reports);
        for (const auto& attempt : session.bodies<protocol::AttemptStarted>())
            QCOMPARE(attempt.attempt.raw(), 0U);
    }

private slots:
    void initTestCase() {
        if (const std::string why = SshServer::whyNot(); !why.empty())
            QSKIP(why.c_str());
        if (const std::string why = PrivateNetwork::enter(); !why.empty())
            QSKIP(why.c_str());
    }

    void aHostBehindOthersIsReachedOverThemOnly_data() { eachWay(); }
    void aHostBehindOthersIsReachedOverThemOnly() {
        QFETCH(QByteArray, name);
        QFETCH(int, client);
        Lab lab;
        asio::io_context loop;
        const auto direct = lab.make("inner", static_cast<SshClient>(client));
        QCOMPARE(outcomeOf(runAwaitable(loop, direct->open({}), 60s)), std::string("host_unreachable inner"));

        HeadSession session(lab.way(name.toStdString(), static_cast<SshClient>(client)));
        session.connect();
        QCOMPARE(session.state().head->host, name == "near" ? std::string("inner") : name.toStdString());
        const ExperimentId id = session.create(counting(10));
        session.follow(id);
        waitUntilComplete(session, id, 10);
        QVERIFY(lab.prompts.asked.empty());
    }

    void portsAndFoldersGoOverTheSameWay_data() { eachWay(); }
    void portsAndFoldersGoOverTheSameWay() {
        QFETCH(QByteArray, name);
        QFETCH(int, client);
        Lab lab;
        asio::io_context loop;
        const std::shared_ptr<RemoteHost> host = lab.make(name.toStdString(), static_cast<SshClient>(client));
        QCOMPARE(outcomeOf(runAwaitable(loop, host->open({}), 60s)), std::string("open"));

        // A port that only the host itself reaches: its own sshd.
        ForwardOrder order;
        order.host = name == "near" ? kInner : kDeep;
        order.port = 22;
        const auto forward = PortForward::listen(loop.get_executor(), host, order);
        QVERIFY(forward.has_value());
        QTcpSocket visitor;
        visitor.connectToHost(QHostAddress::LocalHost, (*forward)->localPort());
        QByteArray heard;
        QElapsedTimer since;
        since.start();
        while (!heard.contains('\n') && !since.hasExpired(20'000)) {
            loop.restart();
            loop.run_for(10ms);
            (void)visitor.waitForReadyRead(10);
            heard += visitor.readAll();
        }
        QVERIFY2(heard.startsWith("SSH-2.0-OpenSSH"), heard.constData());

        QTemporaryDir here;
        QFile file(here.filePath("train.py"));
        QVERIFY(file.open(QIODevice::WriteOnly) && file.write("print(1)\n") > 0);
        file.close();
        SyncMeans means;
        means.hostName = name.toStdString();
        means.programs = Lab::programs();
        means.askpass = TRIALDECK_BIN_DIR "/trialdeck-askpass";
        means.environment = lab.gate.clientEnvironment();
        SyncRequest request;
        request.local = here.path().toStdString();
        request.remote = "~/project";
        FolderSync sync(*host, lab.files, lab.clock, means, request);
        const auto report = runAwaitable(loop, sync.run({}), 120s);
        QVERIFY2(report.has_value(), report ? "" : base::describe(report.error()).c_str());
        QCOMPARE(report->copied, uint64_t{1});
        const SshServer& there = name == "near" ? lab.inner : lab.deep;
        QCOMPARE(contentOf(there.home() / "project/train.py"), QByteArray("print(1)\n"));
    }

    void aChangedKeyOfAHostOnTheWayIsNamed_data() { eachClient(); }
    void aChangedKeyOfAHostOnTheWayIsNamed() {
        QFETCH(int, client);
        Lab lab;
        struct Row {
            SshServer& server;
            const char* name;
        };
        for (const Row& row : {Row{lab.inner, "inner"}, Row{lab.gate, "gate"}}) {
            const std::string before = row.server.fingerprint();
            row.server.changeHostKey();
            row.server.restart();
            asio::io_context loop;
            const auto deep = lab.make("deep", static_cast<SshClient>(client));
            const auto opened = runAwaitable(loop, deep->open({}), 60s);
            QCOMPARE(outcomeOf(opened), std::string("host_key_changed ") + row.name);
            QCOMPARE(opened.error().arguments.at("fingerprint"), row.server.fingerprint());
            QCOMPARE(opened.error().arguments.at("known"), before);
            QCOMPARE(opened.error().arguments.at("path"), row.server.knownHosts().native());
            QCOMPARE(opened.error().arguments.at("line"), std::string("1"));
            QVERIFY(lab.prompts.asked.empty());
        }
    }

    void whoCannotBeReachedOnTheWayIsNamed_data() {
        QTest::addColumn<QByteArray>("name");
        QTest::addColumn<int>("client");
        QTest::addColumn<QByteArray>("outcome");
        const auto add = [](const char* name, SshClient client, const char* outcome) {
            QTest::addRow("%s, %s", name, client == SshClient::libssh2 ? "libssh2" : "system ssh")
                << QByteArray(name) << static_cast<int>(client) << QByteArray(outcome);
        };
        for (const SshClient client : {SshClient::system_ssh, SshClient::libssh2})
            add("behind-nothing", client, "host_unreachable 10.77.1.99");
        add("unknown-way", SshClient::system_ssh, "host_not_found unknown-way");
        // The library does not tell what the jump host says.
        add("unknown-way", SshClient::libssh2, "host_unreachable unknown-way");
    }
    void whoCannotBeReachedOnTheWayIsNamed() {
        QFETCH(QByteArray, name);
        QFETCH(int, client);
        QFETCH(QByteArray, outcome);
        Lab lab;
        asio::io_context loop;
        const auto host = lab.make(name.toStdString(), static_cast<SshClient>(client));
        QCOMPARE(outcomeOf(runAwaitable(loop, host->open({}), 60s)), outcome.toStdString());
    }

    void aCableThatIsPluggedInAgainIsUsedAtOnce_data() { eachWay(); }
    void aCableThatIsPluggedInAgainIsUsedAtOnce() {
        QFETCH(QByteArray, name);
        QFETCH(int, client);
        Lab lab;
        HeadSession session(lab.way(name.toStdString(), static_cast<SshClient>(client)));
        // Whoever waited for the pause to end would wait for an hour.
        session.tryOnlyWhenTheNetworkComesBack();
        session.connect();
        const ExperimentId id = session.create(counting(kLongEnough));
        session.follow(id);
        QVERIFY(session.waitFor([&] { return session.reports().size() >= 3; }));
        PrivateNetwork::ip({"link", "set", kCable, "down"});
        QElapsedTimer since;
        since.start();
        QVERIFY(session.waitFor([&] { return session.state().unknownSince.has_value(); }));
        qInfo("the loss was noticed after %lld ms", static_cast<long long>(since.elapsed()));
        QVERIFY(session.waitFor([&] { return session.state().phase == client::ConnectionPhase::waiting; }));
        PrivateNetwork::ip({"link", "set", kCable, "up"});
        since.restart();
        QVERIFY(session.waitFor([&] { return session.connected(); }));
        qInfo("connected again after %lld ms", static_cast<long long>(since.elapsed()));
        waitUntilComplete(session, id, kLongEnough);
    }

    void anotherAddressOfThisComputerLosesNothing_data() { eachClient(); }
    void anotherAddressOfThisComputerLosesNothing() {
        QFETCH(int, client);
        Lab lab;
        HeadSession session(lab.way("deep", static_cast<SshClient>(client)));
        session.connect();
        const ExperimentId id = session.create(counting(kLongEnough));
        session.follow(id);
        QVERIFY(session.waitFor([&] { return session.reports().size() >= 3; }));
        PrivateNetwork::ip({"addr", "del", kHere, "dev", kCable});
        PrivateNetwork::ip({"addr", "add", "10.77.1.7/24", "dev", kCable});
        QElapsedTimer since;
        since.start();
        QVERIFY(session.waitFor([&] { return session.state().unknownSince.has_value(); }));
        qInfo("the loss was noticed after %lld ms", static_cast<long long>(since.elapsed()));
        QVERIFY(session.waitFor([&] { return session.connected(); }));
        waitUntilComplete(session, id, kLongEnough);
    }
};

QTEST_GUILESS_MAIN(SshNetworkTest)
#include "ssh_network_test.moc"

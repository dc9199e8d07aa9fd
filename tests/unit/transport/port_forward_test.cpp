// SPDX-License-Identifier: Apache-2.0
// Ports of a host brought here, over a real sshd, by both clients, for real visitors.
#include "core/transport/remote/port_forward.h"
#include "core/transport/remote/remote_command.h"
#include "core/transport/remote/this_computer.h"
#include "tests/support/compare.h"
#include "tests/support/pump.h"
#include "tests/support/ssh_bench.h"

#include <QTcpServer>
#include <QtTest>

using namespace trialdeck;
using namespace trialdeck::tests;
using namespace trialdeck::transport;

namespace {

/// The web server over there.
class WebServer {
public:
    WebServer() {
        m_process.start("python3", {TRIALDECK_SOURCE_DIR "/tests/support/http_server.py"});
        while (!m_process.canReadLine() && m_process.waitForReadyRead(20'000)) {
        }
        m_port = static_cast<uint16_t>(m_process.readLine().trimmed().toUInt());
    }
    ~WebServer() {
        m_process.closeWriteChannel();
        m_process.waitForFinished();
    }
    [[nodiscard]] uint16_t port() const { return m_port; }

private:
    QProcess m_process;
    uint16_t m_port = 0;
};

class Bench final : public SshBench, public CommandListener {
public:
    using SshBench::SshBench;

    Expected<std::unique_ptr<PortForward>> forward(uint16_t port, uint16_t localPort = 0,
                                                   ForwardOrder::IfTaken ifTaken = {}) {
        ForwardOrder order;
        order.host = "127.0.0.1";
        order.port = port;
        order.localPort = localPort;
        order.ifTaken = ifTaken;
        return PortForward::listen(loop.get_executor(), host, order, [this] { ++changes; });
    }

    /// "50 5000": so many answers were whole, with so many bytes together.
    std::string visit(uint16_t port, int atOnce, const std::string& path,
                      const std::vector<std::string>& more = {}) {
        CommandOrder order;
        order.words = {"python3", TRIALDECK_SOURCE_DIR "/tests/support/http_visitor.py", std::to_string(port),
                       std::to_string(atOnce), path};
        order.words.insert(order.words.end(), more.begin(), more.end());
        heard.clear();
        auto visitor = runAwaitable(loop, RemoteCommand::start(here, order, *this));
        (void)runAwaitable(loop, (*visitor)->finish(), std::chrono::seconds(90));
        return heard.substr(0, heard.find('\n'));
    }
    void onOutput(std::string_view bytes) override { heard += bytes; }
    void onErrors(std::string_view) override {}

    std::shared_ptr<RemoteHost> here = std::make_shared<ThisComputer>(base::currentEnvironment());
    std::string heard;
    int changes = 0;
};

std::string errorOf(const PortForward& forward) {
    const auto& error = forward.state().error;
    return error ? std::string(nameOf(error->code)) : "";
}

} // namespace

class PortForwardTest : public QObject {
    Q_OBJECT

    std::unique_ptr<PlainSshd> m_server;

private slots:
    void initTestCase() {
        if (!PlainSshd::available())
            QSKIP("no sshd here");
        m_server = std::make_unique<PlainSshd>();
    }
    void cleanupTestCase() { m_server.reset(); }

    void visitorsGetWhatTheServerGives_data() { addSshWays(); }
    void visitorsGetWhatTheServerGives() {
        QFETCH(SshWay, way);
        const WebServer web;
        Bench bench(way, *m_server);
        QVERIFY(bench.open());
        const auto forward = bench.forward(web.port());
        QVERIFY(forward.has_value());
        const uint16_t port = (*forward)->localPort();
        QCOMPARE((*forward)->address("/lab"), "http://127.0.0.1:" + std::to_string(port) + "/lab");
        QCOMPARE(bench.visit(port, 1, "/bytes/10"), std::string("1 10"));
        QCOMPARE(bench.visit(port, 1, "/old/100000"), std::string("1 100000"));
        QCOMPARE(bench.visit(port, 2, "/bytes/30000000"), std::string("2 60000000"));
        QCOMPARE(bench.visit(port, 2, "/echo", {"1000000"}), std::string("2 4000000"));
        QVERIFY(pumpUntil(bench.loop, [&] { return (*forward)->state().openConnections == 0; }));
        QCOMPARE((*forward)->state().allConnections, uint64_t{6});
        QVERIFY((*forward)->state().receivedBytes > 64'100'000);
        QVERIFY((*forward)->state().sentBytes > 4'000'000);
        QCOMPARE(errorOf(**forward), std::string());
        QVERIFY(bench.changes >= 12);
    }

    void fiftyVisitorsComeAtOnce_data() { addSshWays(); }
    void fiftyVisitorsComeAtOnce() {
        QFETCH(SshWay, way);
        const WebServer web;
        PlainSshd server("MaxSessions 1");
        Bench bench(way, server);
        QVERIFY(bench.open());
        const auto forward = bench.forward(web.port());
        QVERIFY(forward.has_value());
        QCOMPARE(bench.visit((*forward)->localPort(), 50, "/bytes/100000"), std::string("50 5000000"));
    }

    void aPortThatIsTakenGivesWayToAnother() {
        Bench bench(SshWay::libssh2, *m_server);
        QTcpServer other;
        QVERIFY(other.listen(QHostAddress::LocalHost));
        const auto forward = bench.forward(80, other.serverPort());
        QVERIFY(forward.has_value());
        QVERIFY((*forward)->localPort() != other.serverPort());
        QVERIFY((*forward)->localPort() != 0);
        const auto refused = bench.forward(80, other.serverPort(), ForwardOrder::IfTaken::fail);
        QVERIFY(!refused.has_value());
        QCOMPARE(std::string(nameOf(refused.error().code)), std::string("port_taken"));
        const uint16_t freed = other.serverPort();
        other.close();
        const auto wished = bench.forward(80, freed, ForwardOrder::IfTaken::fail);
        QVERIFY(wished.has_value());
        QCOMPARE((*wished)->localPort(), freed);
    }

    void whatIsRefusedIsTold_data() { addSshWays(); }
    void whatIsRefusedIsTold() {
        QFETCH(SshWay, way);
        PlainSshd server("AllowTcpForwarding no");
        Bench bench(way, server);
        QVERIFY(bench.open());
        const auto forward = bench.forward(80);
        QCOMPARE(bench.visit((*forward)->localPort(), 1, "/bytes/1"), std::string("0 0"));
        QVERIFY(pumpUntil(bench.loop, [&] { return (*forward)->state().openConnections == 0; }));
        QCOMPARE(errorOf(**forward), std::string("forwarding_refused"));
    }

    void aPortWhereNobodyListensIsTold_data() { addSshWays(); }
    void aPortWhereNobodyListensIsTold() {
        QFETCH(SshWay, way);
        Bench bench(way, *m_server);
        QVERIFY(bench.open());
        QTcpServer other;
        QVERIFY(other.listen(QHostAddress::LocalHost));
        const uint16_t port = other.serverPort();
        other.close();
        const auto forward = bench.forward(port);
        QCOMPARE(bench.visit((*forward)->localPort(), 3, "/bytes/1"), std::string("0 0"));
        QVERIFY(pumpUntil(bench.loop, [&] { return (*forward)->state().openConnections == 0; }));
        QCOMPARE(errorOf(**forward), std::string("port_not_listening"));
        QCOMPARE((*forward)->state().error->arguments.at("port"), std::to_string(port));
    }

    void aLineThatComesBackServesAgain_data() { addSshWays(); }
    void aLineThatComesBackServesAgain() {
        QFETCH(SshWay, way);
        const WebServer web;
        Bench bench(way, *m_server);
        QVERIFY(bench.open());
        const auto forward = bench.forward(web.port());
        const uint16_t port = (*forward)->localPort();
        QCOMPARE(bench.visit(port, 1, "/bytes/10"), std::string("1 10"));
        bench.server.killSessions();
        QVERIFY(pumpUntil(bench.loop, [&] { return !bench.host->isOpen(); }));
        QCOMPARE(bench.visit(port, 1, "/bytes/10"), std::string("0 0"));
        QCOMPARE(errorOf(**forward), std::string("connection_lost"));
        QVERIFY(bench.open());
        QCOMPARE(bench.visit(port, 6, "/bytes/10"), std::string("6 60"));
        QVERIFY(pumpUntil(bench.loop, [&] { return (*forward)->state().openConnections == 0; }));
        QCOMPARE(errorOf(**forward), std::string());
    }

    void connectionsEndWithTheForward_data() { addSshWays(); }
    void connectionsEndWithTheForward() {
        QFETCH(SshWay, way);
        const WebServer web;
        Bench bench(way, *m_server);
        QVERIFY(bench.open());
        auto forward = bench.forward(web.port());
        QTcpSocket visitor;
        visitor.connectToHost(QHostAddress::LocalHost, (*forward)->localPort());
        QVERIFY(visitor.waitForConnected());
        QVERIFY(pumpUntil(bench.loop, [&] { return (*forward)->state().openConnections == 1; }));
        visitor.write("GET /bytes/10 HTTP/1.1\r\n\r\n");
        QVERIFY(visitor.waitForBytesWritten());
        QVERIFY(pumpUntil(bench.loop, [&] { return (*forward)->state().receivedBytes > 0; }));
        forward->reset();
        pumpReady(bench.loop);
        QVERIFY(visitor.state() == QAbstractSocket::UnconnectedState || visitor.waitForDisconnected());
    }
};

QTEST_GUILESS_MAIN(PortForwardTest)
#include "port_forward_test.moc"

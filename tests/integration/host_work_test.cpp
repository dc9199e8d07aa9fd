// SPDX-License-Identifier: Apache-2.0
// The window's client of a host behind a real sshd: its head, a forwarded port, a command, folders, all over
// one login.
#include "app/client/live_head_client.h"

#include "core/base/build_id.h"
#include "core/transport/remote/ssh_transport.h"
#include "tests/support/compare.h"
#include "tests/support/ssh_ways.h"

#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QSignalSpy>
#include <QTcpServer>
#include <QTcpSocket>
#include <QtTest>

using namespace trialdeck;
using app::client::CommandStatus;
using app::client::ForwardStatus;
using app::client::ForwardWish;
using app::client::HostWork;
using app::client::LinkStatus;
using app::client::LiveHeadClient;
using app::client::SyncStatus;
using tests::PlainSshd;
using tests::SshWay;
using tests::SshWays;

namespace {

constexpr int kPatience = 30'000;

/// Says a line to everyone who connects, and ends.
struct Greeter {
    Greeter() {
        QObject::connect(&server, &QTcpServer::newConnection, &server, [this] {
            QTcpSocket* guest = server.nextPendingConnection();
            guest->write("welcome\n");
            guest->disconnectFromHost();
            QObject::connect(guest, &QTcpSocket::disconnected, guest, &QObject::deleteLater);
        });
        server.listen(QHostAddress::LocalHost);
    }
    QTcpServer server;
};

struct Scene {
    explicit Scene(SshWay chosen)
        : server("SetEnv XDG_DATA_HOME=" + folder.filePath(QStringLiteral("data")).toUtf8()), ways(server),
          way(chosen) {}
    ~Scene() {
        if (head->status().state == LinkStatus::State::connected) {
            bool hasEnded = false;
            head->ask(&guard, protocol::ShutdownRequest{},
                      std::function<void(Expected<protocol::ShutdownRequest::Result>)>(
                          [&](const auto&) { hasEnded = true; }));
            (void)QTest::qWaitFor([&] { return hasEnded; }, kPatience);
        }
    }

    [[nodiscard]] LiveHeadClient::Way makeWay() {
        transport::SshTransportOptions options;
        options.hostName = "lab";
        options.programs.head = TRIALDECK_BIN_DIR "/trialdeck-head";
        options.programs.buildId = base::buildId();
        options.remoteHome = path("home").native();
        const std::shared_ptr<transport::RemoteHost> host = ways.make(way, server.port());
        app::client::HostMeans means;
        means.host = host;
        means.hostName = means.sync.hostName = "lab";
        means.sync.programs = options.programs;
        means.sync.askpass = TRIALDECK_BIN_DIR "/trialdeck-askpass";
        means.sync.environment = base::currentEnvironment();
        means.files = &files;
        means.clock = &ways.clock;
        return {std::make_unique<transport::SshTransport>(host, files, ways.clock, std::move(options)),
                std::move(means)};
    }

    [[nodiscard]] HostWork& work() const { return *head->hostWork(); }
    [[nodiscard]] bool connect() {
        client::ClientOptions options;
        options.name = "test";
        options.buildId = base::buildId();
        head = std::make_unique<LiveHeadClient>(
            QStringLiteral("lab"), [this](transport::Prompts&) { return makeWay(); }, std::move(options),
            ways.clock, log);
        head->start();
        return QTest::qWaitFor([this] { return head->status().state == LinkStatus::State::connected; },
                               kPatience);
    }
    [[nodiscard]] base::Path path(const char* name) const {
        return folder.filePath(QLatin1String(name)).toStdString();
    }

    QObject guard;
    QTemporaryDir folder;
    base::PosixFileSystem files;
    base::NullLog log;
    PlainSshd server;
    SshWays ways;
    SshWay way;
    std::unique_ptr<LiveHeadClient> head;
};

QByteArray everythingFrom(uint16_t port) {
    QTcpSocket socket;
    socket.connectToHost(QHostAddress::LocalHost, port);
    QByteArray all;
    (void)QTest::qWaitFor(
        [&] {
            all += socket.readAll();
            return socket.state() == QAbstractSocket::UnconnectedState;
        },
        kPatience);
    return all;
}

} // namespace

class HostWorkTest : public QObject {
    Q_OBJECT

private slots:
    void initTestCase() {
        if (!PlainSshd::available())
            QSKIP("needs sshd and root");
    }

    void everyWayOfWork_data() {
        QTest::addColumn<bool>("isLibrary");
        QTest::newRow("system ssh") << false;
        QTest::newRow("libssh2") << true;
    }

    void everyWayOfWork() {
        QFETCH(bool, isLibrary);
        Scene scene(isLibrary ? SshWay::libssh2 : SshWay::system);
        QVERIFY(scene.connect());
        HostWork& work = scene.work();

        const Greeter greeter;
        ForwardWish wish;
        wish.port = greeter.server.serverPort();
        work.openForward(wish);
        QTRY_COMPARE_WITH_TIMEOUT(work.forwards().front().state, ForwardStatus::State::open, kPatience);
        const uint16_t here = work.forwards().front().localPort;
        QVERIFY2(here != wish.port, "that one is taken by the greeter");
        QCOMPARE(everythingFrom(here), QByteArray("welcome\n"));
        QTRY_COMPARE_WITH_TIMEOUT(work.forwards().front().traffic.allConnections, uint64_t{1}, kPatience);
        work.closeForward(work.forwards().front().number);
        QTRY_VERIFY_WITH_TIMEOUT(everythingFrom(here).isEmpty(), kPatience);

        QByteArray printed;
        QObject::connect(&work, &HostWork::commandPrinted, &work,
                         [&](const QByteArray& bytes) { printed += bytes; });
        work.runCommand("echo out; echo err >&2; exit 7");
        QTRY_COMPARE_WITH_TIMEOUT(work.command().state, CommandStatus::State::ended, kPatience);
        QCOMPARE(work.command().exitCode, std::optional(7));
        QVERIFY(printed.contains("out\n") && printed.contains("err\n"));
        work.runCommand("sleep 600");
        work.cancelCommand();
        QTRY_COMPARE_WITH_TIMEOUT(work.command().state, CommandStatus::State::ended, kPatience);
        QCOMPARE(work.command().error->code, ErrorCode::cancelled);

        QVERIFY(QDir().mkpath(scene.folder.filePath("here/sub")));
        QFile file(scene.folder.filePath("here/sub/train.py"));
        QVERIFY(file.open(QIODevice::WriteOnly) && file.write("print(1)\n") > 0);
        file.close();
        transport::SyncRequest request;
        request.local = scene.path("here");
        request.remote = scene.path("there").native();
        work.startSync(request);
        QTRY_COMPARE_WITH_TIMEOUT(work.sync().state, SyncStatus::State::ended, kPatience);
        QVERIFY2(work.sync().report,
                 work.sync().error ? base::describe(*work.sync().error).c_str() : "no report");
        QCOMPARE(work.sync().report->copied, uint64_t{1});
        QVERIFY(QFile::exists(scene.folder.filePath("there/sub/train.py")));
        work.startSync(request, SyncStatus::Repeat::on_change);
        QTRY_COMPARE_WITH_TIMEOUT(work.sync().state, SyncStatus::State::watching, kPatience);
        QVERIFY(file.open(QIODevice::Append) && file.write("print(2)\n") > 0);
        file.close();
        QTRY_VERIFY_WITH_TIMEOUT(QFileInfo(scene.folder.filePath("there/sub/train.py")).size() == 18,
                                 kPatience);
        work.cancelSync();
        QTRY_COMPARE_WITH_TIMEOUT(work.sync().state, SyncStatus::State::ended, kPatience);
        QCOMPARE(scene.server.log().count("Accepted publickey"), 1);
    }

    void whatIsUnderWayEndsWithTheWindow() {
        Scene scene(SshWay::libssh2);
        QVERIFY(scene.connect());
        const Greeter greeter;
        ForwardWish wish;
        wish.port = greeter.server.serverPort();
        scene.work().openForward(wish);
        QTRY_COMPARE_WITH_TIMEOUT(scene.work().forwards().front().state, ForwardStatus::State::open,
                                  kPatience);
        const uint16_t here = scene.work().forwards().front().localPort;
        scene.work().runCommand("sleep 600");
        scene.head.reset();
        QVERIFY(everythingFrom(here).isEmpty());
        QVERIFY(scene.connect());
        QVERIFY2(scene.work().forwards().empty(), "a new window begins anew");
    }
};

QTEST_GUILESS_MAIN(HostWorkTest)
#include "host_work_test.moc"

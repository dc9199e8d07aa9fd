// SPDX-License-Identifier: Apache-2.0
// Servers that are none, that stop in the middle, or that are full: each has an error of its own, and nothing
// hangs. And whatever is given up at whatever moment leaves nothing behind, here and there.
#include "core/base/build_id.h"
#include "core/base/rng.h"
#include "core/transport/libssh2/ssh_hosts.h"
#include "core/transport/remote/ssh_transport.h"
#include "tests/support/compare.h"
#include "tests/support/fault_proxy.h"
#include "tests/support/pump.h"
#include "tests/support/rude_server.h"
#include "tests/support/run_awaitable.h"
#include "tests/support/scripted_prompts.h"
#include "tests/support/ssh_server.h"

#include <QDir>
#include <QElapsedTimer>
#include <QFile>
#include <QFileInfo>
#include <QSet>
#include <QtTest>

#include <asio/co_spawn.hpp>

using namespace trialdeck;
using namespace trialdeck::transport;
using namespace std::chrono_literals;
using tests::FaultProxy;
using tests::pumpUntil;
using tests::RudeServer;
using tests::runAwaitable;
using tests::SshServer;
using tests::SshServerOptions;

namespace {

/// All that a way to a host needs.
struct Means {
    explicit Means(const SshServer& server, std::deque<std::string> answers = {})
        : prompts(std::move(answers)) {
        options.destination = server.destination();
        options.askpass = TRIALDECK_BIN_DIR "/trialdeck-askpass";
        options.environment = server.clientEnvironment();
        options.patience = 3s;
    }
    std::unique_ptr<RemoteHost> host(SshClient client, uint16_t port) {
        options.pinned = client;
        options.destination.port = port;
        return makeSshHost(options, files, clock, prompts);
    }
    /// To a head that is put there first.
    std::unique_ptr<SshTransport> transport(SshClient client, uint16_t port) {
        SshTransportOptions how;
        how.hostName = "lab";
        how.programs.head = TRIALDECK_BIN_DIR "/trialdeck-head";
        how.programs.buildId = base::buildId();
        return std::make_unique<SshTransport>(host(client, port), files, clock, how);
    }

    base::SystemClock clock;
    base::PosixFileSystem files;
    tests::ScriptedPrompts prompts;
    SshHostOptions options;
};

std::string outcomeOf(const Expected<void>& opened) {
    return opened ? "open" : std::string(nameOf(opened.error().code));
}

/// What this process has that could be forgotten: children that live, open files.
struct Belongings {
    static Belongings now() {
        Belongings found;
        const QByteArray self = "\nPPid:\t" + QByteArray::number(getpid()) + "\n";
        for (const QString& name : QDir("/proc").entryList({"[0-9]*"}, QDir::Dirs)) {
            QFile file("/proc/" + name + "/status");
            if (!file.open(QIODevice::ReadOnly))
                continue;
            const QByteArray status = file.readAll();
            found.children += status.contains(self);
        }
        found.files = QDir("/proc/self/fd").count();
        return found;
    }
    [[nodiscard]] QByteArray text() const {
        return QByteArray::number(children) + " children, " + QByteArray::number(files) + " files";
    }
    friend bool operator==(const Belongings&, const Belongings&) = default;

    int children = 0;
    uint files = 0;
};

/// Folders in which this process holds a lock.
QSet<QString> ownFolders() {
    QSet<QString> found;
    const QDir files("/proc/self/fd");
    for (const QString& name : files.entryList(QDir::NoDotAndDotDot | QDir::AllEntries | QDir::System)) {
        const QString target = QFile::symLinkTarget(files.filePath(name));
        if (target.startsWith("/tmp/trialdeck-ssh-"))
            found.insert(QFileInfo(target).path());
    }
    return found;
}

uint64_t seedOfRun() {
    const QByteArray wanted = qgetenv("TRIALDECK_TEST_SEED");
    const uint64_t seed = wanted.isEmpty() ? base::drawSeed() : wanted.toULongLong();
    qInfo("TRIALDECK_TEST_SEED=%llu", static_cast<unsigned long long>(seed));
    return seed;
}

const std::string kName = "SSH-2.0-OpenSSH_9.2p1\r\n";

} // namespace

class SshBadServersTest : public QObject {
    Q_OBJECT

    static void eachClient() {
        QTest::addColumn<int>("client");
        QTest::newRow("system ssh") << static_cast<int>(SshClient::system_ssh);
        QTest::newRow("libssh2") << static_cast<int>(SshClient::libssh2);
    }

    /// Rows of both clients with a server's manners and the outcome.
    static void addManners(const char* name, const RudeServer::Manners& manners, const QByteArray& outcome) {
        for (const SshClient client : {SshClient::system_ssh, SshClient::libssh2}) {
            QTest::addRow("%s, %s", name, client == SshClient::libssh2 ? "libssh2" : "system ssh")
                << static_cast<int>(client) << QByteArray::fromStdString(manners.first)
                << QByteArray::fromStdString(manners.more) << static_cast<int>(manners.pause.count())
                << (manners.then == RudeServer::Manners::Then::close) << outcome;
        }
    }

private slots:
    void initTestCase() {
        if (const std::string why = SshServer::whyNot(); !why.empty())
            QSKIP(why.c_str());
        m_server = std::make_unique<SshServer>();
    }
    void cleanupTestCase() { m_server.reset(); }

    void whoIsNoSshServerIsNamed_data() {
        QTest::addColumn<int>("client");
        QTest::addColumn<QByteArray>("first");
        QTest::addColumn<QByteArray>("more");
        QTest::addColumn<int>("pause");
        QTest::addColumn<bool>("closes");
        QTest::addColumn<QByteArray>("outcome");
        using Then = RudeServer::Manners::Then;
        addManners("a web server", {.first = "HTTP/1.1 400 Bad Request\r\n\r\n", .then = Then::close},
                   "not_an_ssh_server");
        addManners(
            "bytes",
            {.first = std::string("\x00\xff\x16\x03\x01\x7f\n\x00\x01\x02\n", 11), .then = Then::close},
            "not_an_ssh_server");
        addManners("lines without end", {.more = "220 welcome to the lab\r\n"}, "not_an_ssh_server");
        addManners("one line without end", {.more = std::string(4'096, 'x')}, "not_an_ssh_server");
        addManners("now and then a line", {.more = "one moment please\r\n", .pause = 300ms},
                   "not_an_ssh_server");
        addManners("a version of another time", {.first = "SSH-1.5-OpenSSH_1.2.3\r\n"}, "not_an_ssh_server");
        // The library does not tell what it could not read.
        addManners("rubbish behind the name", {.first = kName + std::string(4'096, '\xee')},
                   "not_an_ssh_server connection_lost");
        addManners("silence", {}, "timed_out");
        addManners("silence behind the name", {.first = kName}, "timed_out");
        addManners("a door that is shut", {.then = Then::close}, "connection_lost");
        addManners("a door that is shut behind the name", {.first = kName, .then = Then::close},
                   "connection_lost");
    }
    void whoIsNoSshServerIsNamed() {
        QFETCH(int, client);
        QFETCH(QByteArray, first);
        QFETCH(QByteArray, more);
        QFETCH(int, pause);
        QFETCH(bool, closes);
        QFETCH(QByteArray, outcome);
        const RudeServer server(
            {.first = first.toStdString(),
             .more = more.toStdString(),
             .pause = std::chrono::milliseconds(pause),
             .then = closes ? RudeServer::Manners::Then::close : RudeServer::Manners::Then::stay});
        Means means(*m_server);
        asio::io_context loop;
        const auto host = means.host(static_cast<SshClient>(client), server.port());
        QElapsedTimer since;
        since.start();
        const auto opened = runAwaitable(loop, host->open({}), 60s);
        qInfo("%s after %lld ms", opened ? "open" : base::describe(opened.error()).c_str(),
              static_cast<long long>(since.elapsed()));
        // One for both clients, or one for each.
        const QList<QByteArray> outcomes = outcome.split(' ');
        QCOMPARE(outcomeOf(opened),
                 outcomes.value(client == static_cast<int>(SshClient::libssh2) ? outcomes.size() - 1 : 0)
                     .toStdString());
        QCOMPARE(opened.error().arguments.at("host"), std::string("lab"));
        QTRY_COMPARE(server.guests(), 0);
    }

    void aLineThatEndsInTheKeyExchangeIsLost_data() { eachClient(); }
    void aLineThatEndsInTheKeyExchangeIsLost() {
        QFETCH(int, client);
        base::Rng rng(seedOfRun(), static_cast<uint64_t>(client), "key exchange");
        FaultProxy proxy({.target = m_server->port()});
        m_server->trustAt(proxy.port());
        Means means(*m_server);
        for (const FaultProxy::End end : {FaultProxy::End::reset, FaultProxy::End::close}) {
            for (int round = 0; round < 5; ++round) {
                asio::io_context loop;
                const auto host = means.host(static_cast<SshClient>(client), proxy.port());
                // The name has 21 bytes, the offer of algorithms about 1,100, the key and its proof 500.
                const auto bytes = static_cast<uint64_t>(rng.uniform() * 1'500);
                proxy.cutAfter(bytes, end, FaultProxy::Direction::toClient);
                const auto opened = runAwaitable(loop, host->open({}), 60s);
                QVERIFY2(outcomeOf(opened) == "connection_lost",
                         (base::describe(opened ? Error() : opened.error()) + " after " +
                          std::to_string(bytes) + " bytes")
                             .c_str());
            }
        }
    }

    void whoAsksNothingMoreCanBeGivenUpAtOnce_data() { eachClient(); }
    void whoAsksNothingMoreCanBeGivenUpAtOnce() {
        QFETCH(int, client);
        for (const RudeServer::Manners& manners :
             {RudeServer::Manners{}, RudeServer::Manners{.first = kName},
              RudeServer::Manners{.more = "one moment please\r\n", .pause = 100ms}}) {
            const RudeServer server(manners);
            Means means(*m_server);
            asio::io_context loop;
            const auto host = means.host(static_cast<SshClient>(client), server.port());
            std::optional<Expected<void>> ended;
            asio::co_spawn(loop, host->open({}),
                           [&](const std::exception_ptr&, Expected<void> opened) { ended = opened; });
            QVERIFY(pumpUntil(loop, [&] { return server.guests() == 1; }));
            host->close();
            QVERIFY(pumpUntil(loop, [&] { return ended.has_value(); }));
            QCOMPARE(outcomeOf(*ended), std::string("cancelled"));
            QTRY_COMPARE(server.guests(), 0);
        }
    }

    /// The relay takes one of the sessions.
    void sessionsThatAreUsedUpAreNamed_data() {
        QTest::addColumn<int>("client");
        QTest::addColumn<int>("sessions");
        for (const int sessions : {1, 2}) {
            QTest::addRow("system ssh, %d", sessions) << static_cast<int>(SshClient::system_ssh) << sessions;
            QTest::addRow("libssh2, %d", sessions) << static_cast<int>(SshClient::libssh2) << sessions;
        }
    }
    void sessionsThatAreUsedUpAreNamed() {
        QFETCH(int, client);
        QFETCH(int, sessions);
        SshServerOptions how;
        how.config = {"MaxSessions " + std::to_string(sessions)};
        SshServer server(how);
        Means means(server);
        asio::io_context loop;
        std::shared_ptr<RemoteHost> host = means.host(static_cast<SshClient>(client), server.port());
        SshTransportOptions options;
        options.hostName = "lab";
        options.programs.head = TRIALDECK_BIN_DIR "/trialdeck-head";
        options.programs.buildId = base::buildId();
        SshTransport transport(host, means.files, means.clock, options);
        const auto channel = runAwaitable(loop, transport.connect(), 60s);
        QVERIFY2(channel.has_value(), channel ? "" : base::describe(channel.error()).c_str());
        for (int more = 1; more < sessions; ++more) {
            const auto beside = runAwaitable(loop, runScript(*host, "echo here"), 60s);
            QVERIFY2(beside.has_value(), beside ? "" : base::describe(beside.error()).c_str());
            QCOMPARE(beside->printed, std::string("here\n"));
        }
        std::vector<std::unique_ptr<RemoteProgram>> programs;
        for (int more = 1; more < sessions; ++more) {
            auto program = runAwaitable(loop, host->start("exec cat"), 60s);
            QVERIFY(program.has_value());
            programs.push_back(std::move(*program));
        }
        const auto refused = runAwaitable(loop, runScript(*host, "echo here"), 60s);
        QVERIFY(!refused.has_value());
        QCOMPARE(std::string(nameOf(refused.error().code)), std::string("too_many_sessions"));
        (*channel)->close();
    }

    void whateverIsGivenUpLeavesNothing_data() { eachClient(); }
    void whateverIsGivenUpLeavesNothing() {
        QFETCH(int, client);
        constexpr int kRounds = 25;
        constexpr double kMilliseconds = 900;
        base::Rng rng(seedOfRun(), static_cast<uint64_t>(client), "given up");
        asio::io_context loop;
        Means means(*m_server);
        {
            // What is made once and kept: the loop's own files, the thread that looks up names.
            const auto first = means.transport(static_cast<SshClient>(client), m_server->port());
            QVERIFY(runAwaitable(loop, first->connect(), 60s).has_value());
        }
        removeHead();
        const Belongings before = settled(loop);
        int cancelled = 0;
        for (int round = 0; round < kRounds; ++round) {
            auto transport = means.transport(static_cast<SshClient>(client), m_server->port());
            std::optional<std::string> outcome;
            std::unique_ptr<FrameChannel> channel;
            asio::co_spawn(loop, transport->connect(),
                           [&](const std::exception_ptr&, Expected<std::unique_ptr<FrameChannel>> made) {
                               outcome = made ? "connected" : std::string(nameOf(made.error().code));
                               if (made)
                                   channel = std::move(*made);
                           });
            QElapsedTimer since;
            since.start();
            const auto moment = static_cast<qint64>(rng.uniform() * kMilliseconds);
            while (!since.hasExpired(moment)) {
                loop.restart();
                loop.run_one_for(5ms);
            }
            const QSet<QString> folders = ownFolders();
            transport->giveUp();
            QVERIFY2(pumpUntil(loop, [&] { return outcome.has_value(); }),
                     ("it hangs when given up after " + std::to_string(moment) + " ms").c_str());
            QVERIFY2(*outcome == "cancelled" || *outcome == "connected", outcome->c_str());
            cancelled += *outcome == "cancelled";
            channel.reset();
            transport.reset();
            const Belongings after = settled(loop);
            QVERIFY2(after == before, ("given up after " + QByteArray::number(moment) +
                                       " ms: " + after.text() + "; before: " + before.text())
                                          .constData());
            for (const QString& folder : folders)
                QVERIFY2(!QFileInfo::exists(folder), folder.toUtf8().constData());
            QTRY_VERIFY2(m_server->sessions().empty(), "a session of the server is left");
            QTRY_VERIFY2(partsOfHeads().isEmpty(), partsOfHeads().join(' ').toUtf8().constData());
            // The next round begins anew.
            if (*outcome == "connected")
                removeHead();
        }
        qInfo("%d of %d were given up on their way", cancelled, kRounds);
        QVERIFY(cancelled > 0);
    }

private:
    /// Once nothing changes any more.
    static Belongings settled(asio::io_context& loop) {
        Belongings last = Belongings::now();
        for (int same = 0, looks = 0; same < 5 && looks < 200; ++looks) {
            loop.restart();
            loop.run_for(20ms);
            const Belongings next = Belongings::now();
            same = next == last ? same + 1 : 0;
            last = next;
        }
        return last;
    }
    [[nodiscard]] base::Path heads() const { return m_server->home() / ".local/share/trialdeck/heads"; }
    /// Of heads that are not whole.
    [[nodiscard]] QStringList partsOfHeads() const {
        QStringList found =
            QDir(QString::fromStdString(heads())).entryList(QDir::AllEntries | QDir::NoDotAndDotDot);
        found.removeAll(QString::fromLatin1(base::buildId().data(), qsizetype(base::buildId().size())));
        return found;
    }
    /// With the daemon that runs there.
    void removeHead() {
        tests::killAndWait(m_server->host().processes("trialdeck-head"));
        std::filesystem::remove_all(heads());
    }

    std::unique_ptr<SshServer> m_server;
};

QTEST_GUILESS_MAIN(SshBadServersTest)
#include "ssh_bad_servers_test.moc"

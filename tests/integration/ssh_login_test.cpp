// SPDX-License-Identifier: Apache-2.0
// Logins through the OpenSSH client to real servers: each way to prove who one is, each way to be refused.
#include "core/base/sha256.h"
#include "tests/support/compare.h"
#include "tests/support/system_login.h"

#include <QElapsedTimer>
#include <QFile>
#include <QTcpServer>
#include <QtTest>

#include <asio/steady_timer.hpp>

using namespace trialdeck;
using namespace trialdeck::transport;
using namespace std::chrono_literals;
using tests::SshAccount;
using tests::SshServer;
using tests::SshServerOptions;
using tests::SystemLogin;

namespace {

constexpr const char* kPassword = "correct horse 电池";

SshServerOptions onlyPassword() {
    SshServerOptions options;
    options.accounts = {SshAccount{.password = kPassword}};
    options.clientConfig = {"PubkeyAuthentication no"};
    return options;
}

SshServerOptions twoFactors() {
    SshServerOptions options = onlyPassword();
    options.secondFactor = "123456";
    options.secondFactorInfo = "Duo is down, use your token";
    return options;
}

int countOf(const std::string& text, const std::string& part) {
    return static_cast<int>(QString::fromStdString(text).count(QString::fromStdString(part)));
}

/// A listener on a port of 127.0.0.1 that is no SSH server.
class OtherServer {
public:
    explicit OtherServer(const QByteArray& words = {}) {
        m_server.listen(QHostAddress::LocalHost);
        QObject::connect(&m_server, &QTcpServer::newConnection, &m_server,
                         [this, words] { m_server.nextPendingConnection()->write(words); });
    }
    [[nodiscard]] uint16_t port() const { return m_server.serverPort(); }

private:
    QTcpServer m_server;
};

} // namespace

class SshLoginTest : public QObject {
    Q_OBJECT
private slots:
    void initTestCase() {
        if (const std::string why = SshServer::whyNot(); !why.empty())
            QSKIP(why.c_str());
    }

    void aKeyLetsIn_data() {
        QTest::addColumn<QByteArray>("key");
        for (const char* key : {"id_ed25519", "id_ecdsa", "id_rsa"})
            QTest::newRow(key) << QByteArray(key);
    }
    void aKeyLetsIn() {
        QFETCH(QByteArray, key);
        SshServer server;
        SshDestination to = server.destination();
        to.identityFile = server.key(key.toStdString());
        SystemLogin login(server, to);
        QVERIFY2(login.open() == "open", base::describe(login.error).c_str());
        QCOMPARE(login.course, std::string("name tcp host_key login "));
        const RemoteOutput output = login.run("id -un; cat; echo oh >&2; exit 7", "to and back");
        QCOMPARE(output.printed, std::string("anna\nto and back"));
        QCOMPARE(output.errors, std::string("oh"));
        QCOMPARE(output.exit.code, std::optional<int>(7));
        QVERIFY(login.prompts.asked.empty());
    }

    void aLockedKeyIsUnlockedWithItsPassphrase() {
        SshServer server;
        SshDestination to = server.destination();
        to.identityFile = server.key("id_locked");
        SystemLogin login(server, to, {"wrong", SshServer::kPassphrase});
        QVERIFY2(login.open() == "open", base::describe(login.error).c_str());
        const std::string question = "passphrase " + to.identityFile.native();
        const std::vector<std::string> expected = {question, question + " again"};
        QCOMPARE(login.prompts.asked, expected);
        QCOMPARE(countOf(server.log(), "Failed"), 0);
    }

    void aPasswordLetsIn() {
        SshServer server(onlyPassword());
        SystemLogin login(server, server.destination(), {kPassword});
        QVERIFY2(login.open() == "open", base::describe(login.error).c_str());
        QCOMPARE(login.prompts.asked, std::vector<std::string>{"password anna 127.0.0.1"});
        // The login holds: programs ask no more.
        QCOMPARE(login.run("id -un").printed, std::string("anna\n"));
        QCOMPARE(login.prompts.asked.size(), size_t{1});
    }

    void aWrongPasswordIsAskedForThreeTimes() {
        SshServer server(onlyPassword());
        SystemLogin login(server, server.destination(), {"a", "b", "c", "d"});
        QCOMPARE(login.open(), std::string("login_refused"));
        const std::vector<std::string> expected = {"password anna 127.0.0.1", "password anna 127.0.0.1 again",
                                                   "password anna 127.0.0.1 again"};
        QCOMPARE(login.prompts.asked, expected);
        QCOMPARE(login.error.arguments.at("methods"), std::string("publickey,password"));
        QCOMPARE(login.error.arguments.at("user"), std::string("anna"));
        QCOMPARE(login.course, std::string("name tcp host_key login failed "));
        QCOMPARE(countOf(server.log(), "Failed password"), 3);
    }

    void aQuestionThatIsNotAnsweredEndsTheAttempt() {
        SshServer server(onlyPassword());
        SystemLogin login(server, server.destination());
        QCOMPARE(login.open(), std::string("cancelled"));
        QCOMPARE(countOf(server.log(), "Failed password"), 0);
    }

    void passwordAndSecondFactorAreAskedInTheirOrder() {
        SshServer server(twoFactors());
        SystemLogin login(server, server.destination(), {kPassword, "123456"});
        QVERIFY2(login.open() == "open", base::describe(login.error).c_str());
        QCOMPARE(login.prompts.asked.size(), size_t{2});
        QCOMPARE(login.prompts.asked[0], std::string("interactive anna Password:"));
        QVERIFY2(login.prompts.asked[1].find("Verification code:") != std::string::npos,
                 login.prompts.asked[1].c_str());
        QCOMPARE(login.run("id -un").printed, std::string("anna\n"));
        QCOMPARE(login.prompts.asked.size(), size_t{2});
    }

    void aWrongSecondFactorIsRefused() {
        SshServer server(twoFactors());
        SystemLogin login(server, server.destination(),
                          {kPassword, "0", kPassword, "1", kPassword, "2", kPassword});
        QCOMPARE(login.open(), std::string("login_refused"));
        QCOMPARE(login.prompts.asked.size(), size_t{6});
        QCOMPARE(login.error.arguments.at("methods"), std::string("publickey,keyboard-interactive"));
    }

    void aKeyAndThenAPasswordAreBothNeeded() {
        SshServerOptions options;
        options.accounts = {SshAccount{.password = kPassword}};
        options.config = {"AuthenticationMethods publickey,password"};
        SshServer server(options);
        SystemLogin login(server, server.destination(), {kPassword});
        QVERIFY2(login.open() == "open", base::describe(login.error).c_str());
        QCOMPARE(login.prompts.asked, std::vector<std::string>{"password anna 127.0.0.1"});
    }

    void aNewHostKeyIsShownAndKeptAfterAYes() {
        SshServerOptions options;
        options.isKnown = false;
        SshServer server(options);
        {
            SystemLogin login(server, server.destination(), {"yes"});
            QVERIFY2(login.open() == "open", base::describe(login.error).c_str());
            QCOMPARE(login.prompts.asked,
                     std::vector<std::string>{"host_key ED25519 " + server.fingerprint()});
        }
        SystemLogin again(server, server.destination());
        QCOMPARE(again.open(), std::string("open"));
        QVERIFY(again.prompts.asked.empty());
    }

    void aNewHostKeyThatIsNotConfirmedIsNotTalkedTo() {
        SshServerOptions options;
        options.isKnown = false;
        SshServer server(options);
        SystemLogin no(server, server.destination(), {"no"});
        QCOMPARE(no.open(), std::string("host_key_refused"));
        QCOMPARE(no.course, std::string("name tcp host_key failed "));
        SystemLogin nothing(server, server.destination());
        QCOMPARE(nothing.open(), std::string("cancelled"));
        QFile known(QString::fromStdString(server.knownHosts()));
        QCOMPARE(known.size(), qint64{0});
        QCOMPARE(countOf(server.log(), "Accepted"), 0);
    }

    void aChangedHostKeyBlocks() {
        SshServer server;
        const std::string before = server.fingerprint();
        server.changeHostKey();
        server.restart();
        QVERIFY(before != server.fingerprint());
        SystemLogin login(server, server.destination(), {"yes", "yes"});
        QCOMPARE(login.open(), std::string("host_key_changed"));
        QVERIFY(login.prompts.asked.empty());
        QCOMPARE(login.error.arguments.at("fingerprint"), server.fingerprint());
        QCOMPARE(login.error.arguments.at("key_type"), std::string("ED25519"));
        QCOMPARE(login.error.arguments.at("path"), server.knownHosts().native());
        QCOMPARE(login.error.arguments.at("line"), std::string("1"));
        QCOMPARE(login.error.arguments.at("known"), before);
        QCOMPARE(countOf(server.log(), "Accepted"), 0);
    }

    void aRevokedHostKeyBlocks() {
        SshServer server;
        QFile known(QString::fromStdString(server.knownHosts()));
        QVERIFY(known.open(QIODevice::ReadWrite));
        const QByteArray line = known.readAll();
        known.write("@revoked " + line);
        known.close();
        SystemLogin login(server, server.destination(), {"yes"});
        QCOMPARE(login.open(), std::string("host_key_revoked"));
        QVERIFY(login.prompts.asked.empty());
    }

    void aHostOfAnotherTimeIsNamedWithItsOffer_data() {
        QTest::addColumn<QByteArray>("line");
        QTest::addColumn<QByteArray>("offer");
        QTest::newRow("cipher") << QByteArray("Ciphers aes128-cbc") << QByteArray("aes128-cbc");
        QTest::newRow("key exchange") << QByteArray("KexAlgorithms diffie-hellman-group1-sha1")
                                      << QByteArray("diffie-hellman-group1-sha1");
        QTest::newRow("mac") << QByteArray("MACs hmac-md5\nCiphers aes128-ctr") << QByteArray("hmac-md5");
    }
    void aHostOfAnotherTimeIsNamedWithItsOffer() {
        QFETCH(QByteArray, line);
        QFETCH(QByteArray, offer);
        SshServerOptions options;
        options.config = {line.toStdString()};
        SshServer server(options);
        SystemLogin login(server, server.destination());
        QCOMPARE(login.open(), std::string("no_common_algorithm"));
        QVERIFY2(login.error.arguments.at("offer").find(offer.toStdString()) == 0,
                 base::describe(login.error).c_str());
        QCOMPARE(login.course, std::string("name tcp host_key failed "));
    }

    void aKeyThatTheHostDoesNotKnowIsRefused() {
        SshServer server;
        SshDestination to = server.destination();
        to.identityFile = server.key("id_stranger");
        SystemLogin login(server, to);
        QCOMPARE(login.open(), std::string("cancelled"));
        QCOMPARE(login.prompts.asked, std::vector<std::string>{"password anna 127.0.0.1"});
    }

    void aHostThatTakesOnlyKeysSaysSo() {
        SshServerOptions options;
        options.config = {"PasswordAuthentication no"};
        SshServer server(options);
        SshDestination to = server.destination();
        to.identityFile = server.key("id_stranger");
        SystemLogin login(server, to);
        QCOMPARE(login.open(), std::string("login_refused"));
        QCOMPARE(login.error.arguments.at("methods"), std::string("publickey"));
        QVERIFY(login.prompts.asked.empty());
    }

    void aKeyThatOthersCanReadIsNamed() {
        SshServerOptions options;
        options.config = {"PasswordAuthentication no"};
        SshServer server(options);
        SshDestination to = server.destination();
        to.identityFile = server.key("id_ecdsa");
        std::filesystem::permissions(to.identityFile, std::filesystem::perms(0644));
        SystemLogin login(server, to);
        QCOMPARE(login.open(), std::string("key_unusable"));
        QCOMPARE(login.error.arguments.at("path"), to.identityFile.native());
        QCOMPARE(login.error.arguments.at("reason"), std::string("bad permissions"));
    }

    void tooManyKeysEndTheLogin() {
        SshServerOptions options;
        options.config = {"MaxAuthTries 2"};
        SshServer server(options);
        options.clientConfig.clear();
        SshDestination to = server.destination();
        to.identityFile = server.key("id_stranger");
        QFile config(QString::fromStdString(to.configFile));
        QVERIFY(config.open(QIODevice::Append));
        for (const char* name : {"id_stranger_b", "id_stranger_c"})
            config.write("IdentityFile " + QByteArray::fromStdString(server.key(name)) + "\n");
        config.close();
        SystemLogin login(server, to);
        QCOMPARE(login.open(), std::string("too_many_logins"));
    }

    void anAccountThatDoesNotExistIsRefusedLikeAWrongPassword() {
        SshServer server(onlyPassword());
        SshDestination to = server.destination();
        to.user = "nobody-here";
        SystemLogin login(server, to, {"a", "b", "c"});
        QCOMPARE(login.open(), std::string("login_refused"));
        QCOMPARE(login.error.arguments.at("user"), std::string("nobody-here"));
    }

    void aNameThatDoesNotExistIsSaid() {
        SshServer server;
        SshDestination to = server.destination();
        to.host = "no-such-host.invalid";
        SystemLogin login(server, to);
        QCOMPARE(login.open(), std::string("host_not_found"));
        QCOMPARE(login.course, std::string("name failed "));
    }

    void nobodyListensThere() {
        SshServer server;
        server.stop();
        SystemLogin login(server, server.destination());
        QCOMPARE(login.open(), std::string("host_refused"));
        QCOMPARE(login.course, std::string("name tcp failed "));
        server.restart();
        QCOMPARE(login.open(), std::string("open"));
    }

    void anotherKindOfServerIsNamed() {
        // Served by the loop of the client, so it speaks from a thread of its own.
        SshServer server;
        QThread thread;
        OtherServer* other = nullptr;
        QObject worker;
        worker.moveToThread(&thread);
        thread.start();
        QMetaObject::invokeMethod(
            &worker,
            [&] { other = new OtherServer("HTTP/1.1 400 Bad Request\r\n\r\n" + QByteArray(9000, 'x')); },
            Qt::BlockingQueuedConnection);
        SshDestination to = server.destination();
        to.port = other->port();
        SystemLogin login(server, to);
        const std::string outcome = login.open();
        QMetaObject::invokeMethod(
            &worker, [&] { delete other; }, Qt::BlockingQueuedConnection);
        thread.quit();
        thread.wait();
        QCOMPARE(outcome, std::string("not_an_ssh_server"));
    }

    void aHostThatSaysNothingIsGivenUp() {
        SshServer server;
        OtherServer other;
        SshDestination to = server.destination();
        to.port = other.port();
        SystemLogin login(server, to);
        login.options.patience = 1s;
        QElapsedTimer taken;
        taken.start();
        const std::string outcome = login.open();
        QVERIFY2(taken.elapsed() < 5'000, QByteArray::number(taken.elapsed()).constData());
        QCOMPARE(outcome, std::string("timed_out"));
    }

    void aLoginThatNobodyWantsIsGivenUpAtOnce() {
        SshServer server;
        OtherServer other;
        SshDestination to = server.destination();
        to.port = other.port();
        SystemLogin login(server, to);
        asio::steady_timer soon(login.loop, 200ms);
        soon.async_wait([&login](const std::error_code&) { login.host().close(); });
        QElapsedTimer taken;
        taken.start();
        QCOMPARE(login.open(), std::string("cancelled"));
        QVERIFY2(taken.elapsed() < 2'000, QByteArray::number(taken.elapsed()).constData());
    }

    void aHostThatAllowsOneSessionTakesOneAfterTheOther() {
        SshServerOptions options;
        options.config = {"MaxSessions 1"};
        SshServer server(options);
        SystemLogin login(server, server.destination());
        QCOMPARE(login.open(), std::string("open"));
        for (int count = 0; count < 3; ++count)
            QCOMPARE(login.run("echo here").printed, std::string("here\n"));
    }

    void aSecondSessionThatIsNotAllowedIsNamed() {
        SshServerOptions options;
        options.config = {"MaxSessions 1"};
        SshServer server(options);
        SystemLogin login(server, server.destination());
        QCOMPARE(login.open(), std::string("open"));
        auto first = tests::runAwaitable(login.loop, login.host().start("exec cat"));
        QVERIFY(first.has_value());
        const base::UniqueFd line = (*first)->takeSocket();
        QVERIFY(write(line.get(), "x", 1) == 1);
        char echo = 0;
        QVERIFY(read(line.get(), &echo, 1) == 1);
        const auto second = tests::runAwaitable(login.loop, runScript(login.host(), "echo here"));
        QVERIFY(!second.has_value());
        QCOMPARE(std::string(nameOf(second.error().code)), std::string("too_many_sessions"));
        // The first one is none the worse.
        QVERIFY(write(line.get(), "y", 1) == 1);
        QVERIFY(read(line.get(), &echo, 1) == 1);
        QCOMPARE(echo, 'y');
    }

    void aKilledServerProcessIsNoticedAndTheHostCanBeOpenedAgain() {
        SshServer server(onlyPassword());
        SystemLogin login(server, server.destination(), {kPassword, kPassword});
        QCOMPARE(login.open(), std::string("open"));
        QVERIFY(!server.sessions().empty());
        server.killSessions();
        QVERIFY(server.sessions().empty());
        const RemoteOutput output = login.run("echo here");
        QVERIFY2(output.printed.find("connection_lost") == 0, output.printed.c_str());
        QVERIFY(!login.host().isOpen());
        QCOMPARE(login.open(), std::string("open"));
        QCOMPARE(login.run("echo here").printed, std::string("here\n"));
    }

    void muchDataGoesThroughWhole() {
        SshServer server;
        SystemLogin login(server, server.destination());
        QCOMPARE(login.open(), std::string("open"));
        std::string bytes(size_t{5} << 20, '\0');
        for (size_t at = 0; at < bytes.size(); ++at)
            bytes[at] = static_cast<char>(at * 7919 >> 5);
        const RemoteOutput output = login.run("sha256sum", bytes);
        QCOMPARE(output.printed, base::sha256Hex(bytes) + "  -\n");
    }

    void nothingIsLeftOfALogin() {
        SshServer server;
        std::vector<pid_t> before;
        {
            SystemLogin login(server, server.destination());
            QCOMPARE(login.open(), std::string("open"));
            before = server.sessions();
        }
        for (const pid_t process : before)
            QTRY_VERIFY(!QFile::exists("/proc/" + QString::number(process)));
    }
};

QTEST_GUILESS_MAIN(SshLoginTest)
#include "ssh_login_test.moc"

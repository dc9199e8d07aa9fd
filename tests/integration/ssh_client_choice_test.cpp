// SPDX-License-Identifier: Apache-2.0
// Which of the two clients goes to a real server, decided before a login is tried.
#include "core/transport/libssh2/ssh_hosts.h"
#include "tests/support/compare.h"
#include "tests/support/system_login.h"

#include <asio/detached.hpp>

#include <QElapsedTimer>
#include <QFile>
#include <QProcess>
#include <QtTest>

using namespace trialdeck;
using namespace trialdeck::transport;
using namespace std::chrono_literals;
using tests::SshAccount;
using tests::SshServer;
using tests::SshServerOptions;

namespace {

constexpr const char* kPassword = "correct horse 电池";

SshServerOptions onlyPassword() {
    SshServerOptions options;
    options.accounts = {SshAccount{.password = kPassword}};
    options.clientConfig = {"PubkeyAuthentication no"};
    return options;
}

/// A login over whichever client can serve the host.
struct ChosenLogin {
    ChosenLogin(const SshServer& server, SshDestination to, std::deque<std::string> answers = {})
        : prompts(std::move(answers)) {
        options.destination = std::move(to);
        options.askpass = TRIALDECK_BIN_DIR "/trialdeck-askpass";
        options.environment = server.clientEnvironment();
    }

    RemoteHost& host() {
        if (!made)
            made = makeSshHost(options, files, clock, prompts);
        return *made;
    }

    /// "open", or the code of the error.
    std::string open() {
        const auto listener = [this](const StepState& step) {
            if (step.ssh)
                choice = std::string(nameOf(step.ssh->client)) + " " + std::string(nameOf(step.ssh->reason)) +
                         (step.ssh->about.empty() ? "" : " " + step.ssh->about);
        };
        const auto opened = tests::runAwaitable(loop, host().open(listener), 60s);
        error = opened ? Error() : opened.error();
        return opened ? "open" : std::string(nameOf(error.code));
    }
    std::string printed(const std::string& script) {
        const auto output = tests::runAwaitable(loop, runScript(host(), script), 60s);
        return output ? output->printed : base::describe(output.error());
    }

    asio::io_context loop;
    base::SystemClock clock;
    base::PosixFileSystem files;
    tests::ScriptedPrompts prompts;
    SshHostOptions options;
    /// "libssh2 none"
    std::string choice;
    Error error;
    std::unique_ptr<RemoteHost> made;
};

int countOf(const std::string& text, const std::string& part) {
    return static_cast<int>(QString::fromStdString(text).count(QString::fromStdString(part)));
}

void append(const base::Path& path, const QByteArray& text) {
    QFile file(QString::fromStdString(path));
    QVERIFY(file.open(QIODevice::Append));
    file.write(text);
}

/// A real ssh-agent, for as long as it lives.
class Agent {
public:
    explicit Agent(const base::Path& folder) : m_socket(folder / "agent.sock") {
        m_agent.start("ssh-agent", {"-D", "-a", QString::fromStdString(m_socket)});
        m_isRunning = m_agent.waitForStarted() && m_agent.waitForReadyRead(10'000);
    }
    ~Agent() {
        m_agent.kill();
        m_agent.waitForFinished();
    }
    Agent(const Agent&) = delete;
    Agent& operator=(const Agent&) = delete;

    bool add(const base::Path& key) {
        QProcess program;
        QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
        environment.insert("SSH_AUTH_SOCK", QString::fromStdString(m_socket));
        program.setProcessEnvironment(environment);
        program.start("ssh-add", {"-q", QString::fromStdString(key)});
        return m_isRunning && program.waitForFinished(20'000) && program.exitCode() == 0;
    }
    [[nodiscard]] const base::Path& socket() const { return m_socket; }

private:
    base::Path m_socket;
    QProcess m_agent;
    bool m_isRunning = false;
};

/// A person who is asked and says nothing.
class Undecided final : public Prompts {
public:
    void ask(const Prompt&, std::function<void(std::optional<std::string>)> answer) override {
        m_answer = std::move(answer);
        isAsked = true;
    }
    void withdraw() override {}

    bool isAsked = false;

private:
    std::function<void(std::optional<std::string>)> m_answer;
};

} // namespace

class SshClientChoiceTest : public QObject {
    Q_OBJECT
private slots:
    void initTestCase() {
        if (const std::string why = SshServer::whyNot(); !why.empty())
            QSKIP(why.c_str());
        if (libsshSkills().signsRsaWithSha2)
            QSKIP("this libssh2 signs with what the tests expect it not to");
    }

    void aKeyThatTheLibraryCanUse_data() {
        QTest::addColumn<QByteArray>("key");
        for (const char* key : {"id_ed25519", "id_ecdsa"})
            QTest::newRow(key) << QByteArray(key);
    }
    void aKeyThatTheLibraryCanUse() {
        QFETCH(QByteArray, key);
        SshServer server;
        SshDestination to = server.destination();
        to.identityFile = server.key(key.toStdString());
        ChosenLogin login(server, to);
        QVERIFY2(login.open() == "open", base::describe(login.error).c_str());
        QCOMPARE(login.choice, std::string("libssh2 none"));
        QCOMPARE(login.printed("id -un"), std::string("anna\n"));
        QVERIFY(login.prompts.asked.empty());
        QCOMPARE(countOf(server.log(), "Failed"), 0);
    }

    void anRsaKeyCostsNoAttempt() {
        SshServer server;
        SshDestination to = server.destination();
        to.identityFile = server.key("id_rsa");
        ChosenLogin login(server, to);
        QVERIFY2(login.open() == "open", base::describe(login.error).c_str());
        QCOMPARE(login.choice, "system_ssh rsa_key " + to.identityFile.native());
        QCOMPARE(login.printed("id -un"), std::string("anna\n"));
        QCOMPARE(countOf(server.log(), "Failed"), 0);
        QCOMPARE(countOf(server.log(), "Connection from"), 1);
    }

    void aProxyCommandIsTheSystemsSshs() {
        SshServerOptions options;
        options.clientConfig = {"ProxyCommand bash -c 'exec 3<>/dev/tcp/%h/%p; cat <&3 & exec cat >&3'"};
        SshServer server(options);
        ChosenLogin login(server, server.destination());
        QVERIFY2(login.open() == "open", base::describe(login.error).c_str());
        QCOMPARE(login.choice, std::string("system_ssh proxy_command lab"));
        login.made.reset();
        login.options.pinned = SshClient::libssh2;
        QCOMPARE(login.open(), std::string("ssh_configuration"));
        QCOMPARE(countOf(server.log(), "Connection from"), 1);
    }

    void aNewHostIsAskedAboutOnceAndKept_data() {
        QTest::addColumn<bool>("hashed");
        QTest::newRow("plain") << false;
        QTest::newRow("hashed") << true;
    }
    void aNewHostIsAskedAboutOnceAndKept() {
        QFETCH(bool, hashed);
        SshServerOptions options;
        options.isKnown = false;
        options.clientConfig = {hashed ? "HashKnownHosts yes" : "HashKnownHosts no"};
        SshServer server(options);
        ChosenLogin login(server, server.destination(), {"yes"});
        QVERIFY2(login.open() == "open", base::describe(login.error).c_str());
        QCOMPARE(login.choice, std::string("libssh2 none"));
        QCOMPARE(login.prompts.asked, std::vector<std::string>{"host_key ED25519 " + server.fingerprint()});
        QCOMPARE(login.open(), std::string("open"));
        QCOMPARE(login.prompts.asked.size(), size_t{1});
        QFile known(QString::fromStdString(server.knownHosts()));
        QVERIFY(known.open(QIODevice::ReadOnly));
        QCOMPARE(known.readAll().startsWith("|1|"), hashed);
        // The other client finds it, too.
        ChosenLogin other(server, server.destination());
        other.options.pinned = SshClient::system_ssh;
        QVERIFY2(other.open() == "open", base::describe(other.error).c_str());
        QCOMPARE(other.choice, std::string("system_ssh pinned"));
        QVERIFY(other.prompts.asked.empty());
    }

    void aChangedHostKeyBlocks() {
        SshServer server;
        const std::string before = server.fingerprint();
        server.changeHostKey();
        server.restart();
        ChosenLogin login(server, server.destination(), {"yes", "yes"});
        QCOMPARE(login.open(), std::string("host_key_changed"));
        QCOMPARE(login.choice, std::string("libssh2 none"));
        QVERIFY(login.prompts.asked.empty());
        QCOMPARE(login.error.arguments.at("fingerprint"), server.fingerprint());
        QCOMPARE(login.error.arguments.at("known"), before);
        QCOMPARE(login.error.arguments.at("path"), server.knownHosts().native());
        QCOMPARE(login.error.arguments.at("line"), std::string("1"));
        QCOMPARE(countOf(server.log(), "Accepted"), 0);
    }

    void aRevokedHostKeyBlocks() {
        SshServer server;
        QFile known(QString::fromStdString(server.knownHosts()));
        QVERIFY(known.open(QIODevice::ReadWrite));
        const QByteArray line = known.readAll();
        known.write("@revoked " + line);
        known.close();
        ChosenLogin login(server, server.destination(), {"yes"});
        QCOMPARE(login.open(), std::string("host_key_revoked"));
        QVERIFY(login.prompts.asked.empty());
    }

    void aHostIsAskedForTheKeyOnFile() {
        SshServerOptions options;
        options.hostKeys = {"ecdsa", "ed25519"};
        SshServer server(options);
        ChosenLogin login(server, server.destination());
        QVERIFY2(login.open() == "open", base::describe(login.error).c_str());
        QCOMPARE(login.choice, std::string("libssh2 none"));
        QVERIFY(login.prompts.asked.empty());
    }

    void aKeyOnFileThatTheHostHasNoMoreBlocks() {
        SshServerOptions options;
        options.hostKeys = {"ecdsa", "ed25519"};
        SshServer server(options);
        QFile config(QString::fromStdString(server.folder() / "etc/sshd_config"));
        QVERIFY(config.open(QIODevice::ReadWrite));
        QByteArray lines = config.readAll();
        lines.replace("host_ecdsa\n", "host_ed25519\n");
        config.resize(0);
        config.write(lines);
        config.close();
        server.restart();
        ChosenLogin login(server, server.destination(), {"yes"});
        QCOMPARE(login.open(), std::string("host_key_changed"));
        QVERIFY(login.prompts.asked.empty());
    }

    void anRsaHostKeyOnFileIsTheSystemsSshs() {
        SshServerOptions options;
        options.hostKeys = {"rsa", "ed25519"};
        SshServer server(options);
        ChosenLogin login(server, server.destination());
        QVERIFY2(login.open() == "open", base::describe(login.error).c_str());
        QCOMPARE(login.choice, std::string("system_ssh host_key_type lab"));
        QVERIFY(login.prompts.asked.empty());
        QCOMPARE(countOf(server.log(), "Connection from"), 1);
    }

    void aHostWithoutCommonAlgorithmIsLeftBeforeTheLogin_data() {
        QTest::addColumn<QByteArray>("line");
        QTest::addColumn<bool>("hasRsaOnly");
        QTest::newRow("cipher") << QByteArray("Ciphers aes256-gcm@openssh.com") << false;
        QTest::newRow("mac") << QByteArray("MACs hmac-sha2-256-etm@openssh.com") << false;
        QTest::newRow("key exchange")
            << QByteArray("KexAlgorithms sntrup761x25519-sha512@openssh.com") << false;
        QTest::newRow("host key") << QByteArray("# nothing") << true;
    }
    void aHostWithoutCommonAlgorithmIsLeftBeforeTheLogin() {
        QFETCH(QByteArray, line);
        QFETCH(bool, hasRsaOnly);
        SshServerOptions options;
        options.config = {line.toStdString()};
        if (hasRsaOnly)
            options.hostKeys = {"rsa"};
        options.isKnown = !hasRsaOnly;
        SshServer server(options);
        ChosenLogin login(server, server.destination(), {"yes"});
        QVERIFY2(login.open() == "open", base::describe(login.error).c_str());
        QCOMPARE(login.choice, std::string("system_ssh no_common_algorithm lab"));
        QCOMPARE(login.printed("id -un"), std::string("anna\n"));
        QCOMPARE(countOf(server.log(), "Failed"), 0);
        QCOMPARE(countOf(server.log(), "Accepted publickey"), 1);
        QCOMPARE(countOf(server.log(), "Connection from"), 2);
        // That is remembered.
        QCOMPARE(login.open(), std::string("open"));
        QCOMPARE(countOf(server.log(), "Connection from"), 3);
    }

    void aPasswordLetsIn() {
        SshServer server(onlyPassword());
        ChosenLogin login(server, server.destination(), {"wrong", kPassword});
        QVERIFY2(login.open() == "open", base::describe(login.error).c_str());
        QCOMPARE(login.choice, std::string("libssh2 none"));
        const std::vector<std::string> expected = {"password anna lab", "password anna lab again"};
        QCOMPARE(login.prompts.asked, expected);
    }

    void passwordAndSecondFactorAreAskedInTheirOrder() {
        SshServerOptions options = onlyPassword();
        options.secondFactor = "123456";
        SshServer server(options);
        ChosenLogin login(server, server.destination(), {kPassword, "123456"});
        QVERIFY2(login.open() == "open", base::describe(login.error).c_str());
        QCOMPARE(login.choice, std::string("libssh2 none"));
        QCOMPARE(login.prompts.asked.size(), size_t{2});
    }

    void aKeyAndThenAPasswordAreBothNeeded() {
        SshServerOptions options;
        options.accounts = {SshAccount{.password = kPassword}};
        options.config = {"AuthenticationMethods publickey,password"};
        SshServer server(options);
        ChosenLogin login(server, server.destination(), {kPassword});
        QVERIFY2(login.open() == "open", base::describe(login.error).c_str());
        QCOMPARE(login.choice, std::string("libssh2 none"));
        QCOMPARE(login.prompts.asked, std::vector<std::string>{"password anna lab"});
        QCOMPARE(countOf(server.log(), "Failed"), 0);
    }

    void aLockedKeyIsUnlockedWithoutAnAttempt() {
        SshServer server;
        SshDestination to = server.destination();
        to.identityFile = server.key("id_locked");
        ChosenLogin login(server, to, {"wrong", SshServer::kPassphrase});
        QVERIFY2(login.open() == "open", base::describe(login.error).c_str());
        QCOMPARE(login.choice, std::string("libssh2 none"));
        const std::string question = "passphrase " + to.identityFile.native();
        const std::vector<std::string> expected = {question, question + " again"};
        QCOMPARE(login.prompts.asked, expected);
        QCOMPARE(countOf(server.log(), "Failed"), 0);
    }

    void anAgentThatHasTheKeyAsksNobody_data() {
        QTest::addColumn<QByteArray>("line");
        QTest::newRow("only the named ones") << QByteArray();
        QTest::newRow("all") << QByteArray("IdentitiesOnly no");
    }
    void anAgentThatHasTheKeyAsksNobody() {
        QFETCH(QByteArray, line);
        SshServerOptions options;
        const QTemporaryDir folder;
        Agent agent(folder.path().toStdString());
        options.clientConfig = {line.toStdString(), "IdentityAgent " + agent.socket().native()};
        SshServer server(options);
        SshDestination to = server.destination();
        QVERIFY(agent.add(server.key("id_ecdsa")));
        QVERIFY(agent.add(to.identityFile));
        // The agent has the other half of a key whose file says nothing but its public one.
        to.identityFile += ".pub";
        ChosenLogin login(server, to);
        QVERIFY2(login.open() == "open", base::describe(login.error).c_str());
        QCOMPARE(login.choice, std::string("libssh2 none"));
        QVERIFY(login.prompts.asked.empty());
        QVERIFY(agent.add(server.key("id_rsa")));
        QCOMPARE(login.open(), std::string("open"));
        QCOMPARE(login.choice, std::string(line.isEmpty() ? "libssh2 none" : "system_ssh rsa_key id_rsa"));
    }

    void aJumpIsMadeByTheLibrary() {
        SshServer first;
        SshServer server;
        append(server.clientFolder() / "config",
               QByteArray::fromStdString("Host gate\n HostName 127.0.0.1\n User anna\n Port " +
                                         std::to_string(first.port()) + "\n UserKnownHostsFile " +
                                         first.knownHosts().native() +
                                         "\n IdentitiesOnly yes\n IdentityAgent none\n IdentityFile " +
                                         first.key("id_ed25519").native() + "\n"));
        SshDestination to = server.destination();
        to.jump = "gate";
        ChosenLogin login(server, to);
        QVERIFY2(login.open() == "open", base::describe(login.error).c_str());
        QCOMPARE(login.choice, std::string("libssh2 none"));
        QCOMPARE(login.printed("id -un"), std::string("anna\n"));
        QCOMPARE(countOf(first.log(), "Accepted publickey"), 1);
    }

    void aQuestionThatNobodyAnswersKeepsNoLoop() {
        SshServerOptions options = onlyPassword();
        options.secondFactor = "123456";
        SshServer server(options);
        base::SystemClock clock;
        base::PosixFileSystem files;
        Undecided person;
        QElapsedTimer taken;
        {
            auto loop = std::make_unique<asio::io_context>();
            ChosenLogin login(server, server.destination());
            auto host = makeSshHost(login.options, files, clock, person);
            asio::co_spawn(*loop, host->open({}), asio::detached);
            QVERIFY(QTest::qWaitFor(
                [&] {
                    loop->run_for(5ms);
                    return person.isAsked;
                },
                20'000));
            taken.start();
            // As at the end of a program: the host and then its loop go with the question open.
            host.reset();
            loop.reset();
        }
        QVERIFY2(taken.elapsed() < 2'000, QByteArray::number(taken.elapsed()).constData());
    }
};

QTEST_GUILESS_MAIN(SshClientChoiceTest)
#include "ssh_client_choice_test.moc"

// SPDX-License-Identifier: Apache-2.0
// Accounts whose login shells and login scripts are not made for programs.
#include "core/transport/remote/remote_facts.h"
#include "core/transport/remote/remote_shell.h"
#include "core/transport/remote/ssh_transport.h"
#include "tests/support/compare.h"
#include "tests/support/system_login.h"

#include <QElapsedTimer>
#include <QFile>
#include <QtTest>

using namespace trialdeck;
using namespace trialdeck::transport;
using namespace std::chrono_literals;
using tests::runAwaitable;
using tests::SshAccount;
using tests::SshServer;
using tests::SshServerOptions;
using tests::SystemLogin;

namespace {

/// Words that some shell takes for its own.
constexpr const char* kHardWords =
    R"($HOME !! it's "quoted" `id` \ * ? [a] {b,c} ; & | < > ~ # % ^ @ $(id) 中文)";

const std::vector<SshAccount>& accounts() {
    static const std::vector<SshAccount> kAccounts = {
        {.name = "bash"},
        {.name = "dash", .shell = "/bin/dash"},
        {.name = "fish", .shell = "/usr/bin/fish"},
        {.name = "tcsh", .shell = "/bin/tcsh"},
        {.name = "zsh", .shell = "/bin/zsh", .home = "zsh with blank"},
        {.name = "nologin", .shell = "/usr/sbin/nologin"},
        {.name = "rbash", .shell = "/bin/rbash"},
        {.name = "missing", .shell = "/opt/tools/missing-shell", .password = "secret"},
    };
    return kAccounts;
}

/// Stands in the place of trialdeck-head: a script that echoes frames.
constexpr const char* kHead = "#!/bin/sh\n"
                              "case $1 in\n"
                              "--version) echo 'trialdeck-head 1' ;;\n"
                              "attach) printf '\\002trialdeck-head %s\\003' \"$3\"; exec cat ;;\n"
                              "esac\n";

/// A transport to one account, and what happens meanwhile.
struct Way {
    Way(SshServer& server, const std::string& account, std::deque<std::string> answers = {},
        std::chrono::milliseconds shellTimeout = 10s, const QByteArray& program = kHead)
        : prompts(std::move(answers)) {
        SystemSshOptions options;
        options.destination = server.destination(account);
        options.askpass = TRIALDECK_BIN_DIR "/trialdeck-askpass";
        options.environment = server.clientEnvironment();
        SshTransportOptions how;
        how.hostName = "lab";
        how.programs.head = server.clientFolder() / "trialdeck-head";
        how.programs.buildId = "build-1";
        how.shellTimeout = shellTimeout;
        QFile head(QString::fromStdString(how.programs.head));
        if (head.open(QIODevice::WriteOnly))
            head.write(program);
        transport = std::make_unique<SshTransport>(std::make_unique<SystemSshHost>(options, clock, prompts),
                                                   files, clock, how);
        transport->setStepListener([this](const StepState& step) {
            if (step.phase != StepPhase::running)
                course += std::string(nameOf(step.step)) + (step.phase == StepPhase::done ? " " : " failed ");
        });
    }
    /// "connected", or the error.
    std::string connect() {
        course.clear();
        auto made = runAwaitable(loop, transport->connect(), 60s);
        error = made ? Error() : made.error();
        if (!made)
            return std::string(nameOf(error.code));
        channel = std::move(*made);
        return "connected";
    }
    [[nodiscard]] std::string echo(const std::string& payload) {
        const auto sent = runAwaitable(loop, channel->send(payload));
        const auto frame = runAwaitable(loop, channel->receive());
        return sent && frame ? std::string(*frame) : "lost";
    }
    [[nodiscard]] std::string printed() const {
        const auto found = error.arguments.find("printed");
        return found == error.arguments.end() ? "" : found->second;
    }

    asio::io_context loop;
    base::SystemClock clock;
    base::PosixFileSystem files;
    tests::ScriptedPrompts prompts;
    std::string course;
    Error error;
    std::unique_ptr<SshTransport> transport;
    std::unique_ptr<FrameChannel> channel;
};

} // namespace

class SshShellsTest : public QObject {
    Q_OBJECT
private slots:
    void initTestCase() {
        if (const std::string why = SshServer::whyNot(); !why.empty())
            QSKIP(why.c_str());
        SshServerOptions options;
        options.accounts = accounts();
        m_server = std::make_unique<SshServer>(options);
    }
    void cleanupTestCase() { m_server.reset(); }
    /// Empty homes for each test.
    void init() {
        for (const SshAccount& account : accounts()) {
            for (const auto& entry : std::filesystem::directory_iterator(m_server->home(account.name)))
                std::filesystem::remove_all(entry.path());
        }
    }

    void theHeadIsPutAndReachedThrough_data() {
        QTest::addColumn<QByteArray>("account");
        QTest::addColumn<QByteArray>("file");
        QTest::addColumn<QByteArray>("script");
        for (const char* shell : {"bash", "dash", "fish", "tcsh", "zsh"})
            QTest::newRow(shell) << QByteArray(shell) << QByteArray() << QByteArray();
        QTest::newRow("tcsh with its habits")
            << QByteArray("tcsh") << QByteArray(".cshrc")
            << QByteArray("set noclobber\nalias rm \"rm -i\"\nalias ls \"ls --color=always -F\"\n"
                          "setenv LANG zh_CN.GB18030\nif ($?prompt) echo hello\n");
        QTest::newRow("zsh with its habits")
            << QByteArray("zsh") << QByteArray(".zshenv")
            << QByteArray("setopt NOMATCH\nsetopt NO_CLOBBER\nexport CDPATH=~/work:/\nalias -g td=echo\n");
        QTest::newRow("bash with its habits")
            << QByteArray("bash") << QByteArray(".bashrc")
            << QByteArray("set -o noclobber\nexport CDPATH=/ GREP_OPTIONS=--color POSIXLY_CORRECT=1\nalias "
                          "rm='rm -i'\n"
                          "shopt -s expand_aliases failglob\n");
        QTest::newRow("bash that checks itself") << QByteArray("bash") << QByteArray(".bashrc")
                                                 << QByteArray("set -eu\ntrap 'echo left >&2' EXIT\n");
        QTest::newRow("fish with greetings")
            << QByteArray("fish") << QByteArray(".config/fish/config.fish")
            << QByteArray("echo Welcome\nset -gx PATH ~/.local/bin $PATH\nalias rm 'rm -i'\n");
    }
    void theHeadIsPutAndReachedThrough() {
        QFETCH(QByteArray, account);
        QFETCH(QByteArray, file);
        QFETCH(QByteArray, script);
        const std::string name = account.toStdString();
        if (!file.isEmpty())
            m_server->write(file.toStdString(), script.toStdString(), name);
        Way way(*m_server, name);
        QVERIFY2(way.connect() == "connected", base::describe(way.error).c_str());
        QCOMPARE(way.course, std::string("name tcp host_key login shell head home head shell head "));
        QCOMPARE(way.echo("to and back"), std::string("to and back"));
        way.channel.reset();
        QCOMPARE(way.connect(), std::string("connected"));
        QCOMPARE(way.course, std::string("shell head "));
        const base::Path head = m_server->home(name) / ".local/share/trialdeck/heads/build-1/trialdeck-head";
        QVERIFY2(std::filesystem::exists(head), head.c_str());
    }

    void wordsArriveAsTheyAre_data() {
        QTest::addColumn<QByteArray>("account");
        for (const char* shell : {"bash", "dash", "fish", "tcsh", "zsh"})
            QTest::newRow(shell) << QByteArray(shell);
    }
    void wordsArriveAsTheyAre() {
        QFETCH(QByteArray, account);
        SystemLogin login(*m_server, m_server->destination(account.toStdString()));
        QCOMPARE(login.open(), std::string("open"));
        const std::string script = "printf '%s|' " + shellQuoted(kHardWords) + "; cat; printf '|%s' \"$0\"";
        const RemoteOutput output = login.run(script, kHardWords);
        QCOMPARE(output.printed, std::string(kHardWords) + "|" + kHardWords + "|/bin/sh");
        QCOMPARE(output.errors, std::string());
        QCOMPARE(output.exit.code, std::optional<int>(0));
    }

    void whatALoginScriptPrintsIsToldApart() {
        m_server->write(".bashrc",
                        "echo 'Welcome to the lab'\n"
                        "printf '\\033[?25l\\033[36m /#####  LAB  #####\\\\ \\033[0m\\n'\n"
                        "echo '{\"motd\": \"looks like JSON\"}'\n"
                        "printf 'no newline at end of motd'\n"
                        "echo 'conda env: base' >&2\n"
                        "PROMPT_COMMAND='printf \"\\033]0;lab\\007\"'\n",
                        "bash");
        Way way(*m_server, "bash");
        QVERIFY2(way.connect() == "connected", base::describe(way.error).c_str());
        QCOMPARE(way.echo("{\"id\": 1}"), std::string("{\"id\": 1}"));
        const LoginChatter chatter = way.channel->chatter();
        QCOMPARE(chatter.bytes, size_t{109});
        QVERIFY2(chatter.text.find("Welcome to the lab\n /#####  LAB  #####\\ \n{\"motd\"") == 0,
                 chatter.text.c_str());
    }

    void anAccountThatRunsNoCommandsIsNamed_data() {
        QTest::addColumn<QByteArray>("account");
        QTest::addColumn<QByteArray>("code");
        QTest::addColumn<QByteArray>("printed");
        QTest::newRow("nologin") << QByteArray("nologin") << QByteArray("account_closed")
                                 << QByteArray("This account is currently not available.");
        QTest::newRow("rbash") << QByteArray("rbash") << QByteArray("account_closed")
                               << QByteArray("restricted");
        // sshd tells nobody but its own log.
        QTest::newRow("missing") << QByteArray("missing") << QByteArray("login_refused") << QByteArray();
    }
    void anAccountThatRunsNoCommandsIsNamed() {
        QFETCH(QByteArray, account);
        QFETCH(QByteArray, code);
        QFETCH(QByteArray, printed);
        Way way(*m_server, account.toStdString(), {"secret", "secret", "secret"});
        QCOMPARE(way.connect(), code.toStdString());
        QVERIFY2(way.printed().find(printed.toStdString()) != std::string::npos, way.printed().c_str());
        QVERIFY2(way.course.ends_with("failed "), way.course.c_str());
    }

    void aLoginScriptThatKeepsCommandsAwayIsNamed_data() {
        QTest::addColumn<QByteArray>("account");
        QTest::addColumn<QByteArray>("file");
        QTest::addColumn<QByteArray>("script");
        QTest::addColumn<QByteArray>("printed");
        QTest::newRow("fish becomes a program that wants a terminal")
            << QByteArray("fish") << QByteArray(".config/fish/config.fish")
            << QByteArray("if status is-interactive\n    echo hi\nend\n"
                          "exec sh -c 'echo open terminal failed: not a terminal >&2; exit 1'\n")
            << QByteArray("open terminal failed: not a terminal");
        QTest::newRow("bash becomes a program that waits")
            << QByteArray("bash") << QByteArray(".bashrc")
            << QByteArray("echo 'Your password expires in 3 days.'\nexec cat >/dev/null\n")
            << QByteArray("Your password expires in 3 days.");
        QTest::newRow("it asks something")
            << QByteArray("bash") << QByteArray(".bashrc")
            << QByteArray("echo 'Which project?'\nread -r a\nread -r b\n") << QByteArray("Which project?");
        QTest::newRow("it ends") << QByteArray("bash") << QByteArray(".bashrc")
                                 << QByteArray("echo 'module: not found'\nexit 1\n")
                                 << QByteArray("module: not found");
        QTest::newRow("it prints for ever")
            << QByteArray("zsh") << QByteArray(".zshenv") << QByteArray("while :; do echo spam; done\n")
            << QByteArray("spam");
    }
    void aLoginScriptThatKeepsCommandsAwayIsNamed() {
        QFETCH(QByteArray, account);
        QFETCH(QByteArray, file);
        QFETCH(QByteArray, script);
        QFETCH(QByteArray, printed);
        m_server->write(file.toStdString(), script.toStdString(), account.toStdString());
        Way way(*m_server, account.toStdString(), {}, 1s);
        QElapsedTimer taken;
        taken.start();
        QCOMPARE(way.connect(), std::string("shell_blocked"));
        QVERIFY2(taken.elapsed() < 5'000, QByteArray::number(taken.elapsed()).constData());
        QVERIFY2(way.printed().find(printed.toStdString()) != std::string::npos, way.printed().c_str());
        QVERIFY(way.printed().size() <= size_t{16} << 10);
        QCOMPARE(way.course, std::string("name tcp host_key login shell failed "));
        way.transport.reset();
        QTRY_VERIFY(m_server->sessions().empty());
    }

    void placesThatCannotHoldProgramsAreSeen_data() {
        QTest::addColumn<QByteArray>("options");
        QTest::addColumn<int>("condition");
        QTest::newRow("no programs may run there")
            << QByteArray("noexec") << static_cast<int>(RemotePlace::Condition::no_execution);
        QTest::newRow("it cannot be written")
            << QByteArray("ro") << static_cast<int>(RemotePlace::Condition::read_only);
        QTest::newRow("it is small") << QByteArray("size=64k")
                                     << static_cast<int>(RemotePlace::Condition::good);
    }
    void placesThatCannotHoldProgramsAreSeen() {
        QFETCH(QByteArray, options);
        QFETCH(int, condition);
        SshServerOptions how;
        how.fresh = {{"~", options.toStdString()}};
        SshServer server(how);
        SystemLogin login(server, server.destination());
        QCOMPARE(login.open(), std::string("open"));
        const RemoteFacts facts = parseFacts(login.run(factsScript()).printed);
        QCOMPARE(facts.home, server.home().native());
        QCOMPARE(static_cast<int>(facts.places.at(0).condition), condition);
        const std::string fallback = "/var/tmp/trialdeck-" + std::to_string(server.uid());
        QCOMPARE(choosePlace(facts, 1 << 20, "lab").value(), fallback);
    }

    void aHomeThatIsOfNoUseIsPassedBy_data() {
        QTest::addColumn<QByteArray>("options");
        QTest::newRow("no programs may run there") << QByteArray("noexec");
        QTest::newRow("it cannot be written") << QByteArray("ro");
        QTest::newRow("it is small") << QByteArray("size=64k");
    }
    void aHomeThatIsOfNoUseIsPassedBy() {
        QFETCH(QByteArray, options);
        SshServerOptions how;
        how.fresh = {{"~", options.toStdString()}};
        SshServer server(how);
        Way way(server, "anna", {}, 10s, largeHead());
        QVERIFY2(way.connect() == "connected", base::describe(way.error).c_str());
        QCOMPARE(way.echo("to and back"), std::string("to and back"));
    }

    void aHostThatCannotHaveTheHeadSaysWhy_data() {
        QTest::addColumn<QByteArray>("file");
        QTest::addColumn<QByteArray>("script");
        QTest::addColumn<QByteArray>("program");
        QTest::addColumn<QByteArray>("error");
        const QByteArray roomy = "echo 'Filesystem 1024-blocks Used Available Capacity Mounted'\n"
                                 "echo 'disk 9999999 1 9999998 1% /'\n";
        QTest::newRow("another processor")
            << QByteArray("bin/uname") << QByteArray("[ $1 = -m ] && echo aarch64 || echo Linux\n")
            << QByteArray(kHead) << QByteArray("unsupported_system machine=aarch64");
        QTest::newRow("another system")
            << QByteArray("bin/uname") << QByteArray("[ $1 = -m ] && echo arm64 || echo Darwin\n")
            << QByteArray(kHead) << QByteArray("unsupported_system system=Darwin");
        QTest::newRow("no room anywhere")
            << QByteArray("bin/df")
            << QByteArray("echo 'Filesystem 1024-blocks Used Available Capacity Mounted'\n"
                          "echo 'disk 9999999 9999998 1 100% /'\n")
            << largeHead() << QByteArray("no_place_for_head reason=");
        QTest::newRow("the disk fills meanwhile")
            << QByteArray("bin/df") << roomy << largeHead() << QByteArray("disk_full path=lab:");
        QTest::newRow("its loader is missing")
            << QByteArray("bin/df") << roomy << QByteArray("#!/lib/ld-of-another-system\n")
            << QByteArray("head_does_not_run reason=");
        QTest::newRow("it is too new for the processor")
            << QByteArray("bin/df") << roomy << QByteArray("#!/bin/sh\nkill -ILL $$\n")
            << QByteArray("head_does_not_run reason=");
    }
    /// And nothing of it stays there.
    void aHostThatCannotHaveTheHeadSaysWhy() {
        QFETCH(QByteArray, file);
        QFETCH(QByteArray, script);
        QFETCH(QByteArray, program);
        QFETCH(QByteArray, error);
        SshServerOptions how;
        how.fresh = {{"~", "size=300k"}};
        SshServer server(how);
        // The home is the host's alone, so the account itself writes there.
        SystemLogin login(server, server.destination());
        QCOMPARE(login.open(), std::string("open"));
        const std::string path = file.toStdString();
        (void)login.run("mkdir bin; cat >" + path + "; chmod 755 " + path +
                            "; echo 'PATH=~/bin:$PATH' >.bashrc",
                        "#!/bin/sh\n" + script.toStdString());
        Way way(server, "anna", {}, 10s, program);
        const std::string code = way.connect();
        const QList<QByteArray> words = error.split(' ');
        QVERIFY2(code == words[0].toStdString(), base::describe(way.error).c_str());
        const QByteArray name = words[1].left(words[1].indexOf('='));
        const QByteArray value = words[1].mid(name.size() + 1);
        const auto said = way.error.arguments.find(name.toStdString());
        QVERIFY2(said != way.error.arguments.end() && !said->second.empty(),
                 base::describe(way.error).c_str());
        QVERIFY2(said->second.rfind(value.toStdString(), 0) == 0, said->second.c_str());
        const RemoteOutput left = login.run("find ~ /tmp /var/tmp -path '*heads/*' 2>/dev/null");
        QCOMPARE(left.printed, std::string());
    }

private:
    /// More than fits into a small home.
    static QByteArray largeHead() { return kHead + QByteArray(1 << 20, '#'); }

    std::unique_ptr<SshServer> m_server;
};

QTEST_GUILESS_MAIN(SshShellsTest)
#include "ssh_shells_test.moc"

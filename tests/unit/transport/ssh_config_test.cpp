// SPDX-License-Identifier: Apache-2.0
#include "core/transport/ssh/ssh_config.h"
#include "tests/support/compare.h"
#include "tests/support/memory_file_system.h"

#include <QTemporaryDir>
#include <QtTest>

using namespace trialdeck;
using namespace trialdeck::transport;

namespace {

std::vector<std::string> textsOf(const std::vector<base::Path>& paths) {
    return {paths.begin(), paths.end()};
}

using Strings = std::vector<std::string>;

} // namespace

class SshConfigTest : public QObject {
    Q_OBJECT

    std::unique_ptr<tests::MemoryFileSystem> m_memory;
    std::vector<std::string> m_asked;
    std::optional<bool> m_answer;

    static SshConfigPlace place() {
        SshConfigPlace place;
        place.home = "/home/anna";
        place.localUser = "anna";
        place.localHost = "laptop.example.org";
        place.userId = "1000";
        place.environment = {{"AGENT", "/run/agent"}};
        return place;
    }
    SshMatchExec exec() {
        return SshMatchExec([this](const std::string& command) {
            m_asked.push_back(command);
            return m_answer;
        });
    }
    SshHostSettings read(const std::string& host) {
        SshMatchExec answers = exec();
        return readSshConfig(*m_memory, place(), {host}, answers);
    }
    SshHostSettings readWith(const std::string& config, const std::string& host) {
        m_memory->put("/home/anna/.ssh/config", config);
        return read(host);
    }
    /// "problem line word" of each note.
    static Strings notesOf(const SshHostSettings& settings) {
        Strings lines;
        for (const SshConfigNote& note : settings.notes)
            lines.push_back(std::to_string(int(note.problem)) + " " + note.file.filename().native() + ":" +
                            std::to_string(note.line) + " " + note.word);
        return lines;
    }
    static std::string noteText(SshConfigProblem problem, const std::string& rest) {
        return std::to_string(int(problem)) + " " + rest;
    }
    void putCase() {
        base::PosixFileSystem disk;
        const base::Path folder = TRIALDECK_SOURCE_DIR "/tests/cases/C29-ssh-config";
        for (const char* name : {"config", "conf.d/10-site.conf"})
            m_memory->put(base::Path("/home/anna/.ssh") / name,
                          base::readWholeFile(disk, folder / name).value());
    }

private slots:
    void init() {
        m_memory = std::make_unique<tests::MemoryFileSystem>();
        m_asked.clear();
        m_answer.reset();
    }

    void caseHeadGoesOverTheJumpThatItsNameChooses() {
        putCase();
        m_answer = false;
        const auto head = read("head");
        QCOMPARE(head.hostName, std::string("head.internal.example.com"));
        QCOMPARE(head.port, uint16_t{2222});
        QCOMPARE(head.user, std::string("trainer"));
        QCOMPARE(textsOf(head.identityFiles), Strings{"/home/anna/.ssh/my keys/id_ed25519"});
        QVERIFY(head.identitiesOnly);
        QVERIFY((head.jumps == std::vector<SshJump>{{"jump.example.com", "", {}}}));
        QCOMPARE(head.serverAliveInterval.count(), 15);
        QCOMPARE(head.notes.size(), size_t{0});
        // The program could not have changed anything for this host.
        QCOMPARE(m_asked, Strings{});
        QVERIFY(!head.onlySystemSsh.contains(SshFeature::match_exec));
        QVERIFY(head.onlySystemSsh.contains(SshFeature::gssapi));
    }
    void caseOtherHosts() {
        putCase();
        const auto v6 = read("head-v6");
        QCOMPARE(v6.hostName, std::string("2001:db8::10"));
        QVERIFY(v6.jumps.empty());
        QCOMPARE(v6.user, std::string("fallback"));
        const auto alias = read("alias-b");
        QCOMPARE(alias.hostName, std::string("192.0.2.50"));
        QCOMPARE(textsOf(alias.identityFiles), (Strings{"/home/anna/.ssh/id_a", "/home/anna/.ssh/id_b"}));
        const auto gpu = read("gpu03");
        QCOMPARE(gpu.hostName, std::string("gpu03.lab.example.com"));
        QCOMPARE(gpu.user, std::string("lab"));
        QVERIFY((gpu.jumps == std::vector<SshJump>{{"jump.example.com", "admin", uint16_t{2200}},
                                                   {"2001:db8::1", "", uint16_t{22}}}));
        const auto left = read("gpu09");
        QCOMPARE(left.hostName, std::string("gpu09"));
        QVERIFY(left.jumps.empty());
        QCOMPARE(left.user, std::string("lab"));
    }
    void caseListsHostsAndRunsNothing() {
        putCase();
        QCOMPARE(listSshHosts(*m_memory, place()), (Strings{"head", "head-v6", "alias-a", "alias-b"}));
        QCOMPARE(m_asked, Strings{});
    }

    void listsOnlyNamesAndEachOnce() {
        m_memory->put("/home/anna/.ssh/config",
                      "Host a *.x b !c\nhost=\"d\"\nMatch host e\nHost a f?\nInclude more config\n"
                      "Host \"open\nHost g # comment\n");
        m_memory->put("/home/anna/.ssh/more", "Host h a\nInclude more\n");
        m_memory->put("/etc/ssh/ssh_config", "Include ssh_config.d/*.conf\nHost *\n");
        m_memory->put("/etc/ssh/ssh_config.d/x.conf", "Host system\n");
        QCOMPARE(listSshHosts(*m_memory, place()), (Strings{"a", "b", "d", "g", "h", "system"}));
    }

    void theUsersFileGoesBeforeTheSystems() {
        m_memory->put("/home/anna/.ssh/config", "Host a\n User mine\n IdentityFile /k\n");
        m_memory->put("/etc/ssh/ssh_config",
                      "Include d/*\nHost *\n User theirs\n GSSAPIAuthentication yes\n IdentityFile /k\n");
        m_memory->put("/etc/ssh/d/1", "Port 5\n");
        const auto settings = read("a");
        QCOMPARE(settings.user, std::string("mine"));
        QCOMPARE(settings.port, uint16_t{5});
        QCOMPARE(textsOf(settings.identityFiles), (Strings{"/k", "/k"}));
        // The system's file switches it on for everybody; that is no wish of this user.
        QVERIFY(settings.gssapiAuthentication);
        QVERIFY(settings.onlySystemSsh.empty());
    }
    void theCallersWordGoesFirst() {
        m_memory->put("/home/anna/.ssh/config", "User x\nPort 5\nMatch user root\n Compression yes\n");
        SshMatchExec answers = exec();
        const auto settings = readSshConfig(*m_memory, place(), {"a", "root", uint16_t{7}}, answers);
        QCOMPARE(settings.user, std::string("root"));
        QCOMPARE(settings.port, uint16_t{7});
        QVERIFY(settings.compression);
    }
    void anotherFileStandsForBoth() {
        m_memory->put("/home/anna/.ssh/config", "User x\n");
        m_memory->put("/etc/ssh/ssh_config", "Port 5\n");
        m_memory->put("/project/ssh.conf", "Compression yes\nInclude more\n");
        m_memory->put("/home/anna/.ssh/more", "ConnectTimeout 3\n");
        SshConfigPlace elsewhere = place();
        elsewhere.configFile = "/project/ssh.conf";
        SshMatchExec answers = exec();
        const auto settings = readSshConfig(*m_memory, elsewhere, {"a"}, answers);
        QCOMPARE(settings.user, std::string("anna"));
        QCOMPARE(settings.port, uint16_t{22});
        QVERIFY(settings.compression && settings.connectTimeout == std::chrono::seconds(3));
        elsewhere.configFile = "/missing";
        QCOMPARE(notesOf(readSshConfig(*m_memory, elsewhere, {"a"}, answers)),
                 Strings{noteText(SshConfigProblem::unreadable_file, "missing:0 /missing")});
    }

    void damagedLinesAreNotedAndTheRestCounts_data() {
        QTest::addColumn<QByteArray>("line");
        QTest::addColumn<int>("problem");
        QTest::addColumn<QByteArray>("word");
        const auto row = [](const char* line, SshConfigProblem problem, const char* word) {
            QTest::newRow(line) << QByteArray(line) << int(problem) << QByteArray(word);
        };
        row("UseKeychain yes", SshConfigProblem::unknown_word, "usekeychain");
        row("User", SshConfigProblem::no_value, "user");
        row("User # nobody", SshConfigProblem::no_value, "user");
        row("User \"\"", SshConfigProblem::no_value, "user");
        row("IdentityFile \"~/open", SshConfigProblem::open_quote, "identityfile");
        row("IdentityFile ~/two words", SshConfigProblem::extra_words, "identityfile");
        row("Port 70000", SshConfigProblem::bad_value, "70000");
        row("Port x", SshConfigProblem::bad_value, "x");
        row("Compression maybe", SshConfigProblem::bad_value, "maybe");
        row("ConnectTimeout 5x", SshConfigProblem::bad_value, "5x");
        row("ConnectTimeout 99999999999999999999", SshConfigProblem::bad_value, "99999999999999999999");
        row("AddressFamily 4", SshConfigProblem::bad_value, "4");
        row("StrictHostKeyChecking often", SshConfigProblem::bad_value, "often");
        row("ServerAliveCountMax -1", SshConfigProblem::bad_value, "-1");
        row("ProxyJump a,,b", SshConfigProblem::bad_value, "a,,b");
        row("ProxyJump @a", SshConfigProblem::bad_value, "@a");
        row("ProxyJump a:0", SshConfigProblem::bad_value, "a:0");
        row("UserKnownHostsFile none ~/x", SshConfigProblem::bad_value, "none");
        row("IdentityFile ~/%y", SshConfigProblem::unknown_token, "~/%y");
        row("IdentityFile ${MISSING}/x", SshConfigProblem::unknown_variable, "${MISSING}/x");
        row("IdentityAgent $MISSING", SshConfigProblem::unknown_variable, "$MISSING");
        row("HostName %p", SshConfigProblem::unknown_token, "%p");
    }
    void damagedLinesAreNotedAndTheRestCounts() {
        QFETCH(QByteArray, line);
        QFETCH(int, problem);
        QFETCH(QByteArray, word);
        const auto settings =
            readWith("Compression no\n" + line.toStdString() + "\nHostKeyAlias rest\n", "a");
        QCOMPARE(notesOf(settings), Strings{std::to_string(problem) + " config:2 " + word.toStdString()});
        QCOMPARE(settings.hostKeyAlias, std::string("rest"));
        QCOMPARE(settings.user, std::string("anna"));
        QCOMPARE(settings.port, uint16_t{22});
        QCOMPARE(settings.hostName, std::string("a"));
        QVERIFY(settings.jumps.empty());
    }

    void aDamagedBlockIsForNobody_data() {
        QTest::addColumn<QByteArray>("line");
        for (const char* line :
             {"Match host", "Match", "Match hosts a", "Match all host a", "Match tagged x", "Match !tagged x",
              "Match host \"a", "Host \"a", "Host a \"\"", "Match exec \"true\""})
            QTest::newRow(line) << QByteArray(line);
    }
    void aDamagedBlockIsForNobody() {
        QFETCH(QByteArray, line);
        const auto settings = readWith("Host a\n" + line.toStdString() + "\n User x\nHost *\n Port 5\n", "a");
        QCOMPARE(settings.user, std::string("anna"));
        QCOMPARE(settings.port, uint16_t{5});
        QVERIFY(settings.notes.size() == 1 || settings.onlySystemSsh.contains(SshFeature::match_exec));
    }

    void aProgramIsAskedOnceForTheSession() {
        m_memory->put("/home/anna/.ssh/config",
                      "Match host a exec \"check %h %p\"\n User x\nMatch exec \"check %h %p\" host a\n"
                      " Port 5\nMatch final all\n Compression yes\n");
        m_answer = true;
        SshMatchExec answers = exec();
        for (int i = 0; i < 2; ++i) {
            const auto settings = readSshConfig(*m_memory, place(), {"a"}, answers);
            QCOMPARE(settings.user, std::string("x"));
            QCOMPARE(settings.port, uint16_t{5});
            QVERIFY(settings.onlySystemSsh == std::set<SshFeature>{SshFeature::match_exec});
        }
        QVERIFY(readSshConfig(*m_memory, place(), {"b"}, answers).onlySystemSsh.empty());
        // In the final pass the port is known.
        QCOMPARE(m_asked, (Strings{"check a 22", "check a 5"}));
    }

    void tokensInFileNames() {
        const auto settings =
            readWith("Host a\n HostName A.real\n User bob\n Port 5\n"
                     " IdentityFile %d/.ssh/%u-%r-%h-%n-%p-%l-%L-%i-%%\n IdentityFile ~anna/x\n"
                     " CertificateFile ~/%k-cert.pub\n HostKeyAlias The.Alias\n IdentityAgent $AGENT\n",
                     "a");
        QCOMPARE(textsOf(settings.identityFiles),
                 (Strings{"/home/anna/.ssh/anna-bob-a.real-a-5-laptop.example.org-laptop-1000-%",
                          "/home/anna/x"}));
        QCOMPARE(textsOf(settings.certificateFiles), Strings{"/home/anna/the.alias-cert.pub"});
        QVERIFY(settings.agent == SshAgentChoice::socket);
        QCOMPARE(settings.agentSocket.native(), std::string("/run/agent"));
        QVERIFY(settings.onlySystemSsh == std::set<SshFeature>{SshFeature::certificate});
    }
    void noKeyFileIsNotTheDefaultOnes() {
        QCOMPARE(readWith("IdentityFile none\n", "a").identityFiles.size(), size_t{0});
        const auto defaults = readWith("", "a");
        QVERIFY(defaults.identityFilesAreDefaults);
        QCOMPARE(defaults.identityFiles.at(3).native(), std::string("/home/anna/.ssh/id_ed25519"));
    }

    void whatOnlyTheSystemsClientCan_data() {
        QTest::addColumn<QByteArray>("line");
        QTest::addColumn<int>("feature");
        const auto row = [](const char* line, SshFeature feature) {
            QTest::newRow(line) << QByteArray(line) << int(feature);
        };
        row("ProxyCommand nc %h %p", SshFeature::proxy_command);
        row("GSSAPIAuthentication yes", SshFeature::gssapi);
        row("HostbasedAuthentication yes", SshFeature::host_based);
        row("CertificateFile ~/x", SshFeature::certificate);
        row("PKCS11Provider /x.so", SshFeature::pkcs11);
        row("SecurityKeyProvider /x.so", SshFeature::security_key);
        row("KnownHostsCommand /x %H", SshFeature::known_hosts_command);
        row("RevokedHostKeys /x", SshFeature::revoked_host_keys);
        row("CanonicalizeHostname yes", SshFeature::canonical_host_name);
        row("Match localnetwork 10.0.0.0/8", SshFeature::unsupported_match);
        row("Match exec x", SshFeature::match_exec);
        row("ProxyCommand none", SshFeature(-1));
        row("PKCS11Provider none", SshFeature(-1));
        row("SecurityKeyProvider internal", SshFeature(-1));
        row("CanonicalizeHostname no", SshFeature(-1));
        row("ProxyJump j", SshFeature(-1));
    }
    void whatOnlyTheSystemsClientCan() {
        QFETCH(QByteArray, line);
        QFETCH(int, feature);
        const auto settings = readWith(line.toStdString() + "\n", "a");
        const auto expected = feature < 0 ? std::set<SshFeature>() : std::set{SshFeature(feature)};
        QVERIFY(settings.onlySystemSsh == expected);
    }

    void circlesOfIncludesEnd() {
        m_memory->put("/home/anna/.ssh/config", "Include config config\nUser x\n");
        const auto settings = read("a");
        QCOMPARE(settings.user, std::string("x"));
        QCOMPARE(notesOf(settings), Strings{noteText(SshConfigProblem::include_too_deep, "config:1 config")});
        QCOMPARE(listSshHosts(*m_memory, place()), Strings{});
    }
    void sixteenIncludesDeepIsAllowed() {
        for (int i = 0; i < 16; ++i)
            m_memory->put("/home/anna/.ssh/" + (i == 0 ? "config" : std::to_string(i)),
                          "Include " + std::to_string(i + 1) + "\n");
        m_memory->put("/home/anna/.ssh/16", "User deep\n");
        QCOMPARE(read("a").user, std::string("deep"));
        m_memory->put("/home/anna/.ssh/16", "Include 17\nPort 5\n");
        m_memory->put("/home/anna/.ssh/17", "User deeper\n");
        const auto settings = read("a");
        QCOMPARE(settings.user, std::string("anna"));
        QCOMPARE(settings.port, uint16_t{5});
        QCOMPARE(notesOf(settings), Strings{noteText(SshConfigProblem::include_too_deep, "16:1 17")});
    }
    void aFolderAsConfigurationIsNoted() {
        m_memory->put("/home/anna/.ssh/d/x", "");
        QCOMPARE(notesOf(readWith("Include d\nUser x\n", "a")),
                 Strings{noteText(SshConfigProblem::unreadable_file, "d:0 /home/anna/.ssh/d")});
    }
    void aFileThatOthersMayWriteIsNotRead() {
        const QTemporaryDir home;
        QDir().mkpath(home.path() + "/.ssh");
        QFile file(home.path() + "/.ssh/config");
        QVERIFY(file.open(QFile::WriteOnly));
        file.write("ProxyCommand evil\nHost x\n");
        file.close();
        SshConfigPlace there = place();
        there.home = home.path().toStdString();
        there.systemConfigFile = "/nonexistent/ssh_config";
        base::PosixFileSystem disk;
        SshMatchExec answers = exec();
        file.setPermissions(QFile::ReadOwner | QFile::WriteOwner | QFile::WriteGroup | QFile::ReadOther);
        const auto settings = readSshConfig(disk, there, {"a"}, answers);
        QCOMPARE(settings.proxyCommand, std::string());
        QCOMPARE(settings.notes.size(), size_t{1});
        QVERIFY(settings.notes.front().problem == SshConfigProblem::unsafe_permissions);
        QCOMPARE(listSshHosts(disk, there), Strings{});
        file.setPermissions(QFile::ReadOwner | QFile::WriteOwner | QFile::ReadGroup);
        QCOMPARE(readSshConfig(disk, there, {"a"}, answers).proxyCommand, std::string("evil"));
    }
    void noJumpLeavesTheCommand() {
        // As newer clients and those of Debian 12 do; older ones pass over the command.
        const auto settings =
            readWith("Host a\n ProxyJump none\nHost *\n ProxyJump j\n ProxyCommand nc\n", "a");
        QCOMPARE(settings.proxyCommand, std::string("nc"));
        QVERIFY(settings.jumps.empty());
    }
    void aWayOverTheHostItselfIsNoted() {
        QCOMPARE(notesOf(readWith("Host *\n ProxyJump jump\n", "jump")),
                 Strings{noteText(SshConfigProblem::jump_loop, "config:2 jump")});
        QCOMPARE(notesOf(readWith("Host *\n ProxyJump jump:23\n", "jump")), Strings{});
    }

    void jumpsAreRead_data() {
        QTest::addColumn<QByteArray>("text");
        QTest::addColumn<QByteArray>("expected");
        QTest::newRow("name") << QByteArray("a") << QByteArray("|a|");
        QTest::newRow("all") << QByteArray("u@a:1") << QByteArray("u|a|1");
        QTest::newRow("mail as user") << QByteArray("u@x.org@a:1") << QByteArray("u@x.org|a|1");
        QTest::newRow("address") << QByteArray("[::1]") << QByteArray("|::1|");
        QTest::newRow("address and port") << QByteArray("u@[::1]:22") << QByteArray("u|::1|22");
        QTest::newRow("uri") << QByteArray("ssh://u%40x;p=1@a.b:5/") << QByteArray("u@x|a.b|5");
        QTest::newRow("uri without port") << QByteArray("ssh://a") << QByteArray("|a|");
        QTest::newRow("uri with address") << QByteArray("ssh://[::1]:5") << QByteArray("|::1|5");
        for (const char* bad : {"", "@a", "u@", "a:x", "a:65536", "a/b", "[::1", "[]", "[::1]x", "ssh://",
                                "ssh://a/path", "ssh://-a", "ssh://a..b", "ssh://u%4@a", "ssh://@a"})
            QTest::newRow(bad) << QByteArray(bad) << QByteArray("bad");
    }
    void jumpsAreRead() {
        QFETCH(QByteArray, text);
        QFETCH(QByteArray, expected);
        const auto jump = parseSshJump(text.toStdString());
        const std::string found =
            jump ? jump->user + "|" + jump->host + "|" + (jump->port ? std::to_string(*jump->port) : "")
                 : "bad";
        QCOMPARE(found, expected.toStdString());
    }
};

QTEST_GUILESS_MAIN(SshConfigTest)
#include "ssh_config_test.moc"

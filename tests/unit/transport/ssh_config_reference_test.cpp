// SPDX-License-Identifier: Apache-2.0
// What the OpenSSH client itself makes of configurations (`ssh -G`), compared with ours.
#include "core/base/words.h"
#include "core/transport/ssh/ssh_algorithms.h"
#include "core/transport/ssh/ssh_config.h"
#include "tests/support/compare.h"

#include <QProcess>
#include <QStandardPaths>
#include <QTemporaryDir>
#include <QtTest>
#include <pwd.h>
#include <unistd.h>

using namespace trialdeck;
using namespace trialdeck::transport;

namespace {

/// One home with a configuration, and the hosts to ask for. Paths are relative to ~/.ssh.
struct Reference {
    const char* name;
    std::vector<std::pair<const char*, const char*>> files;
    std::vector<const char*> hosts;
};

const std::vector<Reference> kReferences = {
    {"nothing", {{"config", ""}}, {"host", "Host.Example.COM", "192.0.2.1", "2001:DB8::10"}},
    {"first value wins",
     {{"config", "Host a\n Port 1\n User x\nHost *\n Port 2\n User y\n Compression yes\n"}},
     {"a", "b"}},
    {"equals and quotes",
     {{"config", "User=one\nPort = 23\nHostName=\"real.example.com\"\nIdentityFile \"~/my keys/a\"\n"
                 "IdentityFile '~/b c'\nIdentityFile ~/d\\ e\n\"Compression\" yes\n"}},
     {"a"}},
    {"comments",
     {{"config",
       "# first\n  # second\nUser one # third\nPort 24 #fourth\nHostName a#b\n\n\t\nCompression yes\n"}},
     {"a"}},
    {"windows line ends",
     {{"config", "Host a\r\n  User one\r\n  Port 24\r\nHost *\r\n User two\r\n"}},
     {"a", "b"}},
    {"indents", {{"config", "\t\tUser\tone\n    Port      24   \n  HostName \t x  \n"}}, {"a"}},
    {"keywords in any case", {{"config", "hOST a\nUSER one\npORT 3\ncompression YES\n"}}, {"a", "A"}},
    {"patterns",
     {{"config",
       "Host a? *.lab !x.lab\n User one\nHost *b*\n User two\nHost ??\n Port 5\nHost *\n User all\n"}},
     {"a1", "a", "y.lab", "x.lab", "abc", "b", "aa"}},
    {"negation after and before",
     {{"config", "Host *.e !no.e\n User one\nHost !no.e *.e\n Port 6\nHost !only\n Port 7\n"}},
     {"yes.e", "no.e", "only"}},
    {"host is compared as typed",
     {{"config", "Host Big\n User one\nHost big\n User two\n"}},
     {"Big", "big", "BIG"}},
    {"names with tokens", {{"config", "Host *\n HostName %h.Lab\n"}}, {"a", "B"}},
    {"match host looks at the name",
     {{"config", "Host a\n HostName a.real.example\nMatch host *.real.example\n User one\n"
                 "Match originalhost a\n Port 7\nMatch host a\n Port 8\n"}},
     {"a", "b.real.example", "A.REAL.example"}},
    {"match user",
     {{"config",
       "Host a\n User one\nMatch user one\n Port 7\nMatch user two,one host b\n Port 8\nMatch user !one,*\n "
       "Compression yes\n"}},
     {"a", "b", "one@b", "two@b"}},
    {"match all and negated",
     {{"config", "Match !host a\n User one\nMatch all\n User two\nMatch !all\n Port 9\n"}},
     {"a", "b"}},
    {"match final",
     {{"config", "Match final host real.example\n User one\nMatch !final host a\n Port 7\nHost a\n HostName "
                 "Real.Example\nHost real.example\n Compression yes\nMatch final all\n ConnectTimeout 5\n"}},
     {"a", "b", "real.example"}},
    {"match canonical", {{"config", "Match canonical\n User one\nMatch all\n User two\n"}}, {"a"}},
    {"match exec",
     {{"config",
       "Match exec \"true\"\n User one\nMatch !exec \"test %h = b\" host a,b\n Port 7\nMatch exec \"test "
       "%n%p%r = c7x\" user x\n Compression yes\n"}},
     {"a", "b", "x@c"}},
    {"match with several",
     {{"config", "Match host a user one\n Port 7\nMatch host=b user=one\n Port 8\n"}},
     {"one@a", "one@b", "a", "b"}},
    {"includes",
     {{"config", "Include first.conf\nHost a\n Include \"sub/*.conf\" missing\nHost *\n User all\n"},
      {"first.conf", "Host b\n User first\n"},
      {"sub/1.conf", "Port 7\nHost z\n Port 9\n"},
      {"sub/2.conf", "Compression yes\nHost a\n User inner\n"},
      {"sub/.hidden.conf", "ConnectTimeout 9\n"},
      {"sub/3.txt", "ConnectTimeout 8\n"}},
     {"a", "b", "z"}},
    {"an include does not end its block",
     {{"config", "Host a\n Include x\n User after\nHost b\n Port 3\n"}, {"x", "Host other\n User x\n"}},
     {"a", "b", "other"}},
    {"include in home",
     {{"config", "Include ~/.ssh/d/x\nInclude d/?\n"}, {"d/x", "User x\n"}, {"d/y", "User y\nPort 5\n"}},
     {"a"}},
    {"several keys",
     {{"config", "Host a\n IdentityFile ~/one\n IdentityFile ~/two\nHost *\n IdentityFile ~/three\n "
                 "IdentityFile ~/one\n IdentitiesOnly yes\n"}},
     {"a", "b"}},
    {"certificates", {{"config", "CertificateFile ~/c1\nCertificateFile ~/c2\nIdentityFile none\n"}}, {"a"}},
    {"jumps",
     {{"config", "Host a\n ProxyJump one\nHost b\n ProxyJump "
                 "u@one:2200,[2001:db8::1]:22,ssh://v@three:23\nHost c\n ProxyJump none\n"
                 "Host d\n ProxyJump ssh://w%40x@one:5\nHost *\n ProxyJump last # words\n"}},
     {"a", "b", "c", "d", "e"}},
    {"jump before command",
     {{"config",
       "Host a\n ProxyJump j\nHost b\n ProxyCommand nc %h %p\nHost *\n ProxyJump k\n ProxyCommand other\n"}},
     {"a", "b", "c"}},
    {"command none",
     {{"config",
       "Host a\n ProxyCommand none\nHost *\n ProxyCommand=ssh -W \"[%h]:%p\" j # all of it\n ProxyJump x\n"}},
     {"a", "b"}},
    {"alive",
     {{"config", "Host a\n ServerAliveInterval 1m30s\n ServerAliveCountMax 0\n ConnectTimeout 1h\nHost b\n "
                 "ConnectTimeout none\n "
                 "ServerAliveInterval none\nHost *\n ConnectTimeout 10\n ServerAliveInterval 15\n"}},
     {"a", "b", "c"}},
    {"authentication",
     {{"config", "Host a\n PubkeyAuthentication no\n PasswordAuthentication no\n "
                 "ChallengeResponseAuthentication no\n GSSAPIAuthentication yes\n"
                 "Host b\n PubkeyAuthentication unbound\n PreferredAuthentications publickey,password\n "
                 "HostbasedAuthentication true\n"}},
     {"a", "b"}},
    {"host keys",
     {{"config", "Host a\n HostKeyAlias Big.Name\n StrictHostKeyChecking off\n HostKeyAlgorithms "
                 "ssh-ed25519,rsa-sha2-512\n"
                 "Host b\n StrictHostKeyChecking accept-new\n HashKnownHosts yes\nHost *\n "
                 "StrictHostKeyChecking true\n"}},
     {"a", "b", "c"}},
    {"known hosts files",
     {{"config", "Host a\n UserKnownHostsFile ~/k1 \"~/k 2\" /k3/%h-%n-%p-%r-%u-%%\nHost b\n "
                 "UserKnownHostsFile none\n GlobalKnownHostsFile none\n"
                 "Host c\n UserKnownHostsFile ~/.ssh/%k.%L.%l.%i.%C\n HostKeyAlias ALIAS\nHost *\n "
                 "UserKnownHostsFile ~/other\n GlobalKnownHostsFile /g1 /g2\n"}},
     {"a", "b", "c", "u@d"}},
    {"variables",
     {{"config", "Host a\n UserKnownHostsFile ${TD_FOLDER}/known\n IdentityAgent ${TD_FOLDER}/agent\nHost "
                 "b\n IdentityAgent none\n"
                 "Host c\n IdentityAgent SSH_AUTH_SOCK\nHost d\n IdentityAgent ~/%r.sock\n"}},
     {"a", "b", "c", "d"}},
    {"algorithms",
     {{"config", "Host a\n Ciphers +3des-cbc\n MACs -hmac-sha1*,umac*\n KexAlgorithms "
                 "^diffie-hellman-group1-sha1,ecdh-sha2-nistp521\n HostKeyAlgorithms +ssh-rsa,ssh-dss\n"
                 "Host b\n Ciphers aes256-ctr,aes128-ctr\n MACs +hmac-md5,hmac-sha1\n KexAlgorithms "
                 "curve25519-sha256\n HostKeyAlgorithms -*cert*,sk-*\n"
                 "Host c\n HostKeyAlgorithms ^ssh-rsa\n Ciphers -*\nHost d\n KexAlgorithms -ecdh*,*sha1\n"}},
     {"a", "b", "c", "d", "e"}},
    {"address family",
     {{"config", "Host a\n AddressFamily inet6\nHost b\n AddressFamily INET\n"}},
     {"a", "b", "c"}},
    {"providers", {{"config", "PKCS11Provider /lib/p.so\nSecurityKeyProvider /lib/sk.so\n"}}, {"a"}},
    {"unknown words that are ignored",
     {{"config",
       "IgnoreUnknown Use*,Other\nUseKeychain yes\nOTHER 1 2 3\nUseFoo\tx\nUser one\nIgnoreUnknown Third\n"}},
     {"a"}},
    {"old words",
     {{"config", "Protocol 2\nUseRoaming no\nRhostsRSAAuthentication no\nKeepAlive yes\nUser one\n"}},
     {"a"}},
    {"words of other uses",
     {{"config", "SendEnv LANG LC_*\nLocalForward 8080 localhost:80\nForwardAgent yes\nControlPath "
                 "~/.ssh/%C\nControlPersist 10m\n"
                 "RekeyLimit 1G 1h\nSetEnv A=b\nVisualHostKey no\nTCPKeepAlive no\nUser one\n"}},
     {"a"}},
    {"port by name", {{"config", "Port ssh\n"}}, {"a"}},
    {"addresses",
     {{"config", "Host 10.*\n User ten\nHost v6\n HostName 2001:0db8:0::1\nHost short\n HostName 127.1\n"}},
     {"10.0.0.1", "v6", "short", "::1"}},
    {"quoted patterns",
     {{"config", "Host \"a b\" c\n User one\nHost 'd' \"e*\"\n User two\n"}},
     {"c", "d", "ef"}},
    {"final in an include that does not apply",
     {{"config",
       "Host other\n Include x\nHost a\n HostName Real.Example\nMatch host real.example\n User two\n"},
      {"x", "Match final all\n Port 7\n"}},
     {"a", "other", "b"}},
    {"batch mode",
     {{"config", "Host a\n BatchMode yes\nHost b\n BatchMode yes\n ServerAliveInterval 7\nHost c\n "
                 "BatchMode no\nHost d\n BatchMode TRUE\n ServerAliveInterval none\nHost *\n User x\n"}},
     {"a", "b", "c", "d", "e"}},
    {"include with classes",
     {{"config", "Include [!b-c]\nInclude [^d]x [[:digit:]]\n"},
      {"a", "User of-a\n"},
      {"b", "Port 2\n"},
      {"c", "Port 3\n"},
      {"dx", "Compression yes\n"},
      {"ex", "ConnectTimeout 5\n"},
      {"7", "HashKnownHosts yes\n"}},
     {"host"}},
    {"connect timeout none",
     {{"config", "ConnectTimeout none\nConnectTimeout 8\nHost a\n ConnectTimeout 9\n"}},
     {"a", "b"}},
    {"no end of the last line", {{"config", "Host a\n User one\nHost b\n User two"}}, {"a", "b"}},
};

/// The options that SshHostSettings has, as `ssh -G` names them.
const std::set<std::string> kCompared = {
    "hostname",
    "user",
    "port",
    "identityfile",
    "certificatefile",
    "identitiesonly",
    "identityagent",
    "proxyjump",
    "proxycommand",
    "hostkeyalias",
    "userknownhostsfile",
    "globalknownhostsfile",
    "hashknownhosts",
    "stricthostkeychecking",
    "serveraliveinterval",
    "serveralivecountmax",
    "compression",
    "connecttimeout",
    "addressfamily",
    "preferredauthentications",
    "pubkeyauthentication",
    "passwordauthentication",
    "kbdinteractiveauthentication",
    "gssapiauthentication",
    "hostbasedauthentication",
    "pkcs11provider",
    "hostkeyalgorithms",
    "kexalgorithms",
    "ciphers",
    "macs",
};

std::string yesOrNo(bool value) {
    return value ? "yes" : "no";
}

std::string jumpText(const std::vector<SshJump>& jumps) {
    std::vector<std::string> words;
    for (const SshJump& jump : jumps)
        words.push_back(jump.user + "@" + jump.host + ":" + (jump.port ? std::to_string(*jump.port) : ""));
    return base::joined(words, ",");
}

std::string pathsText(const std::vector<base::Path>& paths) {
    std::vector<std::string> words(paths.begin(), paths.end());
    return words.empty() ? "none" : base::joined(words, " ");
}

std::string agentText(const SshHostSettings& settings) {
    return settings.agent == SshAgentChoice::socket ? settings.agentSocket.native() : "none";
}

/// "name value" for each option, as `ssh -G` writes them.
std::vector<std::string> linesOf(const SshHostSettings& settings) {
    constexpr std::array kFamilies{"any", "inet", "inet6"};
    constexpr std::array kCheckings{"ask", "true", "accept-new", "false"};
    std::vector<std::string> lines{
        "hostname " + settings.hostName,
        "user " + settings.user,
        "port " + std::to_string(settings.port),
        "identitiesonly " + yesOrNo(settings.identitiesOnly),
        "hashknownhosts " + yesOrNo(settings.hashKnownHosts),
        "globalknownhostsfile " + pathsText(settings.globalKnownHostsFiles),
        "userknownhostsfile " + pathsText(settings.userKnownHostsFiles),
        "stricthostkeychecking " + std::string(kCheckings.at(size_t(settings.strictHostKeyChecking))),
        "serveraliveinterval " + std::to_string(settings.serverAliveInterval.count()),
        "serveralivecountmax " + std::to_string(settings.serverAliveCountMax),
        "compression " + yesOrNo(settings.compression),
        "connecttimeout " +
            (settings.connectTimeout ? std::to_string(settings.connectTimeout->count()) : "none"),
        "addressfamily " + std::string(kFamilies.at(size_t(settings.addressFamily))),
        "pubkeyauthentication " + yesOrNo(settings.pubkeyAuthentication),
        "passwordauthentication " + yesOrNo(settings.passwordAuthentication),
        "kbdinteractiveauthentication " + yesOrNo(settings.kbdInteractiveAuthentication),
        "gssapiauthentication " + yesOrNo(settings.gssapiAuthentication),
        "hostbasedauthentication " + yesOrNo(settings.hostBasedAuthentication),
    };
    for (const auto& path : settings.identityFiles)
        lines.push_back("identityfile " + path.native());
    for (const auto& path : settings.certificateFiles)
        lines.push_back("certificatefile " + path.native());
    const auto addIfSet = [&lines](const std::string& name, const std::string& value) {
        if (!value.empty())
            lines.push_back(name + " " + value);
    };
    if (settings.agent != SshAgentChoice::environment)
        addIfSet("identityagent", agentText(settings));
    addIfSet("proxyjump", jumpText(settings.jumps));
    addIfSet("proxycommand", settings.proxyCommand);
    addIfSet("hostkeyalias", settings.hostKeyAlias);
    addIfSet("preferredauthentications", base::joined(settings.preferredAuthentications, ","));
    addIfSet("pkcs11provider", settings.pkcs11Provider);
    const auto addList = [&lines](const std::string& name, SshAlgorithmKind kind, const std::string& said) {
        lines.push_back(name + " " + base::joined(assembleSshAlgorithms(kind, said), ","));
    };
    addList("hostkeyalgorithms", SshAlgorithmKind::host_key, settings.hostKeyAlgorithms);
    addList("kexalgorithms", SshAlgorithmKind::key_exchange, settings.kexAlgorithms);
    addList("ciphers", SshAlgorithmKind::cipher, settings.ciphers);
    addList("macs", SshAlgorithmKind::mac, settings.macs);
    std::sort(lines.begin(), lines.end());
    return lines;
}

std::string replaced(std::string text, const std::string& from, const std::string& to) {
    for (size_t at = text.find(from); at != std::string::npos; at = text.find(from, at + to.size()))
        text.replace(at, from.size(), to);
    return text;
}

/// Lines of the first that the second does not have.
std::string onlyIn(const std::vector<std::string>& lines, const std::vector<std::string>& others) {
    std::vector<std::string> only;
    std::set_difference(lines.begin(), lines.end(), others.begin(), others.end(), std::back_inserter(only));
    return base::joined(only, "; ");
}

} // namespace

class SshConfigReferenceTest : public QObject {
    Q_OBJECT

    QString m_ssh = QStandardPaths::findExecutable("ssh");
    std::string m_passwdHome;
    SshConfigPlace m_place;
    base::PosixFileSystem m_files;

    /// The lines of `ssh -G` that are compared, in the form of linesOf().
    std::vector<std::string> printedLines(const QByteArray& printed) const {
        std::vector<std::string> lines;
        for (const QByteArray& raw : printed.split('\n')) {
            std::string line = raw.toStdString();
            const size_t blank = line.find(' ');
            const std::string name = line.substr(0, blank);
            if (!kCompared.contains(name))
                continue;
            std::string value = blank == std::string::npos ? std::string() : line.substr(blank + 1);
            // Where the client leaves "~" and where it takes the home from the list of users.
            value = replaced(value, m_passwdHome + "/", m_place.home.native() + "/");
            value = replaced(value, "~/", m_place.home.native() + "/");
            if (name == "proxyjump")
                value = jumpText(parseSshJumps(value).value_or(std::vector<SshJump>()));
            if (name == "pubkeyauthentication" && value != "false")
                value = "yes";
            if (value == "true" && name != "stricthostkeychecking")
                value = "yes";
            if (value == "false" && name != "stricthostkeychecking")
                value = "no";
            const bool nothing = (name == "identityfile" && value == "none") ||
                                 (name == "identityagent" && value == "SSH_AUTH_SOCK");
            if (!nothing)
                lines.push_back(name + " " + value);
        }
        std::sort(lines.begin(), lines.end());
        return lines;
    }

    void compareWithClient(const std::string& asked) {
        SshConfigQuestion question{asked};
        if (const size_t at = asked.find('@'); at != std::string::npos) {
            question.user = asked.substr(0, at);
            question.host = asked.substr(at + 1);
        }
        QProcess process;
        QStringList environment;
        for (const auto& [name, value] : m_place.environment)
            environment << QString::fromStdString(name + "=" + value);
        process.setEnvironment(environment);
        process.start(m_ssh, {"-G", "-F", QString::fromStdString(m_place.configFile.native()),
                              QString::fromStdString(asked)});
        QVERIFY(process.waitForFinished(20'000));
        const QByteArray complaint = process.readAllStandardError();
        QVERIFY2(process.exitCode() == 0, complaint.constData());
        SshMatchExec exec([](const std::string& command) {
            return std::optional(QProcess::execute("/bin/sh", {"-c", QString::fromStdString(command)}) == 0);
        });
        const SshHostSettings settings = readSshConfig(m_files, m_place, question, exec);
        QCOMPARE(settings.notes.size(), size_t{0});
        const auto ours = linesOf(settings);
        const auto theirs = printedLines(process.readAllStandardOutput());
        const std::string before = asked + ": ";
        QCOMPARE(before + onlyIn(ours, theirs), before + onlyIn(theirs, ours));
    }

    void useHome(const QString& home) {
        m_place.home = home.toStdString();
        m_place.configFile = m_place.home / ".ssh/config";
        m_place.environment = {
            {"HOME", m_place.home}, {"PATH", "/usr/bin:/bin"}, {"TD_FOLDER", "/some where"}};
    }

private slots:
    void initTestCase() {
        if (m_ssh.isEmpty())
            QSKIP("there is no OpenSSH client here to compare with");
        const passwd* user = getpwuid(getuid());
        if (!user)
            QSKIP("this user is in no list of users, which the client insists on");
        m_passwdHome = user->pw_dir;
        m_place.localUser = user->pw_name;
        m_place.userId = std::to_string(getuid());
        std::array<char, 256> name{};
        QCOMPARE(gethostname(name.data(), name.size() - 1), 0);
        m_place.localHost = name.data();
    }

    void agreesWithTheClient_data() {
        QTest::addColumn<int>("index");
        for (size_t i = 0; i < kReferences.size(); ++i)
            QTest::newRow(kReferences[i].name) << int(i);
    }
    void agreesWithTheClient() {
        QFETCH(int, index);
        const Reference& reference = kReferences[size_t(index)];
        const QTemporaryDir home;
        for (const auto& [path, content] : reference.files) {
            const QString name = home.path() + "/.ssh/" + path;
            QDir().mkpath(QFileInfo(name).path());
            QFile file(name);
            QVERIFY(file.open(QFile::WriteOnly));
            file.write(content);
            file.close();
            file.setPermissions(QFile::ReadOwner | QFile::WriteOwner);
        }
        useHome(home.path());
        for (const char* host : reference.hosts)
            compareWithClient(host);
    }

    void agreesOnTheCase() {
        const QTemporaryDir home;
        const QString source = TRIALDECK_SOURCE_DIR "/tests/cases/C29-ssh-config/";
        QDir().mkpath(home.path() + "/.ssh/conf.d");
        for (const char* name : {"config", "conf.d/10-site.conf"}) {
            const QString target = home.path() + "/.ssh/" + name;
            QVERIFY(QFile::copy(source + name, target));
            QFile::setPermissions(target, QFile::ReadOwner | QFile::WriteOwner);
        }
        useHome(home.path());
        for (const char* host :
             {"head", "head-v6", "gpu03", "gpu09", "gpu123", "jump.example.com", "jump1", "alias-a",
              "alias-b", "nothing.example.com", "x.internal.example.com", "other"})
            compareWithClient(host);
    }
};

QTEST_GUILESS_MAIN(SshConfigReferenceTest)
#include "ssh_config_reference_test.moc"

// SPDX-License-Identifier: Apache-2.0
#include "core/transport/ssh/ssh_choice.h"

#include "core/base/words.h"
#include "core/transport/ssh/ssh_key_blob.h"
#include "tests/support/compare.h"
#include "tests/support/memory_file_system.h"

#include <QtTest>

using namespace trialdeck;
using namespace trialdeck::transport;

namespace {

/// As libssh2 1.10 on Debian 12.
LibsshSkills debiansSkills() {
    LibsshSkills skills;
    skills.keyExchanges = {"curve25519-sha256", "ecdh-sha2-nistp256", "diffie-hellman-group14-sha256",
                           "diffie-hellman-group1-sha1"};
    skills.hostKeys = {"ecdsa-sha2-nistp256", "ecdsa-sha2-nistp256-cert-v01@openssh.com", "ssh-ed25519",
                       "ssh-rsa", "ssh-dss"};
    skills.ciphers = {"aes128-ctr", "aes256-ctr", "aes128-cbc", "arcfour"};
    skills.macs = {"hmac-sha2-256", "hmac-sha1", "hmac-md5"};
    return skills;
}

KeyFile keyOf(const std::string& name, const std::string& type) {
    KeyFile key;
    key.path = "/home/anna/.ssh/" + name;
    key.state = KeyFileState::good;
    key.format = KeyFileFormat::openssh;
    key.type = type;
    key.publicBlob = "blob of " + name;
    return key;
}

std::string lineOf(const std::string& before, const std::string& type) {
    const auto field = [](const std::string& bytes) {
        return std::string(3, '\0') + char(bytes.size()) + bytes;
    };
    const std::string rest = type == "ssh-rsa"       ? field("\1\0\1") + field(std::string(100, 'n'))
                             : type == "ssh-foo"     ? field("x")
                             : type == "ssh-ed25519" ? field(std::string(32, 'k'))
                                                     : field("nistp256") + field(std::string(65, '\4'));
    return before + " " + type + " " + encodedBase64(field(type) + rest) + "\n";
}

} // namespace

class SshChoiceTest : public QObject {
    Q_OBJECT

    tests::MemoryFileSystem m_files;
    SshConfigPlace m_place;

    SshRoute routeFor(const std::string& config, SshDestination to = {}) {
        m_files.put("/home/anna/.ssh/config", config);
        m_place.home = "/home/anna";
        m_place.localUser = "anna";
        m_place.systemConfigFile = "/none";
        if (to.host.empty())
            to.host = "lab";
        return readSshRoute(m_files, m_place, to);
    }
    /// "reason about", "final" behind it where that is so; "none".
    static std::string
    obstacleOf(const SshStation& station, const std::string& known = {},
               std::optional<std::vector<SshAgentKey>> agent = std::vector<SshAgentKey>()) {
        KnownHosts hosts;
        hosts.add("/known_hosts", known);
        const auto obstacle = libsshObstacle({&station, std::move(agent), &hosts}, debiansSkills());
        if (!obstacle)
            return "none";
        return std::string(nameOf(obstacle->reason)) + " " + obstacle->about +
               (obstacle->isFinal ? " final" : "");
    }
    static std::string hopsOf(const SshRoute& route) {
        std::vector<std::string> hops;
        for (const SshStation& station : route.stations)
            hops.push_back(station.settings.user + "@" + station.settings.hostName + ":" +
                           std::to_string(station.settings.port));
        return base::joined(hops, " ") + (route.loops ? " loops" : "");
    }

private slots:
    void whatTheConfigurationAsksFor_data() {
        QTest::addColumn<QByteArray>("line");
        QTest::addColumn<QByteArray>("expected");
        const auto row = [](const char* line, const char* expected) {
            QTest::newRow(line) << QByteArray(line) << QByteArray(expected);
        };
        row("User anna", "none");
        row("ProxyCommand nc %h %p", "proxy_command lab final");
        row("Match exec \"false\"", "match_exec lab");
        row("Match tagged x", "unsupported_match lab");
        row("GSSAPIAuthentication yes", "gssapi lab");
        row("HostbasedAuthentication yes", "host_based lab");
        row("CertificateFile ~/.ssh/c", "certificate lab");
        row("PKCS11Provider /lib/p.so", "pkcs11 lab");
        row("SecurityKeyProvider /lib/sk.so", "security_key lab");
        row("KnownHostsCommand /bin/x", "known_hosts_command lab");
        row("RevokedHostKeys /etc/r", "revoked_host_keys lab");
        row("CanonicalizeHostname yes", "canonical_host_name lab");
        row("BindAddress 192.0.2.1", "bind_address lab");
        row("PubkeyAcceptedAlgorithms +ssh-rsa", "accepted_key_algorithms lab");
        row("Ciphers aes256-gcm@openssh.com", "algorithms lab final");
        row("Ciphers aes256-gcm@openssh.com,aes256-ctr", "none");
        row("MACs hmac-sha2-256-etm@openssh.com", "algorithms lab final");
        row("KexAlgorithms sntrup761x25519-sha512@openssh.com", "algorithms lab final");
        row("HostKeyAlgorithms rsa-sha2-512", "algorithms lab final");
        row("HostKeyAlgorithms -ssh-ed25519", "none");
        row("PreferredAuthentications gssapi-with-mic", "login_methods lab final");
        row("PreferredAuthentications gssapi-with-mic,password", "none");
        row("Unknown word", "none");
        row("Include other", "configuration /home/anna/.ssh/other");
    }
    void whatTheConfigurationAsksFor() {
        QFETCH(QByteArray, line);
        QFETCH(QByteArray, expected);
        m_files.put("/home/anna/.ssh/other/x", "");
        const SshRoute route = routeFor(line.toStdString() + "\n");
        QCOMPARE(route.stations.size(), size_t{1});
        QCOMPARE(obstacleOf(route.stations.front()), expected.toStdString());
    }

    void whatTheKeysAsk_data() {
        QTest::addColumn<QByteArray>("what");
        QTest::addColumn<QByteArray>("named");
        QTest::addColumn<QByteArray>("byDefault");
        const auto row = [](const char* what, const char* named, const char* byDefault) {
            QTest::newRow(what) << QByteArray(what) << QByteArray(named) << QByteArray(byDefault);
        };
        row("ed25519", "none", "none");
        row("rsa", "rsa_key /home/anna/.ssh/k", "rsa_key /home/anna/.ssh/k");
        row("device", "security_key /home/anna/.ssh/k", "security_key /home/anna/.ssh/k");
        row("certificate", "certificate /home/anna/.ssh/k-cert.pub",
            "certificate /home/anna/.ssh/k-cert.pub");
        row("cipher", "key_cipher /home/anna/.ssh/k", "key_cipher /home/anna/.ssh/k");
        row("unknown type", "key_type /home/anna/.ssh/k", "key_type /home/anna/.ssh/k");
        row("no type", "key_type /home/anna/.ssh/k", "key_type /home/anna/.ssh/k");
        row("public", "none", "none");
        row("damaged", "key_file /home/anna/.ssh/k", "none");
        row("putty", "key_file /home/anna/.ssh/k", "none");
        row("open to others", "key_file /home/anna/.ssh/k", "none");
        row("windows", "key_file /home/anna/.ssh/k", "none");
    }
    void whatTheKeysAsk() {
        QFETCH(QByteArray, what);
        QFETCH(QByteArray, named);
        QFETCH(QByteArray, byDefault);
        KeyFile key = keyOf("k", what == "rsa"            ? "ssh-rsa"
                                 : what == "device"       ? "sk-ssh-ed25519@openssh.com"
                                 : what == "unknown type" ? "ssh-mldsa"
                                 : what == "no type"      ? ""
                                                          : "ssh-ed25519");
        if (what == "certificate")
            key.certificate = key.path.native() + "-cert.pub";
        if (what == "cipher")
            key.obstacle = LibsshObstacle::cipher;
        if (what == "public")
            key.state = KeyFileState::public_only;
        if (what == "damaged")
            key.state = KeyFileState::damaged;
        if (what == "putty")
            key.format = KeyFileFormat::putty;
        key.openToOthers = what == "open to others";
        key.windowsLineEnds = what == "windows";
        SshStation station = routeFor("").stations.front();
        // One that fits does not help: it may not be the one that the host wants.
        station.keys = {keyOf("good", "ssh-ed25519"), key};
        QCOMPARE(obstacleOf(station), byDefault.toStdString());
        station.settings.identityFilesAreDefaults = false;
        QCOMPARE(obstacleOf(station), named.toStdString());
        station.settings.pubkeyAuthentication = false;
        QCOMPARE(obstacleOf(station), std::string("none"));
    }

    void whatTheAgentHas() {
        SshStation station = routeFor("").stations.front();
        station.keys = {keyOf("k", "ssh-ed25519")};
        QCOMPARE(obstacleOf(station, {}, std::nullopt), std::string("agent "));
        const SshAgentKey rsa{"ssh-rsa", "blob of r", "anna@work"};
        QCOMPARE(obstacleOf(station, {}, std::vector{rsa}), std::string("rsa_key anna@work"));
        QCOMPARE(obstacleOf(station, {}, std::vector{SshAgentKey{"ssh-ed25519", "x", "y"}}),
                 std::string("none"));
        station.settings.identitiesOnly = true;
        QCOMPARE(obstacleOf(station, {}, std::vector{rsa}), std::string("none"));
        KeyFile publicOnly = keyOf("r", "ssh-rsa");
        publicOnly.state = KeyFileState::public_only;
        station.keys.push_back(publicOnly);
        QCOMPARE(obstacleOf(station, {}, std::vector{rsa}), std::string("rsa_key anna@work"));
    }

    void whatIsOnFileOfTheHost_data() {
        QTest::addColumn<QByteArray>("lines");
        QTest::addColumn<QByteArray>("expected");
        const auto row = [](const char* name, const std::string& lines, const char* expected) {
            QTest::newRow(name) << QByteArray::fromStdString(lines) << QByteArray(expected);
        };
        row("nothing", "", "none");
        row("ed25519", lineOf("lab", "ssh-ed25519"), "none");
        row("rsa", lineOf("lab", "ssh-rsa"), "host_key_type lab");
        row("rsa of another", lineOf("other", "ssh-rsa"), "none");
        row("rsa and ecdsa", lineOf("lab", "ssh-rsa") + lineOf("lab", "ecdsa-sha2-nistp256"), "none");
        row("of an unknown type", lineOf("lab", "ssh-foo"), "host_key_type lab");
        row("authority", "@cert-authority " + lineOf("*", "ssh-ed25519"), "host_certificate lab");
        row("authority and plain",
            "@cert-authority " + lineOf("*", "ssh-ed25519") + lineOf("lab", "ssh-ed25519"), "none");
        row("revoked", "@revoked " + lineOf("*", "ssh-rsa"), "none");
    }
    void whatIsOnFileOfTheHost() {
        QFETCH(QByteArray, lines);
        QFETCH(QByteArray, expected);
        const SshRoute route = routeFor("");
        QCOMPARE(obstacleOf(route.stations.front(), lines.toStdString()), expected.toStdString());
    }

    void theOfferKeepsTheOrderOfTheConfiguration() {
        const SshRoute route = routeFor("Ciphers aes256-ctr,aes128-cbc,aes128-ctr\nMACs ^hmac-md5\n"
                                        "PreferredAuthentications password,gssapi-with-mic,publickey\n");
        const LibsshOffer offer = libsshOfferFor(route.stations.front().settings, debiansSkills());
        QCOMPARE(base::joined(offer.ciphers, ","), std::string("aes256-ctr,aes128-cbc,aes128-ctr"));
        QCOMPARE(base::joined(offer.macs, ","), std::string("hmac-md5,hmac-sha2-256,hmac-sha1"));
        // What OpenSSH does not offer by itself, the library does not either.
        QCOMPARE(base::joined(offer.keyExchanges, ","),
                 std::string("curve25519-sha256,ecdh-sha2-nistp256,diffie-hellman-group14-sha256"));
        QCOMPARE(base::joined(offer.hostKeys, ","), std::string("ssh-ed25519,ecdsa-sha2-nistp256"));
        QCOMPARE(base::joined(offer.loginMethods, ","), std::string("password,publickey"));
    }

    void theWayLeadsOverAllJumps_data() {
        QTest::addColumn<QByteArray>("config");
        QTest::addColumn<QByteArray>("jump");
        QTest::addColumn<QByteArray>("expected");
        const auto row = [](const char* config, const char* jump, const char* expected) {
            QTest::newRow(QByteArray(config).simplified() + ", " + jump)
                << QByteArray(config) << QByteArray(jump) << QByteArray(expected);
        };
        row("Host lab\n HostName 10.0.0.1\n Port 23\n User bob\n", "", "bob@10.0.0.1:23");
        row("Host lab\n ProxyJump a,u@b:24\nHost b\n HostName b.real\n ProxyJump z\n", "",
            "anna@a:22 u@b.real:24 anna@lab:22");
        row("Host lab\n ProxyJump a\nHost a\n ProxyJump b\nHost b\n Port 5\n", "",
            "anna@b:5 anna@a:22 anna@lab:22");
        row("Host lab\n ProxyJump a\nHost a\n ProxyJump lab\n", "", " loops");
        row("Host lab\n ProxyJump a\n", "b,c", "anna@b:22 anna@c:22 anna@lab:22");
        row("Host lab\n ProxyCommand nc\n", "b", "anna@b:22 anna@lab:22");
        row("Host lab\n ProxyJump a\n", "none", "anna@lab:22");
    }
    void theWayLeadsOverAllJumps() {
        QFETCH(QByteArray, config);
        QFETCH(QByteArray, jump);
        QFETCH(QByteArray, expected);
        SshDestination to;
        to.host = "lab";
        to.jump = jump.toStdString();
        const SshRoute route = routeFor(config.toStdString(), to);
        QCOMPARE(hopsOf(route), expected.toStdString());
        if (!route.loops)
            QCOMPARE(obstacleOf(route.stations.back()), std::string("none"));
    }

    void whatTheUserNamedGoesFirst() {
        SshDestination to;
        to.host = "lab";
        to.user = "bob";
        to.port = 99;
        to.identityFile = "/keys/mine";
        to.compression = true;
        m_files.put("/keys/mine", "no key");
        const SshRoute defaults = routeFor("Port 5\nCompression no\n", to);
        QCOMPARE(hopsOf(defaults), std::string("bob@lab:99"));
        const SshHostSettings& settings = defaults.stations.front().settings;
        QCOMPARE(settings.identityFiles, std::vector<base::Path>{"/keys/mine"});
        QVERIFY(settings.compression);
        QCOMPARE(obstacleOf(defaults.stations.front()), std::string("key_file /keys/mine"));
        const SshRoute named = routeFor("IdentityFile /keys/a\n", to);
        QCOMPARE(named.stations.front().settings.identityFiles,
                 (std::vector<base::Path>{"/keys/mine", "/keys/a"}));
    }

    void anAgentsAnswerIsReadWholeOrNotAtAll() {
        const auto field = [](const std::string& bytes) {
            return std::string(3, '\0') + char(bytes.size()) + bytes;
        };
        const std::string blob = field("ssh-ed25519") + field("key");
        const std::string answer =
            std::string("\x0c\0\0\0\2", 5) + field(blob) + field("one") + field(blob) + field("");
        const auto keys = parseSshAgentKeys(answer);
        QVERIFY(keys.has_value());
        QCOMPARE(keys->size(), size_t{2});
        QVERIFY((keys->front() == SshAgentKey{"ssh-ed25519", blob, "one"}));
        for (size_t length = 0; length < answer.size(); ++length)
            QVERIFY(!parseSshAgentKeys(answer.substr(0, length)));
        QVERIFY(!parseSshAgentKeys("\x05"));
        QVERIFY(!parseSshAgentKeys(std::string("\x0c\xff\xff\xff\xff", 5)));
    }
};

QTEST_GUILESS_MAIN(SshChoiceTest)
#include "ssh_choice_test.moc"

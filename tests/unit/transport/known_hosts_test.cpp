// SPDX-License-Identifier: Apache-2.0
#include "core/transport/ssh/known_hosts.h"

#include "core/base/words.h"
#include "core/transport/ssh/known_hosts_file.h"
#include "core/transport/ssh/ssh_key_blob.h"
#include "tests/support/compare.h"
#include "tests/support/memory_file_system.h"

#include <QProcess>
#include <QStandardPaths>
#include <QTemporaryDir>
#include <QtTest>
#include <array>
#include <sys/stat.h>

using namespace trialdeck;
using namespace trialdeck::transport;

namespace {

using Strings = std::vector<std::string>;

const base::Path kCase = TRIALDECK_SOURCE_DIR "/tests/cases/C30-known-hosts";

struct Key {
    std::string type;
    std::string blob;
};

std::string_view nameOfVerdict(HostKeyVerdict verdict) {
    constexpr std::array<std::string_view, 6> kNames{"known",   "unknown", "changed",
                                                     "revoked", "other",   "certificate"};
    return kNames.at(size_t(verdict));
}

uint32_t modeOf(const base::Path& path) {
    struct stat raw {};
    return ::stat(path.c_str(), &raw) == 0 ? raw.st_mode & 07777U : 0;
}

std::string contentOf(const base::Path& path) {
    base::PosixFileSystem files;
    return base::readWholeFile(files, path).value_or("");
}

void write(const base::Path& path, const std::string& content) {
    QFile file(QString::fromStdString(path.native()));
    if (file.open(QFile::WriteOnly))
        file.write(QByteArray::fromStdString(content));
}

} // namespace

class KnownHostsTest : public QObject {
    Q_OBJECT

    base::PosixFileSystem m_disk;
    std::map<std::string, Key> m_keys;
    KnownHosts m_case;

    /// "verdict line,line"
    std::string checked(const KnownHosts& hosts, std::string_view host, uint16_t port, const Key& key) const {
        const HostKeyFinding finding = hosts.check(host, port, key.type, key.blob);
        Strings lines;
        for (const KnownHostLine& line : finding.lines)
            lines.push_back(std::to_string(line.line));
        return std::string(nameOfVerdict(finding.verdict)) + " " + base::joined(lines, ",");
    }
    static KnownHosts hostsOf(std::string_view content) {
        KnownHosts hosts;
        hosts.add("/known_hosts", content);
        return hosts;
    }
    std::string lineOf(const std::string& hosts, const std::string& key) const {
        return hosts + " " + m_keys.at(key).type + " " + encodedBase64(m_keys.at(key).blob) + "\n";
    }

private slots:
    void initTestCase() {
        const auto text = base::readWholeFile(m_disk, kCase / "server-keys.txt");
        QVERIFY(text.has_value());
        for (const QString& line : QString::fromStdString(*text).split('\n', Qt::SkipEmptyParts)) {
            const QStringList words = line.split(' ');
            m_keys[words[0].toStdString()] = {words[1].toStdString(),
                                              decodedBase64(words[2].toStdString()).value()};
        }
        m_case = KnownHosts::read(m_disk, {kCase / "known_hosts", "/nonexistent/known_hosts2"});
    }

    void theCase_data() {
        QTest::addColumn<QByteArray>("host");
        QTest::addColumn<int>("port");
        QTest::addColumn<QByteArray>("key");
        QTest::addColumn<QByteArray>("expected");
        const auto row = [](const char* host, int port, const char* key, const char* expected) {
            QTest::addRow("%s:%d shows %s", host, port, key)
                << QByteArray(host) << port << QByteArray(key) << QByteArray(expected);
        };
        row("head.example.com", 22, "head", "known 3");
        row("Head.Example.COM", 22, "head", "known 3");
        row("head.example.com", 22, "other", "changed 3");
        row("head.example.com", 2222, "other", "known 4");
        row("head.example.com", 2222, "head", "changed 4");
        // New at this port, with the key of the usual one.
        row("head.example.com", 2200, "head", "known 3");
        row("head.example.com", 2200, "other", "unknown ");
        row("head.example.com", 22, "old", "revoked 6");
        row("head.example.com", 2200, "old", "revoked 6");
        row("never.seen.example.com", 22, "old", "revoked 6");
        row("never.seen.example.com", 22, "head", "unknown ");
        // The authority's line speaks of certificates; its own key is nobody's host key.
        row("a.lab.example.com", 22, "head", "certificate 5");
        row("a.lab.example.com", 22, "ca", "certificate 5");
        row("two.example.com", 22, "ec", "known 8");
        row("two.example.com", 22, "head", "other 7,8");
        row("192.0.2.7", 22, "ec", "other 7");
        row("x.wild.example.com", 22, "other", "known 9");
        row("x.wild.example.com", 22, "head", "changed 9");
        row("bad.wild.example.com", 22, "other", "unknown ");
        row("2001:db8::10", 2222, "head", "known 12");
        row("2001:db8::10", 2222, "other", "changed 12");
        row("2001:db8::10", 22, "head", "unknown ");
        row("new.example.com", 22, "head", "other 10");
        row("broken.example.com", 22, "head", "unknown ");
    }
    void theCase() {
        QFETCH(QByteArray, host);
        QFETCH(int, port);
        QFETCH(QByteArray, key);
        QFETCH(QByteArray, expected);
        QCOMPARE(checked(m_case, host.toStdString(), uint16_t(port), m_keys.at(key.toStdString())),
                 expected.toStdString());
    }
    void theCasesNotes() {
        QCOMPARE(m_case.notes().size(), size_t{2});
        QVERIFY((m_case.notes()[0] == KnownHostsNote{KnownHostsProblem::unknown_type, kCase / "known_hosts",
                                                     10, "new.example.com ssh-mldsa-99"}));
        QVERIFY((m_case.notes()[1] == KnownHostsNote{KnownHostsProblem::bad_key, kCase / "known_hosts", 11,
                                                     "broken.example.com"}));
    }
    void theServerIsAskedForWhatIsOnFile() {
        QCOMPARE(m_case.knownHostKeyTypes("two.example.com", 22),
                 (Strings{"ecdsa-sha2-nistp256", "ssh-rsa"}));
        QCOMPARE(m_case.knownHostKeyTypes("192.0.2.7", 22), Strings{"ssh-rsa"});
        QCOMPARE(m_case.knownHostKeyTypes("a.lab.example.com", 22), Strings{});
        QCOMPARE(m_case.knownHostKeyTypes("new.example.com", 22), Strings{});
    }
    void anRsaKeyIsKnownByEachOfItsSignatures() {
        const auto line = m_case.linesOf("two.example.com", 22).at(1);
        for (const char* algorithm : {"ssh-rsa", "rsa-sha2-256", "rsa-sha2-512"})
            QCOMPARE(checked(m_case, "two.example.com", 22, {algorithm, line.blob}), std::string("known 7"));
    }
    void aCertificateIsNeverJudgedHere() {
        const std::string type = "ssh-ed25519-cert-v01@openssh.com";
        QCOMPARE(checked(m_case, "a.lab.example.com", 22, {type, "x"}), std::string("certificate 5"));
        QCOMPARE(checked(m_case, "head.example.com", 22, {type, "x"}), std::string("certificate "));
    }
    void bothFingerprintsAreShownAsSshKeygenPrintsThem() {
        QCOMPARE(m_case.linesOf("head.example.com", 22).at(0).fingerprint(),
                 sshFingerprint(m_keys.at("head").blob));
        const QString program = QStandardPaths::findExecutable("ssh-keygen");
        if (program.isEmpty())
            QSKIP("there is no ssh-keygen here to compare with");
        QTemporaryDir folder;
        for (const auto& [name, key] : m_keys) {
            const base::Path path = base::Path(folder.path().toStdString()) / name;
            write(path, key.type + " " + encodedBase64(key.blob) + "\n");
            QProcess process;
            process.start(program, {"-l", "-f", QString::fromStdString(path.native())});
            QVERIFY(process.waitForFinished(20'000));
            QCOMPARE(process.readAllStandardOutput().split(' ').value(1).toStdString(),
                     sshFingerprint(key.blob));
        }
    }

    void findsTheLinesThatSshKeygenFinds() {
        const QString program = QStandardPaths::findExecutable("ssh-keygen");
        if (program.isEmpty())
            QSKIP("there is no ssh-keygen here to compare with");
        QTemporaryDir folder;
        const base::Path file = base::Path(folder.path().toStdString()) / "known_hosts";
        const std::string salt(20, 's');
        // ssh-keygen is not asked of lines that it cannot read: it stops there in some versions.
        write(file, "# comment\n\n" + lineOf("plain.example", "head") +
                        lineOf("a.example,b.example,192.0.2.1", "ec") +
                        lineOf("*.wild,!no.wild,?.one", "other") + "  " + lineOf("indented", "head") +
                        "@revoked " + lineOf("*.gone", "old") + "@cert-authority " + lineOf("*.lab", "ca") +
                        lineOf("[port.example]:2222", "head") + lineOf("Upper.Example", "head") +
                        lineOf(hashedHostName("hidden.example", salt), "head") +
                        lineOf(hashedHostName("[hidden.example]:2222", salt), "other") +
                        lineOf("plain.example", "ec"));
        const KnownHosts hosts = KnownHosts::read(m_disk, {file});
        QCOMPARE(hosts.notes().size(), size_t{0});
        for (const auto& [host, port] :
             std::vector<std::pair<std::string, uint16_t>>{{"plain.example", uint16_t{22}},
                                                           {"plain.example", uint16_t{23}},
                                                           {"a.example", uint16_t{22}},
                                                           {"b.example", uint16_t{22}},
                                                           {"192.0.2.1", uint16_t{22}},
                                                           {"x.wild", uint16_t{22}},
                                                           {"no.wild", uint16_t{22}},
                                                           {"x.one", uint16_t{22}},
                                                           {"xx.one", uint16_t{22}},
                                                           {"indented", uint16_t{22}},
                                                           {"x.gone", uint16_t{22}},
                                                           {"x.lab", uint16_t{22}},
                                                           {"port.example", uint16_t{2222}},
                                                           {"port.example", uint16_t{22}},
                                                           {"upper.example", uint16_t{22}},
                                                           {"hidden.example", uint16_t{22}},
                                                           {"hidden.example", uint16_t{2222}},
                                                           {"hidden.example", uint16_t{2223}},
                                                           {"nobody", uint16_t{22}}}) {
            const QString name = QString::fromStdString(knownHostName(host, port));
            QProcess process;
            process.start(program, {"-F", name, "-f", QString::fromStdString(file.native())});
            QVERIFY(process.waitForFinished(20'000));
            QStringList theirs{name};
            for (const QByteArray& line : process.readAllStandardOutput().split('\n')) {
                if (const qsizetype at = line.indexOf("found: line "); line.startsWith("# ") && at > 0)
                    theirs << QString::fromLatin1(line.mid(at + 12).split(' ').value(0).trimmed());
            }
            QStringList ours{name};
            for (const KnownHostLine& line : hosts.linesOf(host, port))
                ours << QString::number(line.line);
            QCOMPARE(ours, theirs);
        }
    }

    void brokenLinesAreNotedAndTheRestCounts_data() {
        QTest::addColumn<QByteArray>("line");
        QTest::addColumn<int>("problem");
        QTest::addColumn<QByteArray>("word");
        const auto row = [](const char* line, KnownHostsProblem problem, const char* word) {
            QTest::newRow(line) << QByteArray(line) << int(problem) << QByteArray(word);
        };
        row("@trusted x ssh-ed25519 AAAA", KnownHostsProblem::bad_marker, "@trusted");
        row("@revoked", KnownHostsProblem::cut_short, "");
        row("only", KnownHostsProblem::cut_short, "only");
        row("only ssh-ed25519", KnownHostsProblem::cut_short, "only");
        row("only ssh-ed25519 # AAAA", KnownHostsProblem::cut_short, "only");
        row("|1|abc|def ssh-ed25519 AAAA", KnownHostsProblem::bad_hash, "|1|abc|def");
        row("|2|x ssh-ed25519 AAAA", KnownHostsProblem::bad_hash, "|2|x");
        row("a ssh-ed25519 AAAA", KnownHostsProblem::bad_key, "a");
        // A whole key of another type than it says.
        row("a ssh-rsa AAAAC3NzaC1lZDI1NTE5AAAAIBcEDqp805VVMGuSD3NZ++KzJyJ7J1YAO5+yYCc6zuuV",
            KnownHostsProblem::bad_key, "a");
        row("a ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIBcEDqp805VVMGuSD3NZ++KzJyJ7J1YAO5+yYCc6zu==",
            KnownHostsProblem::bad_key, "a");
        row("a 1024 35 1234567", KnownHostsProblem::bad_key, "a");
    }
    void brokenLinesAreNotedAndTheRestCounts() {
        QFETCH(QByteArray, line);
        QFETCH(int, problem);
        QFETCH(QByteArray, word);
        const KnownHosts hosts = hostsOf(line.toStdString() + "\n" + lineOf("rest", "head"));
        QCOMPARE(hosts.notes().size(), size_t{1});
        QCOMPARE(int(hosts.notes()[0].problem), problem);
        QCOMPARE(hosts.notes()[0].word, word.toStdString());
        QCOMPARE(hosts.notes()[0].line, size_t{1});
        QCOMPARE(checked(hosts, "rest", 22, m_keys.at("head")), std::string("known 2"));
    }
    void anotherKeyOfTheSameTypeIsNoChangeWhereBothAreOnFile() {
        const KnownHosts hosts = hostsOf(lineOf("a", "head") + lineOf("a", "other"));
        QCOMPARE(checked(hosts, "a", 22, m_keys.at("other")), std::string("known 2"));
        QCOMPARE(checked(hosts, "a", 22, m_keys.at("ca")), std::string("changed 1,2"));
    }
    void aRevokedKeyStaysSoWhereItIsAlsoKnown() {
        const KnownHosts hosts = hostsOf(lineOf("a", "old") + "@revoked " + lineOf("a", "old"));
        QCOMPARE(checked(hosts, "a", 22, m_keys.at("old")), std::string("revoked 2"));
    }
    void aPlainKeyOnFileGoesBeforeAnAuthority() {
        const KnownHosts hosts = hostsOf("@cert-authority " + lineOf("*", "ca") + lineOf("a", "head"));
        QCOMPARE(checked(hosts, "a", 22, m_keys.at("head")), std::string("known 2"));
        QCOMPARE(checked(hosts, "a", 22, m_keys.at("other")), std::string("changed 2"));
        QCOMPARE(checked(hosts, "a", 22, m_keys.at("ec")), std::string("certificate 1"));
    }
    void aFolderInTheFilesPlaceIsNoted() {
        tests::MemoryFileSystem files;
        files.put("/d/known_hosts/x", "");
        const KnownHosts hosts = KnownHosts::read(files, {"/d/known_hosts", "/d/missing"});
        QCOMPARE(hosts.notes().size(), size_t{1});
        QVERIFY(hosts.notes()[0].problem == KnownHostsProblem::unreadable_file);
    }

    void aNewHostIsAppendedAndTheRestStays_data() {
        QTest::addColumn<QByteArray>("before");
        QTest::addColumn<bool>("hashed");
        const QByteArray hashed =
            "|1|xn/q+uZr9mm51Ya3FUpQ6wuHU1I=|EagE4mIfqwBiI6IW7LrZEO6jFtg= ssh-ed25519 A\n";
        QTest::newRow("plain names") << QByteArray("# mine\r\n\nx ssh-foo AAAA\n") << false;
        QTest::newRow("no end of the last line") << QByteArray("x ssh-foo AAAA") << false;
        QTest::newRow("hashed names") << "# mine\n" + hashed << true;
        QTest::newRow("hashed and no end") << hashed + "broken \xff\xfe" << true;
        QTest::newRow("empty") << QByteArray() << false;
    }
    void aNewHostIsAppendedAndTheRestStays() {
        QFETCH(QByteArray, before);
        QFETCH(bool, hashed);
        QTemporaryDir folder;
        const base::Path file = base::Path(folder.path().toStdString()) / "known_hosts";
        write(file, before.toStdString());
        const Key& key = m_keys.at("head");
        QVERIFY(
            appendHostKey(file, "New.example", 2222, "ssh-ed25519", key.blob, HostNames::plain).has_value());
        const std::string after = contentOf(file);
        std::string expected = before.toStdString();
        if (!expected.empty() && expected.back() != '\n')
            expected += '\n';
        QCOMPARE(after.substr(0, expected.size()), expected);
        const std::string line = after.substr(expected.size());
        QCOMPARE(line.substr(0, 3) == "|1|", hashed);
        if (!hashed)
            QCOMPARE(line, lineOf("[new.example]:2222", "head"));
        QCOMPARE(std::count(line.begin(), line.end(), '\n'), std::ptrdiff_t{1});
        QCOMPARE(modeOf(file), 0600U);
        const auto finding = KnownHosts::read(m_disk, {file}).check("new.example", 2222, key.type, key.blob);
        QVERIFY(finding.verdict == HostKeyVerdict::known);
    }
    void aMissingFolderIsMadeForThisUserAlone() {
        QTemporaryDir folder;
        const base::Path home = folder.path().toStdString();
        const Key& key = m_keys.at("ec");
        QVERIFY(appendHostKey(home / ".ssh/known_hosts", "a", 22, key.type, key.blob, HostNames::hashed)
                    .has_value());
        QCOMPARE(modeOf(home / ".ssh"), 0700U);
        QCOMPARE(modeOf(home / ".ssh/known_hosts"), 0600U);
        QVERIFY(contentOf(home / ".ssh/known_hosts").substr(0, 3) == "|1|");
        QVERIFY(appendHostKey(home / ".ssh/known_hosts", "b", 22, key.type, key.blob, HostNames::plain)
                    .has_value());
        QCOMPARE(KnownHosts::read(m_disk, {home / ".ssh/known_hosts"}).linesOf("b", 22).size(), size_t{1});
    }
    void aLinkedFileStaysALink() {
        QTemporaryDir folder;
        const base::Path home = folder.path().toStdString();
        write(home / "real", "");
        QVERIFY(QFile::link(folder.path() + "/real", folder.path() + "/known_hosts"));
        const Key& key = m_keys.at("ec");
        QVERIFY(
            appendHostKey(home / "known_hosts", "a", 22, key.type, key.blob, HostNames::plain).has_value());
        QCOMPARE(contentOf(home / "real"), lineOf("a", "ec"));
    }
    void aNameThatWouldBeSomethingElseIsRefused_data() {
        QTest::addColumn<QByteArray>("host");
        for (const char* host : {"", " ", "a b", "a\tb", "a\nb ssh-ed25519 AAAA", "#a", "@revoked", "*", "a?",
                                 "!a", "a,b", "|1|a", "a\x7f", "a\x01"})
            QTest::newRow(QByteArray(host).toPercentEncoding().constData()) << QByteArray(host);
        QTest::newRow("zero") << QByteArray("a\0b", 3);
    }
    void aNameThatWouldBeSomethingElseIsRefused() {
        QFETCH(QByteArray, host);
        QTemporaryDir folder;
        const base::Path file = base::Path(folder.path().toStdString()) / "known_hosts";
        const Key& key = m_keys.at("ec");
        const auto added = appendHostKey(file, host.toStdString(), 22, key.type, key.blob, HostNames::plain);
        QVERIFY(!added.has_value());
        QVERIFY(added.error().code == ErrorCode::host_not_found);
        QVERIFY(!QFile::exists(folder.path() + "/known_hosts"));
        QVERIFY(!appendHostKey(file, "a", 22, key.type, "not a key", HostNames::hashed).has_value());
    }
    void whatCannotBeWrittenIsSaid() {
        const Key& key = m_keys.at("ec");
        const auto added = appendHostKey("/proc/known_hosts", "a", 22, key.type, key.blob, HostNames::plain);
        QVERIFY(!added.has_value());
        QCOMPARE(added.error().arguments.at("path"), std::string("/proc/known_hosts"));
    }
};

QTEST_GUILESS_MAIN(KnownHostsTest)
#include "known_hosts_test.moc"

// SPDX-License-Identifier: Apache-2.0
#include "core/transport/ssh/key_file.h"

#include "core/transport/ssh/ssh_key_blob.h"
#include "tests/support/compare.h"
#include "tests/support/memory_file_system.h"

#include <QProcess>
#include <QStandardPaths>
#include <QTemporaryDir>
#include <QtTest>
#include <array>

using namespace trialdeck;
using namespace trialdeck::transport;

namespace {

/// "state format type" and what else there is to say, in words.
std::string summaryOf(const KeyFile& key) {
    constexpr std::array<const char*, 7> kStates{"good",    "missing",     "folder",   "unreadable",
                                                 "damaged", "public_only", "not_a_key"};
    constexpr std::array<const char*, 6> kFormats{"unknown", "openssh", "pem", "pkcs8", "putty", "ssh_com"};
    constexpr std::array<const char*, 5> kObstacles{"", " no_cipher", " no_type", " device", " sha1"};
    std::string text = kStates.at(size_t(key.state));
    if (key.format != KeyFileFormat::unknown)
        text += std::string(" ") + kFormats.at(size_t(key.format));
    if (!key.type.empty())
        text += " " + key.type;
    if (key.needsPassphrase)
        text += " passphrase(" + key.cipher + ")";
    text += kObstacles.at(size_t(key.obstacle));
    if (key.windowsLineEnds)
        text += " windows";
    if (key.openToOthers)
        text += " open";
    if (!key.certificate.empty())
        text += " certificate";
    return text;
}

} // namespace

class KeyFileTest : public QObject {
    Q_OBJECT

    QTemporaryDir m_folder;
    base::PosixFileSystem m_disk;
    bool m_made = false;

    base::Path keys() const { return base::Path(m_folder.path().toStdString()) / "keys"; }
    KeyFile inspected(const char* name) { return inspectKeyFile(m_disk, keys() / name); }
    std::string textOf(const char* name) { return base::readWholeFile(m_disk, keys() / name).value_or(""); }
    bool run(const QString& program, const QStringList& arguments) const {
        QProcess process;
        process.setWorkingDirectory(QString::fromStdString(keys().native()));
        process.start(program, arguments);
        return process.waitForFinished(60'000) && process.exitCode() == 0;
    }

private slots:
    void initTestCase() {
        if (QStandardPaths::findExecutable("ssh-keygen").isEmpty())
            return;
        QProcess process;
        process.setWorkingDirectory(m_folder.path());
        process.start("/bin/sh", {TRIALDECK_SOURCE_DIR "/tests/cases/C32-encrypted-key/make-keys.sh"});
        QVERIFY(process.waitForFinished(60'000));
        QCOMPARE(process.exitCode(), 0);
        m_made = true;
        QVERIFY(run("ssh-keygen", {"-q", "-t", "rsa", "-b", "2048", "-N", "", "-f", "rsa"}));
        QVERIFY(run("ssh-keygen",
                    {"-q", "-t", "rsa", "-b", "2048", "-m", "PKCS8", "-N", "12345", "-f", "pkcs8-enc"}));
        QVERIFY(
            run("ssh-keygen", {"-q", "-t", "ecdsa", "-b", "521", "-m", "PKCS8", "-N", "", "-f", "pkcs8"}));
        QVERIFY(run("ssh-keygen", {"-q", "-t", "ecdsa", "-b", "384", "-m", "PEM", "-N", "", "-f", "ec-pem"}));
        QVERIFY(run("ssh-keygen", {"-q", "-t", "ed25519", "-Z", "chacha20-poly1305@openssh.com", "-N",
                                   "12345", "-f", "enc-chacha"}));
        QVERIFY(
            run("ssh-keygen", {"-q", "-t", "ed25519", "-Z", "aes128-cbc", "-N", "12345", "-f", "enc-cbc"}));
        QVERIFY(run("ssh-keygen", {"-q", "-t", "ed25519", "-N", "", "-f", "signed"}));
        QVERIFY(run("ssh-keygen", {"-q", "-s", "plain", "-I", "id", "-n", "anna", "signed.pub"}));
    }

    void theCase_data() {
        QTest::addColumn<QByteArray>("expected");
        QTest::newRow("plain") << QByteArray("good openssh ssh-ed25519");
        QTest::newRow("plain.pub") << QByteArray("public_only ssh-ed25519");
        QTest::newRow("nopub") << QByteArray("good openssh ecdsa-sha2-nistp256");
        QTest::newRow("crlf") << QByteArray("good openssh ssh-ed25519 windows open");
        QTest::newRow("enc-bcrypt") << QByteArray("good openssh ssh-ed25519 passphrase(aes256-ctr)");
        QTest::newRow("enc-gcm") << QByteArray(
            "good openssh ssh-ed25519 passphrase(aes256-gcm@openssh.com) no_cipher");
        QTest::newRow("enc-pem") << QByteArray("good pem ssh-rsa passphrase(AES-128-CBC) sha1");
        QTest::newRow("cut") << QByteArray("damaged openssh open");
        QTest::newRow("putty.ppk") << QByteArray("good putty ssh-ed25519 open");
        QTest::newRow("open-mode") << QByteArray("good openssh ssh-ed25519 open");
        QTest::newRow("adir") << QByteArray("folder");
        QTest::newRow("missing") << QByteArray("missing");
        QTest::newRow("plain/below") << QByteArray("missing");
        QTest::newRow("rsa") << QByteArray("good openssh ssh-rsa sha1");
        QTest::newRow("pkcs8-enc") << QByteArray("good pkcs8 ssh-rsa passphrase() sha1");
        QTest::newRow("pkcs8") << QByteArray("good pkcs8 ecdsa-sha2-nistp521");
        QTest::newRow("ec-pem") << QByteArray("good pem ecdsa-sha2-nistp384");
        QTest::newRow("enc-chacha") << QByteArray(
            "good openssh ssh-ed25519 passphrase(chacha20-poly1305@openssh.com) no_cipher");
        QTest::newRow("enc-cbc") << QByteArray("good openssh ssh-ed25519 passphrase(aes128-cbc)");
        QTest::newRow("signed") << QByteArray("good openssh ssh-ed25519 certificate");
        QTest::newRow("signed-cert.pub") << QByteArray("public_only ssh-ed25519-cert-v01@openssh.com");
    }
    void theCase() {
        if (!m_made)
            QSKIP("there is no ssh-keygen here to make keys with");
        QFETCH(QByteArray, expected);
        QCOMPARE(summaryOf(inspected(QTest::currentDataTag())), expected.toStdString());
    }

    void howLongTheKeyTakesToOpenIsKnown() {
        if (!m_made)
            QSKIP("there is no ssh-keygen here to make keys with");
        QCOMPARE(inspected("enc-bcrypt").keyDerivation, std::string("bcrypt"));
        QCOMPARE(inspected("enc-bcrypt").rounds, uint32_t{16});
    }
    void thePublicKeyIsTheOneThatSshKeygenSees() {
        if (!m_made)
            QSKIP("there is no ssh-keygen here to make keys with");
        for (const char* name : {"plain", "nopub", "enc-bcrypt", "enc-gcm", "enc-pem", "rsa", "pkcs8"}) {
            QProcess process;
            const base::Path path = keys() / name;
            process.start("ssh-keygen", {"-l", "-f", QString::fromStdString(path.native())});
            QVERIFY(process.waitForFinished(20'000));
            QCOMPARE(sshFingerprint(inspected(name).publicBlob),
                     process.readAllStandardOutput().split(' ').value(1).toStdString());
        }
    }

    void aKeyCutAnywhereIsDamaged() {
        if (!m_made)
            QSKIP("there is no ssh-keygen here to make keys with");
        for (const char* name : {"plain", "enc-bcrypt", "enc-gcm", "enc-pem", "pkcs8", "ec-pem"}) {
            const std::string text = textOf(name);
            const size_t begin = text.find('\n');
            // Without the end of its last line a key is still whole.
            for (size_t length = begin; length + 1 < text.size(); length += 7)
                QVERIFY2(inspectKeyText(text.substr(0, length)).state == KeyFileState::damaged, name);
            QVERIFY(inspectKeyText(text.substr(0, text.size() - 1)).state == KeyFileState::good);
        }
    }
    void aKeyWithAMissingLineIsDamaged() {
        if (!m_made)
            QSKIP("there is no ssh-keygen here to make keys with");
        for (const char* name : {"plain", "enc-bcrypt", "enc-gcm", "rsa", "pkcs8"}) {
            const std::string text = textOf(name);
            const size_t first = text.find('\n', text.find('\n') + 1);
            const size_t second = text.find('\n', first + 1);
            QVERIFY2(inspectKeyText(text.substr(0, first) + text.substr(second)).state ==
                         KeyFileState::damaged,
                     name);
        }
    }

    void otherContents_data() {
        QTest::addColumn<QByteArray>("text");
        QTest::addColumn<QByteArray>("expected");
        const auto row = [](const char* name, const QByteArray& text, const char* expected) {
            QTest::newRow(name) << text << QByteArray(expected);
        };
        row("empty", "", "not_a_key");
        row("words", "hello world\n", "not_a_key");
        row("a certificate of the web", "-----BEGIN CERTIFICATE-----\nMIIB\n-----END CERTIFICATE-----\n",
            "not_a_key");
        row("half a first line", "-----BEGIN OPENSSH PRIV", "damaged");
        row("nothing inside", "-----BEGIN OPENSSH PRIVATE KEY-----\n-----END OPENSSH PRIVATE KEY-----\n",
            "damaged openssh");
        row("no base64", "-----BEGIN RSA PRIVATE KEY-----\n!!!\n-----END RSA PRIVATE KEY-----\n",
            "damaged pem");
        row("another end", "-----BEGIN RSA PRIVATE KEY-----\nMIIB\n-----END EC PRIVATE KEY-----\n",
            "damaged pem");
        row("putty with a passphrase",
            "PuTTY-User-Key-File-2: ssh-rsa\r\nEncryption: aes256-cbc\r\nComment: x\r\n",
            "good putty ssh-rsa passphrase(aes256-cbc) windows");
        row("ssh.com", "---- BEGIN SSH2 ENCRYPTED PRIVATE KEY ----\nP2/56\n", "good ssh_com");
        row("known_hosts line", "host ssh-ed25519 AAAA\n", "not_a_key");
    }
    void otherContents() {
        QFETCH(QByteArray, text);
        QFETCH(QByteArray, expected);
        QCOMPARE(summaryOf(inspectKeyText(text.toStdString())), expected.toStdString());
    }

    void aSecurityKeyIsADevices() {
        // Its private part holds no secret; made by hand, since there is no device to make one.
        const auto field = [](const std::string& bytes) {
            return std::string(3, '\0') + char(bytes.size()) + bytes;
        };
        const std::string type = "sk-ssh-ed25519@openssh.com";
        const std::string blob = field(type) + field(std::string(32, 'k')) + field("ssh:");
        std::string part =
            std::string("1234") + "1234" + blob + '\1' + field("handle") + field("") + field("me");
        for (char pad = 1; part.size() % 8 != 0; ++pad)
            part += pad;
        const std::string body = std::string("openssh-key-v1\0", 15) + field("none") + field("none") +
                                 field("") + std::string("\0\0\0\1", 4) + field(blob) + field(part);
        tests::MemoryFileSystem files;
        files.put("/k", "-----BEGIN OPENSSH PRIVATE KEY-----\n" + encodedBase64(body) +
                            "\n-----END OPENSSH PRIVATE KEY-----\n");
        QCOMPARE(summaryOf(inspectKeyFile(files, "/k")),
                 std::string("good openssh sk-ssh-ed25519@openssh.com device open"));
    }
    void aPipeIsNotWaitedFor() {
        tests::MemoryFileSystem files;
        files.putOther("/pipe", base::FileType::other);
        QCOMPARE(summaryOf(inspectKeyFile(files, "/pipe")), std::string("unreadable"));
    }
    void aHugeFileIsNoKey() {
        tests::MemoryFileSystem files;
        files.put("/huge", std::string(size_t{2} << 20, 'x'));
        QVERIFY(inspectKeyFile(files, "/huge").state == KeyFileState::not_a_key);
    }
    void anotherKeysPublicHalfIsNotTaken() {
        if (!m_made)
            QSKIP("there is no ssh-keygen here to make keys with");
        tests::MemoryFileSystem files;
        files.put("/k", textOf("enc-pem"));
        files.put("/k.pub", textOf("plain.pub"));
        QCOMPARE(inspectKeyFile(files, "/k").type, std::string("ssh-rsa"));
        QCOMPARE(inspectKeyFile(files, "/k").publicBlob, std::string());
    }
};

QTEST_GUILESS_MAIN(KeyFileTest)
#include "key_file_test.moc"

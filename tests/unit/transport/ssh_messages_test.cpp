// SPDX-License-Identifier: Apache-2.0
#include "core/transport/ssh/ssh_messages.h"

#include "tests/support/compare.h"

#include <QtTest>

using namespace trialdeck;
using namespace trialdeck::transport;

namespace {

/// One row of what OpenSSH 9.2 says, and what it means.
struct Said {
    const char* name;
    QByteArray text;
    ErrorCode code;
    base::ErrorArguments arguments;
};

const std::vector<Said>& failures() {
    static const std::vector<Said> kRows = {
        {"no such name",
         "ssh: Could not resolve hostname lab: Name or service not known\r\n",
         ErrorCode::host_not_found,
         {{"host", "lab"}}},
        {"refused",
         "ssh: connect to host lab port 22: Connection refused\r\n",
         ErrorCode::host_refused,
         {{"reason", "Connection refused"}}},
        {"no route",
         "ssh: connect to host lab port 22: No route to host\r\n",
         ErrorCode::host_unreachable,
         {{"reason", "No route to host"}}},
        {"silence",
         "ssh: connect to host lab port 22: Connection timed out\r\n",
         ErrorCode::host_unreachable,
         {{"reason", "Connection timed out"}}},
        {"wrong password",
         "Permission denied, please try again.\r\nPermission denied, please try again.\r\n"
         "anna@lab: Permission denied (publickey,password).\r\n",
         ErrorCode::login_refused,
         {{"methods", "publickey,password"}, {"user", "anna"}}},
        {"open key",
         "Permissions 0644 for 'id' are too open.\r\nThis private key will be ignored.\r\n"
         "Load key \"id\": bad permissions\r\nanna@lab: Permission denied (publickey).\r\n",
         ErrorCode::key_unusable,
         {{"path", "id"}, {"reason", "bad permissions"}}},
        {"changed key",
         "@@@@\r\n@ WARNING: REMOTE HOST IDENTIFICATION HAS CHANGED!     @\r\n@@@@\r\n"
         "The fingerprint for the ED25519 key sent by the remote host is\nSHA256:uklg2i/GJI.\r\n"
         "Add correct host key in /home/anna/.ssh/known_hosts to get rid of this message.\r\n"
         "Offending ED25519 key in /home/anna/.ssh/known_hosts:7\r\n"
         "Host key verification failed.\r\n",
         ErrorCode::host_key_changed,
         {{"key_type", "ED25519"},
          {"fingerprint", "SHA256:uklg2i/GJI"},
          {"path", "/home/anna/.ssh/known_hosts"},
          {"line", "7"}}},
        {"revoked key",
         "@       WARNING: REVOKED HOST KEY DETECTED!               @\r\n"
         "The ED25519 host key for lab is marked as revoked.\r\nHost key verification failed.\r\n",
         ErrorCode::host_key_revoked,
         {}},
        {"not confirmed", "Host key verification failed.\r\n", ErrorCode::host_key_refused, {}},
        {"no algorithm",
         "Unable to negotiate with 10.0.0.5 port 22: no matching host key type found. Their offer: "
         "ssh-rsa\r\n",
         ErrorCode::no_common_algorithm,
         {{"offer", "ssh-rsa"}}},
        {"rubbish",
         "kex_exchange_identification: banner line contains invalid characters\r\n"
         "banner exchange: Connection to 10.0.0.5 port 22: invalid format\r\n",
         ErrorCode::not_an_ssh_server,
         {}},
        {"bad configuration",
         "cfg: line 1: Bad configuration option: foo\r\ncfg: terminating, 1 bad configuration options\r\n",
         ErrorCode::ssh_configuration,
         {{"reason", "cfg: line 1: Bad configuration option: foo"}}},
        {"too many keys",
         "Received disconnect from 10.0.0.5 port 22:2: Too many authentication failures\r\n"
         "Disconnected from 10.0.0.5 port 22\r\n",
         ErrorCode::too_many_logins,
         {}},
        {"cut",
         "Connection reset by 10.0.0.5 port 22\r\n",
         ErrorCode::connection_lost,
         {{"reason", "Connection reset by 10.0.0.5 port 22"}}},
        {"silent line", "Timeout, server lab not responding.\r\n", ErrorCode::connection_lost, {}},
        {"nothing", "", ErrorCode::connection_lost, {{"reason", ""}}},
    };
    return kRows;
}

/// What ssh says of servers that are none.
const std::vector<Said>& failuresBeforeAName() {
    static const std::vector<Said> kRows = {
        {"silence in the place of a name",
         "Connection timed out during banner exchange\r\nConnection to 10.0.0.5 port 22 timed out\r\n",
         ErrorCode::timed_out,
         {}},
        {"other words in the place of a name",
         "debug1: kex_exchange_identification: banner line 0: one moment please\r\n"
         "Connection timed out during banner exchange\r\nConnection to 10.0.0.5 port 22 timed out\r\n",
         ErrorCode::not_an_ssh_server,
         {{"found", "one moment please"}}},
        {"a web server",
         "debug1: kex_exchange_identification: banner line 0: HTTP/1.1 400 Bad Request\r\n"
         "debug1: kex_exchange_identification: banner line 1: \r\n"
         "kex_exchange_identification: Connection closed by remote host\r\n"
         "Connection closed by 10.0.0.5 port 22\r\n",
         ErrorCode::not_an_ssh_server,
         {{"found", "HTTP/1.1 400 Bad Request"}}},
        {"the first version of the protocol",
         "Protocol major versions differ: 2 vs. 1\r\n"
         "banner exchange: Connection to 10.0.0.5 port 22: could not load host key\r\n",
         ErrorCode::not_an_ssh_server,
         {}},
    };
    return kRows;
}

/// And of hosts on the way to the one that is wanted.
const std::vector<Said>& failuresOnTheWay() {
    static const std::vector<Said> kRows = {
        {"a jump host cannot be reached",
         "debug1: Executing proxy command: exec ssh -v -W '[lab]:22' gate\r\n"
         "ssh: connect to host 10.0.0.1 port 22: No route to host\r\n"
         "kex_exchange_identification: Connection closed by remote host\r\n",
         ErrorCode::host_unreachable,
         {{"host", "10.0.0.1"}, {"reason", "No route to host"}}},
        {"a jump host that does not exist",
         "debug1: Executing proxy command: exec ssh -v -W '[lab]:22' gate\r\n"
         "ssh: Could not resolve hostname gate: Name or service not known\r\n",
         ErrorCode::host_not_found,
         {{"host", "gate"}}},
        {"a jump host cannot go on",
         "debug1: Executing proxy command: exec ssh -v -W '[lab]:22' gate\r\n"
         "channel 0: open failed: connect failed: Connection refused\r\nstdio forwarding failed\r\n"
         "Connection closed by UNKNOWN port 65535\r\n",
         ErrorCode::host_refused,
         {{"host", "lab"}, {"reason", "Connection refused"}}},
        {"a jump host does not find it",
         "debug1: Executing proxy command: exec ssh -v -W '[lab]:22' gate\r\n"
         "channel 0: open failed: connect failed: Temporary failure in name resolution\r\n"
         "stdio forwarding failed\r\n",
         ErrorCode::host_not_found,
         {{"host", "lab"}}},
        {"a jump host's key has changed",
         "debug1: Executing proxy command: exec ssh -v -W '[lab]:22' gate\r\n"
         "@    WARNING: REMOTE HOST IDENTIFICATION HAS CHANGED!     @\r\n"
         "The fingerprint for the ED25519 key sent by the remote host is\nSHA256:new.\r\n"
         "Offending ED25519 key in /home/anna/.ssh/known_hosts:3\r\n"
         "Host key for 10.0.0.1 has changed and you have requested strict checking.\r\n"
         "Host key verification failed.\r\n",
         ErrorCode::host_key_changed,
         {{"host", "10.0.0.1"}, {"line", "3"}}},
        {"a jump host lets nobody in",
         "debug1: Executing proxy command: exec ssh -v -W '[lab]:22' gate\r\n"
         "anna@10.0.0.1: Permission denied (publickey).\r\n",
         ErrorCode::login_refused,
         {{"host", "10.0.0.1"}, {"user", "anna"}, {"methods", "publickey"}}},
    };
    return kRows;
}

constexpr const char* kLogin =
    "OpenSSH_9.2p1 Debian-2+deb12u10, OpenSSL 3.0.19 27 Jan 2026\r\n"
    "debug1: Connecting to lab [10.0.0.5] port 2299.\r\n"
    "debug1: Connection established.\r\n"
    "debug1: Remote protocol version 2.0, remote software version OpenSSH_9.2p1\r\n"
    "debug1: Server host key: ssh-ed25519 SHA256:uklg2i\r\n"
    "debug1: SSH2_MSG_NEWKEYS received\r\n"
    "Authenticated to lab ([10.0.0.5]:2299) using \"publickey\".\r\n"
    "debug1: setting up multiplex master socket\r\n";

} // namespace

class SshMessagesTest : public QObject {
    Q_OBJECT
private slots:
    void aFailureIsUnderstood_data() {
        QTest::addColumn<const Said*>("said");
        for (const auto* rows : {&failures(), &failuresBeforeAName(), &failuresOnTheWay()}) {
            for (const Said& each : *rows)
                QTest::newRow(each.name) << &each;
        }
    }
    void aFailureIsUnderstood() {
        QFETCH(const Said*, said);
        base::ManualClock clock;
        StepTrace trace(clock, {});
        SshMessages messages("lab", trace);
        // However the bytes are cut.
        for (const char letter : said->text)
            messages.read({&letter, 1});
        const Error error = messages.failure();
        QCOMPARE(error.code, said->code);
        for (const auto& [name, value] : said->arguments) {
            QVERIFY2(error.arguments.count(name) == 1, name.c_str());
            QCOMPARE(error.arguments.at(name), value);
        }
    }

    void theStepsOfALoginAreTold() {
        base::ManualClock clock;
        std::vector<std::string> course;
        StepTrace trace(clock, [&course](const StepState& step) {
            course.push_back(std::string(nameOf(step.step)) + " " + std::string(nameOf(step.phase)) + " " +
                             step.detail);
        });
        SshMessages messages("lab", trace);
        messages.read(kLogin);
        messages.finish();
        messages.read("debug1: SSH2_MSG_NEWKEYS received\r\n");
        const std::vector<std::string> expected = {
            "name running ",     "name done 10.0.0.5 port 2299",
            "tcp running ",      "tcp done ",
            "host_key running ", "host_key done ssh-ed25519 SHA256:uklg2i",
            "login running ",    "login done publickey"};
        QCOMPARE(course, expected);
        QCOMPARE(messages.plainText(), std::string());
    }

    void questionsAreTold_data() {
        QTest::addColumn<QByteArray>("text");
        QTest::addColumn<QByteArray>("expected");
        QTest::newRow("host key")
            << QByteArray(
                   "The authenticity of host '[127.0.0.1]:2299 ([127.0.0.1]:2299)' can't be established.\n"
                   "ED25519 key fingerprint is SHA256:uklg2i.\nThis key is not known by any other names.\n"
                   "Are you sure you want to continue connecting (yes/no/[fingerprint])? ")
            << QByteArray("host_key ED25519 SHA256:uklg2i");
        QTest::newRow("password") << QByteArray("anna@gate.example's password: ")
                                  << QByteArray("password anna gate.example");
        QTest::newRow("passphrase") << QByteArray("Enter passphrase for key '/home/anna/.ssh/id ed': ")
                                    << QByteArray("passphrase /home/anna/.ssh/id ed");
        QTest::newRow("second factor") << QByteArray("(anna@lab) Verification code: ")
                                       << QByteArray("interactive anna Verification code:");
        QTest::newRow("old client") << QByteArray("Verification code: ")
                                    << QByteArray("interactive  Verification code:");
        QTest::newRow("control letters")
            << QByteArray("(anna@lab) \x1b[31mCode\x07: ") << QByteArray("interactive anna Code:");
    }
    void questionsAreTold() {
        QFETCH(QByteArray, text);
        QFETCH(QByteArray, expected);
        const Prompt prompt = promptFrom(text.toStdString(), "lab");
        std::string told;
        switch (prompt.kind) {
        case Prompt::Kind::host_key:
            told = "host_key " + prompt.keyType + " " + prompt.fingerprint;
            break;
        case Prompt::Kind::password:
            told = "password " + prompt.user + " " + prompt.host;
            break;
        case Prompt::Kind::passphrase:
            told = "passphrase " + prompt.text;
            break;
        case Prompt::Kind::interactive:
            told = "interactive " + prompt.user + " " + prompt.text;
            break;
        }
        QCOMPARE(told, expected.toStdString());
    }
};

QTEST_APPLESS_MAIN(SshMessagesTest)
#include "ssh_messages_test.moc"

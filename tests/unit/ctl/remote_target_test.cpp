// SPDX-License-Identifier: Apache-2.0
#include "core/ctl/remote_target.h"
#include "core/ctl/ssh_words.h"

#include "tests/support/compare.h"
#include "tests/support/memory_file_system.h"

#include <QtTest>

using namespace trialdeck;

namespace {

constexpr auto kSaved = R"({"connections": [
    {"id": "c-1", "name": "lab", "host": "gpu-head", "user": "ada", "port": 2222, "jump": "login.lab"},
    {"id": "c-2", "name": "ops@lab", "host": "10.0.0.7"}]})";
const base::Path kFile = "/home/ada/.config/trialdeck/connections.json";

/// "user@host:port via jump", what is missing left out.
std::string textOf(const client::SavedConnection& target) {
    std::string text = target.user.empty() ? target.host : target.user + "@" + target.host;
    if (target.port)
        text += ":" + std::to_string(*target.port);
    return target.jump.empty() ? text : text + " via " + target.jump;
}

} // namespace

class RemoteTargetTest : public QObject {
    Q_OBJECT

private slots:
    void savedNamesComeFirst_data() {
        QTest::addColumn<std::string>("host");
        QTest::addColumn<int>("port");
        QTest::addColumn<std::string>("target");
        QTest::newRow("saved name") << std::string("lab") << 0
                                    << std::string("ada@gpu-head:2222 via login.lab");
        QTest::newRow("saved id") << std::string("c-1") << 0
                                  << std::string("ada@gpu-head:2222 via login.lab");
        QTest::newRow("another port")
            << std::string("lab") << 22 << std::string("ada@gpu-head:22 via login.lab");
        QTest::newRow("another user")
            << std::string("eve@lab") << 0 << std::string("eve@gpu-head:2222 via login.lab");
        QTest::newRow("a name with @") << std::string("ops@lab") << 0 << std::string("10.0.0.7");
        QTest::newRow("host of a saved one") << std::string("gpu-head") << 0 << std::string("gpu-head");
        QTest::newRow("not saved") << std::string("bob@node-7") << 2200 << std::string("bob@node-7:2200");
    }
    void savedNamesComeFirst() {
        QFETCH(const std::string, host);
        QFETCH(const int, port);
        QFETCH(const std::string, target);
        tests::MemoryFileSystem files;
        files.put(kFile, kSaved);
        client::SavedConnections saved(files, kFile);
        QVERIFY(saved.load().has_value());
        ctl::Command command;
        command.host = host;
        command.port = static_cast<uint16_t>(port);
        QCOMPARE(textOf(ctl::targetOf(command, saved)), target);
    }

    void theCommandLinesClientWins() {
        tests::MemoryFileSystem files;
        files.put(kFile, kSaved);
        client::SavedConnections saved(files, kFile);
        QVERIFY(saved.load().has_value());
        ctl::Command command;
        command.host = "lab";
        QVERIFY(ctl::targetOf(command, saved).transport == client::SshWay::automatic);
        command.transport = client::SshWay::system_ssh;
        QVERIFY(ctl::targetOf(command, saved).transport == client::SshWay::system_ssh);
    }

    void eachReasonForAClientHasItsWords() {
        QCOMPARE(ctl::sshClientText({}), std::string("SSH by libssh2"));
        for (int at = 1; at <= int(transport::SshReason::no_common_algorithm); ++at) {
            const auto reason = static_cast<transport::SshReason>(at);
            const std::string text = ctl::sshClientText({transport::SshClient::system_ssh, reason, "lab"});
            QVERIFY2(text.size() > std::string_view("SSH by the system's ssh: ").size(),
                     std::string(nameOf(reason)).c_str());
            QVERIFY(text.find('{') == std::string::npos);
        }
    }
};

QTEST_GUILESS_MAIN(RemoteTargetTest)
#include "remote_target_test.moc"

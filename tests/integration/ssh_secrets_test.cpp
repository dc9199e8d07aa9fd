// SPDX-License-Identifier: Apache-2.0
// What is typed at a login stays in memory: neither side finds it in a file, an argument or a variable.
#include "core/base/build_id.h"
#include "core/base/log.h"
#include "core/client/client.h"
#include "core/transport/libssh2/ssh_hosts.h"
#include "core/transport/remote/prompt_memory.h"
#include "core/transport/remote/ssh_transport.h"
#include "tests/support/compare.h"
#include "tests/support/pump.h"
#include "tests/support/scripted_prompts.h"
#include "tests/support/ssh_server.h"

#include <QDir>
#include <QDirIterator>
#include <QFile>

#include <asio/io_context.hpp>

using namespace trialdeck;
using namespace trialdeck::transport;
using namespace std::chrono_literals;
using tests::pumpUntil;
using tests::SshServer;
using tests::SshServerOptions;

namespace {

// Long enough to be nowhere by chance.
constexpr const char* kLoginPassword = "opensesame-4711-短语";
constexpr const char* kMistyped = "opensesame-4712-短语";
constexpr const char* kToken = "774411-zwei-faktor";

SshServerOptions withPassword(const char* secondFactor) {
    SshServerOptions options;
    options.accounts = {{.name = "anna", .password = kLoginPassword}};
    options.secondFactor = secondFactor;
    return options;
}

/// Everything that a window has: a client with a log that says all, a memory for answers.
struct Desk {
    Desk(SshServer& server, SshClient pinned, const std::string& key, std::deque<std::string> answers)
        : person(std::move(answers)), memory(person),
          log(base::openFileLog(server.clientFolder() / "window.log", base::LogLevel::debug).value()) {
        SshHostOptions ssh;
        ssh.destination = server.destination();
        ssh.destination.identityFile = server.key(key);
        ssh.askpass = TRIALDECK_BIN_DIR "/trialdeck-askpass";
        ssh.environment = server.clientEnvironment();
        ssh.pinned = pinned;
        SshTransportOptions how;
        how.hostName = "lab";
        how.programs.head = TRIALDECK_BIN_DIR "/trialdeck-head";
        how.programs.buildId = base::buildId();
        client::ClientOptions options;
        options.name = "test";
        options.buildId = base::buildId();
        client = std::make_unique<client::Client>(
            loop, clock, *log,
            std::make_unique<SshTransport>(makeSshHost(std::move(ssh), files, clock, memory), files, clock,
                                           how),
            options);
    }
    ~Desk() {
        client->stop();
        tests::pumpReady(loop);
    }

    [[nodiscard]] bool isConnected() const {
        return client->state().phase == client::ConnectionPhase::connected;
    }
    /// "connected", or why not.
    std::string connect() {
        client->start();
        const bool ended = pumpUntil(
            loop, [this] { return isConnected() || client->state().error; }, 60s);
        if (isConnected())
            return "connected";
        return ended ? base::describe(*client->state().error) : "nothing happened";
    }

    asio::io_context loop;
    base::SystemClock clock;
    base::PosixFileSystem files;
    tests::ScriptedPrompts person;
    PromptMemory memory;
    std::unique_ptr<base::Log> log;
    std::unique_ptr<client::Client> client;
};

/// Where any of the words stands below a folder; what cannot be read is passed over.
QStringList placesOf(const QList<QByteArray>& words, const QString& folder, const QString& except = {}) {
    constexpr qint64 kLargestFile = qint64{64} << 20;
    QStringList found;
    QDirIterator each(folder, QDir::Files | QDir::Hidden | QDir::NoSymLinks, QDirIterator::Subdirectories);
    while (each.hasNext()) {
        const QString path = each.next();
        if (!except.isEmpty() && path.startsWith(except))
            continue;
        QFile file(path);
        if (file.size() > kLargestFile || !file.open(QIODevice::ReadOnly))
            continue;
        const QByteArray bytes = file.readAll();
        for (const QByteArray& word : words) {
            if (bytes.contains(word))
                found << path + ": " + QString::fromUtf8(word);
        }
    }
    return found;
}

/// The same for arguments and variables of all processes that this user can see, but this one's.
QStringList processesWith(const QList<QByteArray>& words) {
    QStringList found;
    for (const QString& name : QDir("/proc").entryList({"[0-9]*"}, QDir::Dirs)) {
        for (const char* what : {"/cmdline", "/environ"}) {
            QFile file("/proc/" + name + what);
            if (!file.open(QIODevice::ReadOnly))
                continue;
            const QByteArray bytes = file.readAll();
            for (const QByteArray& word : words) {
                if (bytes.contains(word))
                    found << name + what + ": " + QString::fromUtf8(word);
            }
        }
    }
    return found;
}

/// Folders of ours in this side's /tmp.
QStringList oursInTmp() {
    QStringList found;
    for (const QFileInfo& info : QDir("/tmp").entryInfoList({"trialdeck-ssh-*"}, QDir::Dirs))
        found << info.filePath();
    return found;
}

} // namespace

class SshSecretsTest : public QObject {
    Q_OBJECT
private slots:
    void initTestCase() {
        if (const std::string why = SshServer::whyNot(); !why.empty())
            QSKIP(why.c_str());
    }

    void secretsAreInNoFile_data() {
        QTest::addColumn<int>("client");
        QTest::addColumn<QString>("how");
        for (const auto& [client, name] :
             {std::pair{SshClient::system_ssh, "system ssh, "}, std::pair{SshClient::libssh2, "libssh2, "}}) {
            for (const char* how : {"password", "passphrase", "second factor"})
                QTest::addRow("%s%s", name, how) << static_cast<int>(client) << how;
        }
    }
    void secretsAreInNoFile() {
        QFETCH(int, client);
        QFETCH(QString, how);
        const bool byKey = how == "passphrase";
        const bool byToken = how == "second factor";
        SshServer server(withPassword(byToken ? kToken : ""));
        std::deque<std::string> answers;
        if (byKey)
            answers = {kMistyped, SshServer::kPassphrase};
        else if (byToken)
            answers = {kLoginPassword, kToken, kToken};
        else
            answers = {kMistyped, kLoginPassword};
        Desk desk(server, static_cast<SshClient>(client), byKey ? "id_locked" : "id_stranger", answers);
        const std::string outcome = desk.connect();
        QVERIFY2(outcome == "connected", (outcome + "\n" + server.log()).c_str());
        // A line that breaks and comes back, which answers from memory.
        server.killSessions();
        QVERIFY(pumpUntil(
            desk.loop, [&] { return !desk.isConnected(); }, 60s));
        QVERIFY(pumpUntil(
            desk.loop, [&] { return desk.isConnected(); }, 60s));

        const QList<QByteArray> words = {kLoginPassword, kMistyped, kToken, SshServer::kPassphrase};
        const QString folder = QString::fromStdString(server.folder());
        const QString written = QString::fromStdString(server.clientFolder() / "canary");
        {
            QFile canary(written);
            QVERIFY(canary.open(QIODevice::WriteOnly));
            canary.write(QByteArray("log: ") + kMistyped);
        }
        QCOMPARE(placesOf(words, folder, folder + "/etc/"), QStringList{written + ": " + kMistyped});
        QVERIFY(QFile::remove(written));
        // The other side's own folders, as its processes see them.
        const QString root = QStringLiteral("/proc/%1/root").arg(server.host().pid());
        for (const char* other : {"/tmp", "/var/tmp", "/run"})
            QCOMPARE(placesOf(words, root + other, root + "/tmp" + folder.mid(4) + "/etc/"), QStringList());
        for (const QString& ours : oursInTmp())
            QCOMPARE(placesOf(words, ours), QStringList());
        QCOMPARE(processesWith(words), QStringList());
        QVERIFY(QFile(QString::fromStdString(server.clientFolder() / "window.log")).size() > 0);
    }
};

QTEST_GUILESS_MAIN(SshSecretsTest)
#include "ssh_secrets_test.moc"

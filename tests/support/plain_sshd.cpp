// SPDX-License-Identifier: Apache-2.0
#include "tests/support/plain_sshd.h"

#include <QDeadlineTimer>
#include <QDir>
#include <QFile>
#include <QTcpServer>
#include <QtTest>

#include <csignal>
#include <sys/prctl.h>

namespace trialdeck::tests {

namespace {

constexpr const char* kSshd = "/usr/sbin/sshd";

void makeKey(const QString& path, const QStringList& more) {
    QProcess::execute("ssh-keygen", QStringList{"-q", "-f", path} + more);
}

/// Of the processes that the server started: one for each connection, and theirs.
QList<qint64> childrenOf(qint64 parent) {
    QList<qint64> found;
    for (const QString& name : QDir("/proc").entryList({"[0-9]*"}, QDir::Dirs)) {
        QFile file("/proc/" + name + "/stat");
        if (!file.open(QIODevice::ReadOnly))
            continue;
        const QByteArray line = file.readAll();
        const QList<QByteArray> words = line.mid(line.lastIndexOf(')') + 2).split(' ');
        if (words.value(1).toLongLong() == parent)
            found.append(name.toLongLong());
    }
    return found;
}

} // namespace

bool PlainSshd::available() {
    return QFile::exists(kSshd);
}

PlainSshd::PlainSshd(const QByteArray& more) {
    makeKey(m_folder.filePath("host_key"), {"-t", "ed25519", "-N", ""});
    makeKey(m_folder.filePath("id_ed25519"), {"-t", "ed25519", "-N", ""});
    makeKey(m_folder.filePath("id_ecdsa"), {"-t", "ecdsa", "-N", ""});
    makeKey(m_folder.filePath("id_locked"), {"-t", "ed25519", "-N", QString::fromUtf8(kPassphrase)});
    makeKey(m_folder.filePath("id_stranger"), {"-t", "ed25519", "-N", ""});
    QFile authorized(m_folder.filePath("authorized_keys"));
    if (!authorized.open(QIODevice::WriteOnly))
        qFatal("no file for keys");
    for (const char* name : {"id_ed25519.pub", "id_ecdsa.pub", "id_locked.pub"}) {
        QFile key(m_folder.filePath(name));
        if (key.open(QIODevice::ReadOnly))
            authorized.write(key.readAll());
    }
    authorized.close();
    // Privilege separation needs it, and only the service's start makes it.
    QDir().mkpath("/run/sshd");
    constexpr int kPortTries = 5;
    for (int attempt = 0; attempt < kPortTries && m_port == 0; ++attempt) {
        QTcpServer probe;
        probe.listen(QHostAddress::LocalHost);
        const uint16_t port = probe.serverPort();
        probe.close();
        QFile config(m_folder.filePath("sshd_config"));
        if (!config.open(QIODevice::WriteOnly))
            qFatal("no file for the configuration");
        config.write(more + "\nListenAddress 127.0.0.1\nPort " + QByteArray::number(port) + "\nHostKey " +
                     m_folder.filePath("host_key").toUtf8() + "\nAuthorizedKeysFile " +
                     authorized.fileName().toUtf8() +
                     "\nSubsystem sftp internal-sftp\nPidFile none\nStrictModes no\nUsePAM "
                     "no\nPermitRootLogin yes\nPasswordAuthentication no\n");
        config.close();
        // A file and no pipe: nobody reads while a test runs, and a server whose pipe is full stands still.
        m_server.setStandardErrorFile(m_folder.filePath("sshd.log"));
        // Also where the test is killed no server stays behind.
        m_server.setChildProcessModifier([] { prctl(PR_SET_PDEATHSIG, SIGKILL); });
        m_server.start(kSshd, {"-D", "-e", "-f", config.fileName()});
        // It says so before it accepts, or ends where another took the port.
        for (QDeadlineTimer patience(10'000); m_port == 0 && !patience.hasExpired();) {
            const bool ended = m_server.waitForFinished(5);
            if (log().contains("Server listening"))
                m_port = port;
            else if (ended)
                break;
        }
    }
    if (m_port == 0)
        qWarning("sshd did not start: %s", log().constData());
}

PlainSshd::~PlainSshd() {
    killSessions();
    m_server.terminate();
    m_server.waitForFinished(5'000);
}

std::string PlainSshd::user() const {
    QProcess id;
    id.start("id", {"-un"});
    id.waitForFinished(5'000);
    return id.readAll().trimmed().toStdString();
}

std::string PlainSshd::key(const std::string& name) const {
    return m_folder.filePath(QString::fromStdString(name)).toStdString();
}

std::string PlainSshd::clientConfig(const std::string& key) const {
    QFile config(m_folder.filePath("client_config_" + QString::fromStdString(key)));
    if (!config.open(QIODevice::WriteOnly))
        qFatal("no file for the client's configuration");
    config.write("Host lab\n  HostName 127.0.0.1\n  IdentitiesOnly yes\n  IdentityFile " +
                 m_folder.filePath(QString::fromStdString(key)).toUtf8() + "\n  UserKnownHostsFile " +
                 m_folder.filePath("known_hosts").toUtf8() + "\n  GlobalKnownHostsFile none\n");
    return config.fileName().toStdString();
}

QByteArray PlainSshd::log() const {
    QFile file(m_folder.filePath("sshd.log"));
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

int PlainSshd::connections() const {
    return static_cast<int>(childrenOf(m_server.processId()).size());
}

void PlainSshd::killSessions() {
    if (m_server.processId() == 0)
        return;
    for (const qint64 child : childrenOf(m_server.processId()))
        kill(static_cast<pid_t>(child), SIGKILL);
}

} // namespace trialdeck::tests

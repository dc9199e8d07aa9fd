// SPDX-License-Identifier: Apache-2.0
// Against a real keychain: gnome-keyring-daemon on a bus of the test's own.
#include "app/client/desktop_keychain.h"
#include "core/base/log.h"

#include <QDirIterator>
#include <QFile>
#include <QProcess>
#include <QStandardPaths>
#include <QTemporaryDir>
#include <QtTest>

using namespace trialdeck;
using app::client::DesktopKeychain;
using app::client::Keychain;

namespace {

constexpr const char* kSecret = "opensesame-4711-短语";
const QString kName = QStringLiteral("passphrase of /keys/id ed25519");

class DesktopKeychainTest : public QObject {
    Q_OBJECT

    /// "found …", "missing", "unavailable", "silent".
    std::string read(const QString& name) {
        std::optional<std::string> told;
        m_keychain->read(name, [&told](Keychain::Answer answer, const std::string& secret) {
            switch (answer) {
            case Keychain::Answer::found:
                told = "found " + secret;
                break;
            case Keychain::Answer::missing:
                told = "missing";
                break;
            case Keychain::Answer::unavailable:
                told = "unavailable";
            }
        });
        (void)QTest::qWaitFor([&told] { return told.has_value(); }, 20'000);
        return told.value_or("silent");
    }

    /// The daemon says nothing once it is ready; asking it for a secret before would start another, locked
    /// one.
    static bool isServed() {
        QProcess asking;
        asking.start("dbus-send",
                     {"--session", "--print-reply", "--dest=org.freedesktop.DBus", "/org/freedesktop/DBus",
                      "org.freedesktop.DBus.NameHasOwner", "string:org.freedesktop.secrets"});
        return asking.waitForFinished() && asking.readAll().contains("boolean true");
    }

private slots:
    void initTestCase() {
        QVERIFY(m_folder.isValid());
        m_log = base::makeStderrLog(base::LogLevel::error);
        m_keychain = std::make_unique<DesktopKeychain>(*m_log);
        for (const char* program : {"dbus-daemon", "gnome-keyring-daemon"})
            QVERIFY2(!QStandardPaths::findExecutable(program).isEmpty(), program);
        for (const char* name :
             {"HOME", "XDG_DATA_HOME", "XDG_CACHE_HOME", "XDG_RUNTIME_DIR", "XDG_CONFIG_HOME"})
            qputenv(name, m_folder.path().toUtf8());
        qunsetenv("GNOME_KEYRING_CONTROL");
        // Desktops that would have QtKeychain look for another service first.
        qputenv("XDG_CURRENT_DESKTOP", "GNOME");
    }

    void cleanupTestCase() {
        for (QProcess* process : {&m_keyring, &m_bus}) {
            process->terminate();
            process->waitForFinished();
        }
    }

    void withoutABusThereIsNone() {
        qputenv("DBUS_SESSION_BUS_ADDRESS", "unix:path=" + m_folder.filePath("nothing").toUtf8());
        QCOMPARE(read(kName), std::string("unavailable"));
    }

    void whatIsKeptIsFoundAgainAndNotInTheOpen() {
        m_bus.start("dbus-daemon", {"--session", "--nofork", "--print-address=1"});
        QVERIFY(m_bus.waitForReadyRead());
        qputenv("DBUS_SESSION_BUS_ADDRESS", m_bus.readLine().trimmed());
        QProcess::connect(&m_keyring, &QProcess::started, &m_keyring, [this] {
            m_keyring.write("keyring's own password");
            m_keyring.closeWriteChannel();
        });
        m_keyring.start("gnome-keyring-daemon", {"--foreground", "--unlock", "--components=secrets"});
        QVERIFY(m_keyring.waitForStarted());
        QTRY_VERIFY_WITH_TIMEOUT(isServed(), 20'000);

        QCOMPARE(read(kName), std::string("missing"));
        m_keychain->write(kName, kSecret);
        QCOMPARE(read(kName), std::string("found ") + kSecret);
        QCOMPARE(read(kName + QLatin1Char('2')), std::string("missing"));
        int files = 0;
        QDirIterator each(m_folder.path(), QDir::Files | QDir::Hidden, QDirIterator::Subdirectories);
        while (each.hasNext()) {
            QFile file(each.next());
            QVERIFY(file.open(QIODevice::ReadOnly));
            QVERIFY2(!file.readAll().contains(kSecret), qPrintable(file.fileName()));
            ++files;
        }
        QVERIFY2(files > 0, "the keyring has written something");

        m_keychain->write(kName, "another");
        QCOMPARE(read(kName), std::string("found another"));
        m_keychain->remove(kName);
        QCOMPARE(read(kName), std::string("missing"));
    }

private:
    QTemporaryDir m_folder;
    std::unique_ptr<base::Log> m_log;
    std::unique_ptr<DesktopKeychain> m_keychain;
    QProcess m_bus;
    QProcess m_keyring;
};

} // namespace

QTEST_GUILESS_MAIN(DesktopKeychainTest)
#include "desktop_keychain_test.moc"

// SPDX-License-Identifier: Apache-2.0
#include "core/head/attach.h"
#include "core/head/beacon.h"
#include "core/head/serve_lock.h"
#include "tests/support/compare.h"

#include <QTemporaryDir>
#include <fcntl.h>
#include <sys/stat.h>

using namespace trialdeck;
using head::HeadHome;

class BeaconTest : public QObject {
    Q_OBJECT
private slots:
    void init() {
        m_folder = std::make_unique<QTemporaryDir>();
        qputenv("TRIALDECK_HOME", m_folder->filePath("home").toUtf8());
    }

    void ourOwnDaemonIsNotElsewhere() {
        const HeadHome home = HeadHome::open(m_files).value();
        QVERIFY(head::lightBeacon(m_files, home, {"here", "boot", 7}).has_value());
        QCOMPARE(elsewhere(home), std::string("nobody"));
    }

    void aBeaconBurnsForAWhile_data() {
        QTest::addColumn<int>("secondsOld");
        QTest::addColumn<QByteArray>("found");
        QTest::newRow("just lit") << 0 << QByteArray("login2");
        QTest::newRow("between two beats") << 12 << QByteArray("login2");
        QTest::newRow("burnt down") << 60 << QByteArray("nobody");
        // The home's clock was set back.
        QTest::newRow("lit in the future") << -3600 << QByteArray("login2");
    }
    void aBeaconBurnsForAWhile() {
        QFETCH(int, secondsOld);
        QFETCH(QByteArray, found);
        const HeadHome home = HeadHome::open(m_files).value();
        write(neighbour(home) / "beacon.json", R"({"host": "login2", "boot": "b", "pid": 7})");
        age(neighbour(home) / "beacon.json", secondsOld);
        QCOMPARE(elsewhere(home), found.toStdString());
    }

    void aDamagedBeaconIsNamedAfterItsFolder() {
        const HeadHome home = HeadHome::open(m_files).value();
        write(neighbour(home) / "beacon.json", "{");
        QCOMPARE(elsewhere(home), std::string("login-2"));
    }

    void aHeldLockIsEnough() {
        const HeadHome home = HeadHome::open(m_files).value();
        std::filesystem::create_directories(neighbour(home));
        {
            const auto lock = base::FileLock::tryAcquire(neighbour(home) / "head.lock").value();
            QVERIFY(lock.has_value());
            QCOMPARE(elsewhere(home), std::string("login-2"));
        }
        QCOMPARE(elsewhere(home), std::string("nobody"));
    }

    void aDaemonThatEndsLeavesNothing() {
        const HeadHome home = HeadHome::open(m_files).value();
        QVERIFY(head::lightBeacon(m_files, home, {"here", "boot", 7}).has_value());
        head::quenchBeacon(m_files, home);
        QVERIFY(std::filesystem::is_empty(home.folder()));
    }

    void nobodyStartsASecondDaemonByMistake() {
        HeadHome home = HeadHome::open(m_files).value();
        write(neighbour(home) / "beacon.json", R"({"host": "login2"})");
        const auto socket =
            head::connectToDaemon(m_files, home, "/nonexistent/trialdeck-head", head::AttachTo::theLivingOne);
        QVERIFY(!socket);
        QCOMPARE(std::string(nameOf(socket.error().code)), std::string("daemon_elsewhere"));
        QCOMPARE(socket.error().arguments.at("daemon_host"), std::string("login2"));
        const auto here =
            head::connectToDaemon(m_files, home, "/nonexistent/trialdeck-head", head::AttachTo::thisHost);
        QCOMPARE(std::string(nameOf(here.error().code)), std::string("command_not_found"));
    }

private:
    static base::Path neighbour(const HeadHome& home) {
        return home.folder().parent_path() / "login-2-0123456789abcdef";
    }
    static void write(const base::Path& path, const char* text) {
        std::filesystem::create_directories(path.parent_path());
        QFile file(QString::fromStdString(path));
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write(text);
    }
    static void age(const base::Path& path, int seconds) {
        struct stat status {};
        QCOMPARE(stat(path.c_str(), &status), 0);
        const timespec before{status.st_mtim.tv_sec - seconds, 0};
        const timespec times[2] = {before, before};
        QCOMPARE(utimensat(AT_FDCWD, path.c_str(), times, 0), 0);
    }
    std::string elsewhere(const HeadHome& home) {
        const auto beacon = head::findElsewhere(m_files, home);
        return beacon ? beacon->host : "nobody";
    }

    std::unique_ptr<QTemporaryDir> m_folder;
    base::PosixFileSystem m_files;
};

QTEST_APPLESS_MAIN(BeaconTest)
#include "beacon_test.moc"

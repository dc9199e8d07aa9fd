// SPDX-License-Identifier: Apache-2.0
#include "core/base/local_socket.h"
#include "core/head/head_home.h"
#include "core/head/serve_lock.h"
#include "tests/support/compare.h"

#include <QTemporaryDir>
#include <sys/stat.h>

using namespace trialdeck;
using head::HeadHome;

class HomeTest : public QObject {
    Q_OBJECT
private slots:
    void init() {
        m_folder = std::make_unique<QTemporaryDir>();
        qputenv("TRIALDECK_HOME", m_folder->filePath("home").toUtf8());
    }

    void isThisUsersAlone() {
        const HeadHome home = HeadHome::open(m_files).value();
        struct stat raw {};
        QCOMPARE(stat(home.folder().c_str(), &raw), 0);
        QCOMPARE(raw.st_mode & 0777U, 0700U);
        QVERIFY(home.folder().native().find("/home/hosts/") != std::string::npos);
    }

    void oneHoldsTheLockUntilItLetsGo() {
        HeadHome home = HeadHome::open(m_files).value();
        QVERIFY(!head::isServed(m_files, home).value());
        {
            const auto lock = head::acquireServeLock(m_files, home).value();
            QVERIFY(lock.has_value());
            QVERIFY(head::isServed(m_files, home).value());
            QVERIFY(!head::acquireServeLock(m_files, home).value());
        }
        QVERIFY(head::acquireServeLock(m_files, home).value().has_value());
        QVERIFY(home.locksInHome());
    }

    void aSocketBehindALongPathIsReached() {
        qputenv("TRIALDECK_HOME", m_folder->filePath(QString(150, 'x')).toUtf8());
        const HeadHome home = HeadHome::open(m_files).value();
        QVERIFY(home.socket().native().size() > 108);
        QVERIFY(base::connectLocally(home.socket()).error().code == ErrorCode::connection_refused);
        const auto listening = base::listenLocally(home.socket());
        QVERIFY(listening.has_value());
        QVERIFY(base::connectLocally(home.socket()).has_value());
    }

    void aTemporaryRuntimeFolderOfSomeoneElseIsRefused() {
        HeadHome home = HeadHome::open(m_files).value();
        HeadHome same = home;
        QVERIFY(home.useTemporaryRuntimeFolder(m_files).has_value());
        QVERIFY(!home.locksInHome());
        const base::Path folder = home.runtimeFolder();
        QVERIFY(m_files.removeAll(folder).has_value());
        std::filesystem::create_directory_symlink(m_folder->path().toStdString(), folder);
        QVERIFY(same.useTemporaryRuntimeFolder(m_files).error().code == ErrorCode::file_permission);
        QVERIFY(m_files.remove(folder).has_value());
    }

private:
    std::unique_ptr<QTemporaryDir> m_folder;
    base::PosixFileSystem m_files;
};

QTEST_APPLESS_MAIN(HomeTest)
#include "home_test.moc"

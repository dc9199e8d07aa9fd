// SPDX-License-Identifier: Apache-2.0
#include "core/base/file_lock.h"

#include "core/base/process.h"
#include "tests/support/compare.h"

#include <QTemporaryDir>
#include <QtTest>
#include <sys/wait.h>

using namespace trialdeck::base;

class FileLockTest : public QObject {
    Q_OBJECT
private slots:
    void isRefusedWhileItIsHeldAndFreeAfterwards() {
        const Path path = folder() / "a.lock";
        QVERIFY(!FileLock::isHeld(path).value());
        {
            const auto first = FileLock::tryAcquire(path);
            QVERIFY(first && *first);
            QVERIFY(FileLock::isHeld(path).value());
            QVERIFY(!FileLock::tryAcquire(path).value());
        }
        QVERIFY(!FileLock::isHeld(path).value());
        QVERIFY(FileLock::tryAcquire(path).value());
    }

    void isHeldOnByAProgramThatWasStartedWithIt() {
        const Path path = folder() / "b.lock";
        int ends[2];
        QCOMPARE(pipe(ends), 0);
        UniqueFd readEnd(ends[0]);
        UniqueFd writeEnd(ends[1]);
        pid_t pid = -1;
        {
            const auto lock = FileLock::tryAcquire(path);
            SpawnOptions options;
            options.command = {"/bin/cat"};
            options.descriptors = {{readEnd.get(), 0}, {(*lock)->descriptor(), 4}};
            pid = spawn(options).value();
        }
        QVERIFY(FileLock::isHeld(path).value());
        writeEnd.reset();
        QCOMPARE(waitpid(pid, nullptr, 0), pid);
        QVERIFY(!FileLock::isHeld(path).value());
    }

    void aRemovedFileIsLockedAnew() {
        const Path path = folder() / "c.lock";
        const auto first = FileLock::tryAcquire(path);
        std::filesystem::remove(path);
        QVERIFY(FileLock::tryAcquire(path).value());
    }

private:
    Path folder() const { return m_folder.path().toStdString(); }
    QTemporaryDir m_folder;
};

QTEST_GUILESS_MAIN(FileLockTest)
#include "file_lock_test.moc"

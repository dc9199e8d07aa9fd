// SPDX-License-Identifier: Apache-2.0
#include "core/head/builds_in_use.h"
#include "tests/support/compare.h"

#include <QTemporaryDir>
#include <QtTest>

using namespace trialdeck;

class BuildsInUseTest : public QObject {
    Q_OBJECT
private slots:
    void buildsThatRunAreMarked() {
        for (const char* build : {"mine", "supervisors", "nobodys"})
            makeBuild("heads", build);
        makeBuild("elsewhere", "mine");
        makeProcess(10, "heads/mine/trialdeck-head");
        makeProcess(11, "heads/supervisors/trialdeck-head");
        makeProcess(12, "elsewhere/mine/trialdeck-head");
        makeProcess(13, "bin/sh");
        head::markBuildsInUse(folder() / "heads/mine/trialdeck-head", folder() / "proc");
        QVERIFY(isMarked("heads/mine"));
        QVERIFY(isMarked("heads/supervisors"));
        QVERIFY(!isMarked("heads/nobodys"));
        QVERIFY(!isMarked("elsewhere/mine"));
    }

    void aProgramOfAPackageMarksNothing() {
        makeBuild("elsewhere", "mine");
        head::markBuildsInUse(folder() / "elsewhere/mine/trialdeck-head", folder() / "proc");
        QVERIFY(!isMarked("elsewhere/mine"));
    }

    void init() { m_folder = std::make_unique<QTemporaryDir>(); }

private:
    base::Path folder() const { return m_folder->path().toStdString(); }
    void makeBuild(const base::Path& heads, const char* name) {
        const base::Path build = folder() / heads / name;
        std::filesystem::create_directories(build);
        QFile file(QString::fromStdString(build / "used"));
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.close();
        std::filesystem::last_write_time(build / "used", longAgo());
    }
    void makeProcess(int pid, const base::Path& program) {
        const base::Path process = folder() / "proc" / std::to_string(pid);
        std::filesystem::create_directories(process);
        std::filesystem::create_symlink(folder() / program, process / "exe");
    }
    bool isMarked(const base::Path& build) const {
        return std::filesystem::last_write_time(folder() / build / "used") >
               longAgo() + std::chrono::hours(1);
    }
    static std::filesystem::file_time_type longAgo() {
        static const auto kThen = std::filesystem::file_time_type::clock::now() - std::chrono::hours(500);
        return kThen;
    }
    std::unique_ptr<QTemporaryDir> m_folder;
};

QTEST_APPLESS_MAIN(BuildsInUseTest)
#include "builds_in_use_test.moc"

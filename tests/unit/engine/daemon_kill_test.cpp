// SPDX-License-Identifier: Apache-2.0
#include "core/base/process.h"
#include "core/supervise/process_tree.h"
#include "tests/support/compare.h"

#include <QTemporaryDir>
#include <QtTest>
#include <csignal>
#include <sstream>
#include <sys/prctl.h>
#include <sys/wait.h>

using namespace trialdeck;

/// kill -9 of a daemon: its trials go on, their supervisors start it again, it adopts them, and every report
/// is there once.
class DaemonKillTest : public QObject {
    Q_OBJECT
private slots:
    void everyReportIsToldOnceOverThreeKills() {
        constexpr int kTrials = 4;
        constexpr int kReports = 150;
        base::SpawnOptions options;
        options.command = {TRIALDECK_BIN_DIR "/engine_daemon", folder().native(), std::to_string(kTrials),
                           std::to_string(kReports)};
        options.environment = base::currentEnvironment();
        options.newSession = true;
        // The daemons that supervisors start come to us, and can be waited for.
        prctl(PR_SET_CHILD_SUBREAPER, 1);
        QVERIFY(base::spawn(options));
        for (int kills = 0; kills < 3; ++kills) {
            const auto wanted = static_cast<size_t>((kills + 1) * kTrials * kReports / 5);
            QVERIFY(waitUntil([&] { return eventsOf("report").size() >= wanted; }));
            const pid_t pid = newestDaemon();
            kill(pid, SIGKILL);
            QVERIFY(waitUntil([&] { return newestDaemon() != pid; }));
        }
        QVERIFY(QFile(m_folder.filePath("go")).open(QIODevice::WriteOnly));
        QVERIFY(waitUntil([&] { return !eventsOf("done").empty(); }));
        for (int trial = 0; trial < kTrials; ++trial) {
            std::vector<std::string> expected;
            for (int i = 1; i <= kReports; ++i)
                expected.push_back(std::to_string(i));
            QCOMPARE(iterationsOf(trial), expected);
            QCOMPARE(eventsOf("ended " + std::to_string(trial)),
                     std::vector<std::string>({"ended " + std::to_string(trial) + " well"}));
        }
        QVERIFY(
            waitUntil([&] { return supervise::processesOfAttempt(folder().filename().native()).empty(); }));
        // Supervisors and daemons, all of them our children now.
        QVERIFY(waitUntil([] {
            while (waitpid(-1, nullptr, WNOHANG) > 0) {
            }
            return waitpid(-1, nullptr, WNOHANG) < 0;
        }));
    }

    void cleanupTestCase() {
        const auto left = supervise::processesOfAttempt(folder().filename().native());
        for (const auto& process : left)
            kill(process.pid, SIGKILL);
        QVERIFY(left.empty());
    }

private:
    base::Path folder() const { return m_folder.path().toStdString(); }

    static bool waitUntil(const std::function<bool()>& condition) {
        return QTest::qWaitFor(condition, 60'000);
    }

    std::vector<std::string> eventsOf(const std::string& prefix) const {
        base::PosixFileSystem files;
        std::istringstream text(base::readWholeFile(files, folder() / "events.log").value_or(""));
        std::vector<std::string> found;
        for (std::string line; std::getline(text, line);) {
            if (line.rfind(prefix, 0) == 0)
                found.push_back(line);
        }
        return found;
    }

    pid_t newestDaemon() const {
        const auto daemons = eventsOf("daemon ");
        return daemons.empty() ? 0 : static_cast<pid_t>(std::atoi(daemons.back().c_str() + 7));
    }

    std::vector<std::string> iterationsOf(int trial) const {
        std::vector<std::string> iterations;
        for (const std::string& event : eventsOf("report " + std::to_string(trial) + " ")) {
            const size_t at = event.find("iteration\": ") + 12;
            iterations.push_back(event.substr(at, event.find(',', at) - at));
        }
        return iterations;
    }

    QTemporaryDir m_folder;
};

QTEST_GUILESS_MAIN(DaemonKillTest)
#include "daemon_kill_test.moc"

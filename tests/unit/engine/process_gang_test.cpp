// SPDX-License-Identifier: Apache-2.0
#include "core/supervise/process_tree.h"
#include "tests/support/compare.h"
#include "tests/support/process_engine_probe.h"

#include <QTemporaryDir>
#include <QtTest>
#include <set>

using namespace trialdeck;
using namespace trialdeck::engine;
using trialdeck::tests::ProcessEngineProbe;
using namespace std::chrono_literals;

/// Attempts of several workers, with real supervisors.
class ProcessGangTest : public QObject {
    Q_OBJECT
private slots:
    void init() {
        m_folder = std::make_unique<QTemporaryDir>();
        m_probe = std::make_unique<ProcessEngineProbe>(folder());
    }
    void cleanup() {
        const bool clean = supervise::processesOfAttempt(probe().experiment()).empty();
        m_probe.reset();
        QVERIFY2(clean, "a process was left behind");
    }

    void eightRanksRunAndEndTogether() {
        const AttemptRequest eight = probe().request(1, {"env=RANK", "env=WORLD_SIZE", "report=3"}, 8);
        QVERIFY(probe().engine().start(eight));
        probe().engine().watchOutput(eight.key);
        QVERIFY(probe().runUntilTold("over 1"));
        QCOMPARE(probe().endings().front(), std::string("started 1"));
        QCOMPARE(probe().endings().back(), std::string("over 1"));
        for (uint32_t rank = 0; rank < 8; ++rank) {
            QVERIFY(probe().wasTold("ended 1." + std::to_string(rank) + " code 0"));
            QCOMPARE(probe().lines("report", 1, rank).size(), size_t{3});
            QCOMPARE(probe().lines("output", 1, rank),
                     std::vector<std::string>({"RANK=" + std::to_string(rank), "WORLD_SIZE=8"}));
        }
    }

    void whenOneFailsTheOthersAreStoppedAsConsequences() {
        AttemptRequest gang = probe().request(1, {}, 3);
        gang.command = {"/bin/sh", "-c",
                        "if [ $RANK = 1 ]; then exit 7; fi; exec " TRIALDECK_BIN_DIR "/fake_worker hang"};
        QVERIFY(probe().engine().start(gang));
        QVERIFY(probe().runUntilTold("over 1"));
        std::vector<std::string> told = probe().endings();
        QCOMPARE(told.at(1), std::string("ended 1.1 code 7 worker_exit"));
        QCOMPARE(told.size(), size_t{5});
        std::sort(told.begin() + 2, told.begin() + 4);
        // By which signal depends on how far each one has come.
        QVERIFY2(told[2].starts_with("ended 1.0 ") && told[2].ends_with(" stopped"), told[2].c_str());
        QVERIFY2(told[3].starts_with("ended 1.2 ") && told[3].ends_with(" stopped"), told[3].c_str());
        QCOMPARE(told[4], std::string("over 1"));
    }

    void thoseThatFailAfterwardsAreConsequencesToo() {
        AttemptRequest gang = probe().request(1, {}, 2);
        const std::string first = path("first is down");
        gang.command = {"/bin/sh", "-c",
                        "if [ $RANK = 1 ]; then touch '" + first +
                            "'; exit 7; fi; trap '' TERM; "
                            "while [ ! -e '" +
                            first + "' ]; do :; done; exit 1"};
        QVERIFY(probe().engine().start(gang));
        QVERIFY(probe().runUntilTold("over 1"));
        QCOMPARE(probe().ends.size(), size_t{2});
        int blamed = 0;
        for (const auto& [rank, end] : probe().ends)
            blamed += end.cause ? 1 : 0;
        QCOMPARE(blamed, 1);
    }

    void aCommandThatOnlyTheSupervisorFindsWrongFailsTheStart() {
        AttemptRequest gang = probe().request(1, {}, 2);
        base::PosixFileSystem files;
        QVERIFY(base::replaceFile(files, folder() / "no-format", "no program\n"));
        std::filesystem::permissions(folder() / "no-format", std::filesystem::perms::owner_all);
        gang.command = {path("no-format")};
        QVERIFY(probe().engine().start(gang));
        QVERIFY(probe().runUntilTold("failed 1 command_not_executable"));
        QCOMPARE(probe().endings(), std::vector<std::string>({"failed 1 command_not_executable"}));
        QVERIFY(probe().engine().running().empty());
    }

    void everyAttemptHasAPortOfItsOwn() {
        std::set<int> ports;
        for (uint32_t trial = 1; trial <= 3; ++trial)
            QVERIFY(probe().engine().start(probe().request(trial, {"take-port", "hang"})));
        for (uint32_t trial = 1; trial <= 3; ++trial) {
            QVERIFY(probe().runUntilTold("started " + std::to_string(trial)));
            ports.insert(*probe().ports.at({probe().experiment(), trial, 0}));
        }
        QCOMPARE(ports.size(), size_t{3});
        for (uint32_t trial = 1; trial <= 3; ++trial)
            probe().engine().stop({probe().experiment(), trial, 0});
        QVERIFY(probe().runUntil([this] { return probe().engine().running().empty(); }));
    }

    void aPortThatSomebodyTookCostsNoRetry() {
        // The first start finds its port taken by a program that came after the lease; the second does not.
        AttemptRequest gang = probe().request(1, {}, 2);
        // Rank 0 waits until rank 1 has seen that it is the first.
        const std::string second = path("second try");
        const std::string seen = path("seen");
        gang.command = {"/bin/sh", "-c",
                        "if [ -e '" + second +
                            "' ]; then echo port $MASTER_PORT; exit 0; fi; "
                            "if [ $RANK = 1 ]; then touch '" +
                            seen + "'; exec " TRIALDECK_BIN_DIR "/fake_worker hang; fi; " + "while [ ! -e '" +
                            seen + "' ]; do :; done; touch '" + second +
                            "'; echo \"port: $MASTER_PORT, name: EADDRINUSE\" >&2; exit 1"};
        QVERIFY(probe().engine().start(gang));
        probe().engine().watchOutput(gang.key);
        QVERIFY(probe().runUntilTold("over 1"));
        QCOMPARE(probe().endings().front(), std::string("started 1"));
        QCOMPARE(probe().endings().size(), size_t{4});
        QVERIFY(probe().wasTold("ended 1.0 code 0"));
        QVERIFY(probe().wasTold("ended 1.1 code 0"));
        const std::string first = "port " + std::to_string(*probe().ports.at(gang.key));
        QVERIFY(probe().lines("output", 1, 0).at(0) != first);
        QCOMPARE(joined(probe().lines("output", 1, 0)), joined(probe().lines("output", 1, 1)));
    }

    void theProgramsOwnTroubleWithAnotherPortIsAFailure() {
        QVERIFY(probe().engine().start(
            probe().request(1, {"printerr=port 6006: address already in use", "exit=1"})));
        QVERIFY(probe().runUntilTold("over 1"));
        QVERIFY(probe().wasTold("ended 1.0 code 1 worker_exit"));
    }

private:
    ProcessEngineProbe& probe() { return *m_probe; }
    base::Path folder() const { return m_folder->path().toStdString(); }
    std::string path(const char* name) const { return (folder() / name).native(); }
    static std::string joined(const std::vector<std::string>& lines) {
        std::string text;
        for (const std::string& line : lines)
            text += line + "|";
        return text;
    }

    std::unique_ptr<QTemporaryDir> m_folder;
    std::unique_ptr<ProcessEngineProbe> m_probe;
};

QTEST_GUILESS_MAIN(ProcessGangTest)
#include "process_gang_test.moc"

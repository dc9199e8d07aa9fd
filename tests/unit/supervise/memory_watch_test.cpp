// SPDX-License-Identifier: Apache-2.0
#include "core/supervise/memory_watch.h"

#include "tests/support/compare.h"

#include <QTemporaryDir>
#include <QtTest>

using namespace trialdeck;
using namespace trialdeck::supervise;

class MemoryWatchTest : public QObject {
    Q_OBJECT
private slots:
    void init() { m_folder = std::make_unique<QTemporaryDir>(); }

    void readsTheCountersOfVersionTwo() {
        write("proc/self/cgroup", "0::/slice/job\n");
        write("sys/fs/cgroup/cgroup.controllers", "cpu memory\n");
        write("sys/fs/cgroup/slice/memory.max", "4096000\n");
        write("sys/fs/cgroup/slice/job/memory.max", "max\n");
        write("sys/fs/cgroup/slice/job/memory.events", "oom 1\noom_kill 2\n");
        write("proc/vmstat", "nr_free_pages 5\noom_kill 7\n");
        MemoryWatch watch(m_files, m_clock, root());
        write("sys/fs/cgroup/slice/job/memory.events", "oom 2\noom_kill 3\n");
        write("proc/vmstat", "nr_free_pages 5\noom_kill 8\n");
        write("proc/meminfo", "MemTotal:   1000 kB\nMemAvailable:   10 kB\n");
        const MemoryEvidence evidence = watch.finish({std::nullopt, 9});
        QCOMPARE(evidence.groupKillsBefore.value(), uint64_t{2});
        QCOMPARE(evidence.groupKillsAfter.value(), uint64_t{3});
        QCOMPARE(evidence.machineKillsBefore.value(), uint64_t{7});
        QCOMPARE(evidence.machineKillsAfter.value(), uint64_t{8});
        QCOMPARE(evidence.limitBytes.value(), uint64_t{4096000});
        QCOMPARE(evidence.machineBytes.value(), uint64_t{1024000});
        QCOMPARE(evidence.lowestAvailableBytes.value(), uint64_t{10240});
        QCOMPARE(evidence.kernelLog, KernelLog::unreadable);
    }

    void readsTheCountersOfVersionOne() {
        write("proc/self/cgroup", "6:memory:/docker/abc\n1:cpu:/\n0::/\n");
        write("sys/fs/cgroup/memory/memory.oom_control", "oom_kill_disable 0\nunder_oom 0\noom_kill 4\n");
        write("sys/fs/cgroup/memory/memory.limit_in_bytes", "9223372036854771712\n");
        MemoryWatch watch(m_files, m_clock, root());
        const MemoryEvidence evidence = watch.finish({1, std::nullopt});
        QCOMPARE(evidence.groupKillsBefore.value(), uint64_t{4});
        QCOMPARE(evidence.groupKillsAfter.value(), uint64_t{4});
        QVERIFY(!evidence.limitBytes);
        QVERIFY(!evidence.machineKillsBefore);
    }

    void remembersTheLowestMemoryOfTheLastTenSeconds() {
        MemoryWatch watch(m_files, m_clock, root());
        for (const int kilobytes : {5, 900, 300, 800}) {
            write("proc/meminfo", "MemTotal: 1000 kB\nMemAvailable: " + std::to_string(kilobytes) + " kB\n");
            watch.sample(getpid());
            m_clock.advance(std::chrono::seconds(4));
        }
        QCOMPARE(watch.finish({1, std::nullopt}).lowestAvailableBytes.value(), uint64_t{300 * 1024});
    }

    void thePeakIsThatOfOneProcessOrOfAllTogether() {
        MemoryWatch watch(m_files, m_clock, root());
        watch.addProcessPeak(3000);
        watch.addProcessPeak(2000);
        QCOMPARE(watch.finish({0, std::nullopt}).peakBytes.value(), uint64_t{3000});
    }

    void findsItsVictimsInTheKernelsLog_data() {
        QTest::addColumn<QByteArray>("record");
        QTest::addColumn<int>("found");
        const auto row = [](const char* name, const char* record, KernelLog found) {
            QTest::newRow(name) << QByteArray(record) << static_cast<int>(found);
        };
        row("group",
            "3,10,5000001,-;Memory cgroup out of memory: Killed process 501 (python3) total-vm:1kB\n",
            KernelLog::groupVictim);
        row("machine", "3,10,5000001,-;Out of memory: Killed process 501 (python3) total-vm:1kB\n",
            KernelLog::machineVictim);
        row("older kernel", "3,10,5000001,-;Out of memory: Kill process 501 (python3) score 900\n",
            KernelLog::silent);
        row("somebody else", "3,10,5000001,-;Out of memory: Killed process 777 (x)\n", KernelLog::silent);
        row("an earlier life", "3,10,4999999,-;Out of memory: Killed process 501 (x)\n", KernelLog::silent);
        row("no record", "Killed process 501", KernelLog::silent);
        row("nothing", "", KernelLog::silent);
        row("continuation", "3,10,5000001,-;hello\n Out of memory: Killed process 501\n", KernelLog::silent);
    }
    void findsItsVictimsInTheKernelsLog() {
        QFETCH(QByteArray, record);
        QFETCH(int, found);
        const KernelLog result =
            victimInRecord(record.toStdString(), {500, 501}, std::chrono::microseconds(5'000'000));
        QCOMPARE(static_cast<int>(result), found);
    }

private:
    base::Path root() const { return m_folder->path().toStdString(); }
    void write(const char* path, const std::string& text) {
        const base::Path file = root() / path;
        QVERIFY(m_files.createDirectories(file.parent_path()));
        QVERIFY(base::replaceFile(m_files, file, text));
    }

    base::PosixFileSystem m_files;
    base::ManualClock m_clock;
    std::unique_ptr<QTemporaryDir> m_folder;
};

QTEST_GUILESS_MAIN(MemoryWatchTest)
#include "memory_watch_test.moc"

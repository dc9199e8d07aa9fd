// SPDX-License-Identifier: Apache-2.0
#include "core/engine/node_capacity.h"

#include "tests/support/compare.h"

#include <QtTest>

using namespace trialdeck;
using namespace trialdeck::engine;

class NodeCapacityTest : public QObject {
    Q_OBJECT
private slots:
    void respectsTheLimitsOfEachPublicReport_data() {
        QTest::addColumn<double>("cpus");
        QTest::addColumn<quint64>("memoryBytes");
        QTest::addColumn<bool>("noted");
        constexpr quint64 kMachine = quint64{263856128} * 1024;
        constexpr quint64 kGibibyte = quint64{1} << 30;
        const auto row = [](const char* root, double cpus, quint64 memory, bool noted = false) {
            QTest::newRow(root) << cpus << memory << noted;
        };
        row("a-v2-quota-2", 2, 4 * kGibibyte);
        row("b-v2-no-limit", 64, kMachine);
        row("c-v2-nested", 3, 8 * kGibibyte);
        row("d-v2-half", 0.5, kGibibyte / 2);
        row("e-v2-2.5-odd-period", 2.5, kMachine);
        row("f-v2-cpuset", 7, kMachine);
        row("g-v1-quota", 4, kMachine);
        row("h-v1-unlimited-shares", 64, 2 * kGibibyte);
        row("i-v2-both", 8, kMachine);
        row("j-unreadable", 64, kMachine, true);
    }
    void respectsTheLimitsOfEachPublicReport() {
        QFETCH(double, cpus);
        QFETCH(quint64, memoryBytes);
        QFETCH(bool, noted);
        const NodeCapacity capacity = readNodeCapacity(m_files, root(), std::nullopt);
        QCOMPARE(capacity.cpus, cpus);
        QCOMPARE(capacity.machineCpus, 64.0);
        QCOMPARE(quint64{capacity.memoryBytes}, memoryBytes);
        QCOMPARE(!capacity.note.empty(), noted);
    }

    void aNarrowerAffinityWins() {
        const base::Path machine = base::Path(TRIALDECK_SOURCE_DIR) / "tests/cases/C55-cpu-quota/i-v2-both";
        QCOMPARE(readNodeCapacity(m_files, machine, 3).cpus, 3.0);
        QCOMPARE(readNodeCapacity(m_files, machine, 64).cpus, 8.0);
    }

    void aMachineThatSaysNothingHasOneCpuAndNoKnownMemory() {
        const NodeCapacity capacity = readNodeCapacity(m_files, "/nowhere", std::nullopt);
        QCOMPARE(capacity.cpus, 1.0);
        QCOMPARE(capacity.memoryBytes, uint64_t{0});
    }

    void thisMachineHasCpusAndMemory() {
        const NodeCapacity capacity = readNodeCapacity(m_files, "/", affinityCpuCount());
        QVERIFY(capacity.cpus > 0);
        QVERIFY(capacity.memoryBytes > 0);
    }

    void listsOfCpusAreCounted_data() {
        QTest::addColumn<QString>("list");
        QTest::addColumn<int>("count");
        QTest::newRow("one") << "0" << 1;
        QTest::newRow("ranges") << "0-3,8,10-11" << 7;
        QTest::newRow("backwards") << "3-1" << -1;
        QTest::newRow("words") << "all" << -1;
        QTest::newRow("half a range") << "1-" << -1;
    }
    void listsOfCpusAreCounted() {
        QFETCH(QString, list);
        QFETCH(int, count);
        QCOMPARE(countCpuList(list.toStdString()).value_or(-1), count);
    }

private:
    base::Path root() const {
        return base::Path(TRIALDECK_SOURCE_DIR) / "tests/cases/C55-cpu-quota" / QTest::currentDataTag();
    }
    base::PosixFileSystem m_files;
};

QTEST_GUILESS_MAIN(NodeCapacityTest)
#include "node_capacity_test.moc"

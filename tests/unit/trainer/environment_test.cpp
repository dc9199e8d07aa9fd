// SPDX-License-Identifier: Apache-2.0
#include "tests/support/compare.h"
#include "trainer/collective/world.h"
#include "trainer/contract/trial_contract.h"
#include "trainer/program/threads.h"

using namespace trialdeck;
using namespace trialdeck::trainer;

namespace {

base::Environment environmentOf(const QString& line) {
    base::Environment environment;
    for (const QString& word : line.split(' ', Qt::SkipEmptyParts))
        environment[word.section('=', 0, 0).toStdString()] = word.section('=', 1).toStdString();
    return environment;
}

} // namespace

class EnvironmentTest : public QObject {
    Q_OBJECT
private slots:
    void worldIsReadAsTorchrunSetsIt() {
        const auto alone = collective::worldFromEnvironment({});
        QCOMPARE(alone->size, 1);
        const auto world = collective::worldFromEnvironment(
            environmentOf("RANK=2 WORLD_SIZE=4 MASTER_ADDR=head MASTER_PORT=29500"));
        QCOMPARE(world->rank, 2);
        QCOMPARE(world->size, 4);
        QCOMPARE(world->masterAddress, std::string("head"));
        QCOMPARE(world->masterPort, uint16_t{29500});
    }

    void contradictoryWorldIsRefused_data() {
        QTest::addColumn<QString>("environment");
        QTest::addColumn<QString>("sentence");
        const auto add = [](const char* environment, const char* sentence) {
            QTest::newRow(environment) << environment << sentence;
        };
        add("WORLD_SIZE=2 RANK=2 MASTER_ADDR=a MASTER_PORT=1",
            "RANK is \"2\", not a whole number from 0 to 1");
        add("WORLD_SIZE=two", "WORLD_SIZE is \"two\", not a whole number from 1 to 4096");
        add("WORLD_SIZE=0", "WORLD_SIZE is \"0\", not a whole number from 1 to 4096");
        add("WORLD_SIZE=2 RANK=1 MASTER_ADDR=a MASTER_PORT=70000",
            "MASTER_PORT is \"70000\", not a whole number from 1 to 65535");
        add("WORLD_SIZE=2 MASTER_ADDR=a MASTER_PORT=1",
            "RANK is not set, but WORLD_SIZE says that there are 2 workers");
        add("WORLD_SIZE=2 RANK=1 MASTER_PORT=1",
            "MASTER_ADDR is not set, but WORLD_SIZE says that there are 2 workers");
        add("WORLD_SIZE=2 RANK=1 MASTER_ADDR=a",
            "MASTER_PORT is not set, but WORLD_SIZE says that there are 2 workers");
    }
    void contradictoryWorldIsRefused() {
        QFETCH(QString, environment);
        QFETCH(QString, sentence);
        const auto world = collective::worldFromEnvironment(environmentOf(environment));
        QVERIFY(!world);
        QCOMPARE(QString::fromStdString(world.error().detail), sentence);
    }

    void contractIsEmptyByHand() {
        const auto contract = contract::contractFromEnvironment(environmentOf("HOME=/root"));
        QVERIFY(!contract->reportFile && !contract->resumeFrom);
        QVERIFY(!contract->wantsCheckpoint(1, 1));
    }

    void contractIsReadFromTheEnvironment() {
        const auto contract = contract::contractFromEnvironment(environmentOf(
            "TRIALDECK_TRIAL_ID=t3 TRIALDECK_ATTEMPT=2 TRIALDECK_REPORT=/r/report.jsonl "
            "TRIALDECK_CHECKPOINT_DIR=/r TRIALDECK_RESUME_FROM= TRIALDECK_CHECKPOINT_FREQUENCY=3 "
            "TRIALDECK_CHECKPOINT_AT_END=1"));
        QCOMPARE(contract->group, std::string("t3/2"));
        QCOMPARE(contract->reportFile->string(), std::string("/r/report.jsonl"));
        QVERIFY(!contract->resumeFrom);
        std::vector<uint64_t> wanted;
        for (uint64_t epoch = 1; epoch <= 7; ++epoch) {
            if (contract->wantsCheckpoint(epoch, 7))
                wanted.push_back(epoch);
        }
        QCOMPARE(wanted, (std::vector<uint64_t>{3, 6, 7}));
    }

    void frequencyZeroMeansNone() {
        const auto contract = contract::contractFromEnvironment(environmentOf(
            "TRIALDECK_CHECKPOINT_DIR=/r TRIALDECK_CHECKPOINT_FREQUENCY=0 TRIALDECK_CHECKPOINT_AT_END=0"));
        QVERIFY(!contract->wantsCheckpoint(1, 2) && !contract->wantsCheckpoint(2, 2));
    }

    void badContractIsRefused() {
        for (const char* environment :
             {"TRIALDECK_CHECKPOINT_FREQUENCY=often", "TRIALDECK_CHECKPOINT_FREQUENCY=-1",
              "TRIALDECK_CHECKPOINT_AT_END=perhaps"})
            QVERIFY2(!contract::contractFromEnvironment(environmentOf(environment)), environment);
    }

    void threadsFollowOmpNumThreadsAndAreOneWithoutIt() {
        QCOMPARE(*program::threadCount(environmentOf("OMP_NUM_THREADS=3")), 3);
        QCOMPARE(*program::threadCount(environmentOf("OMP_NUM_THREADS=4,2")), 4);
        QCOMPARE(*program::threadCount({}), 1);
        for (const char* bad : {"OMP_NUM_THREADS=0", "OMP_NUM_THREADS=many", "OMP_NUM_THREADS=2x"})
            QVERIFY2(!program::threadCount(environmentOf(bad)), bad);
    }
};

QTEST_APPLESS_MAIN(EnvironmentTest)
#include "environment_test.moc"

// SPDX-License-Identifier: Apache-2.0
#include "tests/unit/tuner/tuner_bench.h"

using namespace trialdeck;
using namespace trialdeck::tests;

class TrialLifeTest : public QObject {
    Q_OBJECT
private slots:
    void oneTrialFromItsProposalToItsEnd() {
        TunerBench bench(gridSpec({0.25}));
        bench.model = trains(bench.files, {.iterations = 2});
        bench.begin();
        QVERIFY(bench.run());
        QCOMPARE(bench.story(), (Lines{
                                    "experiment test",
                                    "trial 0 x=0.25",
                                    "attempt 0/0",
                                    "attempt 0/0 on node-1",
                                    "state 0 RUNNING none",
                                    "report 0/0 #1 loss=1.25",
                                    "report 0/0 #2 loss=0.75",
                                    "worker_end 0/0 exit 0",
                                    "state 0 TERMINATED completed",
                                    "experiment_state COMPLETED none",
                                }));
    }

    void followersAreToldOfTheLastRecord() {
        TunerBench bench(gridSpec({0.25, 0.5}));
        bench.begin();
        QVERIFY(bench.run());
        bench.runFor(std::chrono::seconds(1));
        QVERIFY(bench.told == bench.tuner().cursor());
        QCOMPARE(bench.told.number, bench.records().back().number);
    }
};

QTEST_APPLESS_MAIN(TrialLifeTest)
#include "trial_life_test.moc"

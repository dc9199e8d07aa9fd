// SPDX-License-Identifier: Apache-2.0
#include "core/schedule/asha.h"

#include "tests/support/compare.h"

#include <QtTest>
#include <cmath>
#include <limits>

using namespace trialdeck::schedule;
using trialdeck::model::Mode;

namespace {

constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();
constexpr double kInfinity = std::numeric_limits<double>::infinity();

struct Row {
    uint32_t trial;
    double time;
    double value;
};

std::string wordFor(Decision decision) {
    const std::string word = decision.action == DecisionAction::stop ? "stop" : "go";
    return decision.changesState ? word + "*" : word;
}

/// Shows each row to the scheduler as a Tuner does; "*" marks decisions that must be recorded.
std::vector<std::string> decisions(Scheduler& scheduler, const std::vector<Row>& rows) {
    std::vector<std::string> lines;
    for (const Row& row : rows) {
        const Observation observation{trialdeck::TrialId(row.trial), static_cast<int64_t>(row.time), row.time,
                                      row.value};
        const Decision decision = scheduler.decide(observation);
        if (decision.changesState || decision.action != DecisionAction::proceed)
            scheduler.apply(observation, decision.action);
        lines.push_back(wordFor(decision));
    }
    return lines;
}

AshaSettings settings(Mode mode = Mode::max) {
    AshaSettings result;
    result.mode = mode;
    result.maxTime = 16;
    result.gracePeriod = 1;
    result.reductionFactor = 4;
    return result;
}

using Lines = std::vector<std::string>;

} // namespace

class AshaTest : public QObject {
    Q_OBJECT
private slots:
    void rungsRiseByTheReductionFactorBelowTheEnd() {
        QCOMPARE(AshaScheduler(settings()).milestones(), (std::vector<double>{1, 4}));
        AshaSettings three = settings();
        three.maxTime = 243;
        three.reductionFactor = 3;
        QCOMPARE(AshaScheduler(three).milestones(), (std::vector<double>{1, 3, 9, 27, 81}));
        AshaSettings single = settings();
        single.maxTime = 1;
        QVERIFY(AshaScheduler(single).milestones().empty());
    }

    void theFirstAtARungGoesOn() {
        AshaScheduler scheduler(settings());
        QCOMPARE(decisions(scheduler, {{0, 1, 0.1}}), (Lines{"go*"}));
    }

    void aTrialBelowTheCutoffOfItsRungStops() {
        AshaScheduler scheduler(settings());
        // The cutoff is the 75th percentile of the earlier values, linear between neighbours.
        QCOMPARE(decisions(scheduler, {{0, 1, 1}, {1, 1, 2}, {2, 1, 1.7}, {3, 1, 1.86}, {4, 1, 1.85}}),
                 (Lines{"go*", "go*", "stop*", "go*", "stop*"}));
    }

    void minimisedMetricsKeepTheSmall() {
        AshaScheduler scheduler(settings(Mode::min));
        QCOMPARE(decisions(scheduler, {{0, 1, 0.5}, {1, 1, 0.4}, {2, 1, 0.45}, {3, 1, 0.1}}),
                 (Lines{"go*", "go*", "stop*", "go*"}));
    }

    void betweenRungsEverythingGoesOnUnrecorded() {
        AshaScheduler scheduler(settings());
        QCOMPARE(decisions(scheduler,
                           {{0, 1, 9}, {1, 1, 9}, {1, 2, 0}, {1, 3, 0}, {1, 4, 0}, {0, 4, 1}, {1, 5, 0}}),
                 (Lines{"go*", "go*", "go", "go", "go*", "go*", "go"}));
    }

    void everyTrialStopsAtTheEnd() {
        AshaScheduler scheduler(settings());
        QCOMPARE(decisions(scheduler, {{0, 16, 1}, {1, 20, kNaN}}), (Lines{"stop", "stop"}));
    }

    void nothingIsStoppedBeforeTheGracePeriod() {
        AshaSettings patient = settings();
        patient.gracePeriod = 3;
        AshaScheduler scheduler(patient);
        QCOMPARE(decisions(scheduler, {{0, 1, 5}, {1, 2, 0}, {0, 3, 5}, {1, 3, 0}}),
                 (Lines{"go", "go", "go*", "stop*"}));
    }

    void aReportThatJumpsCountsForTheHighestRungOnly() {
        AshaScheduler scheduler(settings());
        QCOMPARE(decisions(scheduler, {{0, 1, 5}, {1, 5, 0}, {1, 6, 0}, {2, 4, 1}}),
                 (Lines{"go*", "go*", "go", "go*"}));
    }

    void nanStopsWhereOthersHaveNumbers() {
        AshaScheduler scheduler(settings());
        QCOMPARE(decisions(scheduler, {{0, 1, kNaN}, {1, 1, 0.2}, {2, 1, kNaN}, {3, 1, 0.3}, {4, 1, 0.1}}),
                 (Lines{"go*", "go*", "stop*", "go*", "stop*"}));
    }

    void theWorstInfinityIsLikeNanAndTheBestIsTheBest() {
        AshaScheduler scheduler(settings(Mode::min));
        QCOMPARE(decisions(scheduler,
                           {{0, 1, kInfinity}, {1, 1, 2}, {2, 1, kInfinity}, {3, 1, -kInfinity}, {4, 1, 1}}),
                 (Lines{"go*", "go*", "stop*", "go*", "stop*"}));
    }

    void timesThatAreNoNumbersAreNotJudged() {
        AshaScheduler scheduler(settings());
        const Observation odd{trialdeck::TrialId(0), 1, kNaN, 1};
        QCOMPARE(wordFor(scheduler.decide(odd)), std::string("go"));
    }

    void decidingAloneChangesNothing() {
        AshaScheduler scheduler(settings());
        const Observation good{trialdeck::TrialId(0), 1, 1, 1};
        QCOMPARE(scheduler.decide(good), scheduler.decide(good));
        const Observation bad{trialdeck::TrialId(1), 1, 1, 0};
        QCOMPARE(wordFor(scheduler.decide(bad)), std::string("go*"));
    }

    void recordedDecisionsAreTakenUpEvenWhereItWouldDecideOtherwise() {
        AshaScheduler scheduler(settings());
        scheduler.apply({trialdeck::TrialId(0), 1, 1, 5}, DecisionAction::stop);
        QCOMPARE(wordFor(scheduler.decide({trialdeck::TrialId(1), 1, 1, 4})), std::string("stop*"));
    }

    void percentilesLieBetweenNeighbours_data() {
        QTest::addColumn<std::vector<double>>("sorted");
        QTest::addColumn<double>("share");
        QTest::addColumn<double>("expected");
        QTest::newRow("one") << std::vector<double>{7} << 0.75 << 7.0;
        QTest::newRow("exact") << std::vector<double>{1, 2, 3, 4, 5} << 0.75 << 4.0;
        QTest::newRow("between") << std::vector<double>{1, 2} << 0.75 << 1.75;
        QTest::newRow("end") << std::vector<double>{1, 2} << 1.0 << 2.0;
        QTest::newRow("below infinity") << std::vector<double>{1, kInfinity} << 0.5 << kInfinity;
        QTest::newRow("above -infinity") << std::vector<double>{-kInfinity, 1} << 0.5 << -kInfinity;
        QTest::newRow("both infinite") << std::vector<double>{-kInfinity, kInfinity} << 0.5 << -kInfinity;
        QTest::newRow("huge") << std::vector<double>{-1.7e308, 1.7e308} << 0.5 << 0.0;
    }
    void percentilesLieBetweenNeighbours() {
        QFETCH(std::vector<double>, sorted);
        QFETCH(double, share);
        QFETCH(double, expected);
        QVERIFY(linearPercentile(sorted, share) == expected);
    }
};

QTEST_APPLESS_MAIN(AshaTest)
#include "asha_test.moc"

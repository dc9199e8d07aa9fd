// SPDX-License-Identifier: Apache-2.0
#include "core/model/metric.h"

#include "core/model/experiment_spec.h"
#include "tests/support/compare.h"
#include "tests/unit/model/texts.h"

#include <limits>

using namespace trialdeck;
using namespace trialdeck::model;

class MetricTest : public QObject {
    Q_OBJECT
private slots:
    void numbersAreReadFromText_data() {
        QTest::addColumn<QString>("text");
        QTest::addColumn<QString>("number");
        QTest::newRow("whole") << "12"
                               << "12";
        QTest::newRow("beyond 2^53") << "9007199254740993"
                                     << "9007199254740993";
        QTest::newRow("beyond int64") << "18446744073709551615"
                                      << "18446744073709551615";
        QTest::newRow("negative") << "-1.5e-3"
                                  << "-0.0015";
        QTest::newRow("plus") << "+4"
                              << "4";
        QTest::newRow("point first") << ".5"
                                     << "0.5";
        QTest::newRow("point last") << "5."
                                    << "5.0";
        QTest::newRow("nan") << "nan"
                             << "NaN";
        QTest::newRow("minus NaN") << "-NaN"
                                   << "NaN";
        QTest::newRow("inf") << "Inf"
                             << "Infinity";
        QTest::newRow("minus infinity") << "-infinity"
                                        << "-Infinity";
        QTest::newRow("word") << "none"
                              << "";
        QTest::newRow("empty") << ""
                               << "";
        QTest::newRow("sign alone") << "-"
                                    << "";
        QTest::newRow("two signs") << "+-1"
                                   << "";
        QTest::newRow("comma") << "0,5"
                               << "";
        QTest::newRow("unit") << "5s"
                              << "";
        QTest::newRow("hexadecimal") << "0x10"
                                     << "";
        QTest::newRow("blank") << " 1"
                               << "";
    }
    void numbersAreReadFromText() {
        QFETCH(QString, text);
        QFETCH(QString, number);
        const auto read = numberFromText(text.toStdString());
        QCOMPARE(read ? textOf(*read) : QString(), number);
    }

    void metricsAreNumbersOrNothing() {
        const Object metrics = {{"loss", 0.5},       {"count", int64_t{3}}, {"text", "nan"},
                                {"note", "warm-up"}, {"flag", true},        {"none", nullptr},
                                {"\"a/b\"", 7},      {"list", Array{1}},    {"digits", "0.25"}};
        QCOMPARE(numericMetric(metrics, "loss").value(), 0.5);
        QCOMPARE(numericMetric(metrics, "count").value(), 3.0);
        QVERIFY(std::isnan(numericMetric(metrics, "text").value()));
        QCOMPARE(numericMetric(metrics, "digits").value(), 0.25);
        QCOMPARE(numericMetric(metrics, "a/b").value(), 7.0);
        for (const char* name : {"note", "flag", "none", "list", "missing"})
            QVERIFY2(!numericMetric(metrics, name), name);
    }

    void nanIsBetterThanNothingAndWorseThanAll() {
        const double nan = std::numeric_limits<double>::quiet_NaN();
        const double infinity = std::numeric_limits<double>::infinity();
        QVERIFY(isBetter(0.1, 0.2, Mode::min));
        QVERIFY(isBetter(0.2, 0.1, Mode::max));
        QVERIFY(!isBetter(0.1, 0.1, Mode::min));
        for (const Mode mode : {Mode::min, Mode::max}) {
            for (const double number : {0.0, infinity, -infinity}) {
                QVERIFY(!isBetter(nan, number, mode));
                QVERIFY(isBetter(number, nan, mode));
            }
            QVERIFY(!isBetter(nan, nan, mode));
        }
    }

    void firstRuleThatIsMetIsNamed() {
        const std::vector<StopRule> rules = {{"loss", Comparison::le, 0.1},
                                             {"accuracy", Comparison::ge, 0.9},
                                             {"training_iteration", Comparison::ge, 10}};
        const auto met = [&rules](int64_t iteration, const Object& metrics) {
            const StopRule* rule = firstMet(rules, iteration, metrics);
            return rule ? rule->metric : std::string("none");
        };
        QCOMPARE(met(3, {{"loss", 0.2}, {"accuracy", 0.5}}), std::string("none"));
        QCOMPARE(met(3, {{"loss", 0.1}, {"accuracy", 0.95}}), std::string("loss"));
        QCOMPARE(met(3, {{"accuracy", 0.9}}), std::string("accuracy"));
        QCOMPARE(met(10, {}), std::string("training_iteration"));
        QCOMPARE(met(3, {{"loss", "nan"}, {"accuracy", "NaN"}}), std::string("none"));
    }

    void plannedTrialsAreSamplesTimesGridUpToTheCap() {
        ExperimentSpec spec;
        spec.space.parameters = {
            {{"a"}, "a", GridSearch{{1, 2, 3}}, DistributionKind::gridSearch},
            {{"b"}, "b", Choice{{1, 2, 2}}, DistributionKind::choice},
            {{"c"}, "c", RealRange{}, DistributionKind::uniform},
        };
        spec.search.numSamples = 4;
        QCOMPARE(plannedTrials(spec).value(), uint64_t{12});
        spec.search.maxTrials = 5;
        QCOMPARE(plannedTrials(spec).value(), uint64_t{5});
        spec.search.numSamples = -1;
        QCOMPARE(plannedTrials(spec).value(), uint64_t{5});
        spec.search.maxTrials.reset();
        QVERIFY(!plannedTrials(spec));

        spec.search.algorithm = SearchAlgorithm::grid;
        spec.search.numSamples = 2;
        spec.space.parameters.pop_back();
        QCOMPARE(plannedTrials(spec).value(), uint64_t{12});
    }

    void gridsBeyondAllNumbersSaturate() {
        SearchSpace space;
        std::vector<Value> ten;
        for (int i = 0; i < 10; ++i)
            ten.emplace_back(i);
        for (int i = 0; i < 30; ++i) {
            const std::string name = "p" + std::to_string(i);
            space.parameters.push_back({{name}, name, GridSearch{ten}, DistributionKind::gridSearch});
        }
        QCOMPARE(gridSearchSize(space), std::numeric_limits<uint64_t>::max());
        QCOMPARE(fullGridSize(space).value(), std::numeric_limits<uint64_t>::max());
        space.parameters.resize(12);
        QCOMPARE(gridSearchSize(space), uint64_t{1'000'000'000'000});
    }

    void lastIterationIsTheTightestBound() {
        ExperimentSpec spec;
        QVERIFY(!lastIteration(spec));
        spec.stop = {{"loss", Comparison::le, 0.1}, {"training_iteration", Comparison::ge, 20}};
        QCOMPARE(lastIteration(spec).value(), int64_t{20});
        spec.scheduler.type = SchedulerType::asha;
        spec.scheduler.maxT = 8;
        QCOMPARE(lastIteration(spec).value(), int64_t{8});
        spec.stop = {{"training_iteration", Comparison::gt, 2.5}};
        QCOMPARE(lastIteration(spec).value(), int64_t{3});
    }
};

QTEST_APPLESS_MAIN(MetricTest)
#include "metric_test.moc"

// SPDX-License-Identifier: Apache-2.0
#include "core/model/normal_quantile.h"
#include "core/model/search_space.h"

#include "tests/support/compare.h"
#include "tests/unit/model/texts.h"

#include <cmath>
#include <limits>
#include <map>

using namespace trialdeck;
using namespace trialdeck::model;

Q_DECLARE_METATYPE(trialdeck::model::Distribution)

namespace {

constexpr int kDraws = 10'000;
constexpr int64_t kMaxInteger = std::numeric_limits<int64_t>::max();
constexpr int64_t kMinInteger = std::numeric_limits<int64_t>::min();

std::vector<Value> draws(const Distribution& distribution, int count = kDraws) {
    std::vector<Value> values;
    for (int i = 0; i < count; ++i) {
        base::Rng rng(7, static_cast<uint64_t>(i), "x");
        values.push_back(draw(distribution, rng));
    }
    return values;
}

/// How often each value came, in order of the values.
std::map<double, int> histogram(const Distribution& distribution) {
    std::map<double, int> counts;
    for (const Value& value : draws(distribution))
        ++counts[value.toDouble().value()];
    return counts;
}

} // namespace

class DistributionTest : public QObject {
    Q_OBJECT
private slots:
    void finiteOnesListTheirValuesAndDrawNoOthers_data() {
        QTest::addColumn<Distribution>("distribution");
        QTest::addColumn<QString>("values");
        const auto row = [](const char* name, Distribution distribution, const char* values) {
            QTest::newRow(name) << distribution << values;
        };
        row("constant", Constant{0.1}, "0.1");
        row("randint [1, 5)", WholeRange{1, 4}, "1, 2, 3, 4");
        row("int one", WholeRange{3, 3}, "3");
        row("step 3 in 1..10", WholeRange{1, 10, Scale::linear, 3}, "3, 6, 9");
        row("step 4 in 0..10", WholeRange{0, 10, Scale::linear, 4}, "0, 4, 8");
        row("step 3 in -7..7", WholeRange{-7, 7, Scale::linear, 3}, "-6, -3, 0, 3, 6");
        row("logarithmic", WholeRange{1, 4, Scale::logarithmic}, "1, 2, 3, 4");
        row("logarithmic step", WholeRange{2, 9, Scale::logarithmic, 2}, "2, 4, 6, 8");
        row("tenths", RealRange{0.1, 0.7, Scale::linear, 0.1}, "0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7");
        row("negative steps", RealRange{-0.3, 0.3, Scale::linear, 0.15}, "-0.3, -0.15, 0.0, 0.15, 0.3");
        row("logarithmic tenths", RealRange{0.1, 0.4, Scale::logarithmic, 0.1}, "0.1, 0.2, 0.3, 0.4");
        row("tiny steps", RealRange{0, 3.0e-300, Scale::linear, 1.0e-300}, "0.0, 1e-300, 2e-300, 3e-300");
        row("choice", Choice{{"a", 1, 1.0, "a", nullptr}}, "\"a\", 1, 1.0, null");
        row("grid", GridSearch{{16, 32}}, "16, 32");
    }
    void finiteOnesListTheirValuesAndDrawNoOthers() {
        QFETCH(Distribution, distribution);
        QFETCH(QString, values);
        const auto all = allValues(distribution, 100);
        QVERIFY(all);
        QCOMPARE(textOf(*all), values);
        QCOMPARE(cardinality(distribution).value(), uint64_t{all->size()});
        QVERIFY(!allValues(distribution, all->size() - 1));
        std::map<QString, int> drawn;
        for (const Value& value : draws(distribution))
            ++drawn[textOf(value)];
        for (const Value& value : *all) {
            QVERIFY2(drawn.erase(textOf(value)) == 1, qPrintable(textOf(value) + " was never drawn"));
            const auto unit = toUnit(distribution, value);
            QVERIFY(unit && *unit >= 0 && *unit < 1);
            QCOMPARE(textOf(fromUnit(distribution, *unit)), textOf(value));
        }
        QVERIFY2(drawn.empty(), "a value was drawn that is not in the list");
    }

    void continuousOnesStayInTheirBounds_data() {
        QTest::addColumn<double>("low");
        QTest::addColumn<double>("high");
        QTest::addColumn<bool>("logarithmic");
        QTest::newRow("uniform") << 0.1 << 0.9 << false;
        QTest::newRow("loguniform") << 1.0e-5 << 1.0 << true;
        QTest::newRow("beyond double's range") << -1.0e308 << 1.0e308 << false;
        QTest::newRow("subnormal") << 1.0e-320 << 1.0 << true;
        QTest::newRow("all positive numbers") << 5.0e-324 << 1.7e308 << true;
        QTest::newRow("neighbours") << 1.0 << std::nextafter(1.0, 2.0) << false;
    }
    void continuousOnesStayInTheirBounds() {
        QFETCH(double, low);
        QFETCH(double, high);
        QFETCH(bool, logarithmic);
        const RealRange range{low, high, logarithmic ? Scale::logarithmic : Scale::linear, {}};
        const auto inside = [&](const Value& value) {
            const double number = value.toDouble().value();
            return number >= low && number < high;
        };
        for (const Value& value : draws(range))
            QVERIFY2(inside(value), qPrintable(textOf(value)));
        QVERIFY(inside(fromUnit(range, 0.0)));
        QVERIFY(inside(fromUnit(range, 1 - 0x1p-53)));
        QVERIFY(!cardinality(range));
    }

    void eachDecadeIsEquallyLikely() {
        std::map<int, int> decades;
        for (const Value& value : draws(RealRange{1.0e-5, 1.0, Scale::logarithmic, {}}))
            ++decades[static_cast<int>(std::floor(std::log10(value.toDouble().value())))];
        QCOMPARE(decades.size(), size_t{5});
        for (const auto& [decade, count] : decades)
            QVERIFY2(count > 1'850 && count < 2'150, qPrintable(QString("10^%1: %2").arg(decade).arg(count)));
    }

    void stepsHaveEqualChances() {
        for (const auto& [value, count] : histogram(RealRange{0.1, 0.7, Scale::linear, 0.1}))
            QVERIFY2(count > 1'250 && count < 1'610, qPrintable(QString("%1: %2").arg(value).arg(count)));
        for (const auto& [value, count] : histogram(WholeRange{1, 5}))
            QVERIFY2(count > 1'850 && count < 2'150, qPrintable(QString("%1: %2").arg(value).arg(count)));
    }

    void logarithmicWholeNumbersHaveTheChanceOfTheirInterval() {
        const auto counts = histogram(WholeRange{1, 7, Scale::logarithmic});
        for (const auto& [value, count] : counts) {
            const double expected = kDraws * std::log((value + 1) / value) / std::log(8.0);
            QVERIFY2(std::abs(count - expected) < 5 * std::sqrt(expected),
                     qPrintable(QString::number(value)));
        }
    }

    void repeatedChoicesAreDrawnMoreOften() {
        const auto counts = histogram(Choice{{1, 1, 2}});
        QVERIFY(counts.at(1) > 6'400 && counts.at(1) < 6'930);
    }

    void wholeNumbersAreExactToTheEndsOfTheirRange() {
        QCOMPARE(textOf(valueAt(WholeRange{0, 9007199254740993}, 9007199254740993)),
                 QString("9007199254740993"));
        QCOMPARE(textOf(valueAt(WholeRange{kMinInteger, kMaxInteger - 1}, 0)),
                 QString("-9223372036854775808"));
        const Distribution everything = WholeRange{kMinInteger, kMaxInteger};
        QVERIFY(!cardinality(everything));
        QVERIFY(toUnit(everything, Value(kMaxInteger)).value() <= 1);
        bool odd = false;
        for (const Value& value : draws(WholeRange{0, 9007199254740993}))
            odd = odd || value.toInteger().value() % 2 != 0;
        QVERIFY(odd);
        QCOMPARE(textOf(fromUnit(WholeRange{1, kMaxInteger, Scale::logarithmic}, 1 - 0x1p-53)).size(), 19);
    }

    void aStepTooFineForDoubleIsContinuous() {
        const RealRange fine{0, 1, Scale::linear, 1.0e-12};
        QCOMPARE(cardinality(fine).value(), uint64_t{1'000'000'000'001});
        QVERIFY(!allValues(fine, 1'000'000));
        for (const Value& value : draws(fine, 100))
            QVERIFY(toUnit(fine, value).has_value());
        QVERIFY(!cardinality(RealRange{0, 1, Scale::linear, 1.0e-300}));
    }

    void normalOnesHaveTheirMeanAndDeviation() {
        double sum = 0;
        double squares = 0;
        for (const Value& value : draws(Normal{10, 2, {}})) {
            sum += value.toDouble().value();
            squares += std::pow(value.toDouble().value() - 10, 2);
        }
        QVERIFY(std::abs(sum / kDraws - 10) < 0.1);
        QVERIFY(std::abs(std::sqrt(squares / kDraws) - 2) < 0.1);
        for (const Value& value : draws(Normal{0, 1, 0.1}, 100))
            QVERIFY2(textOf(value).size() <= 4, qPrintable(textOf(value)));
        QVERIFY(std::isfinite(fromUnit(Normal{}, 0).toDouble().value()));
    }

    void quantilesAreThoseOfTheTable() {
        const std::vector<std::pair<double, double>> table = {
            {0.5, 0}, {0.975, 1.959963984540054}, {0.25, -0.6744897501960817}, {1e-10, -6.361340902404056}};
        for (const auto& [probability, quantile] : table) {
            QVERIFY(std::abs(normalQuantile(probability) - quantile) <
                    1e-14 * std::max(1.0, std::abs(quantile)));
            QVERIFY(std::abs(normalProbability(quantile) - probability) < 1e-14);
        }
    }

    void valuesThatAreNotInTheDistributionHaveNoPlace() {
        QVERIFY(!toUnit(RealRange{0, 1, Scale::linear, {}}, Value(1.5)));
        QVERIFY(!toUnit(RealRange{0, 1, Scale::linear, 0.5}, Value(0.3)));
        QVERIFY(!toUnit(WholeRange{0, 9, Scale::linear, 3}, Value(4)));
        QVERIFY(!toUnit(WholeRange{0, 9}, Value(4.0)));
        QVERIFY(!toUnit(Choice{{1, 2}}, Value("1")));
        QVERIFY(!toUnit(RealRange{}, Value(std::nan(""))));
    }

    void drawsDependOnSeedAndProposalAlone() {
        const Distribution distribution = RealRange{0, 1, Scale::linear, {}};
        base::Rng first(7, 3, "x");
        base::Rng again(7, 3, "x");
        QCOMPARE(textOf(draw(distribution, first)), textOf(draw(distribution, again)));
    }

    void everyKindIsFoundByItsName() {
        for (int i = 0; i <= static_cast<int>(DistributionKind::integer); ++i) {
            const auto kind = static_cast<DistributionKind>(i);
            QVERIFY(distributionKindFromString(nameOf(kind)) == kind);
        }
    }

    void valuesAreNestedAsTheSpaceIs() {
        SearchSpace space;
        space.parameters = {{{"opt", "lr"}, "opt/lr", RealRange{}, DistributionKind::uniform},
                            {{"opt/lr"}, "\"opt/lr\"", Constant{}, DistributionKind::constant},
                            {{"opt", "name"}, "opt/name", Choice{}, DistributionKind::choice}};
        QCOMPARE(textOf(Value(nestValues(space, {0.5, 1, "sgd"}))),
                 QString(R"({"opt":{"lr":0.5,"name":"sgd"},"opt/lr":1})"));
        QVERIFY(space.find("\"opt/lr\"") == &space.parameters[1]);
    }
};

QTEST_APPLESS_MAIN(DistributionTest)
#include "distribution_test.moc"

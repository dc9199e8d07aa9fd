// SPDX-License-Identifier: Apache-2.0
#include "app/models/axis_plan.h"

#include "tests/support/compare.h"

#include <cmath>
#include <limits>

using namespace trialdeck::app::models;

namespace {

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
constexpr double kInfinity = std::numeric_limits<double>::infinity();

AxisExtent extentOf(const std::vector<double>& values) {
    AxisExtent extent;
    for (const double value : values)
        extent.add(value);
    return extent;
}

/// "lower..upper: label label …", or "nothing".
std::string axisText(const std::vector<double>& values, AxisScale scale,
                     AxisNumbers numbers = AxisNumbers::real) {
    const auto range = fittingRange(extentOf(values), scale, numbers, 5);
    if (!range)
        return "nothing";
    std::string text;
    for (const AxisTick& tick : ticksFor(*range, scale, numbers, 5))
        text += (text.empty() ? "" : " ") + tick.label;
    return text;
}

} // namespace

class AxisPlanTest : public QObject {
    Q_OBJECT

private slots:
    void labelsAreReadableAndDiffer_data() {
        QTest::addColumn<QList<double>>("values");
        QTest::addColumn<bool>("logarithmic");
        QTest::addColumn<QString>("labels");
        const auto row = [](const char* name, const QList<double>& values, bool logarithmic,
                            const char* labels) {
            QTest::newRow(name) << values << logarithmic << QString::fromLatin1(labels);
        };
        row("all NaN: no axis", {kNan, kNan}, false, "nothing");
        row("only infinities: no axis", {kInfinity, -kInfinity}, false, "nothing");
        row("constant", {0.25, 0.25}, false, "0.24 0.25 0.26");
        row("constant 0", {0, 0}, false, "-1.0 -0.5 0.0 0.5 1.0");
        row("single", {0.7}, false, "0.66 0.68 0.70 0.72 0.74");
        row("accuracy", {0.72, 0.88}, false, "0.70 0.75 0.80 0.85 0.90");
        row("range from the finite ones", {1, kInfinity, 2, -kInfinity, 3}, false, "1.0 1.5 2.0 2.5 3.0");
        row("nearly equal", {0.999999, 0.9999991, 0.9999992}, false,
            "0.99999900 0.99999905 0.99999910 0.99999915 0.99999920");
        row("to zero, whole decades", {1, 0.1, 0.01, 0.001, 1e-6, 1e-12, 0, 0}, true,
            "1e-12 1e-9 1e-6 0.001 1");
        row("all negative on a log axis: no axis", {-5, -4, -3}, true, "nothing");
        row("sign change on a log axis", {3, 2, 1, 0, -1, -2}, true, "1.0 1.5 2.0 2.5 3.0");
        row("huge range, log", {1e-12, 1, 1e12, 1e300}, true, "1 1e100 1e200 1e300");
        row("huge range, linear", {1e-12, 1, 1e12, 1e300}, false,
            "0.0e0 2.0e299 4.0e299 6.0e299 8.0e299 1.0e300");
        row("the whole of double", {-1.7e308, 1.7e308}, false, "-1e308 0e0 1e308");
        row("one decade", {0.02, 0.2}, true, "0.01 0.02 0.05 0.1 0.2 0.5 1");
        row("within a decade", {0.31, 0.34}, true, "0.31 0.32 0.33 0.34");
    }
    void labelsAreReadableAndDiffer() {
        QFETCH(const QList<double>, values);
        QFETCH(const bool, logarithmic);
        const std::string labels = axisText({values.begin(), values.end()},
                                            logarithmic ? AxisScale::logarithmic : AxisScale::linear);
        QTEST(QString::fromStdString(labels), "labels");
    }

    void iterationsHaveWholeTicksFromTheFirst() {
        QCOMPARE(axisText({1, 2, 3}, AxisScale::linear, AxisNumbers::whole), std::string("1 2 3"));
        QCOMPARE(axisText({1}, AxisScale::linear, AxisNumbers::whole), std::string("0 1 2"));
        QCOMPARE(axisText({1, 10}, AxisScale::linear, AxisNumbers::whole), std::string("2 4 6 8 10"));
    }

    void zoomKeepsTheValueUnderTheCursor() {
        for (const AxisScale scale : {AxisScale::linear, AxisScale::logarithmic}) {
            const AxisRange range{0.01, 100};
            const double before = valueAt(0.3, range, scale);
            const AxisRange closer = zoomed(range, scale, 0.3, 0.5);
            QVERIFY(std::abs(valueAt(0.3, closer, scale) / before - 1) < 1e-9);
            QVERIFY(closer.upper < range.upper && closer.lower > range.lower);
        }
    }

    void zoomStopsWhereDoublesEnd() {
        AxisRange range{1, 2};
        for (int i = 0; i < 2000; ++i)
            range = zoomed(range, AxisScale::linear, 0.5, 0.5);
        QVERIFY(range.lower < range.upper);
        QVERIFY(ticksFor(range, AxisScale::linear, AxisNumbers::real, 5).size() < 30);
        for (int i = 0; i < 5000; ++i)
            range = zoomed(range, AxisScale::linear, 0.5, 2);
        QVERIFY(std::isfinite(range.lower) && std::isfinite(range.upper));
    }
};

QTEST_GUILESS_MAIN(AxisPlanTest)
#include "axis_plan_test.moc"

// SPDX-License-Identifier: Apache-2.0
#include "app/models/curve_shape.h"
#include "app/models/metric_store.h"
#include "app/models/smoothing.h"

#include "tests/support/compare.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

using namespace trialdeck::app::models;

namespace {

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
constexpr double kInfinity = std::numeric_limits<double>::infinity();
const double kMissing = missingValue();

std::vector<double> stepsFor(size_t count) {
    std::vector<double> steps(count);
    std::iota(steps.begin(), steps.end(), 1.0);
    return steps;
}

ChartMapping mappingFor(const std::vector<double>& values, AxisScale scale = AxisScale::linear) {
    AxisExtent extent;
    for (const double value : values)
        extent.add(value);
    ChartMapping mapping;
    mapping.plot = QRectF(0, 0, 500, 200);
    mapping.x = {1, std::max(2.0, static_cast<double>(values.size()))};
    mapping.y = fittingRange(extent, scale, AxisNumbers::real, 5).value_or(AxisRange{0, 1});
    mapping.yScale = scale;
    return mapping;
}

/// "line 3 | dot | dot; NaN NaN; 2 not shown"
std::string textOf(const CurveShape& shape) {
    std::string text;
    for (const CurveRun& run : shape.runs)
        text += (text.empty() ? "" : " | ") +
                (run.count == 1 ? std::string("dot") : "line " + std::to_string(run.count));
    for (const CurveShape::Mark& mark : shape.marks)
        text += mark.kind == CurveMark::notANumber   ? " NaN"
                : mark.kind == CurveMark::aboveRange ? " +inf"
                                                     : " -inf";
    if (shape.notShown > 0)
        text += " hidden " + std::to_string(shape.notShown);
    return text;
}

} // namespace

class CurveShapeTest : public QObject {
    Q_OBJECT

private slots:
    void breaksWhereNothingCanBeDrawn_data() {
        QTest::addColumn<QList<double>>("values");
        QTest::addColumn<bool>("logarithmic");
        QTest::addColumn<QString>("shape");
        QTest::newRow("lone points") << QList<double>{1, kMissing, kNan, 0.5, kNan, 0.4, kMissing, 0.3}
                                     << false << "dot | dot | dot | dot NaN NaN";
        QTest::newRow("all NaN") << QList<double>{kNan, kNan, kNan} << false << " NaN NaN NaN";
        QTest::newRow("constant") << QList<double>{0.25, 0.25, 0.25} << false << "line 3";
        QTest::newRow("single") << QList<double>{0.7} << false << "dot";
        QTest::newRow("to zero") << QList<double>{1, 0.1, 0.01, 0.001, 1e-6, 1e-12, 0, 0} << true
                                 << "line 6 hidden 2";
        QTest::newRow("sign change") << QList<double>{3, 2, 1, 0, -1, -2, 1, 2} << true
                                     << "line 3 | line 2 hidden 3";
        QTest::newRow("all negative") << QList<double>{-5, -4, -3} << true << " hidden 3";
        QTest::newRow("huge range") << QList<double>{1e-12, 1, 1e12, 1e300} << true << "line 4";
        QTest::newRow("infinities") << QList<double>{1, kInfinity, 2, -kInfinity, 3} << false
                                    << "dot | dot | dot +inf -inf";
        QTest::newRow("nearly equal") << QList<double>{0.999999, 0.9999991, 0.9999992} << false << "line 3";
    }
    void breaksWhereNothingCanBeDrawn() {
        QFETCH(const QList<double>, values);
        QFETCH(const bool, logarithmic);
        const std::vector<double> plain(values.begin(), values.end());
        CurveShape shape;
        shapeCurve(stepsFor(plain.size()), plain,
                   mappingFor(plain, logarithmic ? AxisScale::logarithmic : AxisScale::linear), shape);
        QTEST(QString::fromStdString(textOf(shape)), "shape");
        for (const QPointF& point : shape.points)
            QVERIFY(std::isfinite(point.x()) && std::isfinite(point.y()));
    }

    void keepsEachSpikeWithFewPoints() {
        std::vector<double> values(1'000'000, 1.0);
        values[123'456] = 50;
        values[777'777] = 50;
        const ChartMapping mapping = mappingFor(values);
        CurveShape shape;
        shapeCurve(stepsFor(values.size()), values, mapping, shape);
        QVERIFY(shape.points.size() <= 4 * 501);
        const double top = mapping.yOf(50);
        const auto spikes = std::count_if(shape.points.begin(), shape.points.end(),
                                          [&](QPointF point) { return point.y() == top; });
        QCOMPARE(spikes, 2);
    }

    void drawsTheRealPointsWhenZoomedIn() {
        std::vector<double> values(1000, 1.0);
        values[500] = 1e6;
        ChartMapping mapping = mappingFor(values);
        mapping.x = {499.5, 503.5};
        CurveShape shape;
        shapeCurve(stepsFor(values.size()), values, mapping, shape);
        QCOMPARE(textOf(shape), std::string("line 6"));
    }

    void staysFiniteFarOutsideTheView() {
        const std::vector<double> values = {-1.7e308, 1.7e308, 0};
        ChartMapping mapping = mappingFor({0, 1e-3});
        CurveShape shape;
        shapeCurve(stepsFor(3), values, mapping, shape);
        for (const QPointF& point : shape.points)
            QVERIFY(std::abs(point.y()) <= 5 * mapping.plot.height());
    }

    void findsThePointUnderTheCursor() {
        const std::vector<double> values = {0, kNan, 1, 0.5};
        const ChartMapping mapping = mappingFor(values);
        const QPointF third(mapping.xOf(3), mapping.yOf(1));
        QCOMPARE(nearestPoint(stepsFor(4), values, mapping, third + QPointF(4, 3), 20)->index, size_t{2});
        QVERIFY(!nearestPoint(stepsFor(4), values, mapping, QPointF(mapping.xOf(2), 100), 20));
    }

    void smoothingBeginsAnewBehindAGap() {
        Smoothing smoothing(0.9);
        smoothing.extend({1, 1, kNan, 5, 5, kInfinity, 2});
        const std::vector<double>& smoothed = smoothing.values();
        QCOMPARE(smoothed.size(), size_t{7});
        QVERIFY(std::abs(smoothed[1] - 1) < 1e-12);
        QVERIFY(std::isnan(smoothed[2]));
        QVERIFY(std::abs(smoothed[3] - 5) < 1e-12 && std::abs(smoothed[4] - 5) < 1e-12);
        QVERIFY(std::isinf(smoothed[5]));
        QVERIFY(std::abs(smoothed[6] - 2) < 1e-12);
    }

    void smoothingGoesOnWhereItWas() {
        std::vector<double> values;
        Smoothing stepwise(0.6);
        for (int i = 0; i < 50; ++i) {
            values.push_back(std::sin(i));
            stepwise.extend(values);
        }
        Smoothing atOnce(0.6);
        atOnce.extend(values);
        QCOMPARE(stepwise.values(), atOnce.values());
    }

    void theBoxWithValuesCoversNoCurve() {
        const std::vector<double> values = {5, 3, 2, 1.5, 1.2, 1.1, 1, 0.9, 0.9, 0.9};
        const ChartMapping mapping = mappingFor(values);
        CurveShape shape;
        shapeCurve(stepsFor(values.size()), values, mapping, shape);
        for (size_t i = 0; i < values.size(); ++i) {
            const QPointF anchor(mapping.xOf(static_cast<double>(i + 1)), mapping.yOf(values[i]));
            const QRectF box = freePlace(QSizeF(140, 60), anchor, mapping.plot, shape);
            QVERIFY(mapping.plot.contains(box));
            for (const QPointF& point : shape.points)
                QVERIFY2(!box.contains(point), qPrintable(QString::number(i)));
        }
    }

    void aNewAttemptTakesTheOldOnesPlace() {
        MetricStore store;
        const size_t loss = store.metricIndex("loss");
        for (int step = 1; step <= 5; ++step)
            store.append(trialdeck::TrialId(0), loss, step, step);
        store.truncate(trialdeck::TrialId(0), 3);
        store.append(trialdeck::TrialId(0), loss, 4, 40);
        const Series* series = store.find(trialdeck::TrialId(0), loss);
        QCOMPARE(series->values, (std::vector<double>{1, 2, 3, 40}));
        QCOMPARE(series->rewritten, 1U);
    }
};

QTEST_GUILESS_MAIN(CurveShapeTest)
#include "curve_shape_test.moc"

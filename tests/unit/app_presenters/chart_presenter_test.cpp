// SPDX-License-Identifier: Apache-2.0
#include "app/presenters/chart_presenter.h"

#include "tests/fakes/app/replayed_experiment.h"
#include "tests/support/compare.h"

#include <QSignalSpy>
#include <QtTest>

#include <cmath>

using namespace trialdeck;
using app::models::AxisScale;
using app::presenters::ChartPresenter;
using app::presenters::SharedSteps;
using app::presenters::TrialSelection;

namespace {

constexpr int kTicks = 5;

/// A chart of the metric "v" with these values of trial 0 and trial 1, from iteration 1 on.
struct Scene {
    explicit Scene(const std::vector<std::vector<double>>& curves) {
        for (uint32_t trial = 0; trial < curves.size(); ++trial) {
            script.trial(trial, {}).attempt(trial).state(trial, TrialState::running);
            for (size_t i = 0; i < curves[trial].size(); ++i)
                script.report(trial, static_cast<int64_t>(i) + 1, Object{{"v", curves[trial][i]}});
        }
        data.apply(script.records());
        data.flush();
        chart = std::make_unique<ChartPresenter>(data, *data.curves().findMetric("v"), steps, selection);
    }
    void report(uint32_t trial, int64_t iteration, double value) {
        fakes::RecordScript more;
        more.report(trial, iteration, Object{{"v", value}});
        connect();
        data.apply(more.records());
        data.flush();
    }
    void connect() {
        QObject::connect(&data, &app::models::ExperimentData::changed, chart.get(),
                         &ChartPresenter::onDataChanged, Qt::UniqueConnection);
    }

    fakes::RecordScript script;
    app::models::ExperimentData data{ExperimentId("e")};
    SharedSteps steps;
    TrialSelection selection;
    std::unique_ptr<ChartPresenter> chart;
};

} // namespace

class ChartPresenterTest : public QObject {
    Q_OBJECT

private slots:
    void theAxesHoldEveryFiniteValue() {
        Scene scene({{0.5, NAN, 3}, {INFINITY, 1}});
        const auto plan = scene.chart->plan(kTicks, kTicks);
        QVERIFY(plan.y->lower <= 0.5 && plan.y->upper >= 3);
        QVERIFY(std::isfinite(plan.y->upper));
        QVERIFY(plan.x->lower <= 1 && plan.x->upper >= 3);
    }

    void onlyNanIsNoChart() {
        Scene scene({{NAN, NAN}});
        QVERIFY(scene.chart->hasOnlyNan());
        QVERIFY(!scene.chart->isEmpty());
        QVERIFY(!scene.chart->plan(kTicks, kTicks).y);
        QCOMPARE(scene.chart->diverged().size(), size_t{1});
    }

    void aCurveThatCameBackHasNotDiverged() {
        Scene scene({{1, NAN, 2}});
        QCOMPARE(scene.chart->diverged().size(), size_t{0});
        scene.report(0, 4, -INFINITY);
        QCOMPARE(scene.chart->diverged().size(), size_t{1});
    }

    void aLogarithmicAxisCountsWhatItCannotShow() {
        Scene scene({{0, -1, 2}, {1, 10}});
        QCOMPARE(scene.chart->hiddenValues(), size_t{0});
        scene.chart->setScale(AxisScale::logarithmic);
        QCOMPARE(scene.chart->hiddenValues(), size_t{2});
        QVERIFY(scene.chart->plan(kTicks, kTicks).y->lower > 0);
    }

    void outliersAreIgnoredOnlyWhenAsked() {
        std::vector<double> values(40, 1.0);
        for (size_t i = 0; i < values.size(); ++i)
            values[i] += 0.01 * static_cast<double>(i);
        values[20] = 1e6;
        Scene scene({values});
        QVERIFY(scene.chart->plan(kTicks, kTicks).y->upper >= 1e6);
        scene.chart->setIgnoresOutliers(true);
        QVERIFY(scene.chart->plan(kTicks, kTicks).y->upper < 10);
    }

    void zoomKeepsThePlaceUnderThePointerAndIsSharedSideways() {
        Scene scene({{0, 10, 20, 30, 40}});
        const auto before = scene.chart->plan(kTicks, kTicks);
        scene.chart->zoom(0, 0, 0.5, 0.5);
        const auto after = scene.chart->plan(kTicks, kTicks);
        QCOMPARE(after.y->lower, before.y->lower);
        QCOMPARE(after.y->upper - after.y->lower, (before.y->upper - before.y->lower) / 2);
        QVERIFY(scene.steps.isZoomed());
        scene.chart->setScale(AxisScale::linear);
        QVERIFY(scene.chart->isZoomed());
        scene.chart->resetZoom();
        QVERIFY(!scene.chart->isZoomed());
        QCOMPARE(scene.chart->plan(kTicks, kTicks), before);
    }

    void keysWalkAlongACurveAndToTheNext() {
        Scene scene({{1, 2, 3}, {}, {4, 5}});
        scene.chart->moveHover(-1);
        QCOMPARE(*scene.steps.hover(), (SharedSteps::Hover{3, TrialId(0)}));
        scene.chart->moveHover(-1);
        scene.chart->moveHover(-5);
        QCOMPARE(*scene.steps.hover(), (SharedSteps::Hover{1, TrialId(0)}));
        scene.chart->moveHoverToTrial(1);
        QCOMPARE(scene.steps.hover()->trial, TrialId(2));
        scene.chart->moveHoverToTrial(1);
        QCOMPARE(scene.steps.hover()->trial, TrialId(2));
        scene.chart->moveHoverToTrial(-1);
        QCOMPARE(scene.steps.hover()->trial, TrialId(0));
    }

    void newPointsGrowCurvesAndAResumedTrialReplacesThem() {
        Scene scene({{1, 2, 3}});
        QSignalSpy grew(scene.chart.get(), &ChartPresenter::curvesGrew);
        QSignalSpy replaced(scene.chart.get(), &ChartPresenter::curvesReplaced);
        scene.report(0, 4, 4);
        QCOMPARE(grew.size(), 1);
        QCOMPARE(replaced.size(), 0);
        fakes::RecordScript again;
        again.attempt(0, 1, 1);
        scene.data.apply(again.records());
        scene.data.flush();
        QVERIFY(replaced.size() > 0);
        QCOMPARE(scene.chart->series(TrialId(0))->size(), size_t{1});
    }
};

QTEST_GUILESS_MAIN(ChartPresenterTest)
#include "chart_presenter_test.moc"

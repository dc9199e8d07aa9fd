// SPDX-License-Identifier: Apache-2.0
// 100 curves of 1,000 points: painting them all, and adding a point to each. Reach: 8 ms and 2 ms.
#include "app/presenters/chart_presenter.h"
#include "app/views/curve_chart.h"

#include <QApplication>
#include <QImage>

#include <benchmark/benchmark.h>

#include <cmath>
#include <memory>

using namespace trialdeck;
using namespace trialdeck::app;

namespace {

constexpr int kCurves = 100;
constexpr int kPoints = 1000;

/// A window with one chart of many trials; the steps go to 2,000, so that there is room for more.
struct ChartUnderTest {
    models::ExperimentData data{ExperimentId("bench")};
    presenters::SharedSteps steps;
    presenters::TrialSelection selection;
    std::unique_ptr<presenters::ChartPresenter> presenter;
    std::unique_ptr<views::CurveChart> chart;
    int64_t iteration = 0;

    ChartUnderTest() {
        std::vector<protocol::Record> records;
        for (uint32_t trial = 0; trial < kCurves; ++trial) {
            protocol::TrialCreated created;
            created.trial = TrialId(trial);
            records.push_back({RecordNumber(trial + 1), {}, created});
        }
        data.apply(records);
        for (int i = 0; i < kPoints; ++i)
            addPoints();
        steps.setZoom(models::AxisRange{1, 2000});
        presenter = std::make_unique<presenters::ChartPresenter>(data, 0, steps, selection);
        QObject::connect(&data, &models::ExperimentData::changed, presenter.get(),
                         &presenters::ChartPresenter::onDataChanged);
        chart = std::make_unique<views::CurveChart>(*presenter);
        chart->resize(720, 400);
        chart->show();
        QApplication::processEvents();
    }

    void addPoints() {
        ++iteration;
        std::vector<protocol::Record> records;
        for (uint32_t trial = 0; trial < kCurves; ++trial) {
            protocol::ReportReceived report;
            report.trial = TrialId(trial);
            report.iteration = iteration;
            const double noise = 0.05 * std::sin(static_cast<double>(iteration) * (3.7 + trial));
            report.metrics =
                Object{{"loss", std::exp(-static_cast<double>(iteration) / (200.0 + 10 * trial)) + noise}};
            records.push_back({RecordNumber(1), {}, report});
        }
        data.apply(records);
        data.flush();
    }

    void paint(QImage& picture) {
        QPainter painter(&picture);
        chart->viewport()->render(&painter);
    }
};

void repaintAllCurves(benchmark::State& state) {
    ChartUnderTest test;
    test.steps.setZoom(std::nullopt);
    QImage picture(test.chart->size(), QImage::Format_RGB32);
    for (auto _ : state) {
        test.chart->invalidateCurves();
        test.paint(picture);
    }
    if (const QByteArray path = qgetenv("TRIALDECK_CHART_PICTURE"); !path.isEmpty())
        picture.save(QString::fromLocal8Bit(path));
}

void addAPointToEachCurve(benchmark::State& state) {
    ChartUnderTest test;
    QImage picture(test.chart->size(), QImage::Format_RGB32);
    test.paint(picture);
    for (auto _ : state) {
        test.addPoints();
        test.paint(picture);
    }
}

BENCHMARK(repaintAllCurves)->Unit(benchmark::kMillisecond);
BENCHMARK(addAPointToEachCurve)->Unit(benchmark::kMillisecond)->Iterations(500);

} // namespace

int main(int argc, char** argv) {
    qputenv("QT_QPA_PLATFORM", "offscreen");
    QApplication application(argc, argv);
    benchmark::Initialize(&argc, argv);
    benchmark::RunSpecifiedBenchmarks();
    return 0;
}

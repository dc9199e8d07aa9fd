// SPDX-License-Identifier: Apache-2.0
// 100 curves of 1,000 points: painting them all, and adding a point to each, in our chart and, in the same
// run, in a QChartView with a QLineSeries a curve. TRIALDECK_CHART_PICTURE: a file for a picture of our
// chart.
#include "app/presenters/chart_presenter.h"
#include "app/views/curve_chart.h"
#include "tests/benchmarks/figures.h"

#include <QApplication>
#include <QChart>
#include <QImage>
#include <QLineSeries>

#include <chrono>
#include <cmath>
#include <cstdio>
#include <memory>

using namespace trialdeck;
using namespace trialdeck::app;
using namespace trialdeck::benchmarks;

namespace {

constexpr uint32_t kCurves = 100;
constexpr int kPoints = 1000;
constexpr QSize kSize(720, 400);
constexpr double kReachRepaint = 8;
constexpr double kReachPoint = 2;

double valueOf(uint32_t curve, int64_t step) {
    const auto x = static_cast<double>(step);
    return std::exp(-x / (200.0 + 10 * curve)) + 0.05 * std::sin(x * (3.7 + curve));
}

/// Median milliseconds of `times` calls.
template<typename Deed>
double medianMs(int times, Deed deed) {
    std::vector<double> all;
    for (int i = 0; i < times; ++i) {
        const auto begin = std::chrono::steady_clock::now();
        deed();
        all.push_back(
            std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - begin).count());
    }
    return quantile(std::move(all), 0.5);
}

void paint(QWidget& widget, QImage& picture) {
    QPainter painter(&picture);
    widget.render(&painter);
}

/// Our chart of many trials; the steps go to 2,000, so that there is room for more.
struct OurChart {
    models::ExperimentData data{ExperimentId("bench")};
    presenters::SharedSteps steps;
    presenters::TrialSelection selection;
    std::unique_ptr<presenters::ChartPresenter> presenter;
    std::unique_ptr<views::CurveChart> chart;
    int64_t iteration = 0;

    OurChart() {
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
        chart->resize(kSize);
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
            report.metrics = Object{{"loss", valueOf(trial, iteration)}};
            records.push_back({RecordNumber(1), {}, report});
        }
        data.apply(records);
        data.flush();
    }
};

/// The same curves as QtCharts draws them.
struct PlainChart {
    QChartView view;
    std::vector<QLineSeries*> series;
    int64_t iteration = 0;

    PlainChart() {
        for (uint32_t curve = 0; curve < kCurves; ++curve) {
            auto* line = new QLineSeries;
            QList<QPointF> points;
            for (int64_t step = 1; step <= kPoints; ++step)
                points.append({static_cast<double>(step), valueOf(curve, step)});
            line->replace(points);
            view.chart()->addSeries(line);
            series.push_back(line);
        }
        iteration = kPoints;
        view.chart()->createDefaultAxes();
        view.chart()->axes(Qt::Horizontal).first()->setRange(1, 2000);
        view.chart()->legend()->hide();
        view.setRenderHint(QPainter::Antialiasing);
        view.resize(kSize);
        view.show();
        QApplication::processEvents();
    }

    void addPoints() {
        ++iteration;
        for (uint32_t curve = 0; curve < kCurves; ++curve)
            series[curve]->append(static_cast<double>(iteration), valueOf(curve, iteration));
    }
};

} // namespace

int main(int argc, char** argv) {
    qputenv("QT_QPA_PLATFORM", "offscreen");
    QApplication application(argc, argv);
    printMachine();
    OurChart ours;
    PlainChart plain;
    QImage picture(kSize, QImage::Format_RGB32);
    ours.steps.setZoom(std::nullopt);
    const double repaint = medianMs(101, [&] {
        ours.chart->invalidateCurves();
        paint(*ours.chart->viewport(), picture);
    });
    if (const QByteArray path = qgetenv("TRIALDECK_CHART_PICTURE"); !path.isEmpty())
        picture.save(QString::fromLocal8Bit(path));
    ours.steps.setZoom(models::AxisRange{1, 2000});
    paint(*ours.chart->viewport(), picture);
    const double point = medianMs(301, [&] {
        ours.addPoints();
        paint(*ours.chart->viewport(), picture);
    });
    const double plainRepaint = medianMs(11, [&] { paint(*plain.view.viewport(), picture); });
    const double plainPoint = medianMs(11, [&] {
        plain.addPoints();
        paint(*plain.view.viewport(), picture);
    });
    char seen[200];
    std::snprintf(seen, sizeof seen,
                  "repaint %.2f ms (QLineSeries in the same run %.1f ms, ratio %.0f); a point added to each "
                  "and painted "
                  "%.2f ms (%.1f ms, ratio %.0f); medians",
                  repaint, plainRepaint, plainRepaint / repaint, point, plainPoint, plainPoint / point);
    printRow("100 curves x 1,000 points: repaint; a point added to each", seen, "8 ms; 2 ms",
             repaint <= kReachRepaint && point <= kReachPoint);
    return 0;
}

// SPDX-License-Identifier: Apache-2.0
// From the moment before a worker writes a report until the window has painted a curve with its point: real
// workers, daemon and client, the real window. Offscreen, unless QT_QPA_PLATFORM says otherwise.
#include "app/client/live_head_client.h"
#include "app/presenters/window_presenter.h"
#include "app/views/appearance.h"
#include "app/views/chart_panel.h"
#include "app/views/curve_chart.h"
#include "app/views/main_window.h"
#include "app/views/memory.h"
#include "core/base/build_id.h"
#include "core/transport/pipe_transport.h"
#include "tests/benchmarks/head_under_test.h"

#include <QApplication>
#include <QTimer>

#include <cstdio>

using namespace trialdeck;
using namespace trialdeck::app;
using namespace trialdeck::benchmarks;

namespace {

constexpr uint32_t kTrials = 8;
/// Reports of each worker, and how many a second.
constexpr int64_t kReports = 400;
constexpr int64_t kRate = 10;
constexpr double kReachMs = 100;
constexpr const char* kMetric = "written_s";

double monotonicSeconds() {
    return std::chrono::duration<double>(base::SystemClock().steadyNow().time_since_epoch()).count();
}

/// Tells of each widget that it has painted itself, after it has.
class NotingApplication final : public QApplication {
public:
    using QApplication::QApplication;
    std::function<void(QObject*)> onPainted;

    bool notify(QObject* receiver, QEvent* event) override {
        const bool paints = event->type() == QEvent::Paint;
        const bool result = QApplication::notify(receiver, event);
        if (paints && onPainted)
            onPainted(receiver);
        return result;
    }
};

/// Follows the chart of the metric that tells when a report was written.
class PaintWatch final : public QObject {
public:
    /// The chart appears with the first report; call again until it is there.
    bool find(const QWidget& window) {
        for (const views::ChartPanel* panel : window.findChildren<views::ChartPanel*>()) {
            if (panel->presenter().metricName() != QLatin1String(kMetric) || m_chart == &panel->presenter())
                continue;
            m_chart = &panel->presenter();
            m_viewport = panel->chart().viewport();
            connect(m_chart, &presenters::ChartPresenter::curvesGrew, this, [this] { noteAnnounced(); });
            connect(m_chart, &presenters::ChartPresenter::curvesReplaced, this, [this] { noteAnnounced(); });
            noteAnnounced();
        }
        return m_chart != nullptr;
    }

    void onPainted(const QObject* painted) {
        if (!m_chart || painted != m_viewport)
            return;
        const double now = monotonicSeconds();
        ++m_paints;
        for (uint32_t trial = 0; trial < kTrials; ++trial) {
            const models::Series* series = m_chart->series(TrialId(trial));
            for (size_t& at = m_painted[trial]; at < m_announced[trial]; ++at)
                note(series->values[at], now);
        }
    }

    [[nodiscard]] const std::vector<double>& delays() const { return m_delays; }
    /// Points later than the reach, and how many of them were written in the first second, while the charts
    /// were being made.
    [[nodiscard]] int late() const { return m_late; }
    [[nodiscard]] int lateAtFirst() const { return m_lateAtFirst; }
    [[nodiscard]] int paints() const { return m_paints; }

private:
    void note(double written, double painted) {
        if (m_delays.empty())
            m_first = written;
        m_delays.push_back((painted - written) * 1000);
        if (m_delays.back() <= kReachMs)
            return;
        ++m_late;
        m_lateAtFirst += written < m_first + 1 ? 1 : 0;
    }

    /// Points that the chart has been told of; its next paint shows them.
    void noteAnnounced() {
        for (uint32_t trial = 0; trial < kTrials; ++trial) {
            const models::Series* series = m_chart->series(TrialId(trial));
            m_announced[trial] = series ? series->size() : 0;
        }
    }

    const presenters::ChartPresenter* m_chart = nullptr;
    const QWidget* m_viewport = nullptr;
    std::vector<size_t> m_announced = std::vector<size_t>(kTrials);
    std::vector<size_t> m_painted = std::vector<size_t>(kTrials);
    std::vector<double> m_delays;
    double m_first = 0;
    int m_late = 0;
    int m_lateAtFirst = 0;
    int m_paints = 0;
};

ExperimentId startWorkers(HeadUnderTest& head) {
    constexpr std::chrono::seconds kWindowIsThere{3};
    const auto begin = base::SystemClock().steadyNow() + kWindowIsThere;
    const int64_t beginNs = std::chrono::nanoseconds(begin.time_since_epoch()).count();
    return head.create("paint",
                       "\"" + std::to_string(kReports) + "\", \"" + std::to_string(beginNs) + "\", \"" +
                           std::to_string(kRate) + "\"",
                       "  resources_per_worker: {CPU: 0.1}\nsearch: {num_samples: " +
                           std::to_string(kTrials) + ", max_concurrent_trials: " + std::to_string(kTrials) +
                           ", metric: " + kMetric + ", mode: max}\n");
}

void print(const char* what, const std::vector<double>& delays) {
    std::printf("  written to %s: median %.1f ms, p99 %.1f ms, longest %.1f ms\n", what,
                quantile(delays, 0.5), quantile(delays, 0.99), quantile(delays, 1));
}

} // namespace

int main(int argc, char** argv) {
    if (qEnvironmentVariableIsEmpty("QT_QPA_PLATFORM"))
        qputenv("QT_QPA_PLATFORM", "offscreen");
    NotingApplication application(argc, argv);
    printMachine();
    HeadUnderTest head("paint");
    head.connect();
    const ExperimentId experiment = startWorkers(head);
    head.disconnect();

    const base::SystemClock clock;
    const auto log = base::makeStderrLog(base::LogLevel::error);
    views::Memory memory(QString::fromStdString((head.folder() / "window.ini").native()));
    views::Appearance appearance;
    appearance.setLanguage(QStringLiteral("en"));
    trialdeck::client::ClientOptions options;
    options.name = "benchmark";
    options.buildId = base::buildId();
    transport::PipeOptions pipe{TRIALDECK_BIN_DIR "/trialdeck-head", head.environment()};
    app::client::LiveHeadClient client(
        QStringLiteral("This computer"),
        [pipe](transport::Prompts&) {
            return app::client::LiveHeadClient::Way{std::make_unique<transport::PipeTransport>(pipe), {}};
        },
        std::move(options), clock, *log);
    presenters::WindowPresenter presenter(clock);
    presenter.addHead(client);
    views::MainWindow window(presenter, appearance, memory);
    window.show();
    presenter.openByText(QString::fromStdString(experiment.raw()));

    PaintWatch watch;
    std::vector<double> received;
    constexpr size_t kAll = size_t{kTrials} * kReports;
    QObject::connect(&client, &app::client::HeadClient::recordsReceived, &watch,
                     [&](const ExperimentId&, const std::vector<protocol::Record>& records) {
                         for (const protocol::Record& record : records) {
                             const auto* report = std::get_if<protocol::ReportReceived>(&record.body);
                             const Value* written = report ? report->metrics.find(kMetric) : nullptr;
                             if (written)
                                 received.push_back((monotonicSeconds() - written->toDouble().value_or(0)) *
                                                    1000);
                         }
                     });
    application.onPainted = [&](const QObject* painted) {
        watch.onPainted(painted);
        if (watch.delays().size() == kAll)
            QCoreApplication::quit();
    };
    QTimer search;
    QObject::connect(&search, &QTimer::timeout, [&] { watch.find(window); });
    search.start(50);
    QTimer::singleShot(std::chrono::seconds(120), [] { QCoreApplication::exit(1); });
    client.start();
    const double busyBefore = busySeconds();
    const double begin = monotonicSeconds();
    if (QApplication::exec() != 0)
        HeadUnderTest::giveUp("only " + std::to_string(watch.delays().size()) + " points were painted");
    const double cores = (busySeconds() - busyBefore) / (monotonicSeconds() - begin);

    std::printf(
        "  %u workers, %lld reports a second each; platform %s, %d paints of the chart; all programs of this "
        "machine used %.2f cores\n",
        kTrials, static_cast<long long>(kRate), qPrintable(QGuiApplication::platformName()), watch.paints(),
        cores);
    print("received by the window", received);
    print("painted", watch.delays());
    std::printf("  later than %.0f ms: %d points, of which %d in the first second\n", kReachMs, watch.late(),
                watch.lateAtFirst());
    const double p99 = quantile(watch.delays(), 0.99);
    char seen[120];
    std::snprintf(seen, sizeof seen, "p99 %.1f ms of %zu points (median %.1f ms)", p99, watch.delays().size(),
                  quantile(watch.delays(), 0.5));
    printRow("report written to curve point painted, local", seen, "p99 100 ms", p99 <= kReachMs);
    return 0;
}

// SPDX-License-Identifier: Apache-2.0
// A table of 100,000 trials and 58 columns, as the window holds and shows it: filling, sorting, filtering,
// and a thousand new values under a sort.
#include "app/models/trial_order.h"
#include "app/presenters/table_words.h"
#include "tests/benchmarks/figures.h"

#include <QApplication>

#include <chrono>
#include <cmath>
#include <cstdio>
#include <unistd.h>

using namespace trialdeck;
using namespace trialdeck::app;
using namespace trialdeck::benchmarks;

namespace {

constexpr uint32_t kTrials = 100'000;
constexpr uint32_t kMetrics = 50;
constexpr uint32_t kPart = 500;

double number(uint64_t seed) {
    seed = (seed + 1) * 0x9e3779b97f4a7c15ULL;
    seed = (seed ^ (seed >> 31)) * 0xbf58476d1ce4e5b9ULL;
    return static_cast<double>(seed >> 11) * 0x1.0p-53;
}

template<typename Deed>
double millisecondsOf(Deed deed) {
    const auto begin = std::chrono::steady_clock::now();
    deed();
    return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - begin).count();
}

/// What a head would send of these trials: each has its configuration, one report, and an end.
class Records {
public:
    std::vector<protocol::Record> of(uint32_t first, uint32_t count) {
        std::vector<protocol::Record> records;
        for (uint32_t trial = first; trial < first + count; ++trial) {
            protocol::TrialCreated created;
            created.trial = TrialId(trial);
            created.configuration =
                Object{{"lr", std::pow(10, -10 * number(trial))},
                       {"momentum", number(trial + 7)},
                       {"opt", trial % 3 ? Value(trial % 3 == 1 ? "sgd" : "adam") : Value()},
                       {"layers", Array{int64_t{64}, int64_t{trial % 4}}}};
            add(records, created);
            protocol::AttemptStarted started;
            started.trial = TrialId(trial);
            started.node = "node-1";
            add(records, started);
            add(records, report(trial, 1));
            protocol::TrialStateChanged ended;
            ended.trial = TrialId(trial);
            ended.state = trial % 10 == 9 ? TrialState::running : TrialState::terminated;
            add(records, ended);
        }
        return records;
    }
    std::vector<protocol::Record> newReports(int64_t iteration) {
        std::vector<protocol::Record> records;
        for (uint32_t i = 0; i < 1000; ++i)
            add(records, report(i * 97, iteration));
        return records;
    }

private:
    static protocol::ReportReceived report(uint32_t trial, int64_t iteration) {
        protocol::ReportReceived report;
        report.trial = TrialId(trial);
        report.iteration = iteration;
        const uint64_t seed = trial * 1000003ULL + static_cast<uint64_t>(iteration);
        report.metrics.append("loss", trial % 97 == 1 ? Value(std::nan("")) : Value(number(seed)));
        report.metrics.append("accuracy", std::round(number(seed + 3) * 1e4) / 1e4);
        for (uint32_t metric = 0; metric < kMetrics; ++metric)
            report.metrics.append("m/" + std::to_string(metric), number(seed + 11 * metric));
        return report;
    }
    template<typename Body>
    void add(std::vector<protocol::Record>& records, Body body) {
        records.push_back({RecordNumber(++m_number), {}, std::move(body)});
    }
    uint64_t m_number = 0;
};

std::string ms(double value) {
    char text[32];
    std::snprintf(text, sizeof text, "%.1f ms", value);
    return text;
}

} // namespace

int main(int argc, char** argv) {
    if (qgetenv("QT_QPA_PLATFORM").isEmpty())
        qputenv("QT_QPA_PLATFORM", "offscreen");
    const QApplication application(argc, argv);
    printMachine();
    const base::SystemClock clock;
    models::ExperimentData data(ExperimentId("bench"));
    protocol::ExperimentSummary summary;
    summary.metric = "loss";
    summary.mode = "min";
    data.setSummary(summary);
    models::TrialTableModel table(data, clock, presenters::tableWords());
    models::TrialOrder order(table);

    Records records;
    double longest = 0;
    double whole = 0;
    double firstRows = 0;
    for (uint32_t trial = 0; trial < kTrials; trial += kPart) {
        const auto part = records.of(trial, kPart);
        const double taken = millisecondsOf([&] {
            data.apply(part);
            data.flush();
        });
        firstRows = trial == 0 ? taken : firstRows;
        longest = std::max(longest, taken);
        whole += taken;
    }
    printRow("first 500 of 100,000 trials with 58 columns", ms(firstRows), "1 s", firstRows < 1000);
    printRow("all of them, 500 at a time", ms(whole) + ", longest " + ms(longest), "100 ms at once",
             longest < 100);
    printRow("memory", std::to_string(static_cast<int>(usageOf(getpid()).residentMiB)) + " MiB", "1 GB",
             usageOf(getpid()).residentMiB < 1000);

    for (const char* name :
         {"metric:loss", "metric:accuracy", "trial", "parameter:layers", "parameter:opt"}) {
        for (int section = 0; section < table.columnCount(); ++section) {
            if (table.columnKey(section) != QLatin1String(name))
                continue;
            const double up = millisecondsOf([&] { order.sort(section); });
            const double down = millisecondsOf([&] { order.sort(section, Qt::DescendingOrder); });
            printRow(std::string("sort by ") + name, ms(up) + " up, " + ms(down) + " down", "100 ms",
                     std::max(up, down) < 100);
        }
    }
    for (const char* text : {"adam", "9999", "loss < 0.1 and momentum > 0.5", ""}) {
        const double taken = millisecondsOf([&] { (void)order.setFilter(QLatin1String(text)); });
        printRow(std::string("filter \"") + text + "\"",
                 ms(taken) + ", " + std::to_string(order.rowCount()) + " rows", "200 ms", taken < 200);
    }
    for (int64_t second = 2; second < 5; ++second) {
        const auto news = records.newReports(second);
        const double taken = millisecondsOf([&] {
            data.apply(news);
            data.flush();
        });
        const double moved = millisecondsOf([&] { order.settle(); });
        printRow("1,000 new values under a sort", ms(taken) + ", rows moved " + ms(moved), "200 ms a second",
                 taken + moved < 200);
    }
    return 0;
}

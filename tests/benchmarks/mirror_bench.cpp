// SPDX-License-Identifier: Apache-2.0
// Journal lines of reports with five metrics, 100 trials in turn, read and folded in pieces of 100 KiB with
// the changes taken after each (reach: 100,000 records a second).
#include "core/client/experiment_mirror.h"

#include <benchmark/benchmark.h>

using namespace trialdeck;
using namespace trialdeck::protocol;

namespace {

constexpr uint32_t kTrials = 100;
constexpr size_t kPieceBytes = size_t{100} << 10;

std::string journalOf(int iterations, uint64_t& records) {
    std::string lines;
    Record record;
    record.time = base::WallTime(std::chrono::milliseconds(1796047509123));
    const auto add = [&](RecordBody body) {
        record.number = RecordNumber(++records);
        record.body = std::move(body);
        appendRecordLine(lines, record);
    };
    add(ExperimentCreated{});
    for (uint32_t trial = 0; trial < kTrials; ++trial) {
        TrialCreated created;
        created.trial = TrialId(trial);
        add(created);
        AttemptStarted started;
        started.trial = TrialId(trial);
        add(started);
    }
    for (int iteration = 1; iteration <= iterations; ++iteration) {
        for (uint32_t trial = 0; trial < kTrials; ++trial) {
            ReportReceived report;
            report.trial = TrialId(trial);
            report.iteration = iteration;
            report.metrics = {{"loss", 0.35477214 / iteration},
                              {"accuracy", 1 - 0.8748 / iteration},
                              {"train_loss", 0.29811112 / iteration},
                              {"time_this_iter_s", 1.28731},
                              {"lr", 0.001}};
            add(report);
        }
    }
    return lines;
}

void foldReports(benchmark::State& state) {
    uint64_t records = 0;
    const std::string lines = journalOf(1000, records);
    for (auto _ : state) {
        client::ExperimentMirror mirror;
        mirror.setObjective("accuracy", "max");
        for (size_t at = 0; at < lines.size();) {
            const size_t end = lines.find('\n', std::min(at + kPieceBytes, lines.size() - 1)) + 1;
            mirror.applyLines(std::string_view(lines).substr(at, end - at));
            benchmark::DoNotOptimize(mirror.takeChanges());
            at = end;
        }
    }
    state.counters["records"] =
        benchmark::Counter(static_cast<double>(records * state.iterations()), benchmark::Counter::kIsRate);
}
BENCHMARK(foldReports)->Unit(benchmark::kMillisecond);

} // namespace

BENCHMARK_MAIN();

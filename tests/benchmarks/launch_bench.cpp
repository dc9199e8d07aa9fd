// SPDX-License-Identifier: Apache-2.0
// What a trial costs beyond starting its program: 1,000 trials, two at a time, of a C program that reports
// once, through the real daemon, beside the same programs by bare posix_spawn, also two at a time, in the
// same run.
#include "tests/benchmarks/head_under_test.h"

#include <cstdio>
#include <sys/resource.h>
#include <sys/wait.h>

using namespace trialdeck;
using namespace trialdeck::benchmarks;

namespace {

constexpr uint32_t kTrials = 1000;
constexpr uint32_t kAtATime = 2;

double secondsSince(base::SteadyTime begin) {
    return std::chrono::duration<double>(base::SystemClock().steadyNow() - begin).count();
}

/// What one trial took, in milliseconds.
struct PerTrial {
    double wall = 0;
    double processor = 0;
};

PerTrial spawnBare(const base::Path& folder) {
    base::SpawnOptions options;
    options.command = {TRIALDECK_BIN_DIR "/reporter", "1"};
    options.environment = base::currentEnvironment();
    options.environment["TRIALDECK_REPORT"] = (folder / "bare.jsonl").native();
    const base::SteadyTime begin = base::SystemClock().steadyNow();
    uint32_t running = 0;
    double processor = 0;
    for (uint32_t started = 0; started < kTrials || running > 0;) {
        if (started < kTrials && running < kAtATime) {
            if (!base::spawn(options))
                HeadUnderTest::giveUp("a program cannot be started");
            ++running;
            ++started;
            continue;
        }
        rusage usage{};
        if (wait4(-1, nullptr, 0, &usage) > 0)
            --running;
        processor += static_cast<double>(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) +
                     static_cast<double>(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec) / 1e6;
    }
    return {secondsSince(begin) * 1000 / kTrials, processor * 1000 / kTrials};
}

/// From the order to the record that says that the experiment is over.
PerTrial runTrials(HeadUnderTest& head, const std::string& name) {
    bool over = false;
    uint32_t reports = 0;
    RecordTap tap([&](const protocol::Record& record) {
        reports += std::holds_alternative<protocol::ReportReceived>(record.body) ? 1 : 0;
        const auto* state = std::get_if<protocol::ExperimentStateChanged>(&record.body);
        over = over || (state && protocol::isFinished(state->state));
    });
    const ProcessUsage before = head.daemonUsage();
    const base::SteadyTime begin = base::SystemClock().steadyNow();
    const ExperimentId experiment =
        head.create(name, "\"1\"",
                    "search: {num_samples: " + std::to_string(kTrials) +
                        ", max_concurrent_trials: " + std::to_string(kAtATime) + "}\n");
    const auto subscription = head.client().followRecords(experiment, {}, tap);
    head.runUntil([&over] { return over; }, std::chrono::seconds(240));
    const double wall = secondsSince(begin);
    const ProcessUsage after = head.daemonUsage();
    if (reports != kTrials || head.summary(experiment).terminated != kTrials)
        HeadUnderTest::giveUp("a trial or its report is missing");
    const double daemon = after.seconds() - before.seconds();
    const double children = after.childrenSeconds - before.childrenSeconds;
    std::printf(
        "  daemon: %.2f ms a trial, of which processor %.2f ms; supervisors and workers: processor %.2f ms\n",
        wall * 1000 / kTrials, daemon * 1000 / kTrials, children * 1000 / kTrials);
    return {wall * 1000 / kTrials, (daemon + children) * 1000 / kTrials};
}

} // namespace

int main() {
    printMachine();
    HeadUnderTest head("launch");
    head.connect();
    std::vector<double> costs;
    std::vector<double> bares;
    std::vector<double> wholes;
    constexpr int kRounds = 3;
    for (int round = 0; round < kRounds; ++round) {
        const PerTrial bare = spawnBare(head.folder());
        std::printf("  bare posix_spawn: %.2f ms a program, of which processor %.2f ms\n", bare.wall,
                    bare.processor);
        const PerTrial whole = runTrials(head, "launch-" + std::to_string(round));
        bares.push_back(bare.wall);
        wholes.push_back(whole.wall);
        costs.push_back(whole.wall - bare.wall);
    }
    const double sync = medianSyncMs(head.folder().native());
    const double cost = quantile(costs, 0.5);
    const double reach = 4 + 2 * sync;
    char seen[200];
    std::snprintf(
        seen, sizeof seen,
        "%.2f ms a trial over bare posix_spawn (median of %d rounds; %.2f ms against %.2f ms, ratio %.1f)",
        cost, kRounds, quantile(wholes, 0.5), quantile(bares, 0.5),
        quantile(wholes, 0.5) / quantile(bares, 0.5));
    char wanted[100];
    std::snprintf(wanted, sizeof wanted, "4 ms + 2 x fdatasync of %.2f ms = %.2f ms", sync, reach);
    printRow("launch cost of a trial, process engine, 1,000 trials, 2 at a time", seen, wanted,
             cost <= reach);
    return 0;
}

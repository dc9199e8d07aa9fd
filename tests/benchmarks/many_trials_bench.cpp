// SPDX-License-Identifier: Apache-2.0
// A daemon that has run 10,000 trials of 10 reports each by its own engine and holds them in memory, because
// one more trial still runs: its memory, `trialdeckctl ls`, and both again after the daemon was killed and
// started.
#include "tests/benchmarks/head_under_test.h"

#include <csignal>
#include <cstdio>

using namespace trialdeck;
using namespace trialdeck::benchmarks;

namespace {

constexpr uint64_t kTrials = 10'000;
constexpr double kReachMiB = 300;
constexpr double kReachSeconds = 0.2;

/// Median seconds of `trialdeckctl ls`, from its start to its end.
double listSeconds(const HeadUnderTest& head, int times) {
    std::vector<double> seconds;
    for (int i = 0; i < times; ++i) {
        const base::SteadyTime begin = base::SystemClock().steadyNow();
        const auto list = base::runAndCollect(
            {{TRIALDECK_BIN_DIR "/trialdeckctl", "ls"}, head.environment(), {}, {}, false, {}}, 60'000);
        if (!list || list->exit.code != 0 || list->standardOutput.find("many") == std::string::npos)
            HeadUnderTest::giveUp("trialdeckctl ls does not list the experiment");
        seconds.push_back(std::chrono::duration<double>(base::SystemClock().steadyNow() - begin).count());
    }
    return quantile(seconds, 0.5);
}

void waitForTrials(HeadUnderTest& head, const ExperimentId& experiment) {
    uint64_t over = 0;
    RecordTap tap([&over](const protocol::Record& record) {
        const auto* state = std::get_if<protocol::TrialStateChanged>(&record.body);
        over += state && state->state == protocol::TrialState::terminated ? 1 : 0;
    });
    const auto subscription = head.client().followRecords(experiment, {}, tap);
    head.runUntil([&over] { return over == kTrials; }, std::chrono::seconds(600));
}

} // namespace

int main() {
    printMachine();
    HeadUnderTest head("many");
    head.connect();
    const base::SteadyTime begin = base::SystemClock().steadyNow();
    const double fresh = head.daemonUsage().residentMiB;
    const ExperimentId experiment = head.create(
        "many", "\"10\", \"0\", \"0\", \"{x}\"",
        "  runtime_env: {env_vars: {TRIALDECK_BENCH_HOLD: \"" + std::to_string(kTrials) +
            "\"}}\n"
            "  stop_grace_s: 1\n"
            "param_space: {x: {uniform: [0, 1]}, lr: {loguniform: [0.0001, 1]}}\n"
            "search: {num_samples: " +
            std::to_string(kTrials + 1) + ", max_concurrent_trials: 3, metric: loss, mode: min}\n");
    waitForTrials(head, experiment);
    const double took = std::chrono::duration<double>(base::SystemClock().steadyNow() - begin).count();
    const ProcessUsage ran = head.daemonUsage();
    const double list = listSeconds(head, 21);
    std::printf(
        "  %llu trials run in %.0f s; memory of the daemon: %.1f MiB at first, %.1f MiB now, peak %.1f MiB; "
        "trialdeckctl ls %.3f s\n",
        static_cast<unsigned long long>(kTrials), took, fresh, ran.residentMiB, ran.peakResidentMiB, list);

    const pid_t killed = head.daemonPid();
    head.disconnect();
    kill(killed, SIGKILL);
    const base::SteadyTime again = base::SystemClock().steadyNow();
    head.connect();
    const double restart = std::chrono::duration<double>(base::SystemClock().steadyNow() - again).count();
    const ProcessUsage replayed = head.daemonUsage();
    const double listAgain = listSeconds(head, 21);
    std::printf("  killed and started again in %.2f s: %.1f MiB, peak %.1f MiB; trialdeckctl ls %.3f s\n",
                restart, replayed.residentMiB, replayed.peakResidentMiB, listAgain);
    if (head.summary(experiment).terminated != kTrials)
        HeadUnderTest::giveUp("trials are missing after the restart");

    const double peak = std::max(ran.peakResidentMiB, replayed.peakResidentMiB);
    const double slowest = std::max(list, listAgain);
    char seen[160];
    std::snprintf(seen, sizeof seen, "%.1f MiB at most; trialdeckctl ls %.3f s (median of 21)", peak,
                  slowest);
    printRow("daemon with 10,000 trials of 10 reports", seen, "300 MiB; 0.2 s",
             peak <= kReachMiB && slowest <= kReachSeconds);
    return 0;
}

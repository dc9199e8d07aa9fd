// SPDX-License-Identifier: Apache-2.0
// From the start of the program `trialdeck` until its window is connected to the running daemon and has
// painted all experiments, or the curves of the one that it was told to open. Warm: the first start is not
// counted. Offscreen, unless QT_QPA_PLATFORM says otherwise.
#include "tests/benchmarks/head_under_test.h"

#include <cstdio>
#include <cstdlib>
#include <sys/wait.h>
#include <unistd.h>

using namespace trialdeck;
using namespace trialdeck::benchmarks;

namespace {

constexpr int kExperiments = 20;
constexpr int kStarts = 15;
constexpr double kReachSeconds = 0.5;

/// @return seconds
double startWindow(const HeadUnderTest& head, const std::vector<std::string>& options,
                   const std::string& waitsFor) {
    int ends[2];
    if (pipe(ends) != 0)
        HeadUnderTest::giveUp("no pipe");
    constexpr int kDescriptor = 3;
    base::SpawnOptions spawn;
    spawn.command = {TRIALDECK_BIN_DIR "/trialdeck"};
    spawn.command.insert(spawn.command.end(), options.begin(), options.end());
    spawn.environment = head.environment();
    spawn.environment.try_emplace("QT_QPA_PLATFORM", "offscreen");
    spawn.environment["QT_PLUGIN_PATH"] = TRIALDECK_BIN_DIR "/benchmarks/plugins";
    spawn.environment["QT_QPA_GENERIC_PLUGINS"] = "trialdeck-start-probe";
    spawn.environment["TRIALDECK_BENCH_FD"] = std::to_string(kDescriptor);
    spawn.environment["TRIALDECK_BENCH_WAITS_FOR"] = waitsFor;
    spawn.descriptors = {{ends[1], kDescriptor}};
    const base::SteadyTime begin = base::SystemClock().steadyNow();
    const auto pid = base::spawn(spawn);
    close(ends[1]);
    if (!pid)
        HeadUnderTest::giveUp(base::describe(pid.error()));
    char text[32] = {};
    const ssize_t count = read(ends[0], text, sizeof text - 1);
    close(ends[0]);
    waitpid(*pid, nullptr, 0);
    if (count <= 0)
        HeadUnderTest::giveUp("the window ended before it had painted anything");
    const std::chrono::nanoseconds painted(std::atoll(text));
    return std::chrono::duration<double>(painted - begin.time_since_epoch()).count();
}

double measure(const HeadUnderTest& head, const char* what, const std::vector<std::string>& options,
               const std::string& waitsFor) {
    (void)startWindow(head, options, waitsFor);
    std::vector<double> seconds;
    for (int i = 0; i < kStarts; ++i)
        seconds.push_back(startWindow(head, options, waitsFor));
    const double median = quantile(seconds, 0.5);
    std::printf("  %s: median %.3f s of %d starts (%.3f to %.3f s)\n", what, median, kStarts,
                quantile(seconds, 0), quantile(seconds, 1));
    return median;
}

} // namespace

int main() {
    printMachine();
    HeadUnderTest head("window");
    head.connect();
    for (int i = 0; i < kExperiments; ++i) {
        const std::string trials = i + 1 == kExperiments ? "8" : "2";
        const ExperimentId experiment =
            head.create("experiment-" + std::to_string(i), "\"100\"",
                        "search: {num_samples: " + trials + ", metric: loss, mode: min}\n");
        head.awaitEnd(experiment, std::chrono::seconds(60));
    }
    const double list =
        measure(head, "20 experiments painted in the sidebar", {}, std::to_string(kExperiments));
    const double page = measure(head, "curves of an experiment of 8 trials and 800 reports painted",
                                {"--open", "experiment-" + std::to_string(kExperiments - 1)}, "chart");
    char seen[120];
    std::snprintf(seen, sizeof seen, "%.3f s to all experiments, %.3f s to the curves of one (medians)", list,
                  page);
    printRow("window start to usable, warm", seen, "0.5 s", std::max(list, page) <= kReachSeconds);
    return 0;
}

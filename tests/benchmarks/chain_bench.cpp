// SPDX-License-Identifier: Apache-2.0
// Reports through the whole chain: 100 workers write 5 metrics each to their report files for 20 s, the
// daemon keeps them in the journal and in the projections, one client reads every record.
// TRIALDECK_BENCH_RATE is what all workers write together, 60,000 reports a second; the figure is what the
// client has received by the end.
#include "tests/benchmarks/head_under_test.h"

#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sys/resource.h>

using namespace trialdeck;
using namespace trialdeck::benchmarks;

namespace {

constexpr uint32_t kTrials = 100;
constexpr int64_t kSeconds = 20;
constexpr double kReach = 50'000;
/// By then all workers have been started.
constexpr std::chrono::seconds kStartTime{6};

double monotonicSeconds() {
    return std::chrono::duration<double>(base::SystemClock().steadyNow().time_since_epoch()).count();
}

double ownSeconds() {
    rusage usage{};
    getrusage(RUSAGE_SELF, &usage);
    return static_cast<double>(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) +
           static_cast<double>(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec) / 1e6;
}

/// Counts each trial's reports and how long each was on its way.
class Counter {
public:
    explicit Counter(int64_t perTrial) : m_perTrial(perTrial) {
        m_delays.reserve(static_cast<size_t>(perTrial) * kTrials);
    }

    void take(const protocol::Record& record) {
        if (const auto* state = std::get_if<protocol::ExperimentStateChanged>(&record.body))
            m_over = m_over || protocol::isFinished(state->state);
        const auto* report = std::get_if<protocol::ReportReceived>(&record.body);
        if (!report)
            return;
        int64_t& last = m_last[report->trial.raw()];
        if (report->iteration != last + 1)
            HeadUnderTest::giveUp("a report of trial " + std::to_string(report->trial.raw()) +
                                  " is missing before " + std::to_string(report->iteration));
        last = report->iteration;
        m_lastCame = monotonicSeconds();
        for (const auto& [name, value] : report->metrics) {
            if (name == "written_s")
                m_delays.push_back((m_lastCame - value.toDouble().value_or(0)) * 1000);
        }
        ++m_count;
    }

    [[nodiscard]] bool complete() const { return m_count == m_perTrial * kTrials; }
    [[nodiscard]] bool over() const { return m_over; }
    [[nodiscard]] int64_t count() const { return m_count; }
    [[nodiscard]] double lastCame() const { return m_lastCame; }
    [[nodiscard]] const std::vector<double>& delays() const { return m_delays; }

private:
    int64_t m_perTrial;
    std::vector<int64_t> m_last = std::vector<int64_t>(kTrials);
    std::vector<double> m_delays;
    int64_t m_count = 0;
    double m_lastCame = 0;
    bool m_over = false;
};

int64_t linesOf(const base::Path& file) {
    std::ifstream in(file, std::ios::binary);
    std::vector<char> buffer(size_t{1} << 20);
    int64_t lines = 0;
    while (in.read(buffer.data(), static_cast<std::streamsize>(buffer.size())) || in.gcount() > 0)
        lines += std::count(buffer.begin(), buffer.begin() + in.gcount(), '\n');
    return lines;
}

/// Every report must be in its trial's result.json and progress.csv too.
void checkProjections(const base::Path& folder, int64_t perTrial) {
    for (const auto& entry : std::filesystem::directory_iterator(folder)) {
        if (!std::filesystem::exists(entry.path() / "params.json"))
            continue;
        const int64_t rows = linesOf(entry.path() / "result.json");
        const int64_t table = linesOf(entry.path() / "progress.csv");
        if (rows != perTrial || table != perTrial + 1)
            HeadUnderTest::giveUp(entry.path().native() + " has " + std::to_string(rows) + " and " +
                                  std::to_string(table) + " lines");
    }
}

} // namespace

int main() {
    printMachine();
    const char* wanted = std::getenv("TRIALDECK_BENCH_RATE");
    const int64_t rate = (wanted ? std::atoll(wanted) : 60'000) / kTrials;
    const int64_t perTrial = rate * kSeconds;
    HeadUnderTest head("chain");
    head.connect();
    Counter counter(perTrial);
    RecordTap tap([&counter](const protocol::Record& record) { counter.take(record); });
    const auto begin = base::SystemClock().steadyNow() + kStartTime;
    const int64_t beginNs = std::chrono::nanoseconds(begin.time_since_epoch()).count();
    const ExperimentId experiment =
        head.create("chain",
                    "\"" + std::to_string(perTrial) + "\", \"" + std::to_string(beginNs) + "\", \"" +
                        std::to_string(rate) + "\"",
                    "  resources_per_worker: {CPU: 0.01}\nsearch: {num_samples: " + std::to_string(kTrials) +
                        ", max_concurrent_trials: " + std::to_string(kTrials) + "}\n");
    const auto subscription = head.client().followRecords(experiment, {}, tap);
    head.runUntil([&] { return head.summary(experiment).running == kTrials; }, kStartTime);
    const ProcessUsage before = head.daemonUsage();
    const double ownBefore = ownSeconds();
    const double busyBefore = busySeconds();
    const double watchedSince = monotonicSeconds();
    head.runUntil([&counter] { return counter.complete(); }, std::chrono::seconds(240));
    const double seconds =
        counter.lastCame() - std::chrono::duration<double>(begin.time_since_epoch()).count();
    const ProcessUsage after = head.daemonUsage();
    const double own = ownSeconds() - ownBefore;
    const double busy = busySeconds() - busyBefore;
    const double watched = monotonicSeconds() - watchedSince;
    head.runUntil([&counter] { return counter.over(); }, std::chrono::seconds(60));
    const ProcessUsage end = head.daemonUsage();
    checkProjections(head.folder() / "results" / "chain", perTrial);

    const auto count = static_cast<double>(counter.count());
    const double daemon = after.seconds() - before.seconds();
    const double writers = end.childrenSeconds - before.childrenSeconds;
    std::printf("  written: %lld reports in %lld s, %lld a second\n", static_cast<long long>(counter.count()),
                static_cast<long long>(kSeconds), static_cast<long long>(rate * kTrials));
    std::printf("  processor per report: daemon %.2f us (of which in the kernel %.2f us), client %.2f us, "
                "supervisors "
                "and workers %.2f us; all programs of this machine %.2f us\n",
                daemon / count * 1e6, (after.systemSeconds - before.systemSeconds) / count * 1e6,
                own / count * 1e6, writers / count * 1e6, busy / count * 1e6);
    std::printf("  cores used: daemon %.2f, client %.2f, workers %.2f, whole machine %.2f of %ld\n",
                daemon / seconds, own / seconds, writers / seconds, busy / watched, cores());
    std::printf("  written to received: median %.0f ms, p99 %.0f ms, longest %.0f ms\n",
                quantile(counter.delays(), 0.5), quantile(counter.delays(), 0.99),
                quantile(counter.delays(), 1));
    std::printf("  peak memory of the daemon: %.1f MiB (before: %.1f MiB)\n", end.peakResidentMiB,
                before.peakResidentMiB);
    char seen[200];
    std::snprintf(
        seen, sizeof seen,
        "%.0f a second received (%lld reports in %.2f s), none dropped, none twice; %.2f of the %lld a "
        "second written",
        count / seconds, static_cast<long long>(counter.count()), seconds,
        count / seconds / static_cast<double>(rate * kTrials), static_cast<long long>(rate * kTrials));
    printRow("reports through the whole chain, 100 trials, 5 metrics, 20 s", seen,
             "50,000 a second, none dropped", count / seconds >= kReach);
    return 0;
}

// SPDX-License-Identifier: Apache-2.0
// Records from a head behind a real sshd on a line with 100 ms of round trip: how long a report is on its way
// from the worker to a client, and how soon a large experiment is there.
#include "core/client/experiment_mirror.h"
#include "tests/benchmarks/far_head.h"
#include "tests/benchmarks/figures.h"
#include "tests/benchmarks/head_under_test.h"

#include <QElapsedTimer>

#include <cstdio>

using namespace trialdeck;
using namespace trialdeck::benchmarks;
using tests::HeadSession;
using tests::SshWay;

namespace {

constexpr int kLiveTrials = 10;
constexpr int kLiveReports = 100;
constexpr int kLiveRate = 10;
constexpr uint32_t kTrials = 1'000;
constexpr uint32_t kPoints = 1'000;
/// 100 Mbit a second.
constexpr uint64_t kSlowLine = 12'500'000;

double monotonicSeconds() {
    return std::chrono::duration<double>(base::SystemClock().steadyNow().time_since_epoch()).count();
}

/// Folds the records as a window does.
class Opened final : public client::RecordsListener {
public:
    void onSubscribed(const protocol::RecordsSubscribeResult& result) override { m_last = result.last; }
    void onRecords(const protocol::RecordsEvent& event) override {
        mirror.apply(event);
        bytes += event.lines.data.size();
        if (!event.more)
            m_reached = event.last;
    }
    protocol::Cursor onRollback(protocol::Cursor from) override { return from; }
    void onRefused(const Error& error) override { HeadUnderTest::giveUp(base::describe(error)); }

    [[nodiscard]] bool hasCurve() const {
        constexpr size_t kSeenAsCurve = 100;
        for (const client::MirroredTrial& trial : mirror.trials()) {
            if (!trial.attempts.empty() && trial.attempts.back().reports.rows.size() >= kSeenAsCurve)
                return true;
        }
        return false;
    }
    [[nodiscard]] bool hasAll() const { return m_last && m_reached >= *m_last; }

    client::ExperimentMirror mirror;
    uint64_t bytes = 0;

private:
    std::optional<RecordNumber> m_last;
    RecordNumber m_reached;
};

ExperimentId createReporters(HeadSession& session, const std::string& name, const std::string& arguments,
                             int trials, int atOnce) {
    return session.create(
        "name: " + name + "\ntrial: {command: [\"" TRIALDECK_BIN_DIR "/reporter\", " + arguments +
        "], resources_per_worker: {CPU: 0.01}}\nstorage_path: " + (session.folder() / "results").native() +
        "\nsearch: {num_samples: " + std::to_string(trials) +
        ", max_concurrent_trials: " + std::to_string(atOnce) + "}\n");
}

std::string text(const char* format, double value) {
    char buffer[64];
    std::snprintf(buffer, sizeof buffer, format, value);
    return buffer;
}

void measureDelays(FarHead& far) {
    far.session.connect();
    const int64_t beginNs =
        std::chrono::nanoseconds(
            (base::SystemClock().steadyNow() + std::chrono::seconds(2)).time_since_epoch())
            .count();
    const ExperimentId id = createReporters(
        far.session, std::string("live-") + (far.way == SshWay::system ? "system" : "libssh2"),
        "\"" + std::to_string(kLiveReports) + "\", \"" + std::to_string(beginNs) + "\", \"" +
            std::to_string(kLiveRate) + "\"",
        kLiveTrials, kLiveTrials);
    std::vector<double> delays;
    RecordTap tap([&delays](const protocol::Record& record) {
        const auto* report = std::get_if<protocol::ReportReceived>(&record.body);
        if (report == nullptr)
            return;
        for (const auto& [name, value] : report->metrics) {
            if (name == "written_s")
                delays.push_back((monotonicSeconds() - value.toDouble().value_or(0)) * 1000);
        }
    });
    const auto following = far.session.followRecords(id, tap);
    far.session.waitFor([&] { return delays.size() >= size_t{kLiveTrials * kLiveReports}; });
    const double median = quantile(delays, 0.5);
    const double late = quantile(delays, 0.99);
    printRow(
        std::string("report in a worker to the client's listener, ") + nameOf(far.way),
        text("p50 %.0f ms", median) + text(", p99 %.0f ms", late) + text(" of %.0f", double(delays.size())),
        "to the pixel: p50 200 ms, p99 500 ms; painting is no part of this", median <= 200 && late <= 500);
}

void measureOpening(FarHead& far, const ExperimentId& id, const std::string& line) {
    far.session.disconnect();
    far.session.connect();
    Opened opened;
    QElapsedTimer clock;
    const uint64_t carried = far.proxy.carriedBytes();
    clock.start();
    const auto following = far.session.followRecords(id, opened);
    far.session.waitFor([&] { return opened.hasCurve(); });
    const double first = double(clock.elapsed()) / 1000;
    far.session.waitFor([&] { return opened.hasAll(); });
    const double all = double(clock.elapsed()) / 1000;
    size_t points = 0;
    for (const client::MirroredTrial& trial : opened.mirror.trials())
        points += trial.attempts.back().reports.rows.size();
    if (points != size_t{kTrials} * kPoints)
        HeadUnderTest::giveUp("reports are missing: " + std::to_string(points));
    printRow("opening 1,000 trials of 1,000 points, " + line + ", " + nameOf(far.way),
             text("first curve %.2f s", first) + text(", all %.2f s", all) +
                 text(" (%.0f MB of records", double(opened.bytes) / 1e6) +
                 text(", %.1f MB on the wire)", double(far.proxy.carriedBytes() - carried) / 1e6),
             "first 1 s, all 4 s", first <= 1 && all <= 4);
}

} // namespace

int main() {
    printMachine();
    FarHead far(SshWay::system);
    for (const SshWay way : {SshWay::system, SshWay::libssh2}) {
        far.way = way;
        far.session.disconnect();
        measureDelays(far);
    }
    const ExperimentId id =
        createReporters(far.session, "large", "\"" + std::to_string(kPoints) + "\"", int{kTrials}, 8);
    while (!far.session.waitForState(id, ExperimentState::completed)) {
    }
    for (const auto& [line, rate] : {std::pair("no limit", uint64_t{0}), {"100 Mbit/s", kSlowLine}}) {
        far.proxy.setRate(rate);
        for (const SshWay way : {SshWay::system, SshWay::libssh2}) {
            far.way = way;
            measureOpening(far, id, line);
        }
    }
    return 0;
}

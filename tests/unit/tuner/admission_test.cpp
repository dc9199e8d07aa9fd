// SPDX-License-Identifier: Apache-2.0
// What starts when, and what is said of an experiment that runs.
#include "tests/unit/tuner/tuner_bench.h"

#include <numeric>

using namespace trialdeck;
using namespace trialdeck::tests;
using std::chrono::milliseconds;

namespace {

std::vector<Value> numbers(size_t count) {
    std::vector<Value> values(count);
    std::iota(values.begin(), values.end(), 0);
    return values;
}

} // namespace

class AdmissionTest : public QObject {
    Q_OBJECT
private slots:
    void asManyRunAsAreAllowed() {
        auto spec = gridSpec(numbers(5));
        spec->search.maxConcurrentTrials = 2;
        TunerBench bench(spec, 8);
        bench.begin();
        bench.runFor(milliseconds(50));
        QCOMPARE(bench.tuner().summary().running, uint64_t{2});
        QCOMPARE(bench.tuner().summary().trials, uint64_t{2});
        QVERIFY(bench.run());
        QCOMPARE(bench.tuner().summary().terminated, uint64_t{5});
    }

    void withoutALimitAsManyRunAsFitAndTheNextOneWaits() {
        TunerBench bench(gridSpec(numbers(5)), 3);
        bench.begin();
        bench.runFor(milliseconds(50));
        QCOMPARE(bench.tuner().summary().running, uint64_t{3});
        QCOMPARE(bench.trialState(3), std::string("PENDING waits_for_resources"));
        QCOMPARE(bench.trialState(4), std::string("none"));
        QVERIFY(bench.run());
        QCOMPARE(bench.story({"warning"}), Lines{});
    }

    void moreThanTheNodeHasStartsAloneWithAWarning() {
        auto spec = gridSpec(numbers(2));
        spec->trial.resourcesPerWorker.cpu = 16;
        TunerBench bench(spec, 4);
        bench.begin();
        QVERIFY(bench.run());
        QCOMPARE(bench.story({"warning", "experiment_state"}),
                 (Lines{"warning wants_more_than_node", "experiment_state COMPLETED none"}));
    }

    void elasticTrialsTakeWhatFits() {
        auto spec = gridSpec(numbers(2));
        spec->trial.numWorkers = {1, 3};
        TunerBench bench(spec, 4);
        bench.begin();
        bench.runFor(milliseconds(50));
        QCOMPARE(bench.machine().started().at(0).workers, 3U);
        QCOMPARE(bench.machine().started().at(1).workers, 1U);
    }

    void freedRoomIsUsed() {
        TunerBench bench(gridSpec(numbers(2)), 1);
        bench.begin();
        bench.runFor(milliseconds(50));
        QCOMPARE(bench.machine().started().size(), size_t{1});
        bench.machine().setCpus(2);
        bench.engine().tellNodesChanged();
        bench.runFor(milliseconds(10));
        QCOMPARE(bench.machine().started().size(), size_t{2});
    }

    void theSummaryNamesTheBest() {
        TunerBench bench(gridSpec({0.1, 0.4, 0.9}));
        bench.begin();
        QVERIFY(bench.run());
        const protocol::ExperimentSummary summary = bench.tuner().summary();
        QCOMPARE(summary.bestTrial, std::optional(TrialId(1)));
        QCOMPARE(summary.bestValue.value(), std::abs(0.4 - 0.5) + 1.0 / 3);
        QCOMPARE(summary.metric, std::string("loss"));
        QCOMPARE(summary.mode, std::string("min"));
        QCOMPARE(summary.folder, std::string("/home/ada/trialdeck/test"));
        QVERIFY(summary.ended.has_value());
        QVERIFY(!summary.secondsLeft);
        QCOMPARE(summary.cursor.number.raw(), static_cast<uint64_t>(bench.records().size()));
    }

    void theTimeLeftComesFromTrialsThatHaveEnded() {
        auto spec = gridSpec(numbers(4));
        spec->search.maxConcurrentTrials = 1;
        TunerBench bench(spec);
        bench.begin();
        bench.runFor(milliseconds(100));
        QVERIFY(!bench.tuner().summary().secondsLeft);
        bench.runUntil([&bench] { return bench.tuner().summary().terminated == 1; });
        // 400 ms a trial.
        const auto left = bench.tuner().summary().secondsLeft;
        QVERIFY(left && std::abs(*left - 1.2) < 0.01);
    }

    void theTimeLeftComesFromIterationsWhileNoneHasEnded() {
        auto spec = gridSpec(numbers(2));
        spec->search.maxConcurrentTrials = 1;
        spec->stop = {{"training_iteration", model::Comparison::ge, 10}};
        TunerBench bench(spec);
        bench.model = trains(bench.files, {.iterations = 10});
        bench.begin();
        bench.runFor(milliseconds(210));
        const auto left = bench.tuner().summary().secondsLeft;
        QVERIFY(left && std::abs(*left - (0.105 * 20 - 0.21)) < 0.02);
    }

    void aHeartbeatComesEachTenSeconds() {
        TunerBench bench(gridSpec({0.1}));
        bench.model = does({exits(0, 35'000)});
        bench.begin();
        QVERIFY(bench.run());
        const auto records = bench.records();
        QCOMPARE(std::ranges::count_if(records,
                                       [](const protocol::Record& record) {
                                           return std::holds_alternative<protocol::Heartbeat>(record.body);
                                       }),
                 std::ptrdiff_t{4});
        bench.runFor(std::chrono::seconds(60));
        QCOMPARE(bench.records().size(), records.size());
    }

    void reportsChangeTheSummaryTenTimesASecondAtMost() {
        TunerBench bench(gridSpec({0.1}));
        std::vector<Act> acts;
        for (int i = 0; i < 1000; ++i)
            acts.push_back(reports(R"({"loss":1})", 1));
        acts.push_back(exits(0, 1000));
        bench.model = does(acts);
        bench.begin();
        bench.runFor(milliseconds(990));
        QVERIFY(bench.summaries >= 8 && bench.summaries <= 14);
    }

    void twoExperimentsShareOneEngine() {
        // The router hands each its own.
        struct Counter : engine::EngineListener {
            void onAttemptStarted(const engine::AttemptKey&, const std::string&,
                                  std::optional<int>) override {}
            void onReportLine(const engine::AttemptKey&, uint32_t, std::string_view, uint64_t) override {
                ++lines;
            }
            void onOutputLine(const engine::AttemptKey&, uint32_t, std::string_view, uint64_t) override {}
            void onNoOutputYet(const engine::AttemptKey&, uint32_t) override {}
            void onWorkerEnded(const engine::AttemptKey&, uint32_t, const engine::WorkerEnd&) override {}
            void onAttemptEnded(const engine::AttemptKey&) override {}
            void onStartFailed(const engine::AttemptKey&, const Error&) override {}
            void onNodesChanged() override {
                ++changes;
                order->push_back(name);
            }
            int lines = 0;
            int changes = 0;
            std::string name;
            Lines* order = nullptr;
        };
        Lines order;
        Counter first;
        Counter second;
        first.name = "a";
        second.name = "b";
        first.order = second.order = &order;
        tuner::EngineRouter router;
        router.join("a", first);
        router.join("b", second);
        router.onReportLine({"b", 0, 0}, 0, "x", 1);
        router.onReportLine({"gone", 0, 0}, 0, "x", 1);
        router.onNodesChanged();
        router.onNodesChanged();
        router.leave("a");
        router.onNodesChanged();
        QCOMPARE(first.lines, 0);
        QCOMPARE(second.lines, 1);
        QCOMPARE(order, (Lines{"a", "b", "b", "a", "b"}));
    }
};

QTEST_APPLESS_MAIN(AdmissionTest)
#include "admission_test.moc"

// SPDX-License-Identifier: Apache-2.0
// How trials end, and the experiment with them.
#include "tests/unit/tuner/tuner_bench.h"

#include <csignal>
#include <numeric>

using namespace trialdeck;
using namespace trialdeck::tests;

namespace {

struct Case {
    std::function<void(model::ExperimentSpec&)> change = [](model::ExperimentSpec&) {};
    std::vector<Act> acts;
    OnTerminate onTerminate = OnTerminate::endsAtOnce;
    /// Lines of decisions, states of the trial, warnings and the experiment's end.
    Lines expected;
};

Act dies(int signal) {
    return {Act::Kind::die, std::chrono::milliseconds(100), {}, signal};
}

model::StopRule rule(std::string metric, model::Comparison comparison, double value) {
    return {std::move(metric), comparison, value};
}

const std::map<std::string, Case>& cases() {
    using model::Comparison;
    static const std::map<std::string, Case> kCases = {
        {"exit code",
         {.acts = {reports(R"({"loss":1})"), exits(3)},
          .expected = {"state 0 RUNNING none", "state 0 ERROR exit worker_exit",
                       "experiment_state FAILED none"}}},
        {"signal",
         {.acts = {reports(R"({"loss":1})"), dies(SIGSEGV)},
          .expected = {"state 0 RUNNING none", "state 0 ERROR signal worker_signal",
                       "experiment_state FAILED none"}}},
        {"out of memory",
         {.acts = {reports(R"({"loss":1})"), {Act::Kind::outOfMemory}},
          .expected = {"state 0 RUNNING none", "state 0 ERROR oom worker_out_of_memory",
                       "experiment_state FAILED none"}}},
        {"no report",
         {.acts = {exits()},
          .expected = {"state 0 RUNNING none", "warning 0 no_report", "state 0 TERMINATED completed",
                       "experiment_state COMPLETED none"}}},
        {"metric never comes",
         {.acts = {reports(R"({"acc":1})"), reports(R"({"acc":2})"), exits()},
          .expected = {"state 0 RUNNING none", "warning 0 report_metric_missing",
                       "state 0 ERROR bad_report report_metric_missing", "experiment_state FAILED none"}}},
        {"metric comes late",
         {.acts = {reports(R"({"acc":1})"), reports(R"({"loss":2})"), exits()},
          .expected = {"state 0 RUNNING none", "warning 0 report_metric_missing",
                       "state 0 TERMINATED completed", "experiment_state COMPLETED none"}}},
        {"stop rule on the iteration",
         {.change =
              [](model::ExperimentSpec& spec) {
                  spec.stop = {rule("training_iteration", Comparison::ge, 2)};
              },
          .acts = {reports(R"({"loss":1})"), reports(R"({"loss":2})"), exits(0, 9999)},
          .expected = {"state 0 RUNNING none", "decision 0 #2 stop by training_iteration",
                       "state 0 TERMINATED stop_rule", "experiment_state COMPLETED none"}}},
        {"stop rule on a loss",
         {.change =
              [](model::ExperimentSpec& spec) {
                  spec.stop = {rule("acc", Comparison::ge, 5), rule("loss", Comparison::le, 0.5)};
              },
          .acts = {reports(R"({"loss":1})"), reports(R"({"loss":0.5})"), exits(0, 9999)},
          .expected = {"state 0 RUNNING none", "decision 0 #2 stop by loss", "state 0 TERMINATED stop_rule",
                       "experiment_state COMPLETED none"}}},
        {"stop rule on a time that nobody reports",
         {.change =
              [](model::ExperimentSpec& spec) { spec.stop = {rule("time_total_s", Comparison::ge, 0.25)}; },
          .acts = {reports(R"({"loss":1})"), reports(R"({"loss":1})"), reports(R"({"loss":1})"),
                   exits(0, 9999)},
          .expected = {"state 0 RUNNING none", "decision 0 #3 stop by time_total_s",
                       "state 0 TERMINATED stop_rule", "experiment_state COMPLETED none"}}},
        {"nan goes on",
         {.acts = {reports(R"({"loss":NaN})"), exits()},
          .expected = {"state 0 RUNNING none", "state 0 TERMINATED completed",
                       "experiment_state COMPLETED none"}}},
        {"nan stops",
         {.change = [](model::ExperimentSpec& spec) { spec.trial.onNan = model::OnNan::stop; },
          .acts = {reports(R"({"loss":1})"), reports(R"({"loss":Infinity})"), exits(0, 9999)},
          .expected = {"state 0 RUNNING none", "decision 0 #2 stop by on_nan", "state 0 TERMINATED stop_rule",
                       "experiment_state COMPLETED none"}}},
        {"nan fails",
         {.change = [](model::ExperimentSpec& spec) { spec.trial.onNan = model::OnNan::fail; },
          .acts = {reports(R"({"loss":NaN})"), exits(0, 9999)},
          .expected = {"state 0 RUNNING none", "state 0 RUNNING nan report_non_finite",
                       "state 0 ERROR nan report_non_finite", "experiment_state FAILED none"}}},
        {"silence",
         {.change = [](model::ExperimentSpec& spec) { spec.trial.noReportTimeout = std::chrono::seconds(1); },
          .acts = {reports(R"({"loss":1})", 900), reports(R"({"loss":1})", 900), exits(0, 1100)},
          .expected = {"state 0 RUNNING none", "state 0 RUNNING no_report no_report",
                       "state 0 ERROR no_report no_report", "experiment_state FAILED none"}}},
        {"a program that ignores SIGTERM is killed",
         {.change =
              [](model::ExperimentSpec& spec) {
                  spec.stop = {rule("training_iteration", Comparison::ge, 1)};
              },
          .acts = {reports(R"({"loss":1})")},
          .onTerminate = OnTerminate::ignores,
          .expected = {"state 0 RUNNING none", "decision 0 #1 stop by training_iteration",
                       "state 0 TERMINATED stop_rule", "experiment_state COMPLETED none"}}},
        {"a program that ends with 0 on SIGTERM was stopped all the same",
         {.change =
              [](model::ExperimentSpec& spec) {
                  spec.stop = {rule("training_iteration", Comparison::ge, 1)};
              },
          .acts = {reports(R"({"loss":1})")},
          .onTerminate = OnTerminate::exitsWithZero,
          .expected = {"state 0 RUNNING none", "decision 0 #1 stop by training_iteration",
                       "state 0 TERMINATED stop_rule", "experiment_state COMPLETED none"}}},
    };
    return kCases;
}

} // namespace

class EndingsTest : public QObject {
    Q_OBJECT
private slots:
    void aTrialEndsAs_data() {
        QTest::addColumn<QString>("name");
        for (const auto& [name, ending] : cases())
            QTest::newRow(name.c_str()) << QString::fromStdString(name);
    }
    void aTrialEndsAs() {
        QFETCH(QString, name);
        const Case& wanted = cases().at(name.toStdString());
        auto spec = gridSpec({0.5});
        wanted.change(*spec);
        TunerBench bench(spec);
        bench.model = does(wanted.acts, wanted.onTerminate);
        bench.begin();
        QVERIFY(bench.run());
        QCOMPARE(bench.story({"state", "decision", "warning", "experiment_state"}), wanted.expected);
    }

    void theErrorNamesTheMetricsThatDoCome() {
        TunerBench bench(gridSpec({0.5}));
        bench.model = does({reports(R"({"acc":1,"val":{"acc":2}})"), exits()});
        bench.begin();
        QVERIFY(bench.run());
        const auto& error = bench.tuner().experiment().find(TrialId(0))->error();
        QCOMPARE(error->arguments.at("metric"), std::string("loss"));
        QCOMPARE(error->arguments.at("found"), std::string("acc, val/acc"));
    }

    void aRankThatFailsEndsItsTrial() {
        auto spec = gridSpec({0.5});
        spec->trial.numWorkers = {2, 2};
        TunerBench bench(spec);
        bench.model = [](const engine::AttemptRequest&, uint32_t rank) {
            return rank == 1 ? Script{{exits(9, 50)}} : Script{{reports(R"({"loss":1})", 10)}};
        };
        bench.begin();
        QVERIFY(bench.run());
        QCOMPARE(bench.story({"worker_end", "state"}),
                 (Lines{"state 0 RUNNING none", "worker_end 0/0 rank 1 exit 9 worker_exit",
                        "worker_end 0/0 signal 15 stopped", "state 0 ERROR exit worker_exit"}));
    }

    void ashaStopsAndTheStateSaysSo() {
        auto spec = gridSpec({0.5, 0.9});
        spec->search.maxConcurrentTrials = 1;
        spec->scheduler.type = model::SchedulerType::asha;
        spec->scheduler.maxT = 3;
        TunerBench bench(spec);
        bench.model = trains(bench.files, {.iterations = 9});
        bench.begin();
        QVERIFY(bench.run());
        QCOMPARE(
            bench.story({"decision", "state"}),
            (Lines{"state 0 RUNNING none", "decision 0 #1 continue by scheduler",
                   "decision 0 #3 stop by scheduler", "state 0 TERMINATED scheduler", "state 1 RUNNING none",
                   "decision 1 #1 stop by scheduler", "state 1 TERMINATED scheduler"}));
    }

    void theSchedulerSeesAReportAlsoWhereAStopRuleEndsTheTrial() {
        auto spec = gridSpec({0.5});
        spec->scheduler.type = model::SchedulerType::asha;
        spec->stop = {{"training_iteration", model::Comparison::ge, 1}};
        TunerBench bench(spec);
        bench.begin();
        QVERIFY(bench.run());
        QCOMPARE(bench.story({"decision"}),
                 (Lines{"decision 0 #1 continue by scheduler", "decision 0 #1 stop by training_iteration"}));
    }

    void aStartThatIsRefusedIsTheTrialsError() {
        TunerBench bench(gridSpec({0.1, 0.2}));
        bench.begin();
        bench.engine().refuseNextStart(Error{ErrorCode::command_not_found, {{"command", "train"}}, {}});
        QVERIFY(bench.run());
        QCOMPARE(bench.trialState(0), std::string("ERROR not_started"));
        QCOMPARE(bench.trialState(1), std::string("TERMINATED completed"));
        QCOMPARE(bench.state(), std::string("FAILED none"));
    }

    void aStartThatFailsLaterIsTheTrialsErrorToo() {
        TunerBench bench(gridSpec({0.1}));
        bench.begin();
        bench.engine().failNextStart(Error{ErrorCode::spawn_failed, {}, {}});
        QVERIFY(bench.run());
        QCOMPARE(
            bench.story({"state", "experiment_state"}),
            (Lines{"state 0 ERROR not_started spawn_failed", "experiment_state FAILED none spawn_failed"}));
    }

    void whereNothingStartsTheRestIsNotTried() {
        std::vector<Value> values(10);
        std::iota(values.begin(), values.end(), 0);
        auto spec = gridSpec(values);
        spec->trial.command = {"train", "{nothing}"};
        TunerBench bench(spec);
        bench.begin();
        QVERIFY(bench.run());
        QCOMPARE(bench.story({"trial", "experiment_state"}),
                 (Lines{"trial 0 x=0", "trial 1 x=1", "trial 2 x=2",
                        "experiment_state FAILED none unknown_placeholder"}));
    }

    void workersThatAreGoneAfterAPowerCutAreLost() {
        auto spec = gridSpec({0.1});
        spec->failure.maxPreemptionFailures = 0;
        TunerBench bench(spec);
        bench.begin();
        bench.runFor(std::chrono::milliseconds(150));
        bench.kill();
        bench.machine().powerCut();
        bench.restart();
        QVERIFY(bench.run());
        QCOMPARE(bench.story({"report", "state"}),
                 (Lines{"state 0 RUNNING none", "report 0/0 #1 loss=1.4", "state 0 ERROR lost worker_lost"}));
    }

    void withoutAMetricEveryReportIsKept() {
        auto spec = gridSpec({0.1});
        spec->search.metric.reset();
        TunerBench bench(spec);
        bench.model = does({reports(R"({"a":1})"), reports(R"({"b":2})"), exits()});
        bench.begin();
        QVERIFY(bench.run());
        QCOMPARE(bench.story({"report", "warning"}), (Lines{"report 0/0 #1 a=1", "report 0/0 #2 b=2"}));
        QCOMPARE(bench.state(), std::string("COMPLETED none"));
        QVERIFY(!bench.tuner().summary().bestTrial);
    }

    void timeIsUp() {
        auto spec = gridSpec({0.1, 0.2, 0.3});
        spec->search.maxConcurrentTrials = 1;
        spec->search.timeBudget = std::chrono::seconds(1);
        TunerBench bench(spec);
        bench.model = does({reports(R"({"loss":1})"), exits(0, 600)});
        bench.begin();
        QVERIFY(bench.run());
        QCOMPARE(bench.story({"decision", "state", "experiment_state"}),
                 (Lines{"state 0 RUNNING none", "state 0 TERMINATED completed", "state 1 RUNNING none",
                        "decision 1 #1 stop by time_budget_s", "state 1 TERMINATED stop_rule",
                        "experiment_state COMPLETED none"}));
    }

    void tryingOneConfigurationEndsWithIt() {
        TunerBench bench(gridSpec({0.1, 0.2, 0.3}));
        bench.single = true;
        bench.begin();
        QVERIFY(bench.run());
        QCOMPARE(bench.story({"trial", "experiment_state"}),
                 (Lines{"trial 0 x=0.1", "experiment_state COMPLETED none"}));
        QCOMPARE(bench.tuner().summary().plannedTrials, std::optional<uint64_t>(1));
    }
};

QTEST_APPLESS_MAIN(EndingsTest)
#include "endings_test.moc"

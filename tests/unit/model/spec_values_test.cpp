// SPDX-License-Identifier: Apache-2.0
// What stands behind the keys: values of each kind, right and wrong.
#include "core/model/spec_check.h"
#include "core/model/spec_sections.h"

#include "tests/support/compare.h"
#include "tests/unit/model/spec_texts.h"

using namespace trialdeck;
using namespace trialdeck::model;
using protocol::Severity;

namespace {

SpecCheck checkTrialWith(const std::string& entry) {
    return checkYaml("name: x\ntrial:\n  command: [a, \"{config}\"]\n  " + entry + "\n");
}

SpecCheck checkRootWith(const std::string& entry) {
    return checkYaml("name: x\ntrial: {command: [a, \"{config}\"]}\n" + entry + "\n");
}

} // namespace

class SpecValuesTest : public QObject {
    Q_OBJECT
private slots:
    void wordsAreRefusedWithTheNearest_data() {
        QTest::addColumn<QString>("entry");
        QTest::addColumn<QString>("problem");
        const auto row = [](const char* entry, const char* problem) {
            QTest::newRow(entry) << entry << problem;
        };
        row("search: {search_alg: rnadom}", "3:22 error unknown_value search.search_alg -> random");
        row("search: {search_alg: grid_search}", "3:22 error unknown_value search.search_alg -> grid");
        row("search: {metric: m, mode: maximum}", "3:27 error unknown_value search.mode -> max");
        row("search: {metric: m, mode: upwards}", "3:27 error unknown_value search.mode");
        row("scheduler: {type: ASHA}", "3:19 error unknown_value scheduler.type -> asha");
        row("scheduler: fif", "3:12 error unknown_value scheduler.type -> fifo");
        row("engine: proces", "3:9 error unknown_value engine -> process");
        row("checkpoint: {checkpoint_score_order: mim}",
            "3:38 error unknown_value checkpoint_config.checkpoint_score_order -> min");
        row("stop: {loss: {lte: 1}}", "3:15 error unknown_key stop.loss.lte -> le");
        row("stop: {loss: {'<=': 1}}", "3:15 error unknown_key stop.loss.\"<=\" -> le");
        row("param_space: {a: {loguniforn: [1, 2]}}",
            "3:19 error bad_distribution param_space.a.loguniforn -> {loguniform: [1, 2]}");
        row("param_space: {a: {gridsearch: [1, 2]}}",
            "3:19 error bad_distribution param_space.a.gridsearch -> {grid_search: [1, 2]}");
        row("param_space: {a: {chioce: [1, 2]}}",
            "3:19 error bad_distribution param_space.a.chioce -> {choice: [1, 2]}");
        row("param_space: {a: {rand_int: [1, 2]}}",
            "3:19 error bad_distribution param_space.a.rand_int -> {randint: [1, 2]}");
        row("param_space: {a: {Uniform: [1, 2]}}",
            "3:19 error bad_distribution param_space.a.Uniform -> {uniform: [1, 2]}");
        row("param_space: {a: 'tune.loguniform(1e-5, 1e-1)'}",
            "3:18 error bad_distribution param_space.a -> {loguniform: [1.0e-5, 0.1]}");
        row("param_space: {a: 'choice([1, 2])'}",
            "3:18 error bad_distribution param_space.a -> {choice: [1, 2]}");
        row("param_space: {a: {uniform: 0.1, 0.9}}",
            "3:18 error bad_distribution param_space.a -> {uniform: [0.1, 0.9]}");
        row("param_space: {a: {uniform: [0, 1], q: 0.1}}", "3:18 error bad_distribution param_space.a");
        row("param_space: {a: {uniform: {low: 0, high: 1}}}",
            "3:28 error wrong_value_type param_space.a.uniform -> {uniform: [0, 1]}");
        row("param_space: {a: {uniform: [0, x]}}", "3:32 error wrong_value_type param_space.a.uniform[1]");
        row("param_space: {a: {int: [0, 99999999999999999999]}}",
            "3:28 error integer_too_large param_space.a.int[1]");
        row("param_space: {a: 99999999999999999999}", "3:18 error integer_too_large param_space.a");
        row("param_space: {'a{b}': 1}", "3:23 error bad_name param_space.\"a{b}\"");
        row("param_space: [a]", "3:14 error wrong_value_type param_space");
        row("param_space: {a: {randn: [0, -1]}}", "3:30 error value_out_of_range param_space.a.randn[1]");
        row("param_space: {a: {qrandint: [4, 5, 3]}}", "3:29 error empty_range param_space.a.qrandint");
    }
    void wordsAreRefusedWithTheNearest() {
        QFETCH(QString, entry);
        QFETCH(QString, problem);
        QCOMPARE(errorsOf(checkRootWith(entry.toStdString())), QStringList{problem});
    }

    void numbersOutsideTheirRangeAreRefused_data() {
        QTest::addColumn<QString>("entry");
        QTest::addColumn<QString>("problem");
        const auto row = [](const char* entry, const char* problem) {
            QTest::newRow(entry) << entry << problem;
        };
        row("search: {num_samples: 0}", "3:23 error value_out_of_range search.num_samples -> 1");
        row("search: {num_samples: -2}", "3:23 error value_out_of_range search.num_samples");
        row("search: {num_samples: 1.5}", "3:23 error not_whole_number search.num_samples");
        row("search: {trials: 0}", "3:18 error value_out_of_range search.trials");
        row("search: {seed: -1}", "3:16 error value_out_of_range search.seed");
        row("search: {max_concurrent: 0}", "3:26 error value_out_of_range search.max_concurrent_trials");
        row("search: {time_budget_s: .nan}", "3:25 error value_out_of_range search.time_budget_s");
        row("scheduler: {type: asha, grace_period: 0}",
            "3:39 error value_out_of_range scheduler.grace_period");
        row("scheduler: {type: asha, max_t: 4, grace_period: 5}",
            "3:49 error value_out_of_range scheduler.grace_period");
        row("scheduler: {type: asha, reduction_factor: 1}",
            "3:43 error value_out_of_range scheduler.reduction_factor -> 4");
        row("failure: {max_failures: -2}", "3:25 error value_out_of_range failure_config.max_failures");
        row("checkpoint: {keep: 0}", "3:20 error value_out_of_range checkpoint_config.num_to_keep");
        row("stop: {a: b}", "3:11 error wrong_value_type stop.a");
        row("stop: [a]", "3:7 error wrong_value_type stop");
        row("search: {metric: [a], mode: min}", "3:18 error wrong_value_type search.metric");
        row("storage_path: [x]", "3:15 error wrong_value_type storage_path");
    }
    void numbersOutsideTheirRangeAreRefused() {
        QFETCH(QString, entry);
        QFETCH(QString, problem);
        std::string text = entry.toStdString();
        if (text.starts_with("scheduler"))
            text += "\nsearch: {metric: m, mode: min}";
        QCOMPARE(errorsOf(checkRootWith(text)), QStringList{problem});
    }

    void partsOfATrialAreChecked_data() {
        QTest::addColumn<QString>("entry");
        QTest::addColumn<QString>("problem");
        const auto row = [](const char* entry, const char* problem) {
            QTest::newRow(entry) << entry << problem;
        };
        row("workers: two", "4:12 error wrong_value_type trial.num_workers");
        row("workers: {min: 4, max: 2}", "4:12 error bounds_reversed trial.num_workers -> {min: 2, max: 4}");
        row("on_nan: halt", "4:11 error unknown_value trial.on_nan");
        row("on_nan: Stop", "4:11 error unknown_value trial.on_nan -> stop");
        row("placement_strategy: spread", "4:23 error unknown_value trial.placement_strategy -> SPREAD");
        row("stop_grace_s: -1", "4:17 error value_out_of_range trial.stop_grace_s");
        row("no_report_timeout_s: 0", "4:24 error value_out_of_range trial.no_report_timeout_s");
        row("resources: {cpus: 1}", "4:21 error unknown_key trial.resources_per_worker.cpus -> CPU");
        row("resources: {num_gpus: 1}", "4:25 error unknown_key trial.resources_per_worker.num_gpus -> GPU");
        row("resources: {memroy: 1}", "4:23 error unknown_key trial.resources_per_worker.memroy -> memory");
        row("resources: {CPU: -1}", "4:20 error value_out_of_range trial.resources_per_worker.CPU");
        row("resources: {GPU: 1.5}", "4:20 error not_whole_number trial.resources_per_worker.GPU");
        row("resources: {mem: lots}",
            "4:20 error wrong_value_type trial.resources_per_worker.memory -> 1GiB");
        row("resources: {cpu: 1, CPU: 2}", "4:23 error yaml_alias_conflict trial.resources_per_worker.CPU");
        row("report: {stdout: '(?<loss'}", "4:20 error bad_pattern trial.report.stdout");
        row("report: {stdout: 'loss'}", "4:20 error bad_pattern trial.report.stdout");
        row("report: {terminal: maybe}", "4:22 error wrong_value_type trial.report.terminal");
        row("env: {'A=B': c}", "4:16 error bad_name trial.runtime_env.env_vars.\"A=B\"");
        row("env: [A]", "4:8 error wrong_value_type trial.runtime_env.env_vars");
    }
    void partsOfATrialAreChecked() {
        QFETCH(QString, entry);
        QFETCH(QString, problem);
        QCOMPARE(errorsOf(checkTrialWith(entry.toStdString())), QStringList{problem});
    }

    void commandsAreChecked_data() {
        QTest::addColumn<QString>("command");
        QTest::addColumn<QStringList>("problems");
        const auto row = [](const char* command, const QStringList& problems) {
            QTest::newRow(command) << command << problems;
        };
        row("[]", {"3:12 error empty_command trial.command"});
        row("['']", {"3:12 error empty_command trial.command"});
        row("train.sh --lr {lr}",
            {R"(3:12 error wrong_value_type trial.command -> [train.sh, --lr, "{lr}"])"});
        row("[a, {lr}]", {R"(3:16 error wrong_value_type trial.command[1] -> "{lr}")"});
        row("[a, --lr={rl}]", {R"(3:21 error yaml_syntax  -> "--lr={rl}")"});
        row("[a, \"--x={lr}{rl}\"]", {R"(3:25 error unknown_placeholder trial.command[1] -> "{lr}")"});
        row("[a, '{opt/betaz}']", {R"(3:17 error unknown_placeholder trial.command[1] -> "{opt/betas}")"});
        row("[a, 'x}']", {"3:18 error unclosed_placeholder trial.command[1]"});
        row("[a, '{\"k\": 1}']", {R"(3:17 error unknown_placeholder trial.command[1] -> '{{"k": 1}}')"});
        row("[a, ~]", {R"(3:16 error wrong_value_type trial.command[1] -> "~")"});
        row("[a, '{lr}', '{opt/betas}', '{seed}', '{{x}}']", {});
        row("[a, '{lr}', '{opt}']", {});
    }
    void commandsAreChecked() {
        QFETCH(QString, command);
        QFETCH(QStringList, problems);
        const SpecCheck check =
            checkYaml("name: x\ntrial:\n  command: " + command.toStdString() +
                      "\nparam_space: {lr: {uniform: [0, 1]}, opt: {betas: [0.9, 0.99]}}\n");
        QCOMPARE(errorsOf(check), problems);
    }

    void parametersThatNoPlaceholderUsesAreWarnedOf() {
        const SpecCheck some =
            checkYaml("name: x\ntrial: {command: [a, '{lr}']}\nparam_space: {lr: 1, bs: 2}\n");
        QCOMPARE(errorsOf(some, Severity::warning),
                 QStringList{"3:26 warning unused_parameter param_space.bs"});
        const SpecCheck config =
            checkYaml("name: x\ntrial: {command: [a, '{config}']}\nparam_space: {lr: 1, bs: 2}\n");
        QCOMPARE(errorsOf(config, Severity::warning), QStringList());
    }

    void mistakesInTheSpaceRaiseNoOthers() {
        const SpecCheck check = checkYaml("name: x\ntrial: {command: [a, '{lr}', '{o/x}']}\n"
                                          "param_space: {lr: {uniform: [0]}, o: {x: {choice: []}}}\n"
                                          "search: {points_to_evaluate: [{lr: 1, o: {x: 2}}]}\n");
        QCOMPARE(errorsOf(check), (QStringList{"3:29 error bounds_count param_space.lr.uniform",
                                               "3:51 error empty_choice param_space.o.x.choice"}));
    }

    void pointsAreCheckedAgainstTheSpace() {
        const SpecCheck check =
            checkYaml("name: x\ntrial: {command: [a, '{config}']}\n"
                      "param_space: {lr: {uniform: [0, 1]}, o: {n: {choice: [s, a]}}}\n"
                      "search:\n  points_to_evaluate:\n    - {lr: 0.5, o: {n: s}}\n    - {o/n: a}\n"
                      "    - {lr: 2}\n    - {rl: 0.5}\n    - {lr: 0}\n");
        QCOMPARE(errorsOf(check),
                 (QStringList{"8:12 error value_out_of_range search.points_to_evaluate[2].lr",
                              "9:12 error unknown_key search.points_to_evaluate[3].rl -> lr"}));
        const SpecCheck good = checkYaml("name: x\ntrial: {command: [a, '{lr}', '{o/n}']}\n"
                                         "param_space: {lr: {uniform: [0, 1]}, o: {n: {choice: [s, a]}}}\n"
                                         "search: {points_to_evaluate: [{o/n: a, lr: 0}]}\n");
        QCOMPARE(model::textOf(Value(good.spec->search.pointsToEvaluate.at(0))),
                 QString(R"({"lr":0.0,"o":{"n":"a"}})"));
        QCOMPARE(good.result.preview.firstCommand, (std::vector<std::string>{"a", "0.0", "a"}));
    }

    void stopRulesAreReadAsRayMeansThem() {
        const SpecCheck check =
            checkRootWith("search: {metric: loss, mode: min}\n"
                          "stop: {loss: 0.1, acc: {ge: 0.9}, training_iteration: 10, x: {lt: 2, gt: 5}}");
        const std::vector<StopRule> expected = {{"loss", Comparison::ge, 0.1},
                                                {"acc", Comparison::ge, 0.9},
                                                {"training_iteration", Comparison::ge, 10},
                                                {"x", Comparison::lt, 2},
                                                {"x", Comparison::gt, 5}};
        QVERIFY(check.spec->stop == expected);
        QCOMPARE(errorsOf(check, Severity::warning),
                 QStringList{"4:14 warning stop_on_minimised_metric stop.loss -> {le: 0.1}"});
        QCOMPARE(check.result.preview.iterationsPerTrial.value(), int64_t{10});
    }

    void experimentsThatNothingEndsAreWarnedOf() {
        QCOMPARE(errorsOf(checkRootWith("search: {num_samples: -1}"), Severity::warning),
                 QStringList{"3:23 warning nothing_stops_trials search.num_samples -> time_budget_s: 3600"});
    }

    void ashaWantsAMetric() {
        QCOMPARE(
            errorsOf(checkRootWith("scheduler: asha")),
            QStringList{"3:12 error metric_required scheduler.type -> search: {metric: loss, mode: min}"});
    }

    void namesAreThoseOfFolders_data() {
        QTest::addColumn<QString>("name");
        QTest::addColumn<QString>("problem");
        QTest::newRow("usual") << "fashion-mnist lr 2"
                               << "";
        QTest::newRow("number") << "2024"
                                << "";
        QTest::newRow("Chinese") << "学习率"
                                 << "";
        QTest::newRow("slash") << "a/b"
                               << "1:7 error bad_name name -> a-b";
        QTest::newRow("hidden") << ".a"
                                << "1:7 error bad_name name -> a";
        QTest::newRow("up") << "'..'"
                            << "1:7 error bad_name name";
        QTest::newRow("empty") << "''"
                               << "1:7 error bad_name name";
        QTest::newRow("long") << QString(300, 'x') << "1:7 error bad_name name";
        QTest::newRow("list") << "[a]"
                              << "1:7 error wrong_value_type name";
    }
    void namesAreThoseOfFolders() {
        QFETCH(QString, name);
        QFETCH(QString, problem);
        const SpecCheck check = checkYaml("name: " + name.toStdString() + "\ntrial: {command: [a]}\n");
        QCOMPARE(errorsOf(check).join("\n"), problem);
    }

    void sizesAreReadWithTheirUnits_data() {
        QTest::addColumn<QString>("text");
        QTest::addColumn<qint64>("bytes");
        const auto row = [](const char* text, qint64 bytes) { QTest::newRow(text) << text << bytes; };
        row("1GiB", 1LL << 30);
        row("1Gi", 1LL << 30);
        row("1 GiB", 1LL << 30);
        row("1.5GiB", 3LL << 29);
        row("512MiB", 512LL << 20);
        row("2GB", 2'000'000'000);
        row("2G", 2'000'000'000);
        row("300k", 300'000);
        row("1e9", 1'000'000'000);
        row("1073741824", 1LL << 30);
        row("0", 0);
        row("1GB2", -1);
        row("GiB", -1);
        row("-1GiB", -1);
        row("1XB", -1);
        row("99999999PiB", -1);
        row("", -1);
    }
    void sizesAreReadWithTheirUnits() {
        QFETCH(QString, text);
        QFETCH(qint64, bytes);
        const auto read = bytesFromText(text.toStdString());
        QCOMPARE(read ? static_cast<qint64>(*read) : -1, bytes);
    }

    void everythingOfTheExampleIsRead() {
        const SpecCheck check = checkYaml(
            "name: full\n"
            "trial:\n"
            "  command: [train, --lr, \"{lr}\", --n, 10, 1.50]\n"
            "  runtime_env: {working_dir: ., env_vars: {OMP_NUM_THREADS: \"1\", LEVEL: 2}, python: python3}\n"
            "  report: {stdout: 'loss: (?<loss>\\S+)', terminal: yes}\n"
            "  on_nan: fail\n  no_report_timeout_s: 90\n  stop_grace_s: 0.5\n  num_workers: 2\n"
            "  resources_per_worker: {cpu: 1.5, gpu: 1, mem: 1GiB, TPU: 4}\n"
            "  placement_strategy: STRICT_SPREAD\n"
            "param_space: {lr: {loguniform: [1.0e-5, 1.0]}}\n"
            "search: {num_samples: 32, seed: 1, metric: accuracy, mode: max, max_concurrent: 2, "
            "time_budget_s: 3600}\n"
            "scheduler: {type: asha, max_t: 20, grace_period: 2, reduction_factor: 3}\n"
            "checkpoint: {every: 1, checkpoint_at_end: true, score: accuracy, checkpoint_score_order: min}\n"
            "storage: /data/x\n");
        QVERIFY2(check.spec, qPrintable(linesOf(check).join("\n")));
        const ExperimentSpec& spec = *check.spec;
        QCOMPARE(spec.trial.command,
                 (std::vector<std::string>{"train", "--lr", "{lr}", "--n", "10", "1.50"}));
        QVERIFY(spec.trial.runtimeEnv ==
                (RuntimeEnv{".", {{"OMP_NUM_THREADS", "1"}, {"LEVEL", "2"}}, "python3"}));
        QVERIFY(spec.trial.report == (ReportSpec{"loss: (?<loss>\\S+)", true}));
        QCOMPARE(spec.trial.onNan, OnNan::fail);
        QCOMPARE(spec.trial.noReportTimeout.value().count(), 90'000);
        QCOMPARE(spec.trial.stopGrace.count(), 500);
        QCOMPARE(spec.trial.numWorkers.max, 2U);
        QVERIFY(spec.trial.resourcesPerWorker ==
                (Resources{1.5, 1, uint64_t{1} << 30U, {{"TPU", 4}}, "", {}}));
        QCOMPARE(spec.trial.placementStrategy, PlacementStrategy::strictSpread);
        QCOMPARE(spec.search.timeBudget.value().count(), 3'600'000);
        QVERIFY(spec.search.metric == (Metric{"accuracy", Mode::max}));
        QCOMPARE(spec.scheduler.type, SchedulerType::asha);
        QCOMPARE(spec.scheduler.maxT, int64_t{20});
        QCOMPARE(spec.checkpoint.frequency, int64_t{1});
        QCOMPARE(spec.checkpoint.scoreOrder, Mode::min);
        QCOMPARE(spec.storagePath, std::string("/data/x"));
        QCOMPARE(check.result.preview.iterationsPerTrial.value(), int64_t{20});
    }
};

QTEST_APPLESS_MAIN(SpecValuesTest)
#include "spec_values_test.moc"

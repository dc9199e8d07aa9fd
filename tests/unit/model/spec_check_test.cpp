// SPDX-License-Identifier: Apache-2.0
#include "core/model/spec_check.h"

#include "tests/support/compare.h"
#include "tests/unit/model/spec_texts.h"

using namespace trialdeck;
using namespace trialdeck::model;
using protocol::Severity;

namespace {

/// The parts of a file that nothing is wrong with, and what the test is about.
SpecCheck checkWith(const std::string& lines, const std::string& command = "[train, \"{config}\"]") {
    return checkYaml("name: x\ntrial: {command: " + command + "}\n" + lines);
}

std::string argumentOf(const SpecCheck& check, ErrorCode code, std::string_view name) {
    for (const protocol::Problem& problem : check.result.problems) {
        if (problem.code != code)
            continue;
        const auto found = problem.arguments.find(name);
        return found == problem.arguments.end() ? "missing" : found->second;
    }
    return "no such problem";
}

} // namespace

class SpecCheckTest : public QObject {
    Q_OBJECT
private slots:
    void boundsAndStepsAreRefusedOrNotedLineByLine() {
        const SpecCheck check = checkYaml(caseText("C74-log-and-int-bounds/experiment.yaml"));
        QVERIFY(!check.spec);
        QCOMPARE(
            linesOf(check),
            (QStringList{
                R"(2:18 note unused_parameter trial.command -> "{config}")",
                "5:22 error bounds_not_positive param_space.zero.loguniform -> {loguniform: [1.0e-8, 1]}",
                "6:26 error bounds_not_positive param_space.negative.loguniform -> {loguniform: [1.0e-5, "
                "0.1]}",
                "7:26 error bounds_reversed param_space.reversed.loguniform -> {loguniform: [1.0e-7, 0.01]}",
                "8:30 note yaml_text_number param_space.text_number.loguniform[0] -> 1.0e-5",
                "8:36 note yaml_text_number param_space.text_number.loguniform[1] -> 0.1",
                "9:20 note bounds_equal param_space.equal.uniform -> 0.1",
                "10:27 error bounds_not_finite param_space.infinite.uniform[1]",
                "11:28 error bounds_not_finite param_space.not_a_number.uniform[0]",
                "13:20 note yaml_text_number param_space.huge.uniform[0] -> -1.0e+308",
                "13:30 note yaml_text_number param_space.huge.uniform[1] -> 1.0e+308",
                "14:28 note range_excludes_end param_space.randint_plain.randint",
                "16:36 error not_whole_number param_space.randint_float_bounds.randint[0]",
                "17:33 error bounds_not_positive param_space.lograndint_zero.lograndint -> {lograndint: [1, "
                "1024]}",
                "18:28 error empty_range param_space.randint_empty.randint -> {randint: [3, 4]}",
                "19:18 note bounds_equal param_space.int_one.int -> 3",
                "21:31 note differs_from_ray param_space.qrandint_step_1.qrandint",
                "22:31 note step_values param_space.qrandint_step_3.qrandint",
                "23:29 note step_values param_space.qrandint_edge.qrandint",
                "25:33 error step_does_not_fit param_space.step_does_not_fit.quniform -> {quniform: [0.0, "
                "0.9, 0.3]}",
                "26:32 error step_not_positive param_space.step_zero.quniform[2]",
                "27:29 error step_too_wide param_space.step_too_wide.quniform -> 0",
                "29:24 error bounds_count param_space.one_bound.uniform",
                "30:20 error bounds_count param_space.three.uniform -> {quniform: [0.1, 0.2, 0.3]}",
                "31:22 note number_as_text param_space.quoted.uniform[0] -> 0.1",
                "31:29 note number_as_text param_space.quoted.uniform[1] -> 0.9",
                "32:20 error bounds_count param_space.comma.uniform -> {uniform: [0.1, 0.9]}",
                "33:14 error bad_distribution param_space.misspelt.log_unifrom -> {loguniform: [1.0e-5, "
                "1.0]}",
            }));
    }

    void allowedBoundsDrawWhatTheirLineSays_data() {
        QTest::addColumn<QString>("parameter");
        QTest::addColumn<QString>("values");
        QTest::newRow("randint_plain") << "randint_plain"
                                       << "1, 2, 3, 4";
        QTest::newRow("int_plain") << "int_plain"
                                   << "1, 2, 3, 4, 5";
        QTest::newRow("int_one") << "int_one"
                                 << "3";
        QTest::newRow("equal") << "equal"
                               << "0.1";
        QTest::newRow("qrandint_step_1") << "qrandint_step_1"
                                         << "1, 2, 3, 4, 5";
        QTest::newRow("qrandint_step_3") << "qrandint_step_3"
                                         << "3, 6, 9";
        QTest::newRow("qrandint_edge") << "qrandint_edge"
                                       << "0, 4, 8";
        QTest::newRow("step_fits") << "step_fits"
                                   << "0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7";
    }
    void allowedBoundsDrawWhatTheirLineSays() {
        QFETCH(QString, parameter);
        QFETCH(QString, values);
        const SpecCheck check = checkYaml(caseText("C74-log-and-int-bounds/experiment.yaml"));
        for (const protocol::ParameterPreview& preview : check.result.preview.parameters) {
            if (preview.parameter == parameter.toStdString()) {
                QCOMPARE(model::textOf(preview.values), values);
                return;
            }
        }
        QFAIL("no preview of the parameter");
    }

    void notesNameTheValuesThatAreReached() {
        const SpecCheck check = checkWith(
            "param_space: {a: {qrandint: [0, 10, 4]}, b: {randint: [1, 5]}, c: {qrandint: [1, 5, 1]},"
            " d: {randint: [0, 1000]}}\n");
        QCOMPARE(argumentOf(check, ErrorCode::step_values, "values"), std::string("0, 4, 8"));
        QCOMPARE(argumentOf(check, ErrorCode::step_values, "not_reached"), std::string("10"));
        QCOMPARE(argumentOf(check, ErrorCode::range_excludes_end, "values"), std::string("1, 2, 3, 4"));
        QCOMPARE(argumentOf(check, ErrorCode::differs_from_ray, "ray_values"), std::string("1, 2, 3, 4"));
        QCOMPARE(check.result.preview.parameters.at(3).values.size(), size_t{200});
    }

    void gridValuesAreTakenOnceAndRepeatsNamed() {
        const SpecCheck check = checkYaml(caseText("C77-seeds-and-grid/grid.yaml"));
        QVERIFY(check.spec);
        QCOMPARE(check.result.preview.trials.value(), uint64_t{8});
        QCOMPARE(linesOf(check), (QStringList{
                                     R"(2:18 note unused_parameter trial.command -> "{config}")",
                                     "4:27 note duplicate_choice param_space.lr.grid_search[1]",
                                     "4:32 note duplicate_choice param_space.lr.grid_search[2]",
                                     "4:40 note duplicate_choice param_space.lr.grid_search[3]",
                                     "5:33 note duplicate_choice param_space.batch.grid_search[2]",
                                     "6:30 note duplicate_choice param_space.drop.grid_search[1]",
                                     "7:9 note seed_parameter_wins param_space.seed",
                                     "8:9 note metric_required search.metric",
                                 }));
        const auto& lr = std::get<GridSearch>(check.spec->space.find("lr")->distribution);
        QCOMPARE(model::textOf(lr.values), QString("0.1, \"0.1\""));
    }

    void emptyAndHugeGridsAreRefused() {
        QCOMPARE(errorsOf(checkYaml(caseText("C77-seeds-and-grid/grid-empty.yaml"))),
                 QStringList{"3:33 error empty_choice param_space.lr.grid_search"});
        const SpecCheck huge = checkYaml(caseText("C77-seeds-and-grid/grid-huge.yaml"));
        QCOMPARE(errorsOf(huge), QStringList{"16:22 error grid_too_large search.search_alg -> trials: 1000"});
        QCOMPARE(argumentOf(huge, ErrorCode::grid_too_large, "trials"), std::string("1000000000000"));
        std::string capped = caseText("C77-seeds-and-grid/grid-huge.yaml");
        capped.replace(capped.find("num_samples: 1}"), 15, "trials: 50}");
        QCOMPARE(checkYaml(capped).result.preview.trials.value(), uint64_t{50});
    }

    void seedsExampleIsComplete() {
        const SpecCheck check = checkYaml(caseText("C77-seeds-and-grid/seeds.yaml"));
        QCOMPARE(linesOf(check), QStringList());
        QCOMPARE(check.spec->search.seed.value(), uint64_t{7});
        QCOMPARE(check.spec->search.maxConcurrentTrials.value(), 4U);
        QCOMPARE(check.result.preview.trials.value(), uint64_t{24});
        QCOMPARE(check.result.preview.concurrentTrials.value(), uint64_t{4});
        QCOMPARE(check.result.preview.firstCommand.size(), size_t{5});
    }

    void gridWantsFiniteParameters() {
        QCOMPARE(errorsOf(checkWith("param_space: {a: {uniform: [0, 1]}, b: {int: [1, 3]}, c: {quniform: [0, "
                                    "1, 1.0e-12]}, d: 4}\n"
                                    "search: {search_alg: grid}\n")),
                 (QStringList{"3:18 error grid_needs_finite_space param_space.a",
                              "3:40 error grid_needs_finite_space param_space.b -> {grid_search: [1, 2, 3]}",
                              "3:58 error grid_needs_finite_space param_space.c"}));
    }

    void samplesMultiplyTheGrid_data() {
        QTest::addColumn<QString>("search");
        QTest::addColumn<qint64>("trials");
        QTest::newRow("default") << "{}" << qint64{4};
        QTest::newRow("samples") << "{num_samples: 3}" << qint64{12};
        QTest::newRow("cap alone") << "{trials: 7}" << qint64{7};
        QTest::newRow("cap beside") << "{num_samples: 3, trials: 5}" << qint64{5};
        QTest::newRow("open") << "{num_samples: -1, time_budget_s: 60}" << qint64{-1};
        QTest::newRow("grid") << "{search_alg: grid}" << qint64{12};
        QTest::newRow("grid and cap") << "{search_alg: grid, trials: 100}" << qint64{12};
    }
    void samplesMultiplyTheGrid() {
        QFETCH(QString, search);
        QFETCH(qint64, trials);
        const SpecCheck check =
            checkWith("param_space: {a: {grid_search: [1, 2, 3, 4]}, b: {choice: [1, 2, 3]}}\nsearch: " +
                      search.toStdString() + "\n");
        QVERIFY2(check.spec, qPrintable(linesOf(check).join("\n")));
        QCOMPARE(check.result.preview.trials ? static_cast<qint64>(*check.result.preview.trials) : -1,
                 trials);
    }

    void everyMistakeIsReportedAtOnce() {
        const SpecCheck check = checkYaml("nmae: x\n"
                                          "trial:\n"
                                          "  command: [train, --lr, \"{l}\", {bs}]\n"
                                          "  num_workers: 0\n"
                                          "  on_nan: explode\n"
                                          "param_space: {lr: {loguniform: [1, 0.1]}, bs: {choice: []}}\n"
                                          "search: {metric: accuracy, num_samples: many}\n"
                                          "stop: 10\n"
                                          "storage: s3://bucket/x\n");
        QCOMPARE(linesOf(check),
                 (QStringList{
                     "1:1 error unknown_key nmae -> name",
                     "1:1 error missing_key name -> name: my-experiment",
                     R"(3:27 error unknown_placeholder trial.command[2] -> "{lr}")",
                     R"(3:33 error wrong_value_type trial.command[3] -> "{bs}")",
                     "4:16 error value_out_of_range trial.num_workers",
                     "5:11 error unknown_value trial.on_nan",
                     "6:32 error bounds_reversed param_space.lr.loguniform -> {loguniform: [0.1, 1]}",
                     "6:56 error empty_choice param_space.bs.choice",
                     "7:9 error missing_key search.mode -> mode: max",
                     "7:41 error wrong_value_type search.num_samples",
                     "8:7 error wrong_value_type stop -> {training_iteration: 10}",
                     "9:10 error not_available_yet storage_path -> ~/trialdeck",
                 }));
    }

    void problemsOfTheMachineStandAtTheirPlace() {
        SpecCheck check = checkWith("");
        QVERIFY(check.spec);
        check.addProblem("trial.command[0]", Severity::error, ErrorCode::command_not_found,
                         {{"command", "train"}});
        check.addProblem("storage_path", Severity::warning, ErrorCode::storage_not_writable);
        QVERIFY(check.hasErrors());
        QCOMPARE(errorsOf(check, Severity::warning),
                 (QStringList{"2:19 error command_not_found trial.command[0]",
                              "1:1 warning storage_not_writable storage_path"}));
    }

    void emptyDraftsSayWhatIsMissing() {
        const QStringList expected = {"error missing_key name -> name: my-experiment",
                                      "error missing_key trial -> trial: {command: [python3, train.py]}",
                                      "note metric_required search.metric"};
        QStringList lines;
        for (const QString& line : linesOf(checkForm(Value(Object()))))
            lines << line.section(' ', 1);
        QCOMPARE(lines, expected);
        QCOMPARE(errorsOf(checkYaml("")), QStringList{"0:0 error yaml_not_a_map "});
        QCOMPARE(errorsOf(checkForm(Value("text"))), QStringList{"0:0 error yaml_not_a_map "});
    }
};

QTEST_APPLESS_MAIN(SpecCheckTest)
#include "spec_check_test.moc"

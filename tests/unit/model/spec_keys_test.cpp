// SPDX-License-Identifier: Apache-2.0
#include "core/model/spec_keys.h"

#include "tests/support/compare.h"
#include "tests/unit/model/spec_texts.h"

#include <algorithm>

using namespace trialdeck;
using namespace trialdeck::model;
using protocol::Severity;

namespace {

struct KeyRow {
    const char* section;
    const char* key;
    /// Short forms and what people mistype, separated by blanks; every mistyped word leads to the key or a
    /// short form of it.
    const char* aliases;
    const char* wrong;
    const char* value;
};

/// Every key of experiment.yaml.
constexpr KeyRow kRows[] = {
    {"", "name", "", "nmae Name names", "x"},
    {"", "trial", "", "trail trials_ Trial", "{command: [a]}"},
    {"", "param_space", "space search_space", "parm_space params_space ParamSpace serach_space param-space",
     "{a: 1}"},
    {"", "search", "", "serach searc", "{num_samples: 2}"},
    {"", "scheduler", "schedule", "scheduller shedule", "{type: fifo}"},
    {"", "stop", "", "stpo Stop", "{training_iteration: 3}"},
    {"", "failure_config", "failure", "failureconfig failuer fail_config", "{max_failures: 0}"},
    {"", "checkpoint_config", "checkpoint", "chekpoint checkpoints checkpoint_cfg",
     "{checkpoint_at_end: true}"},
    {"", "storage_path", "storage", "storge storagepath storage_pth", "/tmp/x"},
    {"", "sync", "", "synch snyc", "{exclude: [x]}"},
    {"", "engine", "", "engin Engine", "process"},
    {"trial", "command", "", "comand cmmand commands", "[a]"},
    {"trial", "runtime_env", "", "runtimeenv runtime_enviroment runtim_env", "{python: python3}"},
    {"trial", "report", "", "reprot reports", "{terminal: true}"},
    {"trial", "on_nan", "", "onnan on_NaN on_nans", "stop"},
    {"trial", "no_report_timeout_s", "", "no_report_timeout report_timeout_s", "60"},
    {"trial", "stop_grace_s", "", "stop_grace stopgrace_s", "5"},
    {"trial", "lease_s", "", "lease leases", "50"},
    {"trial", "num_workers", "workers", "num_worker n_workers worker numworkers", "2"},
    {"trial", "resources_per_worker", "resources", "resource resourcs resources_per_wrker", "{CPU: 2}"},
    {"trial", "placement_strategy", "", "placement placment_strategy", "SPREAD"},
    {"trial", "bundles", "", "bundels bundle", "[{CPU: 1}]"},
    {"trial.runtime_env", "working_dir", "", "workingdir workdir_ working_dri", "/tmp"},
    {"trial.runtime_env", "env_vars", "", "envvars env_var env_vras", "{A: b}"},
    {"trial.runtime_env", "python", "", "pyhton pythn", "python3"},
    {"trial.report", "stdout", "", "stout std_out", "'l: (?<loss>.)'"},
    {"trial.report", "terminal", "", "termnal terminl", "true"},
    {"search", "search_alg", "algorithm", "searchalg algoritm algorithim search_algo", "grid"},
    {"search", "num_samples", "", "num_sample n_samples numsamples", "3"},
    {"search", "trials", "", "trails trial", "5"},
    {"search", "seed", "", "sed seeed", "7"},
    {"search", "metric", "", "metrics metrik", "loss"},
    {"search", "mode", "", "moed modus", "min"},
    {"search", "max_concurrent_trials", "max_concurrent",
     "max_concurent concurrent_trials max_concurrent_trial", "2"},
    {"search", "time_budget_s", "", "time_budget timebudget_s", "60"},
    {"search", "points_to_evaluate", "", "points_to_evalute point_to_evaluate", "[]"},
    {"scheduler", "type", "", "tpye typ", "asha"},
    {"scheduler", "time_attr", "", "timeattr time_atr", "epoch"},
    {"scheduler", "max_t", "", "maxt max_tt", "20"},
    {"scheduler", "grace_period", "", "graceperiod grace_perod grace", "2"},
    {"scheduler", "reduction_factor", "", "reductionfactor reduction", "3"},
    {"scheduler", "brackets", "", "bracket brakets", "1"},
    {"failure_config", "max_failures", "", "max_failure maxfailures", "0"},
    {"failure_config", "fail_fast", "", "failfast fail_fst", "false"},
    {"failure_config", "max_preemption_failures", "", "max_preemption_failure preemption_failures", "-1"},
    {"checkpoint_config", "checkpoint_frequency", "every", "frequency checkpoint_freqency evry", "2"},
    {"checkpoint_config", "checkpoint_at_end", "", "at_end checkpoint_atend", "true"},
    {"checkpoint_config", "num_to_keep", "keep", "num_keep kepe num_to_kep", "2"},
    {"checkpoint_config", "checkpoint_score_attribute", "score", "scroe score_attribute", "loss"},
    {"checkpoint_config", "checkpoint_score_order", "", "score_order checkpoint_scoreorder", "min"},
    {"sync", "exclude", "", "exlude excludes", "[x]"},
    {"sync", "max_lag_s", "", "max_lag maxlag_s", "5"},
    {"sync", "path_style", "", "pathstyle path_stlye", "true"},
};

/// A file in which only the section and what it needs around it stand.
std::string fileWith(const KeyRow& row, const std::string& key) {
    const std::string section = row.section;
    const std::string entry = key + ": " + row.value + "\n";
    if (section.empty())
        return entry;
    const size_t dot = section.find('.');
    if (dot == std::string::npos)
        return section + ":\n  " + entry;
    return section.substr(0, dot) + ":\n  " + section.substr(dot + 1) + ":\n    " + entry;
}

std::vector<std::string> wordsOf(const char* text) {
    std::vector<std::string> words;
    for (const QString& word : QString(text).split(' ', Qt::SkipEmptyParts))
        words.push_back(word.toStdString());
    return words;
}

/// The problems that speak of the key's path or name.
const protocol::Problem* problemWith(const SpecCheck& check, ErrorCode code) {
    const auto& problems = check.result.problems;
    const auto found =
        std::find_if(problems.begin(), problems.end(),
                     [code](const protocol::Problem& problem) { return problem.code == code; });
    return found == problems.end() ? nullptr : &*found;
}

void addRows() {
    QTest::addColumn<int>("index");
    for (int i = 0; i < static_cast<int>(std::size(kRows)); ++i)
        QTest::addRow("%s.%s", kRows[i].section, kRows[i].key) << i;
}

} // namespace

class SpecKeysTest : public QObject {
    Q_OBJECT
private slots:
    void theTableHasEveryKey() {
        QStringList ofTable;
        for (const KeyRow& row : kRows)
            ofTable << QString("%1.%2 %3").arg(row.section, row.key, row.aliases).trimmed();
        QStringList ofSections;
        for (const SectionInfo& section : specSections()) {
            for (const KeyInfo& key : section.keys) {
                if (key.name == "cwd" || key.name == "env")
                    continue;
                QString line =
                    QString::fromStdString(std::string(section.path) + '.' + std::string(key.name));
                for (const std::string_view alias : key.aliases)
                    line += QString::fromStdString(alias.empty() ? "" : ' ' + std::string(alias));
                ofSections << line;
            }
        }
        ofTable.sort();
        ofSections.sort();
        QCOMPARE(ofTable, ofSections);
    }

    void shortFormsGiveTheSameForm_data() { addRows(); }
    void shortFormsGiveTheSameForm() {
        QFETCH(int, index);
        const KeyRow& row = kRows[index];
        const SpecCheck canonical = checkYaml(fileWith(row, row.key));
        QVERIFY(!problemWith(canonical, ErrorCode::unknown_key));
        const std::string path = std::string(row.section) + (*row.section ? "." : "") + row.key;
        QVERIFY2(canonical.positions.contains(path), path.c_str());
        for (const std::string& alias : wordsOf(row.aliases)) {
            const SpecCheck check = checkYaml(fileWith(row, alias));
            QCOMPARE(base::toJson(check.result.form), base::toJson(canonical.result.form));
        }
    }

    void bothFormsAreRefusedWithBothLines_data() { addRows(); }
    void bothFormsAreRefusedWithBothLines() {
        QFETCH(int, index);
        const KeyRow& row = kRows[index];
        for (const std::string& alias : wordsOf(row.aliases)) {
            const std::string once = fileWith(row, alias);
            const size_t start = once.find(alias + ':');
            const size_t lineStart =
                once.rfind('\n', start) == std::string::npos ? 0 : once.rfind('\n', start) + 1;
            const std::string indent = once.substr(lineStart, start - lineStart);
            const SpecCheck check = checkYaml(once + indent + row.key + ": " + row.value + "\n");
            const protocol::Problem* problem = problemWith(check, ErrorCode::yaml_alias_conflict);
            QVERIFY2(problem, alias.c_str());
            QCOMPARE(problem->arguments.at("key"), alias);
            QCOMPARE(problem->arguments.at("other_key"), std::string(row.key));
            QCOMPARE(std::stoi(problem->arguments.at("line")) + 1,
                     std::stoi(problem->arguments.at("other_line")));
            QCOMPARE(problem->line, std::stoi(problem->arguments.at("other_line")));
        }
    }

    void wrongSpellingsLeadToTheKey_data() { addRows(); }
    void wrongSpellingsLeadToTheKey() {
        QFETCH(int, index);
        const KeyRow& row = kRows[index];
        std::vector<std::string> right = wordsOf(row.aliases);
        right.emplace_back(row.key);
        for (const std::string& wrong : wordsOf(row.wrong)) {
            const SpecCheck check = checkYaml(fileWith(row, wrong));
            const protocol::Problem* problem = problemWith(check, ErrorCode::unknown_key);
            QVERIFY2(problem, wrong.c_str());
            QCOMPARE(problem->arguments.at("key"), wrong);
            const std::string nearest = problem->arguments.at("nearest");
            QVERIFY2(std::find(right.begin(), right.end(), nearest) != right.end(),
                     (wrong + " -> " + nearest).c_str());
        }
    }

    void wordsThatNobodyMeantHaveNoNearest() {
        const SpecCheck check = checkYaml("zebra: 1\n");
        QCOMPARE(problemWith(check, ErrorCode::unknown_key)->arguments.at("nearest"), std::string());
        QCOMPARE(problemWith(check, ErrorCode::unknown_key)->suggestion, std::string());
    }

    void keysOfAnotherSectionSayWhereTheyBelong() {
        const SpecCheck check = checkYaml("metric: loss\n");
        QCOMPARE(problemWith(check, ErrorCode::unknown_key)->arguments.at("belongs_to"),
                 std::string("search.metric"));
    }

    void keysThatAreThereAlreadyAreNotOffered() {
        const SpecCheck check = checkYaml("name: x\nnmae: y\n");
        QCOMPARE(problemWith(check, ErrorCode::unknown_key)->arguments.at("nearest"), std::string());
    }

    void cwdAndEnvAreShortForRuntimeEnv() {
        const SpecCheck check = checkYaml("name: x\ntrial:\n  command: [a]\n  cwd: /tmp\n  env: {A: 1}\n");
        QCOMPARE(
            textOf(check.result.form),
            QString(
                R"({"name":"x","trial":{"command":["a"],"runtime_env":{"working_dir":"/tmp","env_vars":{"A":1}}}})"));
        QCOMPARE(check.spec->trial.runtimeEnv.workingDir, std::string("/tmp"));
        const SpecCheck both =
            checkYaml("name: x\ntrial:\n  command: [a]\n  cwd: /tmp\n  runtime_env: {working_dir: /a}\n");
        const protocol::Problem* problem = problemWith(both, ErrorCode::yaml_alias_conflict);
        QVERIFY(problem);
        QCOMPARE(problem->arguments.at("line"), std::string("5"));
        QCOMPARE(problem->arguments.at("other_line"), std::string("4"));
    }

    void rayKeysWithoutMeaningAreNotedAndKept() {
        const SpecCheck check = checkYaml("name: x\nverbose: 1\nsync_config: {a: 1}\ntrial: {command: [a]}\n"
                                          "search: {metric: m, mode: max, reuse_actors: true}\n");
        QVERIFY(check.spec);
        QCOMPARE(linesOf(check), (QStringList{"2:1 note no_effect verbose", "3:1 note no_effect sync_config",
                                              "5:32 note no_effect search.reuse_actors"}));
        QCOMPARE(check.result.form.find("verbose")->toInteger().value(), int64_t{1});
    }

    void knownButNotBuiltIsRefusedByName_data() {
        QTest::addColumn<QString>("lines");
        QTest::addColumn<QString>("problem");
        const auto row = [](const char* lines, const char* problem) {
            QTest::newRow(lines) << lines << problem;
        };
        row("param_space: {a: {uniform: [0, 1], when: {b: 1}}}",
            "3:42 error not_available_yet param_space.a.when");
        row("param_space: {a: {sample_from: x}}", "3:32 error not_available_yet param_space.a.sample_from");
        row("param_space: {a: {choice: [{lr: {uniform: [0, 1]}}]}}",
            "3:28 error not_available_yet param_space.a.choice[0]");
        row("search: {search_alg: tpe}", "3:22 error not_available_yet search.search_alg");
        row("search: {search_alg: gp}", "3:22 error not_available_yet search.search_alg");
        row("search: {search_alg: sobol}", "3:22 error not_available_yet search.search_alg");
        row("search: {search_alg: optuna}", "3:22 error not_available_yet search.search_alg");
        row("scheduler: {type: hyperband}", "3:19 error not_available_yet scheduler.type");
        row("scheduler: pbt", "3:12 error not_available_yet scheduler.type");
        row("scheduler: {type: asha, brackets: 3}", "3:35 error not_available_yet scheduler.brackets -> 1");
        row("storage_path: gs://b/x", "3:15 error not_available_yet storage_path -> ~/trialdeck");
        row("storage_path: file:///data/x", "3:15 error not_available_yet storage_path -> /data/x");
        row("engine: ray", "3:9 error not_available_yet engine");
        row("engine: {ray: auto}", "3:9 error not_available_yet engine -> process");
        row("sync: {exclude: [x]}", "3:7 warning not_available_yet sync");
    }
    void knownButNotBuiltIsRefusedByName() {
        QFETCH(QString, lines);
        QFETCH(QString, problem);
        const SpecCheck check =
            checkYaml("name: x\ntrial: {command: [a, \"{config}\"]}\n" + lines.toStdString() + "\n");
        const QStringList found = errorsOf(check, Severity::warning);
        QVERIFY2(found.contains(problem), qPrintable(found.join("\n")));
    }

    void partsOfATrialThatAreNotBuiltAreRefusedByName_data() {
        QTest::addColumn<QString>("entry");
        QTest::addColumn<QString>("problem");
        const auto row = [](const char* entry, const char* problem) {
            QTest::newRow(entry) << entry << problem;
        };
        row("num_workers: {min: 1, max: 4}", "4:16 error not_available_yet trial.num_workers -> 1");
        row("bundles: [{CPU: 1}]", "4:12 error not_available_yet trial.bundles");
        row("use_gpu: true", "4:3 error not_available_yet trial.use_gpu -> resources_per_worker: {GPU: 1}");
        row("runtime_env: {pip: [x]}", "4:17 error not_available_yet trial.runtime_env.pip");
        row("runtime_env: {conda: x}", "4:17 error not_available_yet trial.runtime_env.conda");
        row("runtime_env: {working_dir: 's3://b/x'}",
            "4:30 error not_available_yet trial.runtime_env.working_dir");
        row("report: {csv: x}", "4:12 error not_available_yet trial.report.csv");
        row("resources: {accelerator_type: A100}",
            "4:33 warning not_available_yet trial.resources_per_worker.accelerator_type");
        row("resources: {label_selector: {a: b}}",
            "4:31 warning not_available_yet trial.resources_per_worker.label_selector");
    }
    void partsOfATrialThatAreNotBuiltAreRefusedByName() {
        QFETCH(QString, entry);
        QFETCH(QString, problem);
        const SpecCheck check =
            checkYaml("name: x\ntrial:\n  command: [a, \"{config}\"]\n  " + entry.toStdString() + "\n");
        QCOMPARE(errorsOf(check, Severity::warning), QStringList{problem});
    }

    void elasticWithOneSizeIsThatSize() {
        const SpecCheck check = checkYaml("name: x\ntrial: {command: [a], workers: {min: 3, max: 3}}\n");
        QCOMPARE(check.spec->trial.numWorkers, (WorkerCount{3, 3}));
    }
};

QTEST_APPLESS_MAIN(SpecKeysTest)
#include "spec_keys_test.moc"

// SPDX-License-Identifier: Apache-2.0
#include "core/tuner/attempt_environment.h"
#include "tests/unit/tuner/tuner_bench.h"

using namespace trialdeck;
using namespace trialdeck::tests;

namespace {

std::string valueOf(const base::Environment& environment, std::string_view name) {
    const auto found = environment.find(name);
    return found == environment.end() ? "(none)" : found->second;
}

base::Environment environmentFor(const base::Environment& login,
                                 const std::function<void(model::ExperimentSpec&)>& change) {
    auto spec = gridSpec({1});
    change(*spec);
    const model::Trial trial(TrialId(3), model::Configuration(), 99);
    return tuner::attemptEnvironment(login, *spec, "/home/ada/work", trial,
                                     {"/x/params.json", "/x/checkpoint_000001"});
}

} // namespace

class AttemptEnvironmentTest : public QObject {
    Q_OBJECT
private slots:
    void theContractIsComplete() {
        const auto environment = environmentFor({{"LANG", "zh_CN.UTF-8"}}, [](model::ExperimentSpec& spec) {
            spec.checkpoint.frequency = 5;
            spec.checkpoint.atEnd = true;
        });
        QCOMPARE(valueOf(environment, "LANG"), std::string("zh_CN.UTF-8"));
        QCOMPARE(valueOf(environment, "PYTHONUNBUFFERED"), std::string("1"));
        QCOMPARE(valueOf(environment, "TRIALDECK_TRIAL_ID"), std::string("3"));
        QCOMPARE(valueOf(environment, "TRIALDECK_SEED"), std::string("99"));
        QCOMPARE(valueOf(environment, "TRIALDECK_CONFIG"), std::string("/x/params.json"));
        QCOMPARE(valueOf(environment, "TRIALDECK_RESUME_FROM"), std::string("/x/checkpoint_000001"));
        QCOMPARE(valueOf(environment, "TRIALDECK_CHECKPOINT_FREQUENCY"), std::string("5"));
        QCOMPARE(valueOf(environment, "TRIALDECK_CHECKPOINT_AT_END"), std::string("1"));
    }

    void envVarsWinOverAllButTheContract() {
        const auto environment =
            environmentFor({{"LANG", "C"}, {"PYTHONUNBUFFERED", "0"}}, [](model::ExperimentSpec& spec) {
                spec.trial.runtimeEnv.envVars = {{"LANG", "de_DE"}, {"TRIALDECK_SEED", "1"}};
            });
        QCOMPARE(valueOf(environment, "LANG"), std::string("de_DE"));
        QCOMPARE(valueOf(environment, "PYTHONUNBUFFERED"), std::string("0"));
        QCOMPARE(valueOf(environment, "TRIALDECK_SEED"), std::string("99"));
    }

    void aTrialThatSearchesDoesNotPassItsOwnContractOn() {
        const auto environment =
            environmentFor({{"TRIALDECK_REPORT", "/outer"}, {"TRIALDECK_HOME", "/t"}}, [](auto&) {});
        QCOMPARE(valueOf(environment, "TRIALDECK_REPORT"), std::string("(none)"));
        QCOMPARE(valueOf(environment, "TRIALDECK_HOME"), std::string("/t"));
    }

    void anInterpretersFolderComesFirst() {
        const auto change = [](model::ExperimentSpec& spec) {
            spec.trial.runtimeEnv.python = "venv/bin/python";
        };
        QCOMPARE(valueOf(environmentFor({{"PATH", "/bin"}}, change), "PATH"),
                 std::string("/home/ada/work/venv/bin:/bin"));
    }

    void workingDirectoriesAreReadAgainstTheUsersFile_data() {
        QTest::addColumn<QString>("written");
        QTest::addColumn<QString>("expected");
        QTest::newRow("none") << ""
                              << "/home/ada/work";
        QTest::newRow("dot") << "."
                             << "/home/ada/work/";
        QTest::newRow("relative") << "sub/x"
                                  << "/home/ada/work/sub/x";
        QTest::newRow("absolute") << "/srv"
                                  << "/srv";
        QTest::newRow("home") << "~/p"
                              << "/home/ada/p";
    }
    void workingDirectoriesAreReadAgainstTheUsersFile() {
        QFETCH(QString, written);
        QFETCH(QString, expected);
        auto spec = gridSpec({1});
        spec->trial.runtimeEnv.workingDir = written.toStdString();
        QCOMPARE(tuner::workingDirectory(*spec, "/home/ada/work", {{"HOME", "/home/ada"}}).native(),
                 expected.toStdString());
    }

    void theEngineGetsAllOfIt() {
        auto spec = gridSpec({0.25});
        spec->trial.command = {"train", "{x}", "{seed}", "{config}"};
        spec->trial.numWorkers = {2, 2};
        spec->trial.resourcesPerWorker.memoryBytes = 1024;
        spec->trial.stopGrace = std::chrono::seconds(7);
        TunerBench bench(spec);
        bench.begin();
        QVERIFY(bench.run());
        const engine::AttemptRequest& request = bench.machine().started().front();
        const std::string folder = "/home/ada/trialdeck/test/trial_00000";
        const std::string seed = valueOf(request.environment, "TRIALDECK_SEED");
        QCOMPARE(request.command, (std::vector<std::string>{"train", "0.25", seed, folder + "/params.json"}));
        QCOMPARE(request.attemptFolder.native(), folder + "/attempt_0");
        QCOMPARE(request.workers, 2U);
        QCOMPARE(request.perWorker.memoryBytes, uint64_t{1024});
        QCOMPARE(request.stopGrace.count(), std::chrono::milliseconds::rep{7000});
        QCOMPARE(valueOf(request.environment, "HOME"), std::string("/home/ada"));
        QVERIFY(bench.disk.content(folder + "/params.json")->find("0.25") != std::string::npos);
    }
};

QTEST_APPLESS_MAIN(AttemptEnvironmentTest)
#include "attempt_environment_test.moc"

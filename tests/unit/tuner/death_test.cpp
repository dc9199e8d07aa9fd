// SPDX-License-Identifier: Apache-2.0
// The daemon dies at every record in turn: what the next one comes to must be what one alone would have come
// to.
#include "tests/unit/tuner/tuner_bench.h"

#include <QDebug>

using namespace trialdeck;
using namespace trialdeck::tests;

namespace {

using tuner::PauseMode;

/// What the user asks for at some time after the beginning.
struct Command {
    std::chrono::milliseconds at;
    std::function<Expected<void>(tuner::Tuner&)> action;
};

struct Scenario {
    std::shared_ptr<model::ExperimentSpec> spec;
    std::function<TrialModel(base::FileSystem&)> model;
    std::vector<Command> commands = {};
};

/// Gives the command; where the daemon dies of it, once more to the next one.
void give(TunerBench& bench, const Command& command) {
    bench.time.schedule(Lives::inWorld, command.at, [&bench, command] {
        try {
            (void)command.action(bench.tuner());
        } catch (const DaemonDies&) {
            give(bench, {std::chrono::milliseconds(0), command.action});
            throw;
        }
    });
}

Command pauseAt(int milliseconds, std::optional<TrialId> trial = {}) {
    return {std::chrono::milliseconds(milliseconds),
            [trial](tuner::Tuner& tuner) { return tuner.pause(trial, PauseMode::afterCheckpoint); }};
}

Command resumeAt(int milliseconds, std::optional<TrialId> trial = {}) {
    return {std::chrono::milliseconds(milliseconds),
            [trial](tuner::Tuner& tuner) { return tuner.resume(trial); }};
}

Command stopAt(int milliseconds, std::optional<TrialId> trial = {}) {
    return {std::chrono::milliseconds(milliseconds),
            [trial](tuner::Tuner& tuner) { return tuner.stop(trial); }};
}

std::shared_ptr<model::ExperimentSpec> sampled(int64_t samples, uint32_t concurrent) {
    auto spec = gridSpec({});
    spec->space.parameters = {{{"x"}, "x", model::RealRange{}, {}}};
    spec->search.algorithm = model::SearchAlgorithm::random;
    spec->search.numSamples = samples;
    spec->search.maxConcurrentTrials = concurrent;
    return spec;
}

std::shared_ptr<model::ExperimentSpec> halved(uint32_t concurrent) {
    auto spec = sampled(5, concurrent);
    spec->scheduler.type = model::SchedulerType::asha;
    spec->scheduler.maxT = 4;
    spec->scheduler.reductionFactor = 2;
    return spec;
}

std::function<TrialModel(base::FileSystem&)> training(Training training) {
    return [training](base::FileSystem& files) { return trains(files, training); };
}

std::optional<Scenario> failingScenario(const QString& name) {
    if (name == "retries") {
        auto spec = gridSpec({0.1, 0.2});
        spec->failure.maxFailures = 4;
        // The first attempt dies behind its checkpoint.
        return Scenario{spec, [](base::FileSystem& files) {
                            const TrialModel trained = trains(files, {.iterations = 5, .checkpointEvery = 3});
                            return [trained](const engine::AttemptRequest& request, uint32_t rank) {
                                Script script = trained(request, rank);
                                if (request.environment.at("TRIALDECK_RESUME_FROM").empty() &&
                                    script.acts.size() > 5) {
                                    script.acts.resize(5);
                                    script.acts.push_back(exits(3));
                                }
                                return script;
                            };
                        }};
    }
    if (name == "waits") {
        auto spec = gridSpec({0.1, 0.2});
        spec->failure.maxFailures = 3;
        return Scenario{spec, [](base::FileSystem&) { return does({reports(R"({"loss":1})"), exits(3)}); }};
    }
    if (name == "few kept") {
        auto spec = gridSpec({0.1});
        spec->checkpoint.numToKeep = 1;
        return Scenario{spec, training({.iterations = 4, .checkpointEvery = 1})};
    }
    if (name == "fruitless checkpoint") {
        auto spec = gridSpec({0.1});
        spec->failure.maxFailures = -1;
        return Scenario{spec, [](base::FileSystem& files) {
                            const TrialModel trained = trains(files, {.iterations = 3, .checkpointEvery = 1});
                            return [trained](const engine::AttemptRequest& request, uint32_t rank) {
                                const std::string& from = request.environment.at("TRIALDECK_RESUME_FROM");
                                if (from.ends_with("checkpoint_000001"))
                                    return Script{{exits(7)}};
                                Script script = trained(request, rank);
                                if (from.empty()) {
                                    script.acts.resize(4);
                                    script.acts.push_back(exits(7));
                                }
                                return script;
                            };
                        }};
    }
    if (name == "fail fast") {
        auto spec = gridSpec({0.1, 0.2, 0.3});
        spec->failure.failFast = true;
        return Scenario{spec, [](base::FileSystem&) {
                            return [](const engine::AttemptRequest& request, uint32_t) {
                                return request.key.trial == 0
                                           ? Script{{exits(3, 250)}}
                                           : Script{{reports(R"({"loss":1})"), exits(0, 9999)}};
                            };
                        }};
    }
    return std::nullopt;
}

Scenario scenario(const QString& name) {
    if (name == "grid")
        return {gridSpec({0.1, 0.9}), training({.iterations = 2})};
    if (name == "random")
        return {sampled(4, 2), training({.iterations = 2})};
    if (name == "asha, one at a time")
        return {halved(1), training({.iterations = 5})};
    if (name == "asha, three at a time")
        return {halved(3), training({.iterations = 5})};
    if (name == "stop rule") {
        auto spec = gridSpec({0.1, 0.9});
        spec->stop = {{"training_iteration", model::Comparison::ge, 2}};
        return {spec, training({.iterations = 4})};
    }
    if (name == "checkpoints")
        return {gridSpec({0.1}), training({.iterations = 3, .checkpointEvery = 1})};
    if (name == "failure")
        return {gridSpec({0.1, 0.2}), training({.iterations = 1, .exitCode = 3})};
    if (const auto failing = failingScenario(name))
        return *failing;
    if (name == "nan") {
        auto spec = gridSpec({0.1});
        spec->trial.onNan = model::OnNan::fail;
        return {spec, [](base::FileSystem&) { return does({reports(R"({"loss":NaN})"), exits(0, 5000)}); }};
    }
    if (name == "refused lines")
        return {
            gridSpec({0.1}), [](base::FileSystem&) {
                return does({reports("{"), reports("["), reports(R"({"loss":1})"), reports("]"), exits()});
            }};
    const auto saved = training({.iterations = 5, .checkpointEvery = 2});
    if (name == "pause and resume")
        return {gridSpec({0.1, 0.2}), saved, {pauseAt(150), resumeAt(1000)}};
    if (name == "pause and resume of one")
        return {gridSpec({0.1, 0.2}), saved, {pauseAt(150, TrialId(1)), resumeAt(1000, TrialId(1))}};
    if (name == "stop of one")
        return {gridSpec({0.1, 0.2}), saved, {stopAt(150, TrialId(0))}};
    if (name == "stop")
        return {gridSpec({0.1, 0.2, 0.3, 0.4}), saved, {stopAt(150)}};
    qFatal("no such scenario");
}

void compare(const Lines& lines, const Lines& expected, const std::string& when) {
    if (lines == expected)
        return;
    for (size_t i = 0; i < std::max(lines.size(), expected.size()); ++i) {
        const std::string is = i < lines.size() ? lines[i] : "-";
        const std::string should = i < expected.size() ? expected[i] : "-";
        qInfo("%s %s", is == should ? "   " : "***", (should + "   |   " + is).c_str());
    }
    QFAIL(when.c_str());
}

Lines outcomeOf(const Scenario& scenario, std::optional<Death> death, uint64_t* records = nullptr) {
    TunerBench bench(scenario.spec, 3);
    bench.model = scenario.model(bench.files);
    bench.journals.setDeath(std::nullopt);
    bench.begin();
    bench.journals.takeCount();
    bench.journals.setDeath(death);
    for (const Command& command : scenario.commands)
        give(bench, command);
    const bool finished = bench.run();
    if (records)
        *records = bench.journals.takeCount();
    Lines lines = bench.outcome();
    if (!finished)
        lines.push_back("did not finish");
    if (bench.deaths != (death ? 1 : 0))
        lines.push_back("died " + std::to_string(bench.deaths) + " times");
    return lines;
}

} // namespace

class DeathTest : public QObject {
    Q_OBJECT
private slots:
    void aTrialWhoseStartKillsTheDaemonIsNotTriedForEver() {
        TunerBench bench(gridSpec({0.5}));
        bench.model = [](const engine::AttemptRequest&, uint32_t) -> Script { throw DaemonDies{}; };
        bench.begin();
        QVERIFY(bench.run());
        QCOMPARE(bench.deaths, 3);
        QCOMPARE(bench.trialState(0), std::string("ERROR lost"));
    }

    void aCopyGoesOnAsAnExperimentOfItsOwnAndAMovedFolderAsTheSame() {
        TunerBench bench(gridSpec({0.1}));
        bench.begin();
        bench.runFor(std::chrono::milliseconds(150));
        const ExperimentId id = bench.tuner().id();
        bench.kill();
        const base::Path original = bench.folder;
        const base::Path copy = "/home/ada/copies/test 2";
        for (const std::string& name : bench.disk.tree(original)) {
            if (!name.ends_with('/'))
                bench.disk.put(copy / name, *bench.disk.content(original / name));
        }
        bench.folder = copy;
        bench.restart();
        const ExperimentId copiedId = bench.tuner().id();
        QVERIFY(copiedId != id);
        QCOMPARE(bench.tuner().summary().name, std::string("test 2"));
        QCOMPARE(bench.story({"experiment"}), (Lines{"experiment test", "experiment test 2"}));

        bench.restart();
        QVERIFY(bench.tuner().id() == copiedId);
        QCOMPARE(bench.story({"experiment"}).size(), size_t{2});

        bench.kill();
        QVERIFY(bench.disk.rename(original, "/home/ada/trialdeck/moved"));
        bench.folder = "/home/ada/trialdeck/moved";
        bench.restart();
        QVERIFY(bench.tuner().id() == id);
        QCOMPARE(bench.tuner().summary().name, std::string("moved"));
        QVERIFY(bench.run());
    }

    void filesOfAnExperimentThatFinishedAreCompletedByTheNextDaemon() {
        uint64_t records = 0;
        const auto filesAfter = [&records](std::optional<Death> death) {
            TunerBench bench(gridSpec({0.1}));
            bench.begin();
            bench.journals.takeCount();
            bench.journals.setDeath(death);
            const bool finished = bench.run();
            records = bench.journals.takeCount();
            const base::Path folder = bench.tuner().folder() / "trial_00000";
            Lines files;
            for (const std::string& name : bench.disk.tree(folder)) {
                if (!name.ends_with('/'))
                    files.push_back(name + ": " + *bench.disk.content(folder / name));
            }
            return finished && bench.deaths == (death ? 1 : 0) ? files : Lines();
        };
        const Lines expected = filesAfter(std::nullopt);
        QVERIFY(expected.size() >= 4);
        QCOMPARE(filesAfter(Death{records, Death::Moment::after}), expected);
    }

    void everyRecordMayBeTheLast_data() {
        QTest::addColumn<QString>("name");
        for (const char* name : {"grid", "random", "asha, one at a time", "asha, three at a time",
                                 "stop rule", "checkpoints", "failure", "retries", "waits", "few kept",
                                 "fruitless checkpoint", "fail fast", "nan", "refused lines"})
            QTest::newRow(name) << QString(name);
    }
    void everyRecordMayBeTheLast() {
        QFETCH(QString, name);
        const Scenario wanted = scenario(name);
        uint64_t records = 0;
        const Lines expected = outcomeOf(wanted, std::nullopt, &records);
        QVERIFY(records > 5);
        for (uint64_t record = 1; record <= records; ++record) {
            for (const auto moment : {Death::Moment::before, Death::Moment::after}) {
                compare(outcomeOf(wanted, Death{record, moment}), expected,
                        (moment == Death::Moment::before ? "died before record " : "died after record ") +
                            std::to_string(record));
                if (QTest::currentTestFailed())
                    return;
            }
        }
    }

    void oneDaemonAfterTheOtherMayDie_data() { everyRecordMayBeTheLast_data(); }
    void oneDaemonAfterTheOtherMayDie() {
        QFETCH(QString, name);
        const Scenario wanted = scenario(name);
        const Lines expected = outcomeOf(wanted, std::nullopt);
        // Fewer, and three starts that were cut off would be all that a daemon lives for.
        for (const uint64_t each : {20, 21, 27}) {
            TunerBench bench(wanted.spec, 3);
            bench.model = wanted.model(bench.files);
            bench.begin();
            bench.journals.takeCount();
            bench.nextDeath = Death{each, Death::Moment::after};
            bench.journals.setDeath(bench.nextDeath);
            for (const Command& command : wanted.commands)
                give(bench, command);
            QVERIFY(bench.run());
            compare(bench.outcome(), expected, "died every " + std::to_string(each) + " records");
            if (QTest::currentTestFailed())
                return;
        }
    }
};

QTEST_APPLESS_MAIN(DeathTest)
#include "death_test.moc"

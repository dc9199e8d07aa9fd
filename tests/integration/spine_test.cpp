// SPDX-License-Identifier: Apache-2.0
// The whole headless chain with real processes: client, attach, daemon, supervisors, workers.
#include "tests/integration/head_session.h"
#include "tests/support/compare.h"

#include <algorithm>
#include <csignal>
#include <set>

using namespace trialdeck;
using trialdeck::tests::HeadSession;

class SpineTest : public QObject {
    Q_OBJECT
private slots:
    void runsAnExperimentToItsEnd() {
        HeadSession session;
        session.connect();
        const ExperimentId id = session.create(session.yaml("whole", {"report=5"},
                                                            "param_space: {x: {uniform: [0, 1]}}\n"
                                                            "search: {num_samples: 4, seed: 1, metric: loss, "
                                                            "mode: min, max_concurrent_trials: 2}\n"));
        session.follow(id);
        QVERIFY(session.waitForState(id, ExperimentState::completed));
        QVERIFY(session.waitFor([&] { return session.reports().size() == 20; }));
        QCOMPARE(unique(session.reports()).size(), size_t{20});
        const auto summary = session.summary(id);
        QCOMPARE(summary.terminated, uint64_t{4});
        QVERIFY(summary.bestValue.has_value());
        const base::Path folder = summary.folder;
        for (const char* file :
             {"experiment.yaml", "environment.json", "journal/000001.jsonl", "trial_00003/params.json",
              "trial_00003/result.json", "trial_00003/progress.csv"})
            QVERIFY2(std::filesystem::exists(folder / file), file);
    }

    void theDaemonIsKilledAndNothingIsLost() {
        HeadSession session;
        session.connect();
        const ExperimentId id = session.create(session.yaml(
            "killed", {"interval=50", "report=60"}, "search: {num_samples: 4, max_concurrent_trials: 4}\n"));
        session.follow(id);
        QVERIFY(session.waitFor([&] { return session.reports().size() >= 40; }));
        const pid_t first = session.daemonPid();
        session.disconnect();
        QCOMPARE(kill(first, SIGKILL), 0);
        // Nobody asks for it: the supervisors start it again.
        QVERIFY(session.waitFor([&] { return !session.served(); }));
        QVERIFY(session.waitFor([&] { return session.served(); }));
        session.connect();
        QVERIFY(session.daemonPid() != first);
        session.follow(id);
        QVERIFY(session.waitForState(id, ExperimentState::completed));
        QVERIFY(session.waitFor([&] { return session.reports().size() >= 240; }));
        QCOMPARE(session.reports().size(), size_t{240});
        QCOMPARE(unique(session.reports()).size(), size_t{240});
        for (const auto& attempt : session.bodies<protocol::AttemptStarted>())
            QCOMPARE(attempt.attempt.raw(), 0U);
    }

    void pausesAfterTheNextCheckpointAndGoesOnFromIt() {
        HeadSession session;
        session.connect();
        const ExperimentId id = session.create(session.yaml(
            "paused",
            {"interval=100", "report=2", "checkpoint=one", "report=2", "checkpoint=two", "report=100"}, ""));
        session.follow(id);
        QVERIFY(session.waitFor([&] { return !session.reports().empty(); }));
        protocol::PauseRequest pause;
        pause.experiment = id;
        QVERIFY(session.ask(pause).has_value());
        QVERIFY(session.waitFor([&] {
            const auto states = session.bodies<protocol::TrialStateChanged>();
            return !states.empty() && states.back().state == TrialState::paused;
        }));
        QVERIFY(session.waitForState(id, ExperimentState::paused));
        QVERIFY(!session.bodies<protocol::CheckpointCommitted>().empty());
        protocol::ResumeRequest resume;
        resume.experiment = id;
        QVERIFY(session.ask(resume).has_value());
        QVERIFY(session.waitFor([&] {
            const auto attempts = session.bodies<protocol::AttemptStarted>();
            return !attempts.empty() && attempts.back().attempt.raw() == 1 &&
                   attempts.back().resumeFrom.has_value();
        }));
        protocol::StopRequest stop;
        stop.experiment = id;
        QVERIFY(session.ask(stop).has_value());
        QVERIFY(session.waitFor([&] { return isFinished(session.summary(id).state); }));
    }

    void refusesWhatCannotRunAndStartsNothing_data() {
        QTest::addColumn<QByteArray>("yaml");
        QTest::addColumn<QByteArray>("code");
        QTest::newRow("bad yaml") << QByteArray("name: [") << QByteArray("yaml_syntax");
        QTest::newRow("unknown key") << QByteArray("name: a\ntrail: {command: [sh]}\n")
                                     << QByteArray("unknown_key");
        QTest::newRow("no such command") << QByteArray("name: a\ntrial: {command: [no-such-program]}\n")
                                         << QByteArray("command_not_found");
        QTest::newRow("placeholder") << QByteArray("name: a\ntrial: {command: [sh, '{lr}']}\n")
                                     << QByteArray("unknown_placeholder");
    }
    void refusesWhatCannotRunAndStartsNothing() {
        QFETCH(QByteArray, yaml);
        QFETCH(QByteArray, code);
        HeadSession session;
        session.connect();
        protocol::ExperimentCreateRequest request;
        request.yaml = yaml.toStdString();
        const auto created = session.ask(request);
        QVERIFY(created.has_value());
        QVERIFY(created->experiment.raw().empty());
        const bool found =
            std::any_of(created->problems.begin(), created->problems.end(),
                        [&](const auto& problem) { return nameOf(problem.code) == code.toStdString(); });
        QVERIFY(found);
        QVERIFY(session.ask(protocol::StateReadRequest())->experiments.empty());
    }

    void aSecondExperimentOfTheSameNameIsRefused() {
        HeadSession session;
        session.connect();
        const std::string yaml = session.yaml("twice", {"report=1"});
        const ExperimentId id = session.create(yaml);
        QVERIFY(session.waitForState(id, ExperimentState::completed));
        protocol::ExperimentCreateRequest request;
        request.yaml = yaml;
        const auto second = session.ask(request);
        QVERIFY(second.has_value());
        QVERIFY(second->experiment.raw().empty());
        QVERIFY(std::any_of(second->problems.begin(), second->problems.end(), [](const auto& problem) {
            return problem.code == ErrorCode::experiment_name_taken;
        }));
    }

    void aFinishedExperimentIsStillThereForTheNextDaemon() {
        HeadSession session;
        session.connect();
        const ExperimentId id = session.create(session.yaml("kept", {"report=3"}));
        QVERIFY(session.waitForState(id, ExperimentState::completed));
        QVERIFY(session.ask(protocol::ShutdownRequest()).has_value());
        QVERIFY(session.waitFor([&] { return !session.served(); }));
        session.disconnect();
        session.connect();
        QVERIFY(session.summary(id).state == ExperimentState::completed);
        session.follow(id);
        QVERIFY(session.waitFor([&] { return session.reports().size() == 3; }));
        protocol::ExperimentShowRequest show;
        show.experiment = id;
        QVERIFY(session.ask(show)->yaml.starts_with("name: kept"));
    }

private:
    static std::set<std::string> unique(const std::vector<std::string>& lines) {
        return {lines.begin(), lines.end()};
    }
};

QTEST_GUILESS_MAIN(SpineTest)
#include "spine_test.moc"

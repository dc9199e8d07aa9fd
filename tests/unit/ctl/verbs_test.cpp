// SPDX-License-Identifier: Apache-2.0
// Every verb against a scripted head: what it asks, what it prints, what it ends with.
#include "tests/support/compare.h"
#include "tests/unit/ctl/scene.h"

#include <QFile>
#include <QTemporaryDir>
#include <QtTest>

#include <asio/post.hpp>

using namespace trialdeck;
using namespace trialdeck::ctl;
using tests::kExperiment;
using tests::Scene;

namespace {

protocol::WorkAtRiskResult someRisk() {
    protocol::WorkAtRiskResult risk;
    risk.runningTrials = 1;
    risk.runningSeconds = 60;
    risk.lostSeconds = 30;
    return risk;
}

} // namespace

class VerbsTest : public QObject {
    Q_OBJECT
private slots:
    void lsListsExperiments() {
        Scene scene;
        QCOMPARE(scene.run("ls"), 0);
        QCOMPARE(scene.terminal.out,
                 std::string("id        name      state    trials  best       age  folder\n"
                             "4f1c0000  lr-sweep  RUNNING     1/2  loss 0.25  0 s  "
                             "/data/lr-sweep\n"));
    }

    void lsOfNothingSaysHowToBegin() {
        Scene scene;
        scene.head.state.experiments.clear();
        QCOMPARE(scene.run("ls"), 0);
        QVERIFY(scene.terminal.out.find("trialdeckctl run FILE") != std::string::npos);
        scene.terminal.out.clear();
        QCOMPARE(scene.run("ls --json"), 0);
        QCOMPARE(scene.terminal.out, std::string("[]\n"));
    }

    void showPrintsTheTableOfTrials() {
        Scene scene;
        QCOMPARE(scene.run("show lr-sweep"), 0);
        QCOMPARE(scene.terminal.out,
                 std::string("lr-sweep  RUNNING  1/2 trials  1 diverged  best loss 0.25 "
                             "(trial 0)\n"
                             "id      4f1c0000-0000-4000-8000-000000000000\n"
                             "folder  /data/lr-sweep\n"
                             "\n"
                             "trial     state              opt/lr  loss  iteration  time\n"
                             "    0  *  TERMINATED            0.1  0.25          2   0 s\n"
                             "    1     RUNNING, diverged    0.01   NaN          1   0 s\n"));
    }

    void experimentsAreFoundByNameIdAndItsBeginning_data() {
        QTest::addColumn<QString>("reference");
        QTest::addColumn<int>("code");
        QTest::newRow("name") << "lr-sweep" << 0;
        QTest::newRow("id") << QString::fromStdString(kExperiment.raw()) << 0;
        QTest::newRow("beginning") << "4f" << 0;
        QTest::newRow("nothing like it") << "5f" << 3;
        QTest::newRow("part of a name") << "lr" << 3;
        QTest::newRow("ambiguous") << "4" << 2;
    }
    void experimentsAreFoundByNameIdAndItsBeginning() {
        QFETCH(QString, reference);
        QFETCH(int, code);
        Scene scene;
        protocol::ExperimentSummary other = scene.head.state.experiments.front();
        other.experiment = ExperimentId("4e");
        other.name = "other";
        scene.head.state.experiments.push_back(other);
        QCOMPARE(scene.run("show " + reference), code);
    }

    void anEmptyReferenceIsNoBeginningOfEveryId() {
        Scene scene;
        QCOMPARE(scene.run({"show", ""}), 2);
        QCOMPARE(scene.terminal.errors,
                 std::string("error: the name or id of an EXPERIMENT is missing [missing_key]\n"));
    }

    void namesOfOthersAreShownHarmless() {
        Scene scene;
        scene.head.state.experiments.front().name = "a\u202eb\x1b]0;x\a";
        QCOMPARE(scene.run("ls"), 0);
        QCOMPARE(scene.run("show 4f"), 0);
        QVERIFY(scene.terminal.out.find("\u202e") == std::string::npos);
        QVERIFY(scene.terminal.out.find('\x1b') == std::string::npos);
        QVERIFY(scene.terminal.out.find("a\\u202eb\\x1b]0;x\\x07") != std::string::npos);
    }

    void bestTellsTrialAndConfiguration() {
        Scene scene;
        QCOMPARE(scene.run("best lr-sweep"), 0);
        QCOMPARE(scene.terminal.out, std::string("trial 0 TERMINATED after 0 s: loss 0.25\n"
                                                 "parameter  value\n"
                                                 "opt/lr     0.1\n"));
    }

    void bestIsChosenByRaysScopes_data() {
        QTest::addColumn<QString>("scope");
        QTest::addColumn<QString>("firstLine");
        QTest::newRow("last") << "last"
                              << "trial 0 TERMINATED after 0 s: loss 0.25";
        QTest::newRow("avg") << "avg"
                             << "best by avg: loss 0.375";
        QTest::newRow("last-5-avg") << "last-5-avg"
                                    << "best by last-5-avg: loss 0.375";
        QTest::newRow("last-10-avg") << "last-10-avg"
                                     << "best by last-10-avg: loss 0.375";
        QTest::newRow("all") << "all"
                             << "best by all: loss 0.125";
        QTest::newRow("best") << "best"
                              << "best by all: loss 0.125";
    }
    void bestIsChosenByRaysScopes() {
        QFETCH(QString, scope);
        QFETCH(QString, firstLine);
        Scene scene;
        scene.report(1, 2, "0.125");
        scene.report(1, 3, "NaN");
        QCOMPARE(scene.run("best lr-sweep --scope " + scope), 0);
        QCOMPARE(QString::fromStdString(scene.terminal.out).section('\n', 0, 0), firstLine);
        scene.terminal.out.clear();
        QCOMPARE(scene.run("best lr-sweep --json --scope " + scope), 0);
        QVERIFY(QString::fromStdString(scene.terminal.out)
                    .contains("\"scope\":\"" + (scope == "best" ? "all" : scope)));
    }

    void lsCountsWhatDiverged() {
        Scene scene;
        scene.head.state.experiments.front().diverged = 1;
        QCOMPARE(scene.run("ls"), 0);
        QVERIFY(scene.terminal.out.find("1/2, 1 diverged") != std::string::npos);
        scene.terminal.out.clear();
        QCOMPARE(scene.run("export lr-sweep --json"), 0);
        const QString exported = QString::fromStdString(scene.terminal.out);
        QCOMPARE(exported.count("\"diverged\":true"), 1);
        QCOMPARE(exported.count("\"diverged\":false"), 1);
    }

    void watchTellsEndsAndTheEndOfTheExperiment() {
        Scene scene;
        scene.record(R"("trial_state","trial":1,"state":"ERROR","reason":"oom","error":)"
                     R"({"code":"worker_out_of_memory","arguments":{},"detail":""})");
        scene.endExperiment("FAILED");
        QCOMPARE(scene.run("watch lr-sweep"), 6);
        QCOMPARE(
            scene.terminal.out,
            std::string("trial 0 TERMINATED after 0 s: loss 0.25\n"
                        "trial 1 ERROR (oom), diverged after 0 s: loss NaN\n"
                        "  the program ran out of memory [worker_out_of_memory]; run fewer trials at a time, "
                        "or ask for more memory a worker\n"
                        "lr-sweep  FAILED  2/2 trials  1 failed  1 diverged  best loss 0.25 (trial 0)\n"));
    }

    void watchTellsTheNewestReportsOfRunningTrials() {
        Scene scene;
        scene.endExperiment("INTERRUPTED");
        QCOMPARE(scene.run("watch lr-sweep"), 6);
        QCOMPARE(scene.terminal.out,
                 std::string("trial 0 TERMINATED after 0 s: loss 0.25\n"
                             "trial 1 iteration 1: loss NaN\n"
                             "lr-sweep  INTERRUPTED  1/2 trials  1 diverged  best loss 0.25 (trial 0)\n"));
    }

    void watchFailsWhenTheHeadIsShutDown() {
        Scene scene;
        asio::post(scene.loop, [&scene] { scene.shutDownWhenFollowed(); });
        QCOMPARE(scene.run("watch lr-sweep"), 5);
        QVERIFY(scene.terminal.errors.find("the head was shut down [head_shut_down]") != std::string::npos);
        QCOMPARE(scene.head.connections, 1);
    }

    void watchOnATerminalDrawsInPlace() {
        Scene scene;
        scene.terminal.live = true;
        scene.endExperiment("COMPLETED");
        QCOMPARE(scene.run("watch lr-sweep"), 0);
        QVERIFY(scene.terminal.out.find("[####################....................] 1/2\n") !=
                std::string::npos);
        QVERIFY(scene.terminal.out.find("\x1b[5A\x1b[J") != std::string::npos);
        QVERIFY(QString::fromStdString(scene.terminal.out)
                    .endsWith("lr-sweep  COMPLETED  1/2 trials  1 diverged  best loss 0.25 (trial 0)\n"));
    }

    void ctrlCLeavesTheExperimentRunning() {
        Scene scene;
        scene.interrupt = true;
        QCOMPARE(scene.run("watch lr-sweep"), 130);
        QVERIFY(scene.terminal.errors.find("The experiment goes on") != std::string::npos);
        QVERIFY(!scene.wasAsked("experiment.stop"));
    }

    void stopAsksAndNamesTheLoss() {
        Scene scene;
        scene.risk = someRisk();
        scene.terminal.answer = "y";
        QCOMPARE(scene.run("stop lr-sweep"), 0);
        QCOMPARE(
            scene.terminal.errors,
            std::string("1 trial running for 1 m 00 s would lose 30 s of work since the last checkpoints. "
                        "Stop lr-sweep? [y/N] \n"));
        QVERIFY(scene.wasAsked("experiment.stop"));
    }

    void stopIsConfirmed_data() {
        QTest::addColumn<QString>("options");
        QTest::addColumn<QString>("answer");
        QTest::addColumn<bool>("isRisky");
        QTest::addColumn<int>("code");
        QTest::newRow("no") << ""
                            << "n" << true << 4;
        QTest::newRow("only Enter") << ""
                                    << "" << true << 4;
        QTest::newRow("nobody there") << "" << QString() << true << 4;
        QTest::newRow("-y") << " -y" << QString() << true << 0;
        QTest::newRow("nothing to lose") << "" << QString() << false << 0;
    }
    void stopIsConfirmed() {
        QFETCH(QString, options);
        QFETCH(QString, answer);
        QFETCH(bool, isRisky);
        QFETCH(int, code);
        Scene scene;
        if (isRisky)
            scene.risk = someRisk();
        if (!answer.isNull())
            scene.terminal.answer = answer.toStdString();
        QCOMPARE(scene.run("stop lr-sweep --trial 1" + options), code);
        QCOMPARE(scene.wasAsked("experiment.stop"), code == 0);
    }

    void pauseWaitsForCheckpointsAndSaysSo() {
        Scene scene;
        scene.risk = someRisk();
        scene.risk.withoutCheckpoint = {TrialId(1)};
        QCOMPARE(scene.run("pause lr-sweep"), 0);
        QVERIFY(!scene.pausedAtOnce);
        QVERIFY(scene.terminal.out.find("1 trial without a checkpoint so far") != std::string::npos);
        QCOMPARE(scene.run("pause lr-sweep --now"), 4);
        QVERIFY(!scene.pausedAtOnce);
        QCOMPARE(scene.run("pause lr-sweep --now -y"), 0);
        QVERIFY(scene.pausedAtOnce);
    }

    void commandsAnswerInJson() {
        Scene scene;
        QCOMPARE(scene.run("resume 4f --json"), 0);
        QCOMPARE(scene.terminal.out,
                 std::string("{\"id\":\"4f1c0000-0000-4000-8000-000000000000\",\"ok\":true}\n"));
    }

    void whatTheHeadRefusesIsSaid() {
        Scene scene;
        scene.head.on<protocol::ResumeRequest>([](const auto&) -> Expected<protocol::EmptyResult> {
            return base::fail(ErrorCode::wrong_state);
        });
        QCOMPARE(scene.run("resume lr-sweep"), 4);
        QVERIFY(scene.terminal.errors.find("[wrong_state]") != std::string::npos);
    }

    void runStartsAndFollows() {
        Scene scene;
        std::string baseDirectory;
        scene.head.on<protocol::ExperimentCreateRequest>(
            [&](const protocol::ExperimentCreateRequest& request) {
                baseDirectory = request.baseDirectory;
                protocol::ExperimentCreateResult result;
                result.experiment = kExperiment;
                result.folder = "/data/lr-sweep";
                return result;
            });
        scene.endExperiment("COMPLETED");
        QTemporaryDir folder;
        const QString file = folder.filePath("a.yaml");
        QFile yaml(file);
        QVERIFY(yaml.open(QIODevice::WriteOnly));
        yaml.write("name: lr-sweep\n");
        yaml.close();
        QCOMPARE(scene.run("run --detach " + file), 0);
        QCOMPARE(scene.terminal.out, kExperiment.raw() + "\n");
        QCOMPARE(QString::fromStdString(baseDirectory), folder.path());
        // A folder of this computer says nothing to another host.
        QCOMPARE(scene.run("--host gpu-head run --detach " + file), 0);
        QCOMPARE(baseDirectory, std::string());
        scene.terminal.out.clear();
        QCOMPARE(scene.run("run --detach --json " + file), 0);
        QCOMPARE(scene.terminal.out, "{\"id\":\"" + kExperiment.raw() + "\"}\n");
        scene.terminal.out.clear();
        QCOMPARE(scene.run("run " + file), 0);
        QVERIFY(scene.terminal.out.rfind("Started " + kExperiment.raw() + " in /data/lr-sweep\n", 0) == 0);
        QVERIFY(scene.terminal.out.find("trial     state") != std::string::npos);
    }

    void aBadFileStartsNothing() {
        Scene scene;
        scene.head.on<protocol::ExperimentCreateRequest>([](const auto&) {
            protocol::ExperimentCreateResult result;
            protocol::Problem problem;
            problem.line = 3;
            problem.column = 1;
            problem.code = ErrorCode::unknown_key;
            result.problems = {problem};
            return result;
        });
        QTemporaryDir folder;
        QFile yaml(folder.filePath("a.yaml"));
        QVERIFY(yaml.open(QIODevice::WriteOnly));
        yaml.close();
        QCOMPARE(scene.run("run " + yaml.fileName()), 2);
        QVERIFY(scene.terminal.errors.find("a.yaml:3:1: error: there is no key") != std::string::npos);
        QCOMPARE(scene.run("run /nowhere/a.yaml"), 3);
    }

    void logsPrintTheStreamFromItsStart() {
        Scene scene;
        scene.hasAttempts(1);
        const std::string all = "one\ntwo\nthree\n";
        scene.head.on<protocol::LogReadRequest>([&all](const protocol::LogReadRequest& request) {
            protocol::LogReadResult result;
            result.offset = request.fromEnd ? 0 : request.offset;
            result.data.data = all.substr(result.offset);
            result.end = all.size();
            result.complete = true;
            return result;
        });
        QCOMPARE(scene.run("logs lr-sweep"), 2);
        QCOMPARE(scene.run("logs lr-sweep --trial 7"), 3);
        QCOMPARE(scene.run("logs lr-sweep --trial 1 -f"), 0);
        QCOMPARE(scene.terminal.out, all);
        scene.terminal.out.clear();
        QCOMPARE(scene.run("logs lr-sweep --trial 1 -n 2"), 0);
        QCOMPARE(scene.terminal.out, std::string("two\nthree\n"));
    }

    void logsNeedNoRecords() {
        Scene scene;
        scene.hasAttempts(3);
        std::vector<uint32_t> attempts;
        scene.head.on<protocol::LogReadRequest>([&attempts](const protocol::LogReadRequest& request) {
            attempts.push_back(request.address.attempt.raw());
            protocol::LogReadResult result;
            result.complete = true;
            return result;
        });
        QCOMPARE(scene.run("logs lr-sweep --trial 1 -f"), 0);
        QCOMPARE(scene.run("logs lr-sweep --trial 1 --attempt 1"), 0);
        QCOMPARE(attempts, (std::vector<uint32_t>{2, 1}));
        QVERIFY(!scene.wasAsked("records.subscribe"));
        scene.hasAttempts(0);
        QCOMPARE(scene.run("logs lr-sweep --trial 1"), 1);
        QVERIFY(scene.terminal.errors.find("[no_output_yet]") != std::string::npos);
    }

    void logsAreRawForProgramsAndHarmlessOnATerminal() {
        Scene scene;
        scene.hasAttempts(1);
        const std::string printed = "\x1b]0;owned\x07\x1b[31mred\n\xff";
        scene.head.on<protocol::LogReadRequest>([&printed](const protocol::LogReadRequest& request) {
            protocol::LogReadResult result;
            result.offset = request.offset;
            result.data.data = printed.substr(request.offset);
            result.end = printed.size();
            result.complete = true;
            return result;
        });
        QCOMPARE(scene.run("logs lr-sweep --trial 1"), 0);
        QCOMPARE(scene.terminal.out, printed);
        scene.terminal.out.clear();
        scene.terminal.live = true;
        QCOMPARE(scene.run("logs lr-sweep --trial 1"), 0);
        QCOMPARE(scene.terminal.out, std::string("\x1b[31mred\n\ufffd\x1b[0m"));
    }

    void logsFollowUntilTheWorkerEnds() {
        Scene scene;
        scene.hasAttempts(1);
        scene.head.on<protocol::LogReadRequest>([](const auto&) { return protocol::LogReadResult{}; });
        protocol::LogAddress address;
        address.experiment = kExperiment;
        address.trial = TrialId(1);
        scene.head.appendLog(address, "live\n");
        scene.head.endLog(address);
        QCOMPARE(scene.run("logs lr-sweep --trial 1 -f"), 0);
        QCOMPARE(scene.terminal.out, std::string("live\n"));
    }

    void doctorFailsOnAnError() {
        Scene scene;
        protocol::DoctorResult result;
        result.checks = {{"home", protocol::Severity::note, "writable"}};
        scene.head.on<protocol::DoctorRequest>([&result](const auto&) { return result; });
        QCOMPARE(scene.run("doctor"), 0);
        QCOMPARE(scene.terminal.out, std::string("    check  found\nok  home   writable\n"));
        result.checks.push_back({"disk", protocol::Severity::error, "full"});
        QCOMPARE(scene.run("doctor"), 1);
    }

    void doctorSaysThatClocksDiffer() {
        Scene scene;
        scene.head.on<protocol::DoctorRequest>([](const auto&) { return protocol::DoctorResult{}; });
        scene.head.hello.host = "gpu-head";
        scene.head.hello.time = base::SystemClock().wallNow() + std::chrono::hours(1);
        QCOMPARE(scene.run("doctor"), 0);
        const QString out = QString::fromStdString(scene.terminal.out);
        QVERIFY2(out.contains("warning  clock  the clock of gpu-head differs from this computer's by "),
                 scene.terminal.out.c_str());
    }

    void shutdownAsksOnlyWhenItStopsTrials() {
        Scene scene;
        scene.risk = someRisk();
        QCOMPARE(scene.run("shutdown"), 0);
        QCOMPARE(scene.run("shutdown --stop-trials"), 4);
        QCOMPARE(scene.run("shutdown --stop-trials -y"), 0);
    }

    void aHeadThatCannotBeReachedIsSaid() {
        Scene scene;
        scene.head.refusals = {Error{ErrorCode::head_binary_missing, {{"path", "/x/trialdeck-head"}}, {}}};
        QCOMPARE(scene.run("ls"), 5);
        QCOMPARE(scene.terminal.errors,
                 std::string("error: there is no trialdeck-head at /x/trialdeck-head [head_binary_missing]; "
                             "install trialdeck-head beside trialdeckctl\n"));
    }

    void anOlderDaemonIsReplacedWithoutAWord() {
        Scene scene;
        scene.head.hello.buildId = "build-0";
        scene.head.on<protocol::ShutdownRequest>([&scene](const auto&) {
            scene.head.hello.buildId = "build-1";
            return protocol::EmptyResult{};
        });
        QCOMPARE(scene.run("ls"), 0);
        QCOMPARE(scene.terminal.errors, std::string(""));
    }
};

QTEST_APPLESS_MAIN(VerbsTest)
#include "verbs_test.moc"

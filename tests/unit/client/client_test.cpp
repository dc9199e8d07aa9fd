// SPDX-License-Identifier: Apache-2.0
#include "core/client/client.h"

#include "core/base/log.h"
#include "core/client/await_call.h"
#include "tests/fakes/scripted_head.h"
#include "tests/support/compare.h"
#include "tests/support/pump.h"
#include "tests/support/run_awaitable.h"

#include <QtTest>

using namespace trialdeck;
using namespace trialdeck::client;
using namespace std::chrono_literals;
using tests::Fault;
using tests::pumpReady;
using tests::pumpUntil;

namespace {

ClientOptions quickOptions() {
    ClientOptions options;
    options.name = "test";
    options.buildId = "build-1";
    options.firstPause = 1ms;
    options.longestPause = 4ms;
    return options;
}

/// Waits for longer than any test between two tries.
ClientOptions patientOptions() {
    ClientOptions options = quickOptions();
    options.firstPause = 1h;
    options.quickPause = 1h;
    options.longestPause = 1h;
    return options;
}

/// A client of a scripted head, with the course of its connection as lines of text.
struct Scene {
    explicit Scene(ClientOptions options = quickOptions())
        : head(loop), client(loop, clock, log, head.transport(), std::move(options)) {
        head.on<protocol::StopRequest>([this](const protocol::StopRequest& request) {
            stopped.push_back(request.experiment.raw());
            return protocol::EmptyResult{};
        });
        client.setStateListener([this](const ConnectionState& state) {
            std::string stage = std::string(nameOf(state.phase)) +
                                (state.attempt > 0 ? " " + std::to_string(state.attempt) : "") +
                                (state.error ? " " + std::string(nameOf(state.error->code)) : "");
            // Steps are told as well, within a stage.
            if (course.empty() || course.back() != stage)
                course.push_back(std::move(stage));
        });
    }

    bool connect() {
        client.start();
        return pumpUntil(loop, [this] { return isConnected(); });
    }
    bool isConnected() const { return client.state().phase == ConnectionPhase::connected; }

    /// The answer's code, "ok" for a result.
    template<typename Request>
    std::string ask(Request request) {
        std::string answer;
        client.call(std::move(request), [&answer](const auto& result) {
            answer = result ? "ok" : std::string(nameOf(result.error().code));
        });
        return pumpUntil(loop, [&answer] { return !answer.empty(); }) ? answer : "nothing";
    }

    asio::io_context loop;
    base::SystemClock clock;
    base::NullLog log;
    tests::ScriptedHead head;
    std::vector<std::string> stopped;
    std::vector<std::string> course;
    Client client;
};

protocol::StopRequest stopRequest(const char* experiment = "e-1") {
    protocol::StopRequest request;
    request.experiment = ExperimentId(experiment);
    return request;
}

std::string joined(const std::vector<std::string>& lines) {
    std::string text;
    for (const std::string& line : lines)
        text += (text.empty() ? "" : ", ") + line;
    return text;
}

} // namespace

class ClientTest : public QObject {
    Q_OBJECT
private slots:
    void saysHelloAndIsConnected() {
        Scene scene;
        scene.head.chatter = {19, "Welcome to the lab"};
        QVERIFY(scene.connect());
        pumpReady(scene.loop);
        QCOMPARE(joined(scene.course), std::string("connecting 1, connected"));
        QCOMPARE(joined(scene.head.asked), std::string("hello"));
        QCOMPARE(scene.client.state().head->host, std::string("testhost"));
        QCOMPARE(scene.client.state().loginChatter, std::string("Welcome to the lab"));
    }

    void answersAreTyped() {
        Scene scene;
        scene.head.on<protocol::WorkAtRiskRequest>([](const protocol::WorkAtRiskRequest& request) {
            protocol::WorkAtRiskResult result;
            result.runningTrials = request.experiment == ExperimentId("e-1") ? 2 : 0;
            return result;
        });
        QVERIFY(scene.connect());
        const auto result = tests::runAwaitable(
            scene.loop, awaitCall(scene.client, protocol::WorkAtRiskRequest{ExperimentId("e-1"), {}}));
        QCOMPARE(result->runningTrials, uint64_t{2});
    }

    void errorsOfTheHeadComeBackWithTheirArguments() {
        Scene scene;
        scene.head.on<protocol::ExperimentShowRequest>(
            [](const auto&) -> Expected<protocol::ExperimentShowResult> {
                return base::fail(ErrorCode::experiment_not_found, {{"experiment", "e-9"}});
            });
        QVERIFY(scene.connect());
        const auto result = tests::runAwaitable(
            scene.loop, awaitCall(scene.client, protocol::ExperimentShowRequest{ExperimentId("e-9")}));
        QCOMPARE(result.error().code, ErrorCode::experiment_not_found);
        QCOMPARE(result.error().arguments.at("experiment"), std::string("e-9"));
    }

    void aHeadThatWasShutDownIsLeftAloneUntilSomebodyWantsIt() {
        Scene scene;
        scene.head.ignore(protocol::WorkAtRiskRequest::kMethod);
        QVERIFY(scene.connect());
        std::string answer;
        scene.client.call(protocol::WorkAtRiskRequest{ExperimentId("e-1"), {}},
                          [&answer](const auto& result) { answer = nameOf(result.error().code); });
        scene.head.tell(protocol::HeadEndedEvent{});
        QVERIFY(pumpUntil(scene.loop, [&answer] { return !answer.empty(); }));
        pumpReady(scene.loop);
        QCOMPARE(answer, std::string("connection_lost"));
        QCOMPARE(joined(scene.course), std::string("connecting 1, connected, waiting head_shut_down"));
        QVERIFY(!scene.client.state().nextAttempt);
        QVERIFY(scene.client.state().unknownSince);
        QCOMPARE(scene.head.connections, 1);
        scene.client.reconnectNow();
        QVERIFY(pumpUntil(scene.loop, [&scene] { return scene.isConnected(); }));
        QCOMPARE(scene.head.connections, 2);
    }

    void aTryThatSomebodyGaveUpIsNotMadeAgainByItself() {
        Scene scene;
        scene.head.refusals = {Error{ErrorCode::timed_out, {}, {}}, Error{ErrorCode::cancelled, {}, {}}};
        scene.client.start();
        QVERIFY(pumpUntil(scene.loop, [&scene] { return scene.head.refusals.empty(); }));
        pumpReady(scene.loop);
        QCOMPARE(
            joined(scene.course),
            std::string("connecting 1, waiting 1 timed_out, connecting 2 timed_out, waiting 2 cancelled"));
        QVERIFY(!scene.client.state().nextAttempt);
        scene.client.reconnectNow();
        QVERIFY(pumpUntil(scene.loop, [&scene] { return scene.isConnected(); }));
    }

    void aMethodThatTheHeadDoesNotKnowEndsNoSession() {
        Scene scene;
        QVERIFY(scene.connect());
        QCOMPARE(scene.ask(protocol::DoctorRequest{}), std::string("unknown_method"));
        QCOMPARE(scene.ask(stopRequest()), std::string("ok"));
        QCOMPARE(scene.head.connections, 1);
    }

    void answersLargerThanAFrameAreJoined() {
        Scene scene;
        for (int i = 0; i < 3000; ++i) {
            protocol::ExperimentSummary summary;
            summary.experiment = ExperimentId(std::to_string(i));
            summary.name = std::string(100, 'n');
            scene.head.state.experiments.push_back(std::move(summary));
        }
        QVERIFY(scene.connect());
        const auto result =
            tests::runAwaitable(scene.loop, awaitCall(scene.client, protocol::StateReadRequest{}));
        QCOMPARE(result->experiments.size(), size_t{3000});
        QCOMPARE(result->experiments.back().experiment.raw(), std::string("2999"));
    }

    void nothingIsSentWhileNotConnected() {
        Scene scene;
        QCOMPARE(scene.ask(stopRequest()), std::string("connection_lost"));
        QVERIFY(scene.connect());
        QVERIFY(scene.stopped.empty());
    }

    void callbacksNeverComeFromInsideACall() {
        Scene scene;
        bool inside = true;
        bool answered = false;
        scene.client.call(stopRequest(), [&](const auto&) {
            QVERIFY(!inside);
            answered = true;
        });
        inside = false;
        QVERIFY(pumpUntil(scene.loop, [&] { return answered; }));
    }

    void aForgottenCallIsNotAnswered() {
        Scene scene;
        QVERIFY(scene.connect());
        const CallId id = scene.client.call(stopRequest("forgotten"), [](const auto&) { QFAIL("answered"); });
        scene.client.forget(id);
        QCOMPARE(scene.ask(stopRequest("asked")), std::string("ok"));
        QCOMPARE(joined(scene.stopped), std::string("forgotten, asked"));
    }

    void aRequestLargerThanAFrameIsRefusedHere() {
        Scene scene;
        QVERIFY(scene.connect());
        protocol::SpecCheckRequest check;
        check.yaml = std::string(protocol::kMaxFrameBytes, '#');
        QCOMPARE(scene.ask(check), std::string("too_large"));
        QVERIFY(scene.isConnected());
    }

    void triesAgainUntilTheHeadAnswers() {
        Scene scene;
        scene.head.refusals = {Error{ErrorCode::head_did_not_answer, {}, {}},
                               Error{ErrorCode::connection_refused, {}, {}}};
        QVERIFY(scene.connect());
        pumpReady(scene.loop);
        QCOMPARE(joined(scene.course),
                 std::string("connecting 1, waiting 1 head_did_not_answer, connecting 2 head_did_not_answer, "
                             "waiting 2 connection_refused, connecting 3 connection_refused, connected"));
    }

    void pausesGrowToTheirLimit() {
        const auto pauses = [](std::chrono::milliseconds away) {
            std::string told;
            for (int attempt = 1; attempt <= 8; ++attempt)
                told += std::to_string(reconnectPause(ClientOptions{}, attempt, away).count()) + " ";
            return told;
        };
        QCOMPARE(pauses(599s), std::string("0 1000 1500 1500 1500 1500 1500 1500 "));
        QCOMPARE(pauses(600s), std::string("0 1000 2000 4000 8000 16000 30000 30000 "));
        QCOMPARE(reconnectPause(ClientOptions{}, 1'000'000, 601s).count(), int64_t{30'000});
    }

    void whatNeedsAPersonIsNotTriedAgain() {
        Scene scene;
        scene.head.refusals = {Error{ErrorCode::login_refused, {}, {}}};
        scene.client.start();
        pumpReady(scene.loop);
        QCOMPARE(joined(scene.course), std::string("connecting 1, waiting 1 login_refused"));
        QVERIFY(!scene.client.state().nextAttempt);
        scene.client.reconnectNow();
        QVERIFY(pumpUntil(scene.loop, [&] { return scene.isConnected(); }));
    }

    void reconnectNowEndsThePause() {
        Scene scene(patientOptions());
        scene.head.refusals = {Error{ErrorCode::connection_refused, {}, {}}};
        scene.client.start();
        QVERIFY(
            pumpUntil(scene.loop, [&] { return scene.client.state().phase == ConnectionPhase::waiting; }));
        pumpReady(scene.loop);
        QVERIFY(!scene.isConnected());
        QVERIFY(scene.client.state().nextAttempt > scene.clock.wallNow() + 50min);
        scene.client.reconnectNow();
        QVERIFY(pumpUntil(scene.loop, [&] { return scene.isConnected(); }));
    }

    void aLostLineIsToldWithTheTimeSinceWhenNothingIsKnown() {
        Scene scene(patientOptions());
        QVERIFY(scene.connect());
        QVERIFY(!scene.client.state().unknownSince);
        scene.head.cutLines();
        QVERIFY(pumpUntil(scene.loop, [&] { return !scene.isConnected(); }));
        QVERIFY(scene.client.state().unknownSince.has_value());
        QCOMPARE(scene.client.state().error->code, ErrorCode::connection_lost);
        QCOMPARE(scene.client.state().head->host, std::string("testhost"));
    }

    void bytesThatAreNoMessageEndTheSessionAndNotTheClient() {
        Scene scene;
        QVERIFY(scene.connect());
        scene.head.sendGarbage("\xff\xff");
        QVERIFY(pumpUntil(scene.loop, [&] { return scene.head.connections == 2 && scene.isConnected(); }));
        pumpReady(scene.loop);
        QCOMPARE(joined(scene.course), std::string("connecting 1, connected, waiting bad_cbor, "
                                                   "connecting 1 bad_cbor, connected"));
    }

    void anEventOfTheFutureEndsNoSession() {
        Scene scene;
        QVERIFY(scene.connect());
        scene.head.sendGarbage(protocol::encodeEnvelope(protocol::Event{"moon_phase", {}, {}}).value());
        QCOMPARE(scene.ask(stopRequest()), std::string("ok"));
        QCOMPARE(scene.head.connections, 1);
    }

    void aSilentHeadIsNotWaitedForForEver() {
        ClientOptions options = patientOptions();
        options.helloTimeout = 5ms;
        Scene scene(options);
        scene.head.ignore("hello");
        scene.client.start();
        QVERIFY(
            pumpUntil(scene.loop, [&] { return scene.client.state().phase == ConnectionPhase::waiting; }));
        QCOMPARE(scene.client.state().error->code, ErrorCode::head_did_not_answer);
    }

    void versionsThatDoNotMeetAreSaid() {
        Scene scene(patientOptions());
        scene.head.on<protocol::HelloRequest>([](const auto&) -> Expected<protocol::HelloResult> {
            return base::fail(ErrorCode::version_mismatch, {{"head", "2-3"}});
        });
        scene.client.start();
        QVERIFY(
            pumpUntil(scene.loop, [&] { return scene.client.state().phase == ConnectionPhase::waiting; }));
        QCOMPARE(scene.client.state().error->code, ErrorCode::version_mismatch);
    }

    void clocksThatDifferAreNoticed_data() {
        QTest::addColumn<int>("aheadSeconds");
        QTest::addColumn<QString>("findings");
        QTest::newRow("alike") << 0 << QString();
        QTest::newRow("nearly alike") << 4 << QString();
        QTest::newRow("ahead") << 3600 << "clock_differs gpu-head the head's clock is ahead";
        QTest::newRow("behind") << -90 << "clock_differs gpu-head the head's clock is behind";
    }
    void clocksThatDifferAreNoticed() {
        QFETCH(int, aheadSeconds);
        QFETCH(QString, findings);
        Scene scene;
        scene.head.hello.host = "gpu-head";
        scene.head.hello.time = scene.clock.wallNow() + std::chrono::seconds(aheadSeconds);
        QVERIFY(scene.connect());
        const ConnectionState& state = scene.client.state();
        const auto off = state.clockAhead.value() - std::chrono::seconds(aheadSeconds);
        QVERIFY(std::chrono::abs(off) < 2s);
        QStringList found;
        for (const Error& finding : state.findings)
            found << QString::fromStdString(std::string(nameOf(finding.code)) + " " +
                                            finding.arguments.at("host") + " " + finding.detail);
        QCOMPARE(found.join("; "), findings);
    }

    void aHeadThatTellsNoTimeHasNoFindingOfIt() {
        Scene scene;
        QVERIFY(scene.connect());
        QVERIFY(!scene.client.state().clockAhead.has_value());
        QVERIFY(scene.client.state().findings.empty());
    }

    void anotherBuildIsAskedToHandOver() {
        Scene scene;
        scene.head.hello.buildId = "build-0";
        scene.head.on<protocol::ShutdownRequest>([&](const protocol::ShutdownRequest& request) {
            scene.head.hello.buildId = request.handOver ? "build-1" : "stopped for good";
            return protocol::EmptyResult{};
        });
        QVERIFY(scene.connect());
        QCOMPARE(joined(scene.head.asked), std::string("hello, head.shutdown, hello"));
        QCOMPARE(scene.client.state().head->buildId, std::string("build-1"));
    }

    void aDaemonThatIsStillOfAnotherBuildIsTaken() {
        Scene scene;
        scene.head.hello.buildId = "build-0";
        scene.head.on<protocol::ShutdownRequest>([](const auto&) { return protocol::EmptyResult{}; });
        QVERIFY(scene.connect());
        QCOMPARE(joined(scene.head.asked), std::string("hello, head.shutdown, hello"));
    }

    void twoBuildsInUseDoNotTakeTurns() {
        Scene scene;
        QVERIFY(scene.connect());
        scene.head.hello.buildId = "build-2";
        scene.head.cutLines();
        QVERIFY(pumpUntil(scene.loop, [&] { return scene.head.connections == 2 && scene.isConnected(); }));
        QCOMPARE(joined(scene.head.asked), std::string("hello, hello"));
    }

    void stopAnswersWhatIsOpenWithCancelled() {
        Scene scene;
        scene.head.ignore("experiment.stop");
        QVERIFY(scene.connect());
        std::string answer;
        scene.client.call(stopRequest(), [&](const auto& result) { answer = nameOf(result.error().code); });
        scene.client.stop();
        QVERIFY(pumpUntil(scene.loop, [&] { return !answer.empty(); }));
        QCOMPARE(answer, std::string("cancelled"));
        pumpReady(scene.loop);
        QCOMPARE(scene.course.back(), std::string("idle"));
        QVERIFY(scene.connect());
    }

    void stopDuringHelloIsQuiet() {
        Scene scene;
        scene.head.ignore("hello");
        scene.client.start();
        QVERIFY(pumpUntil(scene.loop, [&] { return !scene.head.asked.empty(); }));
        scene.client.stop();
        pumpReady(scene.loop);
        QCOMPARE(scene.client.state().phase, ConnectionPhase::idle);
        QCOMPARE(scene.head.connections, 1);
    }

    void aClientMayBeDestroyedInItsOwnCallback() {
        asio::io_context loop;
        base::SystemClock clock;
        base::NullLog log;
        tests::ScriptedHead head(loop);
        head.on<protocol::StopRequest>([](const auto&) { return protocol::EmptyResult{}; });
        auto client = std::make_unique<Client>(loop, clock, log, head.transport(), quickOptions());
        client->start();
        QVERIFY(pumpUntil(loop, [&] { return client->state().phase == ConnectionPhase::connected; }));
        client->call(stopRequest(), [&](const auto&) { client.reset(); });
        client->call(stopRequest(), [](const auto&) { QFAIL("the owner is gone"); });
        QVERIFY(pumpUntil(loop, [&] { return !client; }));
        pumpReady(loop);
    }
};

QTEST_APPLESS_MAIN(ClientTest)
#include "client_test.moc"

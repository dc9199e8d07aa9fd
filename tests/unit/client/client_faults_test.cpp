// SPDX-License-Identifier: Apache-2.0
// What a client promises when lines break: each command is done once or reported, each record and byte of a
// log comes once and in order. Every test breaks the line at every frame boundary in turn.
#include "core/client/client.h"

#include "core/base/log.h"
#include "core/base/rng.h"
#include "tests/fakes/scripted_head.h"
#include "tests/support/compare.h"
#include "tests/support/pump.h"

#include <QtTest>

using namespace trialdeck;
using namespace trialdeck::client;
using namespace std::chrono_literals;
using protocol::Cursor;
using tests::Fault;
using tests::pumpUntil;

namespace {

const ExperimentId kExperiment("e-1");
constexpr std::array kCuts = {Fault::Cut::after_frame, Fault::Cut::frame_lost, Fault::Cut::frame_torn};

/// Collects what it is told as lines of text.
class Follower : public RecordsListener, public StateListener, public LogListener {
public:
    void onSubscribed(const protocol::RecordsSubscribeResult& started) override {
        told.push_back("from " + std::to_string(started.from.number.raw()) + " of " +
                       std::to_string(started.last.raw()));
    }
    void onRecords(const protocol::RecordsEvent& records) override {
        const std::string& data = records.lines.data;
        for (size_t at = 0; at < data.size();) {
            const size_t end = data.find('\n', at);
            lines.push_back(data.substr(at, end - at));
            at = end + 1;
        }
        cursor = records.cursor().value();
    }
    Cursor onRollback(Cursor from) override {
        told.push_back("back to " + std::to_string(from.number.raw()));
        if (startsAnew) {
            lines.clear();
            return {};
        }
        lines.resize(from.number.raw());
        return from;
    }
    void onState(const protocol::StateSubscribeResult& state) override {
        told.push_back("state of " + std::to_string(state.experiments.size()));
    }
    void onExperimentChanged(const protocol::ExperimentSummary& summary) override {
        told.push_back("changed " + summary.name);
    }
    void onNodeChanged(const protocol::NodeState& node) override { told.push_back("node " + node.name); }
    void onLog(const protocol::LogEvent& event) override { log += event.data.data; }
    void onRefused(const Error& error) override {
        told.push_back("refused " + std::string(nameOf(error.code)));
    }

    std::vector<std::string> told;
    std::vector<std::string> lines;
    std::string log;
    Cursor cursor;
    bool startsAnew = false;
};

struct Scene {
    Scene() : head(loop) {
        ClientOptions options;
        options.buildId = "build-1";
        options.firstPause = 1ms;
        options.longestPause = 1ms;
        client = std::make_unique<Client>(loop, clock, log, head.transport(), options);
        head.on<protocol::StopRequest>([this](const auto&) {
            ++stops;
            return protocol::EmptyResult{};
        });
    }
    bool connect() {
        client->start();
        return pumpUntil(loop, [this] { return isConnected(); });
    }
    bool isConnected() const { return client->state().phase == ConnectionPhase::connected; }

    asio::io_context loop;
    base::SystemClock clock;
    base::NullLog log;
    tests::ScriptedHead head;
    int stops = 0;
    std::unique_ptr<Client> client;
};

std::vector<std::string> numbered(int first, int last) {
    std::vector<std::string> lines;
    for (int i = first; i <= last; ++i)
        lines.push_back("record " + std::to_string(i));
    return lines;
}

std::string joined(const std::vector<std::string>& lines) {
    std::string text;
    for (const std::string& line : lines)
        text += (text.empty() ? "" : ", ") + line;
    return text;
}

std::string place(uint64_t frame, Fault::Cut cut) {
    return "cut " + std::to_string(static_cast<int>(cut)) + " at frame " + std::to_string(frame);
}

} // namespace

class ClientFaultsTest : public QObject {
    Q_OBJECT
private slots:
    void initTestCase() {
        bool given = false;
        m_seed = qEnvironmentVariable("TRIALDECK_TEST_SEED").toULongLong(&given);
        if (!given)
            m_seed = base::drawSeed();
        qInfo("TRIALDECK_TEST_SEED=%llu", static_cast<unsigned long long>(m_seed));
    }

    void aCommandIsDoneOnceWhereverTheLineBreaks() {
        // Frames: 0 hello, 1 its answer, 2 the command, 3 its answer.
        for (uint64_t frame = 0; frame < 6; ++frame) {
            for (const Fault::Cut cut : kCuts) {
                Scene scene;
                base::Rng rng(m_seed, frame, "delays");
                scene.head.delays = &rng;
                scene.head.faults = {Fault{frame, cut}};
                QVERIFY(scene.connect());
                std::string answer;
                protocol::StopRequest stop;
                stop.experiment = kExperiment;
                scene.client->call(stop, [&answer](const auto& result) {
                    answer = result ? "ok" : std::string(nameOf(result.error().code));
                });
                QVERIFY2(pumpUntil(scene.loop, [&] { return !answer.empty(); }), place(frame, cut).c_str());
                // A line that was already lost when the command was given: said at once, nothing done.
                const bool refused = answer == "connection_lost";
                QVERIFY2(answer == (refused ? "connection_lost" : "ok"), place(frame, cut).c_str());
                QVERIFY2(scene.stops == (refused ? 0 : 1), place(frame, cut).c_str());
                QVERIFY2(!refused || frame == 1, place(frame, cut).c_str());
            }
        }
    }

    void aCommandLostWithItsDaemonIsReported() {
        Scene scene;
        scene.head.ignore("experiment.stop");
        QVERIFY(scene.connect());
        std::string answer;
        scene.client->call(protocol::StopRequest{kExperiment, {}}, [&answer](const auto& result) {
            answer = result ? "done" : std::string(nameOf(result.error().code));
        });
        tests::pumpReady(scene.loop);
        scene.head.restart();
        QVERIFY(pumpUntil(scene.loop, [&] { return !answer.empty(); }));
        QCOMPARE(answer, std::string("command_unknown_outcome"));
        QCOMPARE(scene.head.asked.back(), std::string("hello"));
    }

    void aReadLostWithItsDaemonIsAskedAgain() {
        Scene scene;
        QVERIFY(scene.connect());
        std::string answer;
        scene.client->call(protocol::StateReadRequest{},
                           [&answer](const auto& result) { answer = result ? "read" : "failed"; });
        scene.head.restart();
        QVERIFY(pumpUntil(scene.loop, [&] { return !answer.empty(); }));
        QCOMPARE(answer, std::string("read"));
    }

    void whatStaysUnansweredForTooLongIsGivenUp() {
        asio::io_context loop;
        base::SystemClock clock;
        base::NullLog log;
        tests::ScriptedHead head(loop);
        head.ignore("experiment.stop");
        head.ignore("state.read");
        ClientOptions options;
        options.buildId = "build-1";
        options.firstPause = 1h;
        options.quickPause = 1h;
        options.longestPause = 1h;
        options.keepUnanswered = 1ms;
        Client client(loop, clock, log, head.transport(), options);
        client.start();
        QVERIFY(pumpUntil(loop, [&] { return client.state().phase == ConnectionPhase::connected; }));
        std::vector<std::string> answers;
        const auto note = [&answers](const auto& result) {
            answers.emplace_back(nameOf(result.error().code));
        };
        client.call(protocol::StopRequest{kExperiment, {}}, note);
        client.call(protocol::StateReadRequest{}, note);
        head.cutLines();
        QVERIFY(pumpUntil(loop, [&] { return answers.size() == 2; }));
        QCOMPARE(joined(answers), std::string("command_unknown_outcome, connection_lost"));
    }

    void everyRecordComesOnceWhereverTheLineBreaks() {
        for (uint64_t frame = 0; frame < 14; ++frame) {
            for (const Fault::Cut cut : kCuts) {
                Scene scene;
                base::Rng rng(m_seed, frame, "delays");
                scene.head.delays = &rng;
                scene.head.faults = {Fault{frame, cut}, Fault{frame + 1, cut}, Fault{frame / 2 + 3, cut}};
                for (const std::string& line : numbered(1, 20))
                    scene.head.appendRecord(kExperiment, line);
                Follower follower;
                const Subscription subscription =
                    scene.client->followRecords(kExperiment, Cursor{}, follower);
                scene.client->start();
                QVERIFY2(pumpUntil(scene.loop, [&] { return follower.lines.size() >= 20; }),
                         place(frame, cut).c_str());
                for (const std::string& line : numbered(21, 30)) {
                    scene.head.appendRecord(kExperiment, line);
                    scene.loop.restart();
                    scene.loop.poll_one();
                }
                QVERIFY2(pumpUntil(scene.loop, [&] { return follower.lines.size() >= 30; }),
                         place(frame, cut).c_str());
                QVERIFY2(follower.lines == numbered(1, 30),
                         (place(frame, cut) + ": " + joined(follower.lines)).c_str());
            }
        }
    }

    void everyByteOfALogComesOnceWhereverTheLineBreaks() {
        protocol::LogAddress address;
        address.experiment = kExperiment;
        for (uint64_t frame = 0; frame < 10; ++frame) {
            for (const Fault::Cut cut : kCuts) {
                Scene scene;
                scene.head.faults = {Fault{frame, cut}, Fault{frame + 1, cut}};
                Follower follower;
                const Subscription subscription = scene.client->followLog(address, 0, follower);
                scene.client->start();
                std::string whole;
                for (int i = 0; i < 40; ++i) {
                    const std::string piece = std::to_string(i) + ";";
                    whole += piece;
                    scene.head.appendLog(address, piece);
                    scene.loop.restart();
                    scene.loop.poll_one();
                }
                QVERIFY2(pumpUntil(scene.loop, [&] { return follower.log.size() >= whole.size(); }),
                         place(frame, cut).c_str());
                QCOMPARE(follower.log, whole);
            }
        }
    }

    void recordsThatACrashTookAreRolledBack() {
        Scene scene;
        for (const std::string& line : numbered(1, 10))
            scene.head.appendRecord(kExperiment, line);
        Follower follower;
        const Subscription subscription = scene.client->followRecords(kExperiment, Cursor{}, follower);
        QVERIFY(scene.connect());
        QVERIFY(pumpUntil(scene.loop, [&] { return follower.lines.size() == 10; }));
        scene.head.restart(7);
        scene.head.appendRecord(kExperiment, "another 8");
        QVERIFY(pumpUntil(scene.loop, [&] { return follower.lines.back() == "another 8"; }));
        QCOMPARE(joined(follower.told), std::string("from 0 of 10, back to 7, from 7 of 8"));
        QCOMPARE(follower.lines.size(), size_t{8});
        QCOMPARE(follower.cursor.epoch, Epoch(2));
        QCOMPARE(scene.head.subscribedCursors.back().number, RecordNumber(10));
    }

    void aListenerMayWantEverythingAgain() {
        Scene scene;
        for (const std::string& line : numbered(1, 10))
            scene.head.appendRecord(kExperiment, line);
        Follower follower;
        follower.startsAnew = true;
        const Subscription subscription = scene.client->followRecords(kExperiment, Cursor{}, follower);
        QVERIFY(scene.connect());
        QVERIFY(pumpUntil(scene.loop, [&] { return follower.lines.size() == 10; }));
        scene.head.restart(7);
        QVERIFY(pumpUntil(scene.loop, [&] { return follower.lines.size() == 7; }));
        QCOMPARE(joined(follower.told), std::string("from 0 of 10, back to 7, from 0 of 7"));
        QVERIFY(follower.lines == numbered(1, 7));
    }

    void aGapInTheRecordsIsAskedForAgain() {
        Scene scene;
        for (const std::string& line : numbered(1, 4))
            scene.head.appendRecord(kExperiment, line);
        Follower follower;
        const Subscription subscription = scene.client->followRecords(kExperiment, Cursor{}, follower);
        QVERIFY(scene.connect());
        QVERIFY(pumpUntil(scene.loop, [&] { return follower.lines.size() == 4; }));
        protocol::RecordsEvent stray;
        stray.experiment = kExperiment;
        stray.epoch = Epoch(1);
        stray.first = RecordNumber(9);
        stray.last = RecordNumber(9);
        stray.lines.data = "record 9\n";
        scene.head.tell(stray);
        stray.first = RecordNumber(2);
        stray.last = RecordNumber(3);
        scene.head.tell(stray);
        QVERIFY(pumpUntil(scene.loop, [&] { return scene.head.subscribedCursors.size() == 2; }));
        scene.head.appendRecord(kExperiment, "record 5");
        QVERIFY(pumpUntil(scene.loop, [&] { return follower.lines.size() == 5; }));
        QVERIFY(follower.lines == numbered(1, 5));
    }

    void aRecordLargerThanAFrameComesWhole() {
        Scene scene;
        const std::vector<std::string> lines = {"small", std::string(1'000'000, 'x'), "last"};
        for (const std::string& line : lines)
            scene.head.appendRecord(kExperiment, line);
        scene.head.faults = {Fault{5, Fault::Cut::after_frame}};
        Follower follower;
        const Subscription subscription = scene.client->followRecords(kExperiment, Cursor{}, follower);
        scene.client->start();
        QVERIFY(pumpUntil(scene.loop, [&] { return follower.lines.size() >= 3; }));
        QVERIFY(follower.lines == lines);
        QCOMPARE(scene.head.connections, 2);
    }

    void anExperimentThatIsNotThereIsRefusedAndAskedForOnTheNextConnection() {
        Scene scene;
        Follower follower;
        const Subscription subscription = scene.client->followRecords(kExperiment, Cursor{}, follower);
        QVERIFY(scene.connect());
        QVERIFY(pumpUntil(scene.loop, [&] { return !follower.told.empty(); }));
        QCOMPARE(joined(follower.told), std::string("refused experiment_not_found"));
        scene.head.appendRecord(kExperiment, "record 1");
        scene.head.cutLines();
        QVERIFY(pumpUntil(scene.loop, [&] { return follower.lines.size() == 1; }));
    }

    void anEndedSubscriptionIsQuiet() {
        Scene scene;
        scene.head.appendRecord(kExperiment, "record 1");
        Follower follower;
        Subscription subscription = scene.client->followRecords(kExperiment, Cursor{}, follower);
        QVERIFY(scene.connect());
        QVERIFY(pumpUntil(scene.loop, [&] { return follower.lines.size() == 1; }));
        scene.head.appendRecord(kExperiment, "record 2");
        subscription.reset();
        tests::pumpReady(scene.loop);
        QCOMPARE(follower.lines.size(), size_t{1});
        QCOMPARE(scene.head.asked.back(), std::string("records.unsubscribe"));
        subscription = scene.client->followRecords(kExperiment, follower.cursor, follower);
        QVERIFY(pumpUntil(scene.loop, [&] { return follower.lines.size() == 2; }));
    }

    void theStateComesWholeOnEachConnection() {
        Scene scene;
        scene.head.state.experiments.resize(2);
        Follower follower;
        const Subscription subscription = scene.client->followState(follower);
        QVERIFY(scene.connect());
        QVERIFY(pumpUntil(scene.loop, [&] { return follower.told.size() == 1; }));
        protocol::ExperimentChangedEvent changed;
        changed.summary.name = "lr-sweep";
        scene.head.tell(changed);
        protocol::NodeChangedEvent node;
        node.node.name = "testhost";
        scene.head.tell(node);
        QVERIFY(pumpUntil(scene.loop, [&] { return follower.told.size() == 3; }));
        scene.head.state.experiments.resize(3);
        scene.head.cutLines();
        QVERIFY(pumpUntil(scene.loop, [&] { return follower.told.size() == 4; }));
        QCOMPARE(joined(follower.told),
                 std::string("state of 2, changed lr-sweep, node testhost, state of 3"));
    }

    void aSubscriptionMayOutliveItsClient() {
        Scene scene;
        Follower follower;
        Subscription subscription = scene.client->followState(follower);
        QVERIFY(scene.connect());
        scene.client.reset();
        subscription.reset();
        tests::pumpReady(scene.loop);
    }

private:
    uint64_t m_seed = 0;
};

QTEST_APPLESS_MAIN(ClientFaultsTest)
#include "client_faults_test.moc"

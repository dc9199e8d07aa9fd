// SPDX-License-Identifier: Apache-2.0
// A line that breaks at any moment, between a client and the real chain behind a real sshd: nothing is lost,
// nothing comes twice, no trial notices.
#include "core/base/build_id.h"
#include "core/base/rng.h"
#include "core/transport/remote/ssh_transport.h"
#include "tests/integration/head_session.h"
#include "tests/support/compare.h"
#include "tests/support/fault_proxy.h"
#include "tests/support/ssh_ways.h"

#include <QDir>
#include <QElapsedTimer>
#include <QFile>

#include <algorithm>
#include <csignal>
#include <set>

using namespace trialdeck;
using namespace std::chrono_literals;
using tests::FaultProxy;
using tests::HeadSession;
using tests::PlainSshd;
using tests::SshWay;
using tests::SshWays;

namespace {

/// The log of one trial, as a client takes it in.
class WholeLog final : public client::LogListener {
public:
    void onLog(const protocol::LogEvent& event) override {
        gaps += event.offset != bytes.size();
        bytes += event.data.data;
    }
    void onRefused(const Error& error) override { QFAIL(base::describe(error).c_str()); }
    std::string bytes;
    int gaps = 0;
};

/// A client, a line with faults, an sshd, and the head behind it in a home of its own.
struct Scene {
    explicit Scene(SshWay chosen)
        : server("SetEnv XDG_DATA_HOME=" + QByteArray::fromStdString((dataHome()).native())), ways(server),
          way(chosen), proxy({.target = server.port()}),
          session([this](asio::io_context&, HeadSession& of) { return makeTransport(of); }) {}

    [[nodiscard]] base::Path dataHome() const { return data.path().toStdString(); }

    std::unique_ptr<transport::Transport> makeTransport(HeadSession& of) {
        transport::SshTransportOptions options;
        options.hostName = "lab";
        options.programs.head = TRIALDECK_BIN_DIR "/trialdeck-head";
        options.programs.buildId = base::buildId();
        options.remoteHome = (of.folder() / "home").native();
        return std::make_unique<transport::SshTransport>(ways.make(way, proxy.port()), files, ways.clock,
                                                         std::move(options));
    }

    ExperimentId start(int reports) {
        const std::string script =
            "i=0; while [ $i -lt " + std::to_string(reports) +
            " ]; do i=$((i+1)); echo line $i; echo '{{\"loss\": '$i'}}' >>$TRIALDECK_REPORT; "
            "sleep 0.02; done";
        return session.create(
            "name: cut\ntrial: {command: [sh, -c, \"" +
            QString::fromStdString(script).replace("\\", "\\\\").replace("\"", "\\\"").toStdString() +
            "\"]}\nstorage_path: " + (session.folder() / "results").native() +
            "\nsearch: {num_samples: 2, max_concurrent_trials: 2}\n");
    }

    /// Until the experiment is over and all of it has come.
    void finish(const ExperimentId& id, int reports, const WholeLog& log) {
        QVERIFY(session.waitFor([&] { return session.reports().size() >= size_t(2 * reports); }));
        QVERIFY(session.waitForState(id, ExperimentState::completed));
        const std::vector<std::string> all = session.reports();
        QCOMPARE(all.size(), size_t(2 * reports));
        QCOMPARE(std::set<std::string>(all.begin(), all.end()).size(), all.size());
        for (const auto& attempt : session.bodies<protocol::AttemptStarted>())
            QCOMPARE(attempt.attempt.raw(), 0U);
        std::string expected;
        for (int line = 1; line <= reports; ++line)
            expected += "line " + std::to_string(line) + "\n";
        QVERIFY(session.waitFor([&] { return log.bytes.size() >= expected.size(); }));
        QCOMPARE(log.bytes, expected);
        QCOMPARE(log.gaps, 0);
    }

    QTemporaryDir data;
    PlainSshd server;
    SshWays ways;
    SshWay way;
    base::PosixFileSystem files;
    FaultProxy proxy;
    HeadSession session;
};

/// An experiment that runs, with its records and the log of one trial followed.
struct Followed {
    Followed(Scene& scene, int reports, WholeLog& log) {
        scene.session.connect();
        id = scene.start(reports);
        scene.session.follow(id);
        following = scene.session.followLog(
            {id, TrialId(0), AttemptNumber(0), 0, protocol::OutputStream::standardOutput}, log);
    }
    ExperimentId id;
    client::Subscription following;
};

/// Of trialdeck-head below that folder, with that first argument.
std::vector<pid_t> processesOf(const base::Path& folder, std::string_view verb) {
    std::vector<pid_t> found;
    for (const QString& name : QDir("/proc").entryList({"[0-9]*"}, QDir::Dirs)) {
        QFile file("/proc/" + name + "/cmdline");
        if (!file.open(QIODevice::ReadOnly))
            continue;
        const QList<QByteArray> words = file.readAll().split('\0');
        if (words[0].startsWith(folder.native().c_str()) &&
            words.value(1) == QByteArray(verb.data(), qsizetype(verb.size())))
            found.push_back(name.toInt());
    }
    return found;
}

uint64_t seedOfRun() {
    const QByteArray wanted = qgetenv("TRIALDECK_TEST_SEED");
    const uint64_t seed = wanted.isEmpty() ? base::drawSeed() : wanted.toULongLong();
    qInfo("TRIALDECK_TEST_SEED=%llu", static_cast<unsigned long long>(seed));
    return seed;
}

} // namespace

class SshCutsTest : public QObject {
    Q_OBJECT
private slots:
    void initTestCase() {
        if (!PlainSshd::available())
            QSKIP("there is no sshd");
    }

    void everyWay_data() {
        QTest::addColumn<int>("way");
        QTest::newRow("system ssh") << static_cast<int>(SshWay::system);
        QTest::newRow("libssh2") << static_cast<int>(SshWay::libssh2);
    }

    void theHeadIsPutThereOnceAndAnswers_data() { everyWay_data(); }
    void theHeadIsPutThereOnceAndAnswers() {
        QFETCH(int, way);
        Scene scene(static_cast<SshWay>(way));
        scene.session.connect();
        QVERIFY(scene.session.connected());
        std::string course;
        for (const transport::StepState& step : scene.session.state().steps)
            course += std::string(nameOf(step.step)) +
                      (step.phase == transport::StepPhase::done ? " " : " not done ");
        QCOMPARE(course, std::string("name tcp host_key login shell head home version "));
        const base::Path heads = scene.dataHome() / "trialdeck" / "heads";
        std::vector<std::string> names;
        for (const auto& entry : std::filesystem::directory_iterator(heads))
            names.push_back(entry.path().filename().native());
        QCOMPARE(names, std::vector<std::string>{std::string(base::buildId())});
        const uint64_t carried = scene.proxy.carriedBytes();
        scene.session.disconnect();
        scene.session.connect();
        // The second time there is nothing to upload.
        QVERIFY(scene.proxy.carriedBytes() - carried < 100'000);
    }

    void aCutUploadLeavesNothing_data() { everyWay_data(); }
    void aCutUploadLeavesNothing() {
        QFETCH(int, way);
        base::Rng rng(seedOfRun(), static_cast<uint64_t>(way), "uploads");
        Scene scene(static_cast<SshWay>(way));
        const base::Path heads = scene.dataHome() / "trialdeck" / "heads";
        const auto partsLeft = [&heads] {
            std::error_code none;
            int count = 0;
            for (const auto& entry : std::filesystem::directory_iterator(heads, none))
                count += entry.path().filename() != std::string(base::buildId());
            return count;
        };
        int cuts = 0;
        while (!std::filesystem::exists(heads / std::string(base::buildId())) && cuts < 4) {
            ++cuts;
            scene.session.start();
            scene.proxy.cutAfter(static_cast<uint64_t>(20'000 + rng.uniform() * 1'500'000));
            const int before = scene.proxy.connections();
            QVERIFY(scene.session.waitFor([&] { return scene.proxy.connections() > before + 1; }));
            scene.session.disconnect();
            QVERIFY(scene.session.waitFor([&] { return partsLeft() == 0; }));
        }
        QVERIFY(cuts > 0);
        scene.session.connect();
        QCOMPARE(partsLeft(), 0);
    }

    void nothingIsLostByCuts_data() { everyWay_data(); }
    void nothingIsLostByCuts() {
        QFETCH(int, way);
        const QByteArray wanted = qgetenv("TRIALDECK_TEST_CUTS");
        const int cuts = wanted.isEmpty() ? 25 : wanted.toInt();
        base::Rng rng(seedOfRun(), static_cast<uint64_t>(way), "cuts");
        const int reports = 150 + 6 * cuts;
        Scene scene(static_cast<SshWay>(way));
        WholeLog log;
        const Followed followed(scene, reports, log);
        std::chrono::milliseconds longest{0};
        for (int cut = 0; cut < cuts; ++cut) {
            // Half of them anywhere in what is sent, logins included, half of them at any time.
            const bool byBytes = cut % 2 == 0;
            const double chance = rng.uniform();
            const int before = scene.proxy.connections();
            if (byBytes)
                scene.proxy.cutAfter(static_cast<uint64_t>(chance * 12'000));
            QElapsedTimer since;
            since.start();
            const qint64 patience = byBytes ? 1'000 : qint64(chance * 200);
            scene.session.waitFor(
                [&] { return scene.proxy.connections() > before || since.hasExpired(patience); });
            // A quiet line may not carry that many bytes.
            if (scene.proxy.connections() == before)
                scene.proxy.cut();
            const bool tried = scene.session.waitFor([&] { return scene.proxy.connections() > before; });
            const auto& error = scene.session.state().error;
            QVERIFY2(tried, error ? base::describe(*error).c_str() : "no error");
            QElapsedTimer back;
            back.start();
            const bool isBack = scene.session.waitFor([&] { return scene.session.connected(); });
            QVERIFY2(isBack, error ? base::describe(*error).c_str() : "no error");
            longest = std::max(longest, std::chrono::milliseconds(back.elapsed()));
        }
        qInfo("%d cuts; connected again after %lld ms at most", cuts,
              static_cast<long long>(longest.count()));
        scene.finish(followed.id, reports, log);
    }

    void nothingIsLostByKills_data() { everyWay_data(); }
    void nothingIsLostByKills() {
        QFETCH(int, way);
        constexpr int kKills = 9;
        constexpr int kReports = 250;
        base::Rng rng(seedOfRun(), static_cast<uint64_t>(way), "kills");
        Scene scene(static_cast<SshWay>(way));
        WholeLog log;
        const Followed followed(scene, kReports, log);
        for (int kill = 0; kill < kKills; ++kill) {
            QElapsedTimer since;
            since.start();
            const auto moment = qint64(rng.uniform() * 300);
            scene.session.waitFor([&] { return since.hasExpired(moment); });
            const auto lost = scene.session.state().unknownSince;
            switch (kill % 3) {
            case 0:
                scene.server.killSessions();
                break;
            case 1:
                for (const pid_t relay : processesOf(scene.dataHome(), "attach"))
                    ::kill(relay, SIGKILL);
                break;
            default:
                for (const pid_t daemon : processesOf(scene.dataHome(), "serve"))
                    ::kill(daemon, SIGKILL);
            }
            QVERIFY(scene.session.waitFor([&] { return scene.session.state().unknownSince != lost; }));
            QVERIFY(scene.session.waitFor([&] { return scene.session.connected(); }));
        }
        scene.finish(followed.id, kReports, log);
    }
};

QTEST_GUILESS_MAIN(SshCutsTest)
#include "ssh_cuts_test.moc"

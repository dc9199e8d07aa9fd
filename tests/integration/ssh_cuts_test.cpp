// SPDX-License-Identifier: Apache-2.0
// A line that breaks at any moment, between a client and the real chain behind a real sshd: nothing is lost,
// nothing comes twice, no trial notices.
#include "core/base/build_id.h"
#include "tests/integration/line_scene.h"
#include "tests/support/compare.h"

#include <QElapsedTimer>

#include <algorithm>

using namespace trialdeck;
using namespace std::chrono_literals;
using tests::FaultProxy;
using tests::Followed;
using tests::FramePlace;
using tests::LineScene;
using tests::PlainSshd;
using tests::seedOfRun;
using tests::SshWay;
using tests::WholeLog;

namespace {

/// Behind each frame of a conversation in turn, and inside of the one that follows; what the client sends
/// when it comes back first, because it sends no more than that.
std::deque<FramePlace> placesInTurn(size_t count, uint64_t framesToServer, base::Rng& rng) {
    std::deque<FramePlace> places;
    for (uint64_t frames = 0; places.size() < count; ++frames) {
        for (const auto direction : {FaultProxy::Direction::toServer, FaultProxy::Direction::toClient}) {
            if (direction == FaultProxy::Direction::toServer && frames >= framesToServer)
                continue;
            places.push_back({direction, frames, 0});
            places.push_back({direction, frames, std::max(rng.uniform(), 1e-9)});
        }
    }
    places.resize(count);
    return places;
}

/// How long it took from a line that can be had again to all that was missed meanwhile.
class CatchUps {
public:
    void add(std::chrono::milliseconds taken) { m_taken.push_back(taken); }
    void tell() {
        std::sort(m_taken.begin(), m_taken.end());
        const auto at = [this](size_t percent) {
            return static_cast<long long>(m_taken[(m_taken.size() - 1) * percent / 100].count());
        };
        if (!m_taken.empty())
            qInfo("caught up after %zu cuts at any moment: p50 %lld ms, p99 %lld ms, longest %lld ms",
                  m_taken.size(), at(50), at(99), at(100));
    }

private:
    std::vector<std::chrono::milliseconds> m_taken;
};

} // namespace

class SshCutsTest : public QObject {
    Q_OBJECT
private slots:
    void initTestCase() {
        if (!PlainSshd::available())
            QSKIP("there is no sshd");
    }

    void theHeadIsPutThereOnceAndAnswers_data() { tests::addSshWays(); }
    void theHeadIsPutThereOnceAndAnswers() {
        QFETCH(SshWay, way);
        LineScene scene(way);
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

    void aHostWhoseClockIsWrongIsTold_data() { tests::addSshWays(); }
    void aHostWhoseClockIsWrongIsTold() {
        QFETCH(SshWay, way);
        LineScene scene(way);
        for (const std::chrono::seconds ahead : {0s, 3'600s, -3'600s}) {
            scene.session.setClockAhead(ahead);
            scene.session.connect();
            std::string told;
            for (const Error& finding : scene.session.state().findings) {
                if (finding.code == ErrorCode::clock_differs)
                    told = finding.arguments.at("seconds");
            }
            QCOMPARE(told, ahead == 0s ? std::string() : std::string("3600"));
            scene.session.disconnect();
        }
    }

    void aCutUploadLeavesNothing_data() { tests::addSshWays(); }
    void aCutUploadLeavesNothing() {
        QFETCH(SshWay, way);
        base::Rng rng(seedOfRun(), static_cast<uint64_t>(way), "uploads");
        LineScene scene(way);
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

    void nothingIsLostByCuts_data() { tests::addSshWays(); }
    /// The first half walks along the conversation; of the others half come anywhere in what is sent, logins
    /// included, and half at any time.
    void nothingIsLostByCuts() {
        QFETCH(SshWay, way);
        const QByteArray wanted = qgetenv("TRIALDECK_TEST_CUTS");
        const int cuts = wanted.isEmpty() ? 26 : wanted.toInt();
        base::Rng rng(seedOfRun(), static_cast<uint64_t>(way), "cuts");
        LineScene scene(way);
        WholeLog log;
        const Followed followed(scene, log);
        walkAlong(scene, cuts / 2, rng);
        CatchUps times;
        for (int cut = cuts / 2; cut < cuts && !QTest::currentTestFailed(); ++cut)
            cutAnywhere(scene, cut % 2 == 0, rng.uniform(), times);
        times.tell();
        if (!QTest::currentTestFailed())
            scene.finish(followed.id, log);
    }

private:
    static void walkAlong(LineScene& scene, int cuts, base::Rng& rng) {
        // What a client sends when it comes back is counted on one that did.
        const auto isBack = [&](int times) {
            return scene.session.timesFollowed() > times && scene.session.hasCaughtUp();
        };
        QVERIFY(scene.session.waitFor([&] { return isBack(0); }));
        scene.proxy.cut();
        QVERIFY(scene.session.waitFor([&] { return isBack(1); }));
        const auto cutter = scene.cutter.lock();
        QVERIFY(cutter != nullptr);
        const uint64_t sent = cutter->frames(FaultProxy::Direction::toServer);
        QVERIFY(sent > 0);
        cutter->cutAt(placesInTurn(static_cast<size_t>(cuts), sent, rng));
        scene.proxy.cut();
        for (int cut = 1; cut <= cuts; ++cut) {
            const bool isCut = scene.session.waitFor([&] { return cutter->cuts() >= cut; });
            QVERIFY2(isCut, ("no frame came to cut number " + std::to_string(cut)).c_str());
        }
        qInfo("%d cuts behind and inside of frames; a client that comes back sends %d", cuts,
              static_cast<int>(sent));
        QVERIFY(scene.session.waitFor([&] { return scene.session.connected(); }));
    }

    static void cutAnywhere(LineScene& scene, bool byBytes, double chance, CatchUps& times) {
        constexpr double kBytes = 12'000;
        constexpr double kMilliseconds = 200;
        const int before = scene.proxy.connections();
        const int followed = scene.session.timesFollowed();
        if (byBytes)
            scene.proxy.cutAfter(static_cast<uint64_t>(chance * kBytes));
        QElapsedTimer since;
        since.start();
        const qint64 patience = byBytes ? 1'000 : qint64(chance * kMilliseconds);
        scene.session.waitFor(
            [&] { return scene.proxy.connections() > before || since.hasExpired(patience); });
        // A quiet line may not carry that many bytes.
        if (scene.proxy.connections() == before)
            scene.proxy.cut();
        const auto reason = [&] {
            const auto& error = scene.session.state().error;
            return error ? base::describe(*error) : std::string("no error");
        };
        const bool isTried = scene.session.waitFor([&] { return scene.proxy.connections() > before; });
        QVERIFY2(isTried, reason().c_str());
        QElapsedTimer back;
        back.start();
        const bool isBack = scene.session.waitFor(
            [&] { return scene.session.timesFollowed() > followed && scene.session.hasCaughtUp(); });
        QVERIFY2(isBack, reason().c_str());
        times.add(std::chrono::milliseconds(back.elapsed()));
    }
};

QTEST_GUILESS_MAIN(SshCutsTest)
#include "ssh_cuts_test.moc"

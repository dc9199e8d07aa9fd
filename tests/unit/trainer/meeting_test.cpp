// SPDX-License-Identifier: Apache-2.0
#include "trainer/collective/meeting.h"

#include "tests/support/compare.h"

#include <QRegularExpression>
#include <ctime>
#include <optional>
#include <sys/resource.h>
#include <thread>

using namespace trialdeck;
using namespace trialdeck::trainer::collective;

namespace {

/// A rank as it comes to the meeting.
struct Guest {
    int rank = 0;
    int size = 2;
    std::string group = "trial 1/1";
    std::string options = "lr 0.1";
};

std::string outcomeOf(const Expected<Meeting>& meeting) {
    return meeting ? "met" : std::string(base::nameOf(meeting.error().code)) + ": " + meeting.error().detail;
}

QString withoutPorts(const std::string& text) {
    return QString::fromStdString(text).replace(QRegularExpression("(127\\.0\\.0\\.1:|port )\\d+"), "\\1N");
}

} // namespace

class MeetingTest : public QObject {
    Q_OBJECT
private slots:
    void init() {
        m_listener = *Listener::open(*resolve("127.0.0.1", 0));
        m_port = m_listener.port();
        m_size = 2;
        m_patience = {std::chrono::seconds(10), std::chrono::seconds(10)};
    }

    void withoutDescriptorsItWaitsInsteadOfSpinning() {
        const base::SystemClock clock;
        const auto guest =
            connectTo(*resolve("127.0.0.1", m_port), clock.steadyNow() + std::chrono::seconds(10), clock);
        QVERIFY(guest);
        rlimit limit{};
        QCOMPARE(getrlimit(RLIMIT_NOFILE, &limit), 0);
        const rlimit none{0, limit.rlim_max};
        QCOMPARE(setrlimit(RLIMIT_NOFILE, &none), 0);
        const std::clock_t before = std::clock();
        const auto taken = m_listener.accept(clock.steadyNow() + std::chrono::milliseconds(500), clock);
        const std::clock_t used = std::clock() - before;
        QCOMPARE(setrlimit(RLIMIT_NOFILE, &limit), 0);
        QVERIFY(!taken);
        QCOMPARE(taken.error().detail, std::string("a connection could not be taken: Too many open files"));
        QVERIFY2(used < CLOCKS_PER_SEC / 10, std::to_string(used).c_str());
        QVERIFY(m_listener.accept(clock.steadyNow() + std::chrono::seconds(10), clock));
    }

    void oneThatIsOtherwiseStartedEndsTheMeetingForBoth_data() {
        QTest::addColumn<int>("rank");
        QTest::addColumn<int>("size");
        QTest::addColumn<QString>("options");
        QTest::addColumn<QString>("reason");
        QTest::newRow("options") << 1 << 2 << "lr 0.2"
                                 << "it was started with other options than rank 0";
        QTest::newRow("size") << 1 << 3 << "lr 0.1"
                              << "rank 0 was started with WORLD_SIZE 2";
    }
    void oneThatIsOtherwiseStartedEndsTheMeetingForBoth() {
        QFETCH(int, rank);
        QFETCH(int, size);
        QFETCH(QString, options);
        QFETCH(QString, reason);
        const auto [host, guest] = meet({rank, size, "trial 1/1", options.toStdString()});
        QCOMPARE(withoutPorts(host),
                 "connection_refused: rank 1 (127.0.0.1:N) was turned away by rank 0: " + reason);
        QCOMPARE(withoutPorts(guest), "connection_refused: rank 1 was turned away by rank 0: " + reason);
    }

    void strangersAreTurnedAwayAndTheMeetingGoesOn() {
        std::thread first([this] {
            auto stranger = connectTo(address(), soon(), m_clock);
            const std::string request =
                "GET / HTTP/1.1\r\nHost: somewhere.example\r\nUser-Agent: curl\r\n" + std::string(300, 'x');
            static_cast<void>(stranger->send(std::as_bytes(std::span(request)), std::chrono::seconds(5)));
            std::byte answer{};
            static_cast<void>(stranger->receive({&answer, 1}, std::chrono::seconds(10)));
            const auto other = join({1, 2, "trial 2/1", "lr 0.1"});
            m_otherTrial = outcomeOf(other);
            const auto guest = join({1, 2, "trial 1/1", "lr 0.1"});
            m_guest = outcomeOf(guest);
        });
        const auto host = hold();
        first.join();
        QCOMPARE(outcomeOf(host), std::string("met"));
        QCOMPARE(m_guest, std::string("met"));
        QCOMPARE(
            m_otherTrial,
            std::string("connection_refused: rank 1 was turned away by rank 0: it belongs to another trial"));
    }

    void missingRanksAreNamed() {
        m_patience.meeting = std::chrono::milliseconds(1100);
        m_size = 4;
        std::optional<Expected<Meeting>> guest;
        std::thread other([&] {
            guest = Meeting::hold(terms({2, 4, "trial 1/1", "lr 0.1"}, std::chrono::seconds(10)), m_clock);
        });
        // In a scope of its own: the guest hears of it when the host is gone.
        QString host;
        {
            const auto held = hold();
            host = withoutPorts(outcomeOf(held));
        }
        other.join();
        QCOMPARE(host, "timed_out: waited 1 s at 127.0.0.1 port N, but rank 1, 3 did not come");
        QVERIFY(!*guest);
    }

    void workerThatEndsWhileOthersAreAwaitedEndsTheMeeting() {
        m_size = 3;
        std::thread other([this] {
            // Gives up the wait for rank 2 early, and is gone.
            static_cast<void>(
                Meeting::hold(terms({1, 3, "trial 1/1", "lr 0.1"}, std::chrono::milliseconds(300)), m_clock));
        });
        const auto host = hold();
        other.join();
        QVERIFY(withoutPorts(outcomeOf(host))
                    .startsWith("connection_lost: the connection to rank 1 (127.0.0.1:N)"));
    }

    void rankZeroThatNeverComesIsGivenUp() {
        m_listener = Listener();
        m_patience.meeting = std::chrono::milliseconds(200);
        QCOMPARE(withoutPorts(outcomeOf(join({1, 2, "", ""}))),
                 QString("timed_out: look for rank 0: nobody answered at 127.0.0.1:N: Connection refused"));
    }

    void takenPortIsSaid() {
        const auto second = Listener::open(address());
        QCOMPARE(second.error().code, ErrorCode::unavailable);
        QCOMPARE(withoutPorts(second.error().detail),
                 QString("cannot listen on 127.0.0.1:N: Address already in use"));
    }

    void hostNamesAreResolved_data() {
        QTest::addColumn<QString>("host");
        QTest::addColumn<QString>("text");
        QTest::newRow("IPv4") << "10.1.2.3"
                              << "10.1.2.3:80";
        QTest::newRow("IPv6") << "fe80::1"
                              << "[fe80::1]:80";
        QTest::newRow("localhost") << "localhost"
                                   << "127.0.0.1:80";
    }
    void hostNamesAreResolved() {
        QFETCH(QString, host);
        QFETCH(QString, text);
        QCOMPARE(QString::fromStdString(resolve(host.toStdString(), 80)->text()), text);
    }

    void whatIsNoHostNameIsRefused_data() {
        QTest::addColumn<QString>("host");
        QTest::newRow("empty") << "";
        QTest::newRow("option") << "--help";
        QTest::newRow("shell") << "a;b";
        QTest::newRow("unknown") << "no-such-host.invalid";
    }
    void whatIsNoHostNameIsRefused() {
        QFETCH(QString, host);
        QCOMPARE(resolve(host.toStdString(), 80).error().code, ErrorCode::unavailable);
    }

private:
    base::SteadyTime soon() const { return m_clock.steadyNow() + std::chrono::seconds(10); }
    Address address() const { return *resolve("127.0.0.1", m_port); }

    MeetingTerms terms(const Guest& guest, std::chrono::milliseconds meeting) const {
        return {{guest.rank, guest.size, "127.0.0.1", m_port},
                guest.group,
                guest.options,
                {meeting, std::chrono::seconds(10)}};
    }

    Expected<Meeting> hold() {
        return Meeting::hold(terms({0, m_size, "trial 1/1", "lr 0.1"}, m_patience.meeting), m_clock,
                             std::move(m_listener));
    }

    Expected<Meeting> join(const Guest& guest) {
        return Meeting::hold(terms(guest, m_patience.meeting), m_clock);
    }

    std::pair<std::string, std::string> meet(const Guest& other) {
        std::string guest;
        std::thread thread([&] { guest = outcomeOf(join(other)); });
        const std::string host = outcomeOf(hold());
        thread.join();
        return {host, guest};
    }

    base::SystemClock m_clock;
    Listener m_listener;
    uint16_t m_port = 0;
    int m_size = 2;
    Patience m_patience;
    std::string m_guest;
    std::string m_otherTrial;
};

QTEST_APPLESS_MAIN(MeetingTest)
#include "meeting_test.moc"

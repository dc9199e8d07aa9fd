// SPDX-License-Identifier: Apache-2.0
#include "tests/support/fault_proxy.h"

#include "tests/support/compare.h"

#include <QElapsedTimer>
#include <QtTest>

#include <arpa/inet.h>
#include <array>
#include <cerrno>
#include <netinet/in.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

using trialdeck::tests::FaultProxy;
using namespace std::chrono_literals;

namespace {

using Direction = FaultProxy::Direction;
using End = FaultProxy::End;

/// A TCP socket with patience.
class Peer {
public:
    explicit Peer(int fd) : m_fd(fd) {}
    Peer(Peer&& other) noexcept : m_fd(std::exchange(other.m_fd, -1)) {}
    Peer(const Peer&) = delete;
    Peer& operator=(const Peer&) = delete;
    Peer& operator=(Peer&&) = delete;
    ~Peer() { ::close(m_fd); }

    /// -1 where nobody listens.
    static int connected(uint16_t port) {
        const int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
        const sockaddr_in to = address(port);
        if (connect(fd, reinterpret_cast<const sockaddr*>(&to), sizeof to) == 0)
            return fd;
        ::close(fd);
        return -1;
    }
    static sockaddr_in address(uint16_t port) {
        sockaddr_in to{};
        to.sin_family = AF_INET;
        to.sin_port = htons(port);
        to.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
        return to;
    }

    void say(const std::string& words) const { (void)::send(m_fd, words.data(), words.size(), MSG_NOSIGNAL); }
    /// So many bytes, or fewer and then "(end)", "(reset)" or "(silence)".
    [[nodiscard]] std::string hear(size_t count, int patienceMs = 5'000) const {
        std::string heard;
        while (heard.size() < count) {
            pollfd source{m_fd, POLLIN, 0};
            if (poll(&source, 1, patienceMs) <= 0)
                return heard + "(silence)";
            std::array<char, 4096> buffer;
            const ssize_t got = read(m_fd, buffer.data(), std::min(buffer.size(), count - heard.size()));
            if (got == 0)
                return heard + "(end)";
            if (got < 0)
                return heard + "(reset)";
            heard.append(buffer.data(), static_cast<size_t>(got));
        }
        return heard;
    }

private:
    int m_fd;
};

/// A server, the proxy before it, and one connection through both.
class Scene {
public:
    explicit Scene(std::chrono::microseconds delay = 0us, uint64_t bytesPerSecond = 0)
        : m_listener(socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0)), m_port(listenSomewhere()),
          proxy({.target = m_port, .delay = delay, .bytesPerSecond = bytesPerSecond}),
          client(Peer::connected(proxy.port())), server(accept(m_listener, nullptr, nullptr)) {}
    ~Scene() { ::close(m_listener); }
    Scene(const Scene&) = delete;
    Scene& operator=(const Scene&) = delete;

    [[nodiscard]] Peer another() const { return Peer(Peer::connected(proxy.port())); }
    [[nodiscard]] Peer accepted() const { return Peer(accept(m_listener, nullptr, nullptr)); }

private:
    uint16_t listenSomewhere() const {
        sockaddr_in here = Peer::address(0);
        socklen_t size = sizeof here;
        (void)bind(m_listener, reinterpret_cast<const sockaddr*>(&here), size);
        (void)::listen(m_listener, 8);
        (void)getsockname(m_listener, reinterpret_cast<sockaddr*>(&here), &size);
        return ntohs(here.sin_port);
    }
    int m_listener;
    uint16_t m_port;

public:
    FaultProxy proxy;
    Peer client;
    Peer server;
};

} // namespace

class FaultProxyTest : public QObject {
    Q_OBJECT
private slots:
    void bytesGoBothWays() {
        Scene scene;
        scene.client.say("hello");
        QCOMPARE(scene.server.hear(5), std::string("hello"));
        scene.server.say("good morning");
        QCOMPARE(scene.client.hear(12), std::string("good morning"));
        QCOMPARE(scene.proxy.connections(), 1);
        QCOMPARE(scene.proxy.carriedBytes(Direction::toServer), uint64_t{5});
        QCOMPARE(scene.proxy.carriedBytes(), uint64_t{17});
    }

    void anEndGoesThroughBehindTheBytes() {
        Scene scene;
        {
            const Peer gone = std::move(scene.client);
            gone.say("last words");
        }
        QCOMPARE(scene.server.hear(100), std::string("last words(end)"));
    }

    void bytesComeLate() {
        QElapsedTimer taken;
        taken.start();
        Scene scene(40ms);
        QVERIFY(taken.elapsed() >= 119);
        taken.restart();
        scene.client.say("ping");
        QCOMPARE(scene.server.hear(4), std::string("ping"));
        QVERIFY(taken.elapsed() >= 39);
        scene.server.say("pong");
        QCOMPARE(scene.client.hear(4), std::string("pong"));
        QVERIFY(taken.elapsed() >= 79);
        QVERIFY2(taken.elapsed() < 1'000, QByteArray::number(taken.elapsed()).constData());
    }

    void aNarrowLineTakesItsTime() {
        Scene scene(0us, 1'000'000);
        QElapsedTimer taken;
        taken.start();
        scene.client.say(std::string(200'000, 'x'));
        QCOMPARE(scene.server.hear(200'000).size(), size_t{200'000});
        QVERIFY2(taken.elapsed() >= 190 && taken.elapsed() < 2'000,
                 QByteArray::number(taken.elapsed()).constData());
    }

    void aFrozenLineHoldsWhatIsSaid() {
        Scene scene;
        scene.proxy.freeze();
        scene.client.say("held");
        QCOMPARE(scene.server.hear(4, 100), std::string("(silence)"));
        const Peer second = scene.another();
        second.say("me too");
        scene.proxy.thaw();
        QCOMPARE(scene.server.hear(4), std::string("held"));
        QCOMPARE(scene.accepted().hear(6), std::string("me too"));
    }

    void aCutIsSeenByBothEnds_data() {
        QTest::addColumn<int>("end");
        QTest::addColumn<QByteArray>("seen");
        QTest::newRow("reset") << static_cast<int>(End::reset) << QByteArray("(reset)");
        QTest::newRow("close") << static_cast<int>(End::close) << QByteArray("(end)");
        QTest::newRow("silence") << static_cast<int>(End::silence) << QByteArray("(silence)");
    }
    void aCutIsSeenByBothEnds() {
        QFETCH(int, end);
        QFETCH(QByteArray, seen);
        Scene scene;
        scene.proxy.cut(static_cast<End>(end));
        QCOMPARE(scene.client.hear(1, 100), seen.toStdString());
        QCOMPARE(scene.server.hear(1, 100), seen.toStdString());
        const Peer second = scene.another();
        second.say("again");
        QCOMPARE(scene.accepted().hear(5), std::string("again"));
        QCOMPARE(scene.proxy.cuts(), 1);
        QCOMPARE(scene.proxy.connections(), 2);
    }

    void aCutComesBehindItsByte_data() {
        QTest::addColumn<int>("bytes");
        for (const int bytes : {1, 9'999, 10'000})
            QTest::addRow("%d", bytes) << bytes;
    }
    void aCutComesBehindItsByte() {
        QFETCH(int, bytes);
        Scene scene;
        scene.proxy.cutAfter(static_cast<uint64_t>(bytes), End::close, Direction::toServer);
        scene.server.say("does not count");
        QCOMPARE(scene.client.hear(14), std::string("does not count"));
        scene.client.say(std::string(10'000, 'x'));
        QCOMPARE(scene.server.hear(20'000), std::string(static_cast<size_t>(bytes), 'x') + "(end)");
        QCOMPARE(scene.client.hear(1), std::string("(end)"));
        QCOMPARE(scene.proxy.carriedBytes(Direction::toServer), static_cast<uint64_t>(bytes));
    }

    void aCutCountsBothDirections() {
        Scene scene;
        scene.proxy.cutAfter(8, End::close);
        scene.client.say("12345");
        QCOMPARE(scene.server.hear(5), std::string("12345"));
        scene.server.say("12345");
        QCOMPARE(scene.client.hear(6), std::string("123(end)"));
    }

    void cutsComeAgainAndAgain() {
        Scene scene;
        scene.proxy.cutAtRandom(7, 1ms, 20ms);
        QVERIFY(scene.client.hear(1).size() > 1);
        for (int count = 0; count < 5; ++count) {
            const Peer next = scene.another();
            QVERIFY(next.hear(1) != "(silence)");
        }
        scene.proxy.stopCutting();
        QVERIFY(scene.proxy.cuts() >= 6);
        const int before = scene.proxy.cuts();
        const Peer last = scene.another();
        QCOMPARE(last.hear(1, 100), std::string("(silence)"));
        QCOMPARE(scene.proxy.cuts(), before);
    }

    void nobodyListensWhileItRefuses() {
        Scene scene;
        const uint16_t port = scene.proxy.port();
        scene.proxy.refuse();
        QCOMPARE(Peer::connected(port), -1);
        QCOMPARE(errno, ECONNREFUSED);
        scene.client.say("still here");
        QCOMPARE(scene.server.hear(10), std::string("still here"));
        scene.proxy.listen();
        QCOMPARE(scene.proxy.port(), port);
        const Peer second = scene.another();
        second.say("again");
        QCOMPARE(scene.accepted().hear(5), std::string("again"));
    }
};

QTEST_APPLESS_MAIN(FaultProxyTest)
#include "fault_proxy_test.moc"

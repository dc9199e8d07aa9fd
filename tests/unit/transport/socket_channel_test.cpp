// SPDX-License-Identifier: Apache-2.0
#include "core/transport/socket_channel.h"

#include "tests/support/compare.h"
#include "tests/support/run_awaitable.h"

#include <QtTest>
#include <asio/detached.hpp>
#include <asio/write.hpp>
#include <sys/socket.h>

using namespace trialdeck;
using namespace trialdeck::transport;
using namespace std::chrono_literals;
using tests::runAwaitable;

namespace {

/// A channel and, at the other end, a plain socket that writes what a test wants.
struct Ends {
    explicit Ends(asio::io_context& loop) : other(loop) {
        int sockets[2];
        if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, sockets) != 0)
            qFatal("socketpair");
        channel = SocketChannel::adopt(loop.get_executor(), base::UniqueFd(sockets[0])).value();
        other.assign(asio::local::stream_protocol(), sockets[1]);
    }
    void write(const std::string& bytes) { asio::write(other, asio::buffer(bytes)); }

    std::unique_ptr<SocketChannel> channel;
    asio::local::stream_protocol::socket other;
};

std::string framed(const std::string& payload) {
    const auto header = protocol::frameHeader(payload.size());
    return std::string(header.begin(), header.end()) + payload;
}

asio::awaitable<Expected<std::string>> receiveCopy(FrameChannel& channel) {
    const auto frame = co_await channel.receive();
    if (!frame)
        co_return tl::make_unexpected(frame.error());
    co_return std::string(*frame);
}

} // namespace

class SocketChannelTest : public QObject {
    Q_OBJECT
private slots:
    void framesOfEverySizePass() {
        asio::io_context loop;
        Ends ends(loop);
        auto there = SocketChannel(std::move(ends.other));
        for (const size_t bytes : {size_t{1}, size_t{1000}, protocol::kMaxFrameBytes}) {
            const std::string payload(bytes, 'p');
            // Larger than the socket holds: the send ends while the other end receives.
            std::optional<Expected<void>> sent;
            asio::co_spawn(loop, there.send(payload),
                           [&sent](std::exception_ptr, Expected<void> result) { sent = result; });
            QCOMPARE(runAwaitable(loop, receiveCopy(*ends.channel)).value(), payload);
            loop.poll();
            QVERIFY(sent && sent->has_value());
        }
    }

    void endOfTheStreamIsALostConnection() {
        asio::io_context loop;
        Ends ends(loop);
        ends.write(framed("last"));
        ends.other.close();
        QCOMPARE(runAwaitable(loop, receiveCopy(*ends.channel)).value(), std::string("last"));
        QCOMPARE(runAwaitable(loop, receiveCopy(*ends.channel)).error().code, ErrorCode::connection_lost);
    }

    void aStreamCutAnywhereInAFrameIsALostConnection() {
        const std::string stream = framed("one") + framed("two");
        for (size_t cut = 0; cut < stream.size(); ++cut) {
            asio::io_context loop;
            Ends ends(loop);
            ends.write(stream.substr(0, cut));
            ends.other.close();
            Expected<std::string> last;
            std::string received;
            while ((last = runAwaitable(loop, receiveCopy(*ends.channel))))
                received += *last;
            QCOMPARE(last.error().code, ErrorCode::connection_lost);
            QCOMPARE(received, std::string(cut < framed("one").size() ? "" : "one"));
        }
    }

    void sendingToAClosedEndIsAnErrorAndNoSignal() {
        asio::io_context loop;
        Ends ends(loop);
        ends.other.close();
        QCOMPARE(runAwaitable(loop, ends.channel->send("x")).error().code, ErrorCode::connection_lost);
    }

    void closeEndsAReceiveThatWaits() {
        asio::io_context loop;
        Ends ends(loop);
        std::optional<Expected<std::string>> result;
        asio::co_spawn(loop, receiveCopy(*ends.channel),
                       [&result](std::exception_ptr, Expected<std::string> frame) { result = frame; });
        loop.poll();
        QVERIFY(!result);
        ends.channel->close();
        loop.restart();
        loop.poll();
        QCOMPARE(result.value().error().code, ErrorCode::connection_lost);
        ends.channel->close();
    }

    void framesThatCameWithTheMarkerAreNotLost() {
        asio::io_context loop;
        Ends ends(loop);
        ends.write("Welcome\n" + protocol::startMarker("n") + framed("one") + framed("two"));
        QVERIFY(runAwaitable(loop, ends.channel->findStart("n", 10s)).has_value());
        QCOMPARE(runAwaitable(loop, receiveCopy(*ends.channel)).value(), std::string("one"));
        QCOMPARE(runAwaitable(loop, receiveCopy(*ends.channel)).value(), std::string("two"));
        QCOMPARE(ends.channel->chatter().text, std::string("Welcome"));
        QCOMPARE(ends.channel->chatter().bytes, size_t{8});
    }

    void silenceEndsTheSearchForTheMarker() {
        asio::io_context loop;
        Ends ends(loop);
        ends.write("Last login: Monday\n");
        const auto found = runAwaitable(loop, ends.channel->findStart("n", 20ms));
        QCOMPARE(found.error().code, ErrorCode::head_did_not_answer);
        QCOMPARE(found.error().arguments.at("printed"), std::string("Last login: Monday"));
    }

    void aDescriptorThatIsNoSocketIsRefused() {
        asio::io_context loop;
        QVERIFY(!SocketChannel::adopt(loop.get_executor(), base::UniqueFd(-1)));
    }
};

QTEST_APPLESS_MAIN(SocketChannelTest)
#include "socket_channel_test.moc"

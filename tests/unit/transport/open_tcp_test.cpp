// SPDX-License-Identifier: Apache-2.0
// Connections to ports of a host, over a real sshd, by both clients.
#include "core/transport/remote/remote_host.h"
#include "tests/support/compare.h"
#include "tests/support/ssh_bench.h"

#include <QtTest>
#include <asio/co_spawn.hpp>
#include <asio/detached.hpp>
#include <asio/experimental/awaitable_operators.hpp>
#include <asio/ip/tcp.hpp>
#include <asio/local/stream_protocol.hpp>
#include <asio/read.hpp>
#include <asio/redirect_error.hpp>
#include <asio/use_awaitable.hpp>
#include <asio/write.hpp>

using namespace trialdeck;
using namespace trialdeck::tests;
using namespace trialdeck::transport;
using asio::ip::tcp;
using asio::local::stream_protocol;

namespace {

template<typename Socket>
asio::awaitable<std::string> readToEnd(Socket& socket) {
    std::string read;
    std::array<char, 65'536> buffer;
    std::error_code failure;
    while (!failure) {
        const size_t count = co_await socket.async_read_some(
            asio::buffer(buffer), asio::redirect_error(asio::use_awaitable, failure));
        read.append(buffer.data(), count);
    }
    co_return read;
}

template<typename Socket>
asio::awaitable<void> writeAll(Socket& socket, std::string_view bytes) {
    std::error_code failure;
    co_await asio::async_write(socket, asio::buffer(bytes.data(), bytes.size()),
                               asio::redirect_error(asio::use_awaitable, failure));
    socket.shutdown(asio::socket_base::shutdown_send, failure);
}

std::string bytesOf(size_t count) {
    std::string bytes(count, '\0');
    for (size_t i = 0; i < count; ++i)
        bytes[i] = static_cast<char>(i * 2'654'435'761U >> 13);
    return bytes;
}

/// What one connection met at its server.
struct Meeting {
    std::string heardThere;
    std::string heardHere;
};

class Bench : public SshBench {
public:
    Bench(SshWay way, PlainSshd& sshd)
        : SshBench(way, sshd), acceptor(loop, {asio::ip::address_v4::loopback(), 0}) {}

    [[nodiscard]] uint16_t port() const { return acceptor.local_endpoint().port(); }

    asio::awaitable<Expected<std::unique_ptr<RemoteStream>>> connect() {
        return host->openTcp("127.0.0.1", port());
    }

    tcp::acceptor acceptor;
};

/// The one that speaks first ends its direction, and only then the other one speaks.
enum class First { server, client };

asio::awaitable<Meeting> meet(Bench& bench, First first, std::string here, std::string there) {
    using namespace asio::experimental::awaitable_operators;
    auto stream = co_await bench.connect();
    if (!stream)
        throw std::runtime_error(std::string(nameOf(stream.error().code)) + " " + stream.error().detail);
    tcp::socket accepted = co_await bench.acceptor.async_accept(asio::use_awaitable);
    stream_protocol::socket ours(bench.loop, stream_protocol(), (*stream)->takeSocket().release());
    Meeting meeting;
    if (first == First::server) {
        meeting.heardHere = (co_await (writeAll(accepted, there) && readToEnd(ours)));
        meeting.heardThere = (co_await (writeAll(ours, here) && readToEnd(accepted)));
    } else {
        meeting.heardThere = (co_await (writeAll(ours, here) && readToEnd(accepted)));
        meeting.heardHere = (co_await (writeAll(accepted, there) && readToEnd(ours)));
    }
    co_return meeting;
}

/// Why a connection to the port does not come about, at once or in the end.
asio::awaitable<std::optional<Error>> failure(Bench& bench, uint16_t port) {
    auto stream = co_await bench.host->openTcp("127.0.0.1", port);
    if (!stream)
        co_return stream.error();
    stream_protocol::socket ours(bench.loop, stream_protocol(), (*stream)->takeSocket().release());
    if (!(co_await readToEnd(ours)).empty())
        co_return std::nullopt;
    co_return co_await (*stream)->refusal();
}

} // namespace

class OpenTcpTest : public QObject {
    Q_OBJECT

    std::unique_ptr<PlainSshd> m_server;

private slots:
    void initTestCase() {
        if (!PlainSshd::available())
            QSKIP("no sshd here");
        m_server = std::make_unique<PlainSshd>();
    }
    void cleanupTestCase() { m_server.reset(); }

    void eachDirectionEndsByItself_data() { addSshWays(); }
    void eachDirectionEndsByItself() {
        QFETCH(SshWay, way);
        Bench bench(way, *m_server);
        QVERIFY(bench.open());
        for (const First first : {First::server, First::client}) {
            const Meeting meeting = runAwaitable(bench.loop, meet(bench, first, "from here", "from there"));
            QCOMPARE(meeting.heardThere, std::string("from here"));
            QCOMPARE(meeting.heardHere, std::string("from there"));
        }
    }

    void manyBytesArriveWhole_data() { addSshWays(); }
    void manyBytesArriveWhole() {
        QFETCH(SshWay, way);
        Bench bench(way, *m_server);
        QVERIFY(bench.open());
        const std::string here = bytesOf(5'000'000);
        const std::string there = bytesOf(20'000'001);
        const Meeting meeting = runAwaitable(bench.loop, meet(bench, First::client, here, there));
        QVERIFY(meeting.heardThere == here);
        QVERIFY(meeting.heardHere == there);
    }

    void theOtherEndMayBeGoneWhileWeWrite_data() { addSshWays(); }
    void theOtherEndMayBeGoneWhileWeWrite() {
        QFETCH(SshWay, way);
        Bench bench(way, *m_server);
        QVERIFY(bench.open());
        const auto written = [&]() -> asio::awaitable<bool> {
            auto stream = co_await bench.connect();
            stream_protocol::socket ours(bench.loop, stream_protocol(), (*stream)->takeSocket().release());
            { const tcp::socket accepted = co_await bench.acceptor.async_accept(asio::use_awaitable); }
            const std::string bytes = bytesOf(100'000);
            std::error_code failed;
            while (!failed)
                co_await asio::async_write(ours, asio::buffer(bytes),
                                           asio::redirect_error(asio::use_awaitable, failed));
            co_return true;
        };
        QVERIFY(runAwaitable(bench.loop, written()));
    }

    void whatNobodyListensAtIsSaid_data() { addSshWays(); }
    void whatNobodyListensAtIsSaid() {
        QFETCH(SshWay, way);
        Bench bench(way, *m_server);
        QVERIFY(bench.open());
        const uint16_t port = bench.port();
        QVERIFY(!runAwaitable(bench.loop, meet(bench, First::server, "", "there")).heardHere.empty());
        bench.acceptor.close();
        const auto error = runAwaitable(bench.loop, failure(bench, port));
        QVERIFY(error.has_value());
        QCOMPARE(std::string(nameOf(error->code)), std::string("port_not_listening"));
        QCOMPARE(error->arguments.at("host"), std::string("lab"));
        QCOMPARE(error->arguments.at("port"), std::to_string(port));
    }

    void whatTheServerForbidsIsSaid_data() { addSshWays(); }
    void whatTheServerForbidsIsSaid() {
        QFETCH(SshWay, way);
        PlainSshd server("AllowTcpForwarding no");
        Bench bench(way, server);
        QVERIFY(bench.open());
        const auto error = runAwaitable(bench.loop, failure(bench, bench.port()));
        QVERIFY(error.has_value());
        QCOMPARE(std::string(nameOf(error->code)), std::string("forwarding_refused"));
        QCOMPARE(error->arguments.at("host"), std::string("lab"));
    }

    void connectionsAreNotCountedAsSessions_data() { addSshWays(); }
    void connectionsAreNotCountedAsSessions() {
        QFETCH(SshWay, way);
        PlainSshd server("MaxSessions 1");
        Bench bench(way, server);
        QVERIFY(bench.open());
        std::vector<std::unique_ptr<RemoteStream>> streams;
        std::vector<tcp::socket> accepted;
        const auto openAll = [&]() -> asio::awaitable<bool> {
            while (streams.size() < 20) {
                auto stream = co_await bench.connect();
                if (!stream)
                    co_return false;
                streams.push_back(std::move(*stream));
                accepted.push_back(co_await bench.acceptor.async_accept(asio::use_awaitable));
            }
            co_return true;
        };
        QVERIFY(runAwaitable(bench.loop, openAll()));
    }

    void aLostLineEndsIt_data() { addSshWays(); }
    void aLostLineEndsIt() {
        QFETCH(SshWay, way);
        Bench bench(way, *m_server);
        QVERIFY(bench.open());
        const auto ended = [&]() -> asio::awaitable<std::string> {
            auto stream = co_await bench.connect();
            const tcp::socket accepted = co_await bench.acceptor.async_accept(asio::use_awaitable);
            stream_protocol::socket ours(bench.loop, stream_protocol(), (*stream)->takeSocket().release());
            bench.server.killSessions();
            (void)co_await readToEnd(ours);
            const auto again = co_await bench.connect();
            co_return again ? "open" : std::string(nameOf(again.error().code));
        };
        QCOMPARE(runAwaitable(bench.loop, ended()), std::string("connection_lost"));
    }
};

QTEST_GUILESS_MAIN(OpenTcpTest)
#include "open_tcp_test.moc"

// SPDX-License-Identifier: Apache-2.0
#include "core/transport/pipe_transport.h"

#include "tests/support/compare.h"
#include "tests/support/run_awaitable.h"

#include <QElapsedTimer>
#include <QFile>
#include <QTemporaryDir>
#include <QtTest>

#include <asio/steady_timer.hpp>

using namespace trialdeck;
using namespace trialdeck::transport;
using namespace std::chrono_literals;
using tests::runAwaitable;

namespace {

using Channel = std::unique_ptr<FrameChannel>;

/// A shell script in the place of trialdeck-head: $3 is the nonce.
class ScriptedHead {
public:
    explicit ScriptedHead(const QByteArray& body) {
        QFile file(m_folder.filePath("trialdeck-head"));
        if (!file.open(QIODevice::WriteOnly))
            qFatal("no script");
        file.write("#!/bin/sh\nmarker() { printf '\\002trialdeck-head %s\\003' \"$1\"; }\n" + body);
        file.setPermissions(QFile::ReadOwner | QFile::WriteOwner | QFile::ExeOwner);
    }
    [[nodiscard]] PipeOptions options() const {
        return {m_folder.filePath("trialdeck-head").toStdString(), base::currentEnvironment(), 10s};
    }
    [[nodiscard]] QByteArray written(const char* name) const {
        QFile file(m_folder.filePath(name));
        return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray("no file");
    }

private:
    QTemporaryDir m_folder;
};

asio::awaitable<Expected<std::string>> exchange(FrameChannel& channel, std::string payload) {
    const auto sent = co_await channel.send(std::move(payload));
    if (!sent)
        co_return tl::make_unexpected(sent.error());
    const auto frame = co_await channel.receive();
    if (!frame)
        co_return tl::make_unexpected(frame.error());
    co_return std::string(*frame);
}

std::string describeFailure(const Expected<Channel>& result) {
    if (result)
        return "connected";
    const auto printed = result.error().arguments.find("printed");
    return std::string(nameOf(result.error().code)) + ": " +
           (printed == result.error().arguments.end() ? "" : printed->second);
}

} // namespace

class PipeTransportTest : public QObject {
    Q_OBJECT
private slots:
    void framesGoThroughTheProgram() {
        asio::io_context loop;
        ScriptedHead head("marker $3; exec cat");
        PipeTransport transport(head.options());
        for (int connection = 0; connection < 2; ++connection) {
            auto channel = runAwaitable(loop, transport.connect());
            QVERIFY2(channel.has_value(), describeFailure(channel).c_str());
            QCOMPARE(runAwaitable(loop, exchange(**channel, "hello")).value(), std::string("hello"));
            QCOMPARE((*channel)->chatter().bytes, size_t{0});
        }
    }

    void theProgramIsAskedToAttach() {
        asio::io_context loop;
        ScriptedHead head("echo \"$1 $2 $4 $#\" >\"$(dirname \"$0\")/arguments\"; marker $3; exec cat");
        PipeTransport transport(head.options());
        QVERIFY(runAwaitable(loop, transport.connect()).has_value());
        QCOMPARE(head.written("arguments"), QByteArray("attach --nonce --here 4\n"));
    }

    void loginChatterIsKeptForAHint() {
        asio::io_context loop;
        ScriptedHead head("echo 'Welcome to the lab'; marker $3; exec cat");
        PipeTransport transport(head.options());
        const auto channel = runAwaitable(loop, transport.connect());
        QCOMPARE((*channel)->chatter().text, std::string("Welcome to the lab"));
        QCOMPARE((*channel)->chatter().bytes, size_t{19});
    }

    void aProgramThatGivesNoMarkerIsExplained_data() {
        QTest::addColumn<QByteArray>("script");
        QTest::addColumn<QString>("error");
        QTest::newRow("ends at once") << QByteArray("exit 3") << "head_did_not_answer: ";
        QTest::newRow("says why") << QByteArray("echo 'the folder is not writable' >&2; exit 1")
                                  << "head_did_not_answer: the folder is not writable";
        QTest::newRow("an account without shell")
            << QByteArray("echo 'This account is currently not available.'; exit 1")
            << "head_did_not_answer: This account is currently not available.";
        QTest::newRow("both") << QByteArray("echo motd; echo 'no space left' >&2; exit 1")
                              << "head_did_not_answer: no space left\nmotd";
        QTest::newRow("another nonce")
            << QByteArray("marker other; exit 1") << "head_did_not_answer: trialdeck-head other";
    }
    void aProgramThatGivesNoMarkerIsExplained() {
        QFETCH(QByteArray, script);
        QFETCH(QString, error);
        asio::io_context loop;
        ScriptedHead head(script);
        PipeTransport transport(head.options());
        QCOMPARE(QString::fromStdString(describeFailure(runAwaitable(loop, transport.connect()))), error);
    }

    void endlessNoiseIsStopped() {
        asio::io_context loop;
        ScriptedHead head("while :; do echo spam; done");
        PipeTransport transport(head.options());
        const auto channel = runAwaitable(loop, transport.connect());
        QVERIFY(
            QString::fromStdString(describeFailure(channel)).startsWith("head_did_not_answer: spam\nspam"));
    }

    void silenceIsNotWaitedForForEver() {
        asio::io_context loop;
        ScriptedHead head("echo 'Password expires in 3 days.'; exec cat");
        PipeOptions options = head.options();
        options.startTimeout = 200ms;
        PipeTransport transport(options);
        QCOMPARE(describeFailure(runAwaitable(loop, transport.connect())),
                 std::string("head_did_not_answer: Password expires in 3 days."));
    }

    void aConnectionThatNobodyWantsIsGivenUpAtOnce() {
        asio::io_context loop;
        ScriptedHead head("echo $$ >\"$(dirname \"$0\")/pid\"; echo begun; trap '' TERM; exec cat");
        PipeTransport transport(head.options());
        asio::steady_timer soon(loop, 100ms);
        soon.async_wait([&transport](const std::error_code&) { transport.giveUp(); });
        QElapsedTimer taken;
        taken.start();
        const auto channel = runAwaitable(loop, transport.connect());
        QCOMPARE(channel.error().code, ErrorCode::head_did_not_answer);
        QVERIFY2(taken.elapsed() < 2000, QByteArray::number(taken.elapsed()).constData());
        QVERIFY(!QFile::exists("/proc/" + head.written("pid").trimmed()));
        transport.giveUp();
    }

    void aMissingProgramIsNamed() {
        asio::io_context loop;
        PipeTransport transport({"/nowhere/trialdeck-head", base::currentEnvironment(), 10s});
        const auto channel = runAwaitable(loop, transport.connect());
        QCOMPARE(channel.error().code, ErrorCode::head_binary_missing);
        QCOMPARE(channel.error().arguments.at("path"), std::string("/nowhere/trialdeck-head"));
    }

    void theLastWordsOfTheProgramExplainALostConnection() {
        asio::io_context loop;
        ScriptedHead head("marker $3; head -c 8 >/dev/null; echo 'the daemon is gone' >&2; exit 1");
        PipeTransport transport(head.options());
        const auto channel = runAwaitable(loop, transport.connect());
        const auto answer = runAwaitable(loop, exchange(**channel, "1234"));
        QCOMPARE(answer.error().code, ErrorCode::connection_lost);
        QCOMPARE(answer.error().arguments.at("reason"), std::string("the daemon is gone"));
    }

    void floodsOfErrorsStayBounded() {
        asio::io_context loop;
        ScriptedHead head("marker $3; yes error | head -c 3000000 >&2; echo last >&2; exit 1");
        PipeTransport transport(head.options());
        const auto channel = runAwaitable(loop, transport.connect());
        const auto answer = runAwaitable(loop, exchange(**channel, "x"));
        const std::string& reason = answer.error().arguments.at("reason");
        QVERIFY(reason.size() <= size_t{16} << 10);
        QVERIFY(QString::fromStdString(reason).endsWith("error\nlast"));
    }

    void theProgramEndsWithItsChannel() {
        asio::io_context loop;
        ScriptedHead head(
            "echo $$ >\"$(dirname \"$0\")/pid\"; trap '' TERM; marker $3; while read -r x; do :; done; "
            "while :; do read -r x; done");
        PipeTransport transport(head.options());
        auto channel = runAwaitable(loop, transport.connect());
        QVERIFY(channel.has_value());
        const QByteArray folder = "/proc/" + head.written("pid").trimmed();
        QVERIFY(QFile::exists(folder));
        channel->reset();
        QVERIFY(!QFile::exists(folder));
    }
};

QTEST_APPLESS_MAIN(PipeTransportTest)
#include "pipe_transport_test.moc"

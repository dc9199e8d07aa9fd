// SPDX-License-Identifier: Apache-2.0
// Commands on a host over a real sshd, by both clients, and on this computer.
#include "core/transport/remote/remote_command.h"

#include "core/transport/remote/this_computer.h"
#include "tests/support/compare.h"
#include "tests/support/pump.h"
#include "tests/support/ssh_bench.h"

#include <QFile>
#include <QtTest>
#include <csignal>

using namespace trialdeck;
using namespace trialdeck::tests;
using namespace trialdeck::transport;

namespace {

enum class Where { system, libssh2, here };

class Heard final : public CommandListener {
public:
    void onOutput(std::string_view bytes) override { output += bytes; }
    void onErrors(std::string_view bytes) override { errors += bytes; }
    std::string output;
    std::string errors;
};

class Bench : public SshBench {
public:
    Bench(SshWay way, PlainSshd& sshd) : SshBench(way, sshd) {}
    Bench(Where where, PlainSshd& sshd)
        : SshBench(where == Where::libssh2 ? SshWay::libssh2 : SshWay::system, sshd) {
        if (where == Where::here)
            host = std::make_shared<ThisComputer>(base::currentEnvironment());
    }

    bool start(CommandOrder order) {
        order.hostName = "lab";
        auto started = runAwaitable(loop, RemoteCommand::start(host, std::move(order), heard));
        if (!started) {
            qWarning("%s", base::describe(started.error()).c_str());
            return false;
        }
        command = std::move(*started);
        asio::co_spawn(loop, command->finish(),
                       [this](const std::exception_ptr&, Expected<int> code) { end = std::move(code); });
        return true;
    }
    bool waitForEnd() {
        return pumpUntil(loop, [&] { return end.has_value(); });
    }
    /// "0", or the error's code.
    [[nodiscard]] std::string ending() const {
        return *end ? std::to_string(**end) : std::string(nameOf(end->error().code));
    }
    std::string run(CommandOrder order) {
        end.reset();
        heard = {};
        if (!start(std::move(order)))
            return "not started";
        return waitForEnd() ? ending() : "no end";
    }

    Heard heard;
    std::unique_ptr<RemoteCommand> command;
    std::optional<Expected<int>> end;
};

CommandOrder line(std::string text, CommandOrder::Input input = CommandOrder::Input::none) {
    CommandOrder order;
    order.line = std::move(text);
    order.input = input;
    return order;
}

bool isAlive(const std::string& pid) {
    return kill(std::stoi(pid), 0) == 0;
}

} // namespace

class RemoteCommandTest : public QObject {
    Q_OBJECT

    std::unique_ptr<PlainSshd> m_server;

    static void places() {
        QTest::addColumn<Where>("where");
        QTest::newRow("system ssh") << Where::system;
        QTest::newRow("libssh2") << Where::libssh2;
        QTest::newRow("here") << Where::here;
    }

private slots:
    void initTestCase() {
        if (!PlainSshd::available())
            QSKIP("no sshd here");
        m_server = std::make_unique<PlainSshd>();
    }
    void cleanupTestCase() { m_server.reset(); }

    void outputErrorsAndCodeAreItsOwn_data() { places(); }
    void outputErrorsAndCodeAreItsOwn() {
        QFETCH(Where, where);
        Bench bench(where, *m_server);
        QVERIFY(bench.open());
        QCOMPARE(bench.run(line("echo out; echo err >&2; exit 7")), std::string("7"));
        QCOMPARE(bench.heard.output, std::string("out\n"));
        QVERIFY(bench.heard.errors.find("err\n") != std::string::npos);
        QCOMPARE(bench.run(line("cat; printf 'no end of line'")), std::string("0"));
        QCOMPARE(bench.heard.output, std::string("no end of line"));
        QCOMPARE(bench.run(line("exit 255")), std::string("255"));
        QCOMPARE(bench.heard.output, std::string());
        QCOMPARE(bench.run(line("kill -KILL $$")), std::string("137"));
        QCOMPARE(bench.run(line("if true\nthen echo \"two 'lines'\"\nfi")), std::string("0"));
        QCOMPARE(bench.heard.output, std::string("two 'lines'\n"));
    }

    void wordsArriveAsTheyAre_data() { places(); }
    void wordsArriveAsTheyAre() {
        QFETCH(Where, where);
        Bench bench(where, *m_server);
        QVERIFY(bench.open());
        CommandOrder order;
        order.words = {"printf", "%s\\n", "two words", "it's", "$HOME `id` !x", "a\nb", "\\", "中文", ""};
        order.folder = "/usr";
        QCOMPARE(bench.run(order), std::string("0"));
        QCOMPARE(bench.heard.output, std::string("two words\nit's\n$HOME `id` !x\na\nb\n\\\n中文\n\n"));
        order.words = {"pwd"};
        QCOMPARE(bench.run(order), std::string("0"));
        QCOMPARE(bench.heard.output, std::string("/usr\n"));
        order.words = {"no-such-program"};
        QCOMPARE(bench.run(order), std::string("127"));
    }

    void muchOutputComesWhole_data() { places(); }
    void muchOutputComesWhole() {
        QFETCH(Where, where);
        Bench bench(where, *m_server);
        QVERIFY(bench.open());
        QCOMPARE(bench.run(line("head -c 20000000 /dev/zero; head -c 300000 /dev/zero >&2")),
                 std::string("0"));
        QCOMPARE(bench.heard.output.size(), size_t{20'000'000});
        QVERIFY(bench.heard.errors.size() >= 300'000);
    }

    void inputIsPassedOn_data() { places(); }
    void inputIsPassedOn() {
        QFETCH(Where, where);
        Bench bench(where, *m_server);
        QVERIFY(bench.open());
        QVERIFY(bench.start(line("wc -c; exit 3", CommandOrder::Input::given)));
        QVERIFY(runAwaitable(bench.loop, bench.command->write(std::string(3'000'000, 'x'))));
        bench.command->endInput();
        QVERIFY(bench.waitForEnd());
        QCOMPARE(bench.ending(), std::string("3"));
        QCOMPARE(QString::fromStdString(bench.heard.output).trimmed(), QString("3000000"));
    }

    void cancellingEndsItThere_data() {
        QTest::addColumn<Where>("where");
        QTest::addColumn<bool>("hasInput");
        for (const bool hasInput : {false, true}) {
            QTest::addRow("system ssh, input %d", hasInput) << Where::system << hasInput;
            QTest::addRow("libssh2, input %d", hasInput) << Where::libssh2 << hasInput;
            QTest::addRow("here, input %d", hasInput) << Where::here << hasInput;
        }
    }
    void cancellingEndsItThere() {
        QFETCH(Where, where);
        QFETCH(bool, hasInput);
        Bench bench(where, *m_server);
        QVERIFY(bench.open());
        QVERIFY(bench.start(line("sleep 1000 & echo $!; wait",
                                 hasInput ? CommandOrder::Input::given : CommandOrder::Input::none)));
        QVERIFY(pumpUntil(bench.loop, [&] { return bench.heard.output.find('\n') != std::string::npos; }));
        QVERIFY(isAlive(bench.heard.output));
        bench.command->cancel();
        QVERIFY(bench.waitForEnd());
        QCOMPARE(bench.ending(), std::string("cancelled"));
        QTRY_VERIFY(!isAlive(bench.heard.output));
    }

    void withoutInputItEndsWithTheLine_data() { addSshWays(); }
    void withoutInputItEndsWithTheLine() {
        QFETCH(SshWay, way);
        Bench bench(way, *m_server);
        QVERIFY(bench.open());
        QVERIFY(bench.start(line("sleep 1000 & echo $!; wait")));
        QVERIFY(pumpUntil(bench.loop, [&] { return bench.heard.output.find('\n') != std::string::npos; }));
        bench.server.killSessions();
        QVERIFY(bench.waitForEnd());
        QCOMPARE(bench.ending(), std::string("connection_lost"));
        QTRY_VERIFY(!isAlive(bench.heard.output));
    }

    void whatRefusesToEndIsForced() {
        Bench bench(SshWay::libssh2, *m_server);
        QVERIFY(bench.open());
        QVERIFY(bench.start(line("trap '' TERM; echo $$; while :; do sleep 1; done")));
        QVERIFY(pumpUntil(bench.loop, [&] { return bench.heard.output.find('\n') != std::string::npos; }));
        bench.command->cancel();
        QVERIFY(bench.waitForEnd());
        QCOMPARE(bench.ending(), std::string("cancelled"));
        QTRY_VERIFY(!isAlive(bench.heard.output));
    }

    void sessionsThatTheServerRefusesAreTold_data() { addSshWays(); }
    void sessionsThatTheServerRefusesAreTold() {
        QFETCH(SshWay, way);
        PlainSshd server("MaxSessions 0");
        Bench bench(way, server);
        QVERIFY(bench.open());
        Heard heard;
        auto started = runAwaitable(bench.loop, RemoteCommand::start(bench.host, line("true"), heard));
        const auto code = started ? runAwaitable(bench.loop, (*started)->finish())
                                  : Expected<int>(tl::make_unexpected(started.error()));
        QVERIFY(!code.has_value());
        QCOMPARE(std::string(nameOf(code.error().code)), std::string("too_many_sessions"));
    }
};

QTEST_GUILESS_MAIN(RemoteCommandTest)
#include "remote_command_test.moc"

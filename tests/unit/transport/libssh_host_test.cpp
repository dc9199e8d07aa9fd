// SPDX-License-Identifier: Apache-2.0
// Against a real sshd on a port of its own, with keys that the test makes.
#include "core/transport/libssh2/libssh_host.h"

#include "core/base/sha256.h"
#include "core/transport/remote/head_deployment.h"
#include "tests/support/compare.h"
#include "tests/support/plain_sshd.h"
#include "tests/support/run_awaitable.h"
#include "tests/support/ssh_ways.h"

#include <QTcpServer>
#include <QTcpSocket>
#include <QtTest>

#include <asio/experimental/awaitable_operators.hpp>

#include <map>

using namespace trialdeck;
using namespace trialdeck::transport;
using namespace std::chrono_literals;
using tests::ListedAnswers;
using tests::MemoryKeys;
using tests::PlainSshd;
using tests::runAwaitable;

namespace {

struct Scene {
    explicit Scene(const PlainSshd& server, const std::string& key = "id_ed25519") {
        LibsshHop hop;
        hop.name = "lab";
        hop.address = "127.0.0.1";
        hop.port = server.port();
        hop.user = server.user();
        hop.keys.push_back({server.key(key)});
        options.name = "lab";
        options.hops = {hop};
    }
    LibsshHost& host() {
        if (!made)
            made = std::make_unique<LibsshHost>(options, clock, keys, prompts);
        return *made;
    }
    std::string open() {
        const auto opened = runAwaitable(loop, host().open([this](const StepState& step) {
            if (step.phase != StepPhase::running)
                course += std::string(nameOf(step.step)) + (step.phase == StepPhase::done ? " " : " failed ");
        }));
        return opened ? "open" : std::string(nameOf(opened.error().code));
    }
    RemoteOutput run(const std::string& script, const std::string& input = {}) {
        auto output = runAwaitable(loop, runScript(host(), script, input), 60s);
        return output ? *output : RemoteOutput{{}, base::describe(output.error()), {}};
    }

    asio::io_context loop;
    base::SystemClock clock;
    MemoryKeys keys;
    ListedAnswers prompts;
    LibsshOptions options;
    std::string course;
    std::unique_ptr<LibsshHost> made;
};

} // namespace

class LibsshHostTest : public QObject {
    Q_OBJECT
private slots:
    void initTestCase() {
        if (!PlainSshd::available())
            QSKIP("there is no sshd");
    }

    void logsInByKeyAndRunsPrograms_data() {
        QTest::addColumn<QString>("key");
        QTest::newRow("ed25519") << "id_ed25519";
        QTest::newRow("ecdsa") << "id_ecdsa";
    }
    void logsInByKeyAndRunsPrograms() {
        QFETCH(QString, key);
        PlainSshd server;
        Scene scene(server, key.toStdString());
        QCOMPARE(scene.open(), std::string("open"));
        QCOMPARE(scene.course, std::string("name tcp host_key login "));
        const RemoteOutput output = scene.run("cat; echo oh >&2; exit 7", "to and back\n");
        QCOMPARE(output.printed, std::string("to and back\n"));
        QCOMPARE(output.errors, std::string("oh"));
        QCOMPARE(output.exit.code, std::optional<int>(7));
        QCOMPARE(scene.run("kill -9 $$").exit.code, std::optional<int>());
        QVERIFY(scene.host().isOpen());
        scene.host().close();
        QCOMPARE(scene.open(), std::string("open"));
        // The host key was confirmed once.
        QCOMPARE(scene.prompts.asked.size(), size_t{1});
    }

    void aPassphraseIsAskedFor() {
        PlainSshd server;
        Scene scene(server, "id_locked");
        scene.prompts.answers = {"yes", "wrong", PlainSshd::kPassphrase};
        QCOMPARE(scene.open(), std::string("open"));
        QCOMPARE(scene.prompts.asked.size(), size_t{3});
        QVERIFY(scene.prompts.asked[1].kind == Prompt::Kind::passphrase);
        QVERIFY(!scene.prompts.asked[1].again);
        QVERIFY(scene.prompts.asked[2].again);
        // Nothing of a wrong passphrase went to the host.
        QCOMPARE(server.log().count("Failed"), 0);
    }

    void whatFailsIsNamed_data() {
        QTest::addColumn<QString>("what");
        QTest::addColumn<QString>("code");
        for (const auto& [what, code] : {std::pair("unknown key", "login_refused"),
                                         {"host key not confirmed", "cancelled"},
                                         {"host key refused", "host_key_refused"},
                                         {"host key changed", "host_key_changed"},
                                         {"no such host", "host_not_found"},
                                         {"no server", "host_refused"},
                                         {"rubbish", "not_an_ssh_server"}})
            QTest::newRow(what) << what << code;
    }
    void whatFailsIsNamed() {
        QFETCH(QString, what);
        QFETCH(QString, code);
        PlainSshd server;
        Scene scene(server);
        scene.options.patience = 1s;
        LibsshHop& hop = scene.options.hops.front();
        QTcpServer rubbish;
        if (what == "unknown key")
            hop.keys.front().file = server.key("id_stranger");
        else if (what == "host key not confirmed")
            scene.prompts.givesUp = true;
        else if (what == "host key refused")
            scene.prompts.answers = {"no"};
        else if (what == "host key changed")
            scene.keys.keys[{"127.0.0.1", server.port()}] = "another";
        else if (what == "no such host")
            hop.address = "no-such-host.invalid";
        else if (what == "no server")
            hop.port = 1;
        else if (what == "rubbish") {
            QVERIFY(rubbish.listen(QHostAddress::LocalHost));
            connect(&rubbish, &QTcpServer::newConnection, [&rubbish] {
                rubbish.nextPendingConnection()->write(QByteArray(9000, '\x01') + "\r\n");
            });
            hop.port = rubbish.serverPort();
        }
        std::string answer;
        std::string described;
        asio::co_spawn(scene.loop, scene.host().open({}),
                       [&](const std::exception_ptr&, const Expected<void>& opened) {
                           described = opened ? "open" : base::describe(opened.error());
                           answer = opened ? "open" : std::string(nameOf(opened.error().code));
                       });
        QVERIFY(QTest::qWaitFor(
            [&] {
                scene.loop.restart();
                scene.loop.run_for(5ms);
                return !answer.empty();
            },
            20'000));
        QVERIFY2(answer == code.toStdString(), described.c_str());
    }

    void muchGoesBothWaysAtOnce() {
        PlainSshd server;
        Scene scene(server);
        QCOMPARE(scene.open(), std::string("open"));
        const std::string bytes(size_t{20} << 20, 'x');
        std::vector<std::string> lengths;
        // Two programs send 20 MB back while a third one prints nothing.
        auto both = [](LibsshHost& host,
                       const std::string& input) -> asio::awaitable<std::vector<std::string>> {
            using namespace asio::experimental::awaitable_operators;
            auto [one, two, three] =
                co_await (runScript(host, "wc -c", input) && runScript(host, "sha256sum", input) &&
                          runScript(host, "sleep 0.2; echo late"));
            co_return std::vector{one->printed, two->printed, three->printed};
        };
        lengths = runAwaitable(scene.loop, both(scene.host(), bytes), 60s);
        QCOMPARE(lengths[0], std::to_string(bytes.size()) + "\n");
        QCOMPARE(lengths[1].substr(0, 64), base::sha256Hex(bytes));
        QCOMPARE(lengths[2], std::string("late\n"));
    }

    void aCutLineIsNoticed() {
        PlainSshd server;
        Scene scene(server);
        QCOMPARE(scene.open(), std::string("open"));
        auto program = runAwaitable(scene.loop, scene.host().start("sleep 60"));
        QVERIFY(program.has_value());
        server.killSessions();
        const base::ProcessExit exit = runAwaitable(scene.loop, (*program)->finish(10s));
        QVERIFY(!exit.code && !exit.signal);
        QVERIFY(!scene.host().isOpen());
    }

    void openIsCancelled() {
        QTcpServer silent;
        QVERIFY(silent.listen(QHostAddress::LocalHost));
        PlainSshd server;
        Scene scene(server);
        scene.options.hops.front().port = silent.serverPort();
        std::string answer;
        asio::co_spawn(scene.loop, scene.host().open({}),
                       [&](const std::exception_ptr&, const Expected<void>& opened) {
                           answer = opened ? "open" : std::string(nameOf(opened.error().code));
                       });
        scene.loop.run_for(100ms);
        QCOMPARE(answer, std::string());
        scene.host().close();
        scene.loop.restart();
        scene.loop.run_for(200ms);
        QCOMPARE(answer, std::string("cancelled"));
    }
};

QTEST_GUILESS_MAIN(LibsshHostTest)
#include "libssh_host_test.moc"

// SPDX-License-Identifier: Apache-2.0
// Logins through the OpenSSH client to real servers: each way to prove who one is, each way to be refused.
#include "core/transport/remote/head_deployment.h"
#include "core/transport/ssh/system_ssh_host.h"
#include "tests/support/compare.h"
#include "tests/support/run_awaitable.h"
#include "tests/support/scripted_prompts.h"
#include "tests/support/ssh_server.h"

#include <QtTest>

using namespace trialdeck;
using namespace trialdeck::transport;
using namespace std::chrono_literals;
using tests::runAwaitable;
using tests::ScriptedPrompts;
using tests::SshAccount;
using tests::SshServer;
using tests::SshServerOptions;

namespace {

/// One host that is logged in to, and what happens meanwhile.
struct Login {
    Login(const SshServer& server, SshDestination to, std::deque<std::string> answers = {})
        : prompts(std::move(answers)) {
        options.destination = std::move(to);
        options.askpass = TRIALDECK_BIN_DIR "/trialdeck-askpass";
        options.environment = server.clientEnvironment();
    }
    SystemSshHost& host() {
        if (!made)
            made = std::make_unique<SystemSshHost>(options, clock, prompts);
        return *made;
    }
    /// "open", or the error.
    std::string open() {
        const auto opened = runAwaitable(loop, host().open([this](const StepState& step) {
            if (step.phase != StepPhase::running)
                course += std::string(nameOf(step.step)) + (step.phase == StepPhase::done ? " " : " failed ");
        }),
                                         60s);
        error = opened ? Error() : opened.error();
        return opened ? "open" : std::string(nameOf(error.code));
    }
    RemoteOutput run(const std::string& script, const std::string& input = {}) {
        auto output = runAwaitable(loop, runScript(host(), script, input), 60s);
        return output ? *output : RemoteOutput{{}, base::describe(output.error()), {}};
    }

    asio::io_context loop;
    base::SystemClock clock;
    ScriptedPrompts prompts;
    SystemSshOptions options;
    std::string course;
    Error error;
    std::unique_ptr<SystemSshHost> made;
};

} // namespace

class SshLoginTest : public QObject {
    Q_OBJECT
private slots:
    void initTestCase() {
        if (const std::string why = SshServer::whyNot(); !why.empty())
            QSKIP(why.c_str());
    }

    void aKeyLetsIn() {
        SshServer server;
        QVERIFY(server.isListening());
        Login login(server, server.destination());
        QVERIFY2(login.open() == "open", base::describe(login.error).c_str());
        QCOMPARE(login.course, std::string("name tcp host_key login "));
        const RemoteOutput output = login.run("id -un; cat; echo oh >&2; exit 7", "to and back");
        QCOMPARE(output.printed, std::string("anna\nto and back"));
        QCOMPARE(output.errors, std::string("oh"));
        QCOMPARE(output.exit.code, std::optional<int>(7));
        QVERIFY(login.prompts.asked.empty());
    }
};

QTEST_GUILESS_MAIN(SshLoginTest)
#include "ssh_login_test.moc"

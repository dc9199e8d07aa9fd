// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/transport/remote/head_deployment.h"
#include "core/transport/ssh/system_ssh_host.h"
#include "tests/support/run_awaitable.h"
#include "tests/support/scripted_prompts.h"
#include "tests/support/ssh_server.h"

#include <memory>

namespace trialdeck::tests {

/// A login through the OpenSSH client to a server of the test, and what happens meanwhile.
struct SystemLogin {
    SystemLogin(const SshServer& server, transport::SshDestination to, std::deque<std::string> answers = {})
        : prompts(std::move(answers)) {
        options.destination = std::move(to);
        options.askpass = TRIALDECK_BIN_DIR "/trialdeck-askpass";
        options.environment = server.clientEnvironment();
    }

    transport::SystemSshHost& host() {
        if (!made)
            made = std::make_unique<transport::SystemSshHost>(options, clock, prompts);
        return *made;
    }

    /// "open", or the code of the error.
    std::string open() {
        course.clear();
        const auto listener = [this](const transport::StepState& step) {
            if (step.phase != transport::StepPhase::running)
                course += std::string(nameOf(step.step)) +
                          (step.phase == transport::StepPhase::done ? " " : " failed ");
        };
        const auto opened = runAwaitable(loop, host().open(listener), std::chrono::seconds(60));
        error = opened ? Error() : opened.error();
        return opened ? "open" : std::string(nameOf(error.code));
    }

    /// An error has no exit code and is printed.
    transport::RemoteOutput run(const std::string& script, const std::string& input = {}) {
        auto output =
            runAwaitable(loop, transport::runScript(host(), script, input), std::chrono::seconds(60));
        return output ? *output : transport::RemoteOutput{{}, base::describe(output.error()), {}};
    }

    asio::io_context loop;
    base::SystemClock clock;
    ScriptedPrompts prompts;
    transport::SystemSshOptions options;
    /// The steps that have ended: "name tcp host_key failed ".
    std::string course;
    Error error;
    std::unique_ptr<transport::SystemSshHost> made;
};

} // namespace trialdeck::tests

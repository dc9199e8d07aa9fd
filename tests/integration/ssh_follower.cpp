// SPDX-License-Identifier: Apache-2.0
// A client in a process of its own, which a test may kill: follows an experiment over SSH and prints a line
// for each report.
//   ssh_follower system_ssh|libssh2 CONFIG PORT REMOTE_HOME EXPERIMENT
#include "core/base/build_id.h"
#include "core/transport/libssh2/ssh_hosts.h"
#include "core/transport/remote/ssh_transport.h"
#include "tests/integration/head_session.h"
#include "tests/support/scripted_prompts.h"

#include <cstdio>
#include <string>

using namespace trialdeck;

int main(int argc, char** argv) {
    if (argc != 6)
        return EXIT_FAILURE;
    base::SystemClock clock;
    base::PosixFileSystem files;
    // To the question whether this is the host.
    tests::ScriptedPrompts prompts({"yes"});
    const auto makeTransport = [&](asio::io_context&, tests::HeadSession&) {
        transport::SshHostOptions ssh;
        ssh.destination.host = "lab";
        ssh.destination.configFile = argv[2];
        ssh.destination.port = static_cast<uint16_t>(std::stoi(argv[3]));
        ssh.askpass = TRIALDECK_BIN_DIR "/trialdeck-askpass";
        ssh.environment = base::currentEnvironment();
        ssh.pinned = std::string(argv[1]) == nameOf(transport::SshClient::libssh2)
                         ? transport::SshClient::libssh2
                         : transport::SshClient::system_ssh;
        transport::SshTransportOptions options;
        options.hostName = "lab";
        options.programs.head = TRIALDECK_BIN_DIR "/trialdeck-head";
        options.programs.buildId = base::buildId();
        options.remoteHome = argv[4];
        return std::make_unique<transport::SshTransport>(
            transport::makeSshHost(std::move(ssh), files, clock, prompts), files, clock, std::move(options));
    };
    tests::HeadSession session(makeTransport);
    session.start();
    session.follow(ExperimentId(argv[5]));
    size_t printed = 0;
    for (;;) {
        (void)session.waitFor([&] { return session.reports().size() > printed; });
        const std::vector<std::string> reports = session.reports();
        for (; printed < reports.size(); ++printed)
            std::puts(reports[printed].c_str());
        std::fflush(stdout);
    }
}

// SPDX-License-Identifier: Apache-2.0
// Composition root of trialdeckctl: chooses the Transport, runs one verb.
#include "core/base/build_id.h"
#include "core/base/host.h"
#include "core/base/log.h"
#include "core/ctl/remote_target.h"
#include "core/ctl/sentences.h"
#include "core/ctl/terminal_prompts.h"
#include "core/ctl/verbs.h"
#include "core/transport/pipe_transport.h"
#include "core/transport/remote/prompt_memory.h"
#include "core/transport/remote/ssh_transport.h"
#include "core/transport/ssh/system_ssh_host.h"

#include <asio/co_spawn.hpp>
#include <asio/io_context.hpp>
#include <asio/signal_set.hpp>
#include <csignal>

using namespace trialdeck;

namespace {

constexpr std::chrono::seconds kKeepUnanswered{20};

base::Path besideUs(std::string_view program) {
    return base::executablePath().parent_path() / program;
}

/// A file that cannot be read is said and leaves the names of ~/.ssh/config.
client::SavedConnection remoteTarget(const ctl::Command& command, base::FileSystem& files,
                                     ctl::Terminal& terminal) {
    const auto file = client::savedConnectionsFile(base::currentEnvironment());
    client::SavedConnections saved(files, file.value_or(base::Path()));
    if (const auto loaded = file ? saved.load() : tl::make_unexpected(file.error()); !loaded)
        terminal.printError("warning: " + ctl::sentenceOf(loaded.error().code, loaded.error().arguments) +
                            "\n");
    return ctl::targetOf(command, saved);
}

std::unique_ptr<transport::Transport> makeTransport(const ctl::Command& command, base::FileSystem& files,
                                                    const base::Clock& clock, transport::Prompts& prompts,
                                                    ctl::Terminal& terminal) {
    if (command.host.empty())
        return std::make_unique<transport::PipeTransport>(
            transport::PipeOptions{besideUs("trialdeck-head"), base::currentEnvironment()});
    transport::SystemSshOptions ssh;
    const client::SavedConnection target = remoteTarget(command, files, terminal);
    ssh.destination = client::destinationOf(target);
    ssh.askpass = besideUs("trialdeck-askpass");
    ssh.environment = base::currentEnvironment();
    transport::SshTransportOptions options;
    options.hostName = ssh.destination.host;
    options.remoteHome = target.remoteHome;
    options.programs = {
        besideUs("trialdeck-head"), {besideUs("trialdeck-train")}, std::string(base::buildId())};
    return std::make_unique<transport::SshTransport>(
        std::make_unique<transport::SystemSshHost>(std::move(ssh), clock, prompts), files, clock,
        std::move(options));
}

int runVerb(ctl::Command command, ctl::Terminal& terminal) {
    asio::io_context loop;
    const base::SystemClock clock;
    base::PosixFileSystem files;
    ctl::TerminalPrompts person(loop);
    transport::PromptMemory prompts(person);
    base::NullLog log;
    client::ClientOptions options;
    options.name = "trialdeckctl";
    options.version = base::version();
    options.buildId = base::buildId();
    options.keepUnanswered = kKeepUnanswered;
    options.watchNetwork = !command.host.empty();
    auto transport = makeTransport(command, files, clock, prompts, terminal);
    client::Client client(loop, clock, log, std::move(transport), std::move(options));
    ctl::Desk desk(loop, client, terminal, clock, std::move(command));

    asio::signal_set signals(loop, SIGINT, SIGTERM);
    signals.async_wait([&desk](const std::error_code& cancelled, int) {
        if (!cancelled)
            desk.interrupt();
    });
    int code = 1;
    asio::co_spawn(loop, ctl::execute(desk), [&](const std::exception_ptr& failure, ctl::ExitCode ending) {
        if (failure)
            std::rethrow_exception(failure);
        code = static_cast<int>(ending);
        loop.stop();
    });
    loop.run();
    return code;
}

} // namespace

int main(int argc, char** argv) {
    (void)std::signal(SIGPIPE, SIG_IGN);
    const std::string version = std::string(base::version()) + " (" + std::string(base::buildId()) + ")";
    auto parsed = ctl::parseCommandLine({argv + 1, argv + argc}, version);
    const std::unique_ptr<ctl::Terminal> terminal = ctl::makeSystemTerminal();
    if (const auto* told = std::get_if<ctl::Told>(&parsed)) {
        if (told->code == ctl::ExitCode::ok)
            terminal->print(told->text);
        else
            terminal->printError(told->text);
        return static_cast<int>(told->code);
    }
    return runVerb(std::get<ctl::Command>(std::move(parsed)), *terminal);
}

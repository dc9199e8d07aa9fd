// SPDX-License-Identifier: Apache-2.0
// Composition root of trialdeckctl: chooses the Transport, runs one verb.
#include "core/base/build_id.h"
#include "core/base/host.h"
#include "core/base/log.h"
#include "core/ctl/remote_target.h"
#include "core/ctl/sentences.h"
#include "core/ctl/sync_verb.h"
#include "core/ctl/terminal_prompts.h"
#include "core/ctl/verbs.h"
#include "core/ctl/words.h"
#include "core/transport/libssh2/ssh_hosts.h"
#include "core/transport/pipe_transport.h"
#include "core/transport/remote/prompt_memory.h"
#include "core/transport/remote/ssh_transport.h"
#include "core/transport/remote/this_computer.h"

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
client::SavedConnections savedConnections(base::FileSystem& files, ctl::Terminal& terminal) {
    const auto file = client::savedConnectionsFile(base::currentEnvironment());
    client::SavedConnections saved(files, file.value_or(base::Path()));
    if (const auto loaded = file ? saved.load() : tl::make_unexpected(file.error()); !loaded)
        terminal.printError("warning: " + ctl::sentenceOf(loaded.error().code, loaded.error().arguments) +
                            "\n");
    return saved;
}

transport::HeadPrograms headPrograms() {
    return {besideUs("trialdeck-head"), {besideUs("trialdeck-train")}, std::string(base::buildId())};
}

std::unique_ptr<transport::RemoteHost> makeHost(const client::SavedConnection& target,
                                                base::FileSystem& files, const base::Clock& clock,
                                                transport::Prompts& prompts) {
    transport::SshHostOptions ssh;
    ssh.destination = client::destinationOf(target);
    ssh.pinned = client::pinnedClient(target.transport);
    ssh.askpass = besideUs("trialdeck-askpass");
    ssh.environment = base::currentEnvironment();
    return transport::makeSshHost(std::move(ssh), files, clock, prompts);
}

/// The way to a head, and the host that it is on.
struct Way {
    std::shared_ptr<transport::RemoteHost> host;
    std::unique_ptr<transport::Transport> transport;
    client::SavedConnection target;
};

Way makeWay(const ctl::Command& command, base::FileSystem& files, const base::Clock& clock,
            transport::Prompts& prompts, ctl::Terminal& terminal) {
    if (command.host.empty())
        return {std::make_shared<transport::ThisComputer>(base::currentEnvironment()),
                std::make_unique<transport::PipeTransport>(
                    transport::PipeOptions{besideUs("trialdeck-head"), base::currentEnvironment()}),
                {}};
    const client::SavedConnection target = ctl::targetOf(command, savedConnections(files, terminal));
    transport::SshTransportOptions options;
    options.hostName = target.host;
    options.remoteHome = target.remoteHome;
    options.here = command.here;
    options.programs = headPrograms();
    const std::shared_ptr<transport::RemoteHost> host = makeHost(target, files, clock, prompts);
    return {host, std::make_unique<transport::SshTransport>(host, files, clock, std::move(options)), target};
}

/// A port that could not be remembered is no reason to stop.
void saveConnection(base::FileSystem& files, const client::SavedConnection& connection) {
    const auto file = client::savedConnectionsFile(base::currentEnvironment());
    if (!file || connection.id.empty())
        return;
    (void)client::SavedConnections(files, *file).put(connection);
}

/// Runs a verb to its end, with Ctrl-C as an interrupt().
template<typename Run, typename Interrupt>
int runLoop(asio::io_context& loop, Run run, Interrupt interrupt) {
    asio::signal_set signals(loop, SIGINT, SIGTERM);
    signals.async_wait([&interrupt, &signals](const std::error_code& cancelled, int) {
        if (cancelled)
            return;
        // A second one ends us as it ends other programs.
        signals.clear();
        interrupt();
    });
    int code = 1;
    asio::co_spawn(loop, run(), [&](const std::exception_ptr& failure, ctl::ExitCode ending) {
        if (failure)
            std::rethrow_exception(failure);
        code = static_cast<int>(ending);
        loop.stop();
    });
    loop.run();
    return code;
}

/// The folders are kept with a connection that is saved.
int runSync(const ctl::Command& command, ctl::Terminal& terminal) {
    asio::io_context loop;
    const base::SystemClock clock;
    base::PosixFileSystem files;
    client::SavedConnections saved = savedConnections(files, terminal);
    const client::SavedConnection target = ctl::targetOf(command, saved);
    const auto home = base::homeDirectory();
    const auto request = ctl::syncRequestOf(command, target.lastSync, home.value_or(base::Path()),
                                            std::filesystem::current_path());
    if (!request) {
        terminal.printError(ctl::errorText(request.error()));
        return static_cast<int>(ctl::exitCodeOf(request.error().code));
    }
    ctl::TerminalPrompts person(loop);
    transport::PromptMemory prompts(person);
    const auto host = makeHost(target, files, clock, prompts);
    transport::SyncMeans means;
    means.hostName = target.host;
    means.programs = headPrograms();
    means.askpass = besideUs("trialdeck-askpass");
    means.environment = base::currentEnvironment();
    ctl::SyncVerb verb({loop, *host, files, clock, terminal, command}, std::move(means), *request);
    const int code = runLoop(
        loop, [&verb] { return verb.run(); }, [&verb] { verb.interrupt(); });
    const client::SavedConnection* known = target.id.empty() ? nullptr : saved.find(target.id);
    if (verb.hasSynced() && known != nullptr && !request->dryRun) {
        client::SavedConnection changed = *known;
        changed.lastSync = {request->local.native(), request->remote, request->include, request->exclude};
        if (const auto kept = saved.put(std::move(changed)); !kept)
            terminal.printError(ctl::errorText(kept.error()));
    }
    return code;
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
    Way way = makeWay(command, files, clock, prompts, terminal);
    client::Client client(loop, clock, log, std::move(way.transport), std::move(options));
    ctl::Desk desk(loop, client, terminal, clock, std::move(command));
    desk.host = std::move(way.host);
    desk.target = std::move(way.target);
    desk.saveTarget = [&files](const client::SavedConnection& target) { saveConnection(files, target); };
    return runLoop(
        loop, [&desk] { return ctl::execute(desk); }, [&desk] { desk.interrupt(); });
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
    auto command = std::get<ctl::Command>(std::move(parsed));
    if (command.verb == ctl::Verb::syncUp || command.verb == ctl::Verb::syncDown)
        return runSync(command, *terminal);
    return runVerb(std::move(command), *terminal);
}

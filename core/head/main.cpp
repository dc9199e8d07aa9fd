// SPDX-License-Identifier: Apache-2.0
// Composition root of the head: chooses the Engine and hands the words on.
#include "core/base/build_id.h"
#include "core/base/host.h"
#include "core/engine/login_environment.h"
#include "core/engine/process/process_engine.h"
#include "core/head/attach.h"
#include "core/head/serve.h"
#include "core/supervise/supervise_main.h"
#include "core/transport/files/files_sync.h"

#include <CLI/CLI.hpp>
#include <cstdio>
#include <cstring>

using namespace trialdeck;

namespace {

Expected<std::unique_ptr<engine::Engine>> makeEngine(asio::io_context& loop, base::FileSystem& files,
                                                     const base::Clock& clock, base::Log& log,
                                                     const head::HeadHome& home) {
    engine::ProcessOptions options;
    options.runtimeFolder = home.runtimeFolder() / "workers";
    TRIALDECK_TRY(files.createDirectories(options.runtimeFolder));
    options.nodeName = base::hostName();
    options.revival = supervise::DaemonRevival{
        {base::executablePath().native(), "serve", "--again"}, home.lock(), home.restForbidden()};
    // For machines that are shared by agreement: what trials may take of them.
    const base::Environment environment = base::currentEnvironment();
    if (const auto cpus = environment.find("TRIALDECK_CPUS"); cpus != environment.end()) {
        char* end = nullptr;
        const double number = std::strtod(cpus->second.c_str(), &end);
        if (end != cpus->second.c_str() && *end == '\0' && number > 0)
            options.cpus = number;
        else
            log.warning("engine", "TRIALDECK_CPUS is not a number above 0: " + cpus->second);
    }
    return std::make_unique<engine::ProcessEngine>(loop, files, clock, log, std::move(options));
}

/// Programs beside this one, such as trialdeck-train, are found where the user's PATH has none of that name.
void findProgramsBesideUs(base::Environment& environment) {
    const std::string folder = base::executablePath().parent_path().native();
    std::string& path = environment["PATH"];
    if ((":" + path + ":").find(":" + folder + ":") == std::string::npos)
        path += (path.empty() ? "" : ":") + folder;
}

std::pair<base::Environment, std::string> captureEnvironment() {
    engine::LoginEnvironment captured =
        engine::captureLoginEnvironment(base::loginShell(), base::currentEnvironment());
    findProgramsBesideUs(captured.variables);
    return {std::move(captured.variables), std::move(captured.note)};
}

int serve(int readyDescriptor, bool again) {
    head::ServeOptions options;
    options.version = base::version();
    options.buildId = base::buildId();
    options.readyDescriptor = readyDescriptor;
    options.again = again;
    return head::serve(options, {makeEngine, captureEnvironment});
}

} // namespace

int main(int argc, char** argv) {
    // Supervisors are many and start with trials: no time for a parser.
    if (argc > 1 && std::strcmp(argv[1], "supervise") == 0)
        return supervise::superviseMain(argc - 2, argv + 2, {argv[0], argv[1]});
    // Either end of a sync; its words are between builds of one kind and not for people.
    if (argc > 1 && std::strcmp(argv[1], "files") == 0)
        return transport::filesMain(argc - 2, argv + 2, base::SystemClock());

    CLI::App program("The daemon of Trialdeck on a head node. Started by trialdeck and trialdeckctl.",
                     "trialdeck-head");
    program.set_version_flag("--version",
                             std::string(base::version()) + " (" + std::string(base::buildId()) + ")");
    program.require_subcommand(1);

    int readyDescriptor = -1;
    bool again = false;
    CLI::App* serveCommand =
        program.add_subcommand("serve", "Run the daemon; ends at once where one runs already.");
    serveCommand->add_option("--ready-fd", readyDescriptor, "Descriptor to say \"ready\" on");
    serveCommand->add_flag("--again", again,
                           "Started by a supervisor: stay down where the user has shut it down");

    std::string nonce;
    CLI::App* attachCommand = program.add_subcommand(
        "attach", "Connect standard input and output to the daemon; starts it where none runs.");
    attachCommand->add_option("--nonce", nonce, "Printed in the marker before the first byte")->required();
    bool here = false;
    attachCommand->add_flag("--here", here,
                            "A daemon on this host, even where one of this home lives on another");

    CLI11_PARSE(program, argc, argv);
    // What we start works in other folders: a relative TRIALDECK_HOME would be another home there.
    if (auto home = base::settleTrialdeckHome(); !home) {
        std::fprintf(stderr, "trialdeck-head: TRIALDECK_HOME: %s\n", base::describe(home.error()).c_str());
        return 1;
    }
    if (serveCommand->parsed())
        return serve(readyDescriptor, again);
    return head::attach(base::executablePath(), nonce,
                        here ? head::AttachTo::thisHost : head::AttachTo::theLivingOne);
}

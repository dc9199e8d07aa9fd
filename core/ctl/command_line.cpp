// SPDX-License-Identifier: Apache-2.0
#include "core/ctl/command_line.h"

#include "core/ctl/words.h"

#include <CLI/CLI.hpp>

#include <algorithm>
#include <map>

namespace trialdeck::ctl {

namespace {

constexpr const char* kFooter =
    "An EXPERIMENT is an id, the beginning of one, or a name.\n"
    "Exit codes: 0 ok, 1 failed, 2 wrong usage or bad input, 3 not found, 4 refused or not confirmed,\n"
    "5 no connection, 6 the experiment ended FAILED or INTERRUPTED, 130 Ctrl-C (what runs goes on).";

constexpr int kAnyNumber = 1 << 20;

/// Fills a Command from one subcommand's options.
class Verbs {
public:
    Verbs(CLI::App& program, Command& command) : m_program(program), m_command(command) {}

    void addAll() {
        addRun();
        addReading();
        addLogs();
        addCommands();
        addHost();
        addHead();
        addSync(Verb::syncUp);
        addSync(Verb::syncDown);
    }

private:
    CLI::App* add(Verb verb, const char* name, const char* what) {
        CLI::App* sub = m_program.add_subcommand(name, what);
        sub->add_flag("--json", m_command.json, "Print JSON");
        sub->callback([&command = m_command, verb] { command.verb = verb; });
        return sub;
    }
    CLI::App* addForExperiment(Verb verb, const char* name, const char* what) {
        CLI::App* sub = add(verb, name, what);
        sub->add_option("EXPERIMENT", m_command.experiment, "Id, beginning of one, or name")->required();
        return sub;
    }
    void addTrial(CLI::App* sub, const char* what) { sub->add_option("--trial", m_command.trial, what); }
    void addYes(CLI::App* sub) { sub->add_flag("-y,--yes", m_command.yes, "Do not ask"); }

    void addRun() {
        CLI::App* run = add(Verb::run, "run", "Start an experiment and wait for its end");
        run->add_option("FILE", m_command.file, "experiment.yaml; - for standard input")->required();
        run->add_flag("-d,--detach", m_command.detach, "Print its id and do not wait");
        run->add_flag("--try", m_command.single, "Run the first configuration alone");
        CLI::App* check = add(Verb::check, "check", "Check an experiment.yaml; start nothing");
        check->add_option("FILE", m_command.file, "experiment.yaml; - for standard input")->required();
    }

    void addReading() {
        add(Verb::list, "ls", "List experiments");
        addForExperiment(Verb::show, "show", "Show an experiment and its trials");
        addForExperiment(Verb::watch, "watch", "Follow an experiment to its end");
        addForExperiment(Verb::best, "best", "Show the best trial and its configuration")
            ->add_option_function<std::string>(
                "--scope",
                [&command = m_command](const std::string& name) {
                    const auto scope = client::bestScopeFromString(name);
                    if (!scope)
                        throw CLI::ValidationError("--scope", "may be last, avg, last-5-avg, last-10-avg or "
                                                              "all (best means the same)");
                    command.scope = *scope;
                },
                "By the last report (default), avg, last-5-avg, last-10-avg, or all: the best report");
        CLI::App* trials =
            addForExperiment(Verb::exportTrials, "export", "Print all trials for other programs");
        CLI::Option* csv = trials->add_flag("--csv", m_command.csv, "Print CSV");
        trials->get_option("--json")->excludes(csv);
        trials->add_flag("--reports", m_command.reports, "Every report, not only each trial");
    }

    void addLogs() {
        CLI::App* logs = addForExperiment(Verb::logs, "logs", "Print what a worker printed");
        addTrial(logs, "Which trial; may be left out where there is one");
        logs->add_option("--attempt", m_command.attempt, "Which attempt; the newest by default");
        logs->add_option("--rank", m_command.rank, "Which worker; 0 by default");
        logs->add_flag("--stderr", m_command.standardError, "Standard error in place of standard output");
        logs->add_flag("-f,--follow", m_command.follow, "Go on until the worker ends");
        logs->add_option("-n,--lines", m_command.lines, "Only so many lines from the end");
    }

    void addCommands() {
        CLI::App* stop = addForExperiment(Verb::stop, "stop", "Stop an experiment or one trial");
        addTrial(stop, "Only this trial");
        addYes(stop);
        CLI::App* pause = addForExperiment(Verb::pause, "pause",
                                           "Pause an experiment or one trial after the next checkpoint");
        addTrial(pause, "Only this trial");
        pause->add_flag("--now", m_command.now,
                        "Also end trials that have no checkpoint yet; they will start anew");
        addYes(pause);
        addTrial(addForExperiment(Verb::resume, "resume", "Go on after a pause"), "Only this trial");
    }

    void addHost() {
        CLI::App* exec = m_program.add_subcommand("exec", "Run a command in the login shell of the host");
        exec->callback([&command = m_command] { command.verb = Verb::exec; });
        exec->add_option(
                "COMMAND", m_command.words,
                "Behind --: one word is a line for the shell, several are a program and its arguments")
            ->required()
            ->expected(1, kAnyNumber);
        exec->add_option("--cd", m_command.folder, "The folder it runs in; the home by default");
        CLI::App* forward = add(Verb::forward, "forward", "Bring a port of the host to this computer");
        forward
            ->add_option("WHAT", m_command.words,
                         "[LOCAL:]PORT, tensorboard EXPERIMENT, jupyter [FOLDER] or dashboard (Ray's)")
            ->required()
            ->expected(1, 2);
    }

    void addHead() {
        add(Verb::doctor, "doctor", "Check what experiments need here");
        CLI::App* shutdown = add(Verb::shutdown, "shutdown", "End the daemon; running trials go on");
        shutdown->add_flag("--stop-trials", m_command.stopTrials, "Stop all trials as well");
        addYes(shutdown);
    }

    void addSync(Verb verb) {
        const bool isUp = verb == Verb::syncUp;
        CLI::App* sync = add(verb, isUp ? "sync-up" : "sync-down",
                             isUp ? "Copy what is new in a folder here to one on the host"
                                  : "Copy what is new in a folder on the host to one here");
        sync->add_option("FOLDERS", m_command.folders,
                         isUp ? "LOCAL REMOTE; without them those of the last time"
                              : "REMOTE LOCAL; without them those of the last time")
            ->expected(0, 2);
        const auto addPatterns = [sync](const char* name, std::vector<std::string>& patterns,
                                        const char* what) {
            sync->add_option(name, patterns, what)->allow_extra_args(false);
        };
        addPatterns("--include", m_command.include, "Take what this pattern of rsync's fits; repeatable");
        addPatterns("--exclude", m_command.exclude,
                    "Leave alone what this pattern fits and no --include does; repeatable");
        sync->add_flag("-n,--dry-run", m_command.dryRun, "Only say what would be done");
        sync->add_flag("--delete", m_command.removeExtra, "Remove what the source does not have");
        if (isUp)
            sync->add_flag("--watch", m_command.watch, "Go on and copy each change until Ctrl-C");
    }

    CLI::App& m_program;
    Command& m_command;
};

std::string mistakeIn(const Command& command) {
    const bool isSync = command.verb == Verb::syncUp || command.verb == Verb::syncDown;
    if (isSync && command.host.empty())
        return "sync needs --host";
    if (isSync && command.folders.size() == 1)
        return command.verb == Verb::syncUp ? "sync-up needs LOCAL and REMOTE, or neither"
                                            : "sync-down needs REMOTE and LOCAL, or neither";
    if (command.watch && command.dryRun)
        return "--watch and --dry-run exclude each other";
    if (command.verb == Verb::exportTrials && !command.csv && !command.json)
        return "export needs --csv or --json";
    return {};
}

} // namespace

std::variant<Command, Told> parseCommandLine(std::vector<std::string> words, std::string_view version) {
    CLI::App program("Runs and watches experiments of Trialdeck from a terminal.", "trialdeckctl");
    program.set_version_flag("--version", std::string(version));
    program.footer(kFooter);
    program.require_subcommand(1);
    program.fallthrough();
    Command command;
    program.add_option("--host", command.host,
                       "Do it on this host, over SSH: a connection that was saved in the window, a "
                       "name of ~/.ssh/config or USER@HOST");
    program.add_option("--port", command.port, "The port of its SSH server")->check(CLI::Range(1, 65535));
    program.add_option_function<std::string>(
        "--transport",
        [&command](const std::string& name) {
            command.transport = client::sshWayFromString(name);
            if (!command.transport)
                throw CLI::ValidationError("--transport", "may be auto, libssh2 or system_ssh");
        },
        "The SSH client: libssh2 in this program, the system's ssh, or auto, which takes libssh2 wherever it "
        "can serve the host");
    program.add_flag("-v,--verbose", command.verbose, "Say which SSH client was taken, and why");
    program.add_flag("--here", command.here,
                     "A head on that host itself, even where one of the same home lives on another host");
    Verbs(program, command).addAll();
    // CLI11 takes them from the back.
    std::reverse(words.begin(), words.end());
    try {
        program.parse(std::move(words));
    } catch (const CLI::ParseError& error) {
        std::ostringstream out;
        std::ostringstream errors;
        const bool isWrong = program.exit(error, out, errors) != 0;
        if (isWrong)
            return Told{ExitCode::bad_input,
                        "error: " + visibleText(error.what()) + "; `trialdeckctl --help` tells the usage\n"};
        return Told{ExitCode::ok, out.str()};
    }
    if (const std::string mistake = mistakeIn(command); !mistake.empty())
        return Told{ExitCode::bad_input, "error: " + mistake + "\n"};
    return command;
}

} // namespace trialdeck::ctl

// SPDX-License-Identifier: Apache-2.0
#include "core/supervise/worker_start.h"

#include <array>
#include <cerrno>
#include <charconv>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <termios.h>
#include <unistd.h>

namespace trialdeck::supervise {

namespace {

/// Also where its file has been replaced meanwhile.
constexpr const char* kThisProgram = "/proc/self/exe";
constexpr int kFailureDescriptor = 3;
constexpr int kStarterFailed = 127;

struct Pipe {
    base::UniqueFd readEnd;
    base::UniqueFd writeEnd;
};

Error startError(const LaunchOrder& order, int errnoValue, std::string_view action) {
    const Error cause = base::fileError(errnoValue, order.program.native(), action);
    Error error{ErrorCode::spawn_failed, cause.arguments, cause.detail};
    if (errnoValue == ENOENT || errnoValue == ENOTDIR)
        error.code = ErrorCode::command_not_found;
    else if (errnoValue == EACCES || errnoValue == ENOEXEC || errnoValue == EISDIR)
        error.code = ErrorCode::command_not_executable;
    error.arguments["command"] = order.command.empty() ? order.program.native() : order.command.front();
    return error;
}

std::optional<Pipe> openPipe() {
    int ends[2];
    if (pipe2(ends, O_CLOEXEC) != 0)
        return std::nullopt;
    return Pipe{base::UniqueFd(ends[0]), base::UniqueFd(ends[1])};
}

void stopBlocking(const base::UniqueFd& fd) {
    if (fd)
        fcntl(fd.get(), F_SETFL, fcntl(fd.get(), F_GETFL) | O_NONBLOCK);
}

/// A terminal that changes no byte of what the program writes.
std::optional<Pipe> openTerminal() {
    Pipe ends{base::UniqueFd(posix_openpt(O_RDWR | O_NOCTTY | O_CLOEXEC)), {}};
    std::array<char, 64> name{};
    if (!ends.readEnd || grantpt(ends.readEnd.get()) != 0 || unlockpt(ends.readEnd.get()) != 0 ||
        ptsname_r(ends.readEnd.get(), name.data(), name.size()) != 0)
        return std::nullopt;
    ends.writeEnd.reset(::open(name.data(), O_RDWR | O_NOCTTY | O_CLOEXEC));
    termios settings{};
    if (!ends.writeEnd || tcgetattr(ends.writeEnd.get(), &settings) != 0)
        return std::nullopt;
    settings.c_oflag &= ~static_cast<tcflag_t>(OPOST);
    settings.c_lflag &= ~static_cast<tcflag_t>(ECHO);
    winsize size{};
    size.ws_row = 24;
    size.ws_col = 120;
    tcsetattr(ends.writeEnd.get(), TCSANOW, &settings);
    ioctl(ends.writeEnd.get(), TIOCSWINSZ, &size);
    return ends;
}

/// The errno that exec failed with; 0 when the program runs.
int awaitExec(const base::UniqueFd& failures) {
    int failure = 0;
    ssize_t count = 0;
    do
        count = read(failures.get(), &failure, sizeof failure);
    while (count < 0 && errno == EINTR);
    return count == static_cast<ssize_t>(sizeof failure) ? failure : 0;
}

void reap(pid_t pid) {
    while (waitpid(pid, nullptr, 0) < 0 && errno == EINTR) {
    }
}

int reportFailure(int errnoValue) {
    // Nobody is left to be told when this fails too.
    [[maybe_unused]] const ssize_t written = write(kFailureDescriptor, &errnoValue, sizeof errnoValue);
    return kStarterFailed;
}

base::SpawnOptions starterOptions(const LaunchOrder& order, const std::vector<std::string>& self) {
    base::SpawnOptions options;
    options.program = kThisProgram;
    options.command = self;
    options.command.emplace_back(kStarterWord);
    options.command.push_back(std::to_string(getpid()));
    options.command.emplace_back(order.terminal ? "terminal" : "plain");
    options.command.push_back(order.program.native());
    options.command.insert(options.command.end(), order.command.begin(), order.command.end());
    options.environment = order.environment;
    options.workingDirectory = order.workingDirectory;
    options.newSession = true;
    return options;
}

} // namespace

Expected<StartedWorker> startWorker(const LaunchOrder& order, const std::vector<std::string>& self) {
    auto output = order.terminal ? openTerminal() : openPipe();
    auto errors = order.terminal ? std::optional(Pipe()) : openPipe();
    auto failures = openPipe();
    if (!output || !errors || !failures)
        return tl::make_unexpected(
            startError(order, errno, order.terminal ? "open a terminal for" : "open pipes for"));
    base::SpawnOptions options = starterOptions(order, self);
    options.descriptors = {
        {output->writeEnd.get(), 1},
        {order.terminal ? output->writeEnd.get() : errors->writeEnd.get(), 2},
        {failures->writeEnd.get(), kFailureDescriptor},
    };
    auto pid = base::spawn(options);
    if (!pid)
        return tl::make_unexpected(std::move(pid).error());
    failures->writeEnd.reset();
    if (const int failure = awaitExec(failures->readEnd)) {
        reap(*pid);
        return tl::make_unexpected(startError(order, failure, "start"));
    }
    StartedWorker worker{*pid, std::move(output->readEnd), std::move(errors->readEnd)};
    stopBlocking(worker.output);
    stopBlocking(worker.errors);
    return worker;
}

int runStarter(int argc, char** argv) {
    constexpr int kArguments = 4;
    if (argc < kArguments)
        return kStarterFailed;
    pid_t supervisor = 0;
    std::from_chars(argv[0], argv[0] + std::strlen(argv[0]), supervisor);
    fcntl(kFailureDescriptor, F_SETFD, FD_CLOEXEC);
    // The supervisor may have been killed before the kernel knew that we go with it.
    if (prctl(PR_SET_PDEATHSIG, SIGKILL) != 0 || getppid() != supervisor)
        return reportFailure(ESRCH);
    if (std::string_view(argv[1]) == "terminal")
        ioctl(1, TIOCSCTTY, 0);
    execv(argv[2], argv + 3);
    return reportFailure(errno);
}

Expected<void> startDetached(const std::vector<std::string>& command, const std::vector<std::string>& self) {
    base::SpawnOptions options;
    options.program = kThisProgram;
    options.command = self;
    options.command.emplace_back(kDetacherWord);
    options.command.insert(options.command.end(), command.begin(), command.end());
    options.environment = base::currentEnvironment();
    // What a dying process leaves comes to the nearest subreaper, which for this one must not be us.
    prctl(PR_SET_CHILD_SUBREAPER, 0);
    const auto pid = base::spawn(options);
    if (pid)
        reap(*pid);
    prctl(PR_SET_CHILD_SUBREAPER, 1);
    if (!pid)
        return tl::make_unexpected(pid.error());
    return {};
}

int runDetacher(int argc, char** argv) {
    base::SpawnOptions options;
    options.command.assign(argv, argv + argc);
    options.environment = base::currentEnvironment();
    options.newSession = true;
    return !options.command.empty() && base::spawn(options) ? 0 : 1;
}

} // namespace trialdeck::supervise

// SPDX-License-Identifier: Apache-2.0
#include "core/base/process.h"

#include "core/base/words.h"

#include <algorithm>
#include <array>
#include <cassert>
#include <cerrno>
#include <csignal>
#include <ctime>
#include <fcntl.h>
#include <poll.h>
#include <spawn.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

namespace trialdeck::base {

namespace {

Error commandError(ErrorCode code, std::string_view command, int errnoValue) {
    const Error cause = fileError(errnoValue, command, "start");
    return Error{
        code, {{"command", std::string(command)}, {"reason", cause.arguments.at("reason")}}, cause.detail};
}

/// What stands behind "#!" in the file, up to a blank as the kernel takes it; empty where there is none.
std::string interpreterOf(const Path& file) {
    const UniqueFd fd(open(file.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
    std::array<char, 256> begin;
    const ssize_t count = fd ? read(fd.get(), begin.data(), begin.size()) : 0;
    std::string_view line(begin.data(), static_cast<size_t>(std::max<ssize_t>(count, 0)));
    if (!line.starts_with("#!"))
        return {};
    line = line.substr(2, line.find('\n') - 2);
    line.remove_prefix(std::min(line.find_first_not_of(" \t"), line.size()));
    return std::string(line.substr(0, line.find_first_of(" \t")));
}

Expected<Path> checkProgram(const Path& file) {
    struct stat raw {};
    if (stat(file.c_str(), &raw) != 0)
        return Unexpected(commandError(ErrorCode::command_not_found, file.native(), errno));
    if (!S_ISREG(raw.st_mode) || access(file.c_str(), X_OK) != 0)
        return Unexpected(commandError(ErrorCode::command_not_executable, file.native(), EACCES));
    const std::string interpreter = interpreterOf(file);
    if (interpreter.starts_with('/') && access(interpreter.c_str(), F_OK) != 0) {
        // The kernel's own word for it is that the script, which is there, was not found.
        Error error = commandError(ErrorCode::command_not_found, interpreter, errno);
        error.detail = "the first line of " + file.native() + " names it" +
                       (interpreter.back() == '\r' ? ", with a Windows line end behind it" : "");
        return Unexpected(std::move(error));
    }
    return file;
}

/// posix_spawn's two option objects, released together.
class SpawnPlan {
public:
    SpawnPlan() {
        posix_spawn_file_actions_init(&m_actions);
        posix_spawnattr_init(&m_attributes);
    }
    ~SpawnPlan() {
        posix_spawnattr_destroy(&m_attributes);
        posix_spawn_file_actions_destroy(&m_actions);
    }
    SpawnPlan(const SpawnPlan&) = delete;
    SpawnPlan& operator=(const SpawnPlan&) = delete;

    /// Sources are first copied above every target, so that no dup2 overwrites one that is still wanted.
    [[nodiscard]] bool mapDescriptors(const std::vector<std::pair<int, int>>& descriptors) {
        int highest = 2;
        std::array<bool, 3> given{};
        for (const auto& [here, there] : descriptors) {
            highest = std::max(highest, there);
            if (there >= 0 && there < 3)
                given[static_cast<size_t>(there)] = true;
        }
        for (const auto& [here, there] : descriptors) {
            UniqueFd copy(fcntl(here, F_DUPFD_CLOEXEC, highest + 1));
            if (!copy)
                return false;
            posix_spawn_file_actions_adddup2(&m_actions, copy.get(), there);
            m_copies.push_back(std::move(copy));
        }
        for (int fd = 0; fd < 3; ++fd) {
            if (!given[static_cast<size_t>(fd)])
                posix_spawn_file_actions_addopen(&m_actions, fd, "/dev/null", fd == 0 ? O_RDONLY : O_WRONLY,
                                                 0);
        }
        posix_spawn_file_actions_addclosefrom_np(&m_actions, highest + 1);
        return true;
    }

    void startIn(const Path& directory) {
        posix_spawn_file_actions_addchdir_np(&m_actions, directory.c_str());
    }

    void setSignals(bool newSession) {
        sigset_t none;
        sigemptyset(&none);
        sigset_t all;
        sigfillset(&all);
        posix_spawnattr_setsigmask(&m_attributes, &none);
        posix_spawnattr_setsigdefault(&m_attributes, &all);
        int flags = POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF;
        if (newSession)
            flags |= POSIX_SPAWN_SETSID;
        posix_spawnattr_setflags(&m_attributes, static_cast<short>(flags));
    }

    [[nodiscard]] const posix_spawn_file_actions_t* actions() const { return &m_actions; }
    [[nodiscard]] const posix_spawnattr_t* attributes() const { return &m_attributes; }

private:
    posix_spawn_file_actions_t m_actions{};
    posix_spawnattr_t m_attributes{};
    std::vector<UniqueFd> m_copies;
};

std::vector<char*> pointersTo(std::vector<std::string>& texts) {
    std::vector<char*> pointers;
    pointers.reserve(texts.size() + 1);
    for (std::string& text : texts)
        pointers.push_back(text.data());
    pointers.push_back(nullptr);
    return pointers;
}

int64_t monotonicMilliseconds() {
    timespec now{};
    clock_gettime(CLOCK_MONOTONIC, &now);
    return int64_t{now.tv_sec} * 1000 + now.tv_nsec / 1'000'000;
}

/// A child that is asked again and again whether it has ended, at first often: kernels before 5.3 have
/// nothing to wait on together with a pipe.
class Child {
public:
    explicit Child(pid_t pid) : m_pid(pid) {}

    [[nodiscard]] bool hasEnded() {
        if (!m_ended) {
            const pid_t found = waitpid(m_pid, &m_status, WNOHANG);
            m_ended = found == m_pid || (found < 0 && errno != EINTR);
        }
        return m_ended;
    }
    /// Milliseconds until it should be asked again, at most `left`.
    [[nodiscard]] int nextLook(int64_t left) {
        constexpr int kLongest = 50;
        const int look = m_look;
        m_look = std::min(m_look * 2, kLongest);
        return static_cast<int>(std::min<int64_t>(look, left));
    }
    /// @return whether it has ended by then
    bool awaitEnd(int64_t deadline) {
        m_look = 1;
        for (int64_t left = 1; !hasEnded() && left > 0;) {
            left = deadline - monotonicMilliseconds();
            if (left > 0)
                poll(nullptr, 0, nextLook(left));
        }
        return m_ended;
    }
    [[nodiscard]] int status() const { return m_status; }

private:
    pid_t m_pid;
    int m_status = 0;
    int m_look = 1;
    bool m_ended = false;
};

} // namespace

Environment currentEnvironment() {
    Environment environment;
    for (char** entry = environ; *entry; ++entry) {
        const std::string_view text = *entry;
        const size_t equals = text.find('=');
        if (equals != std::string_view::npos && equals > 0)
            environment.emplace(text.substr(0, equals), text.substr(equals + 1));
    }
    return environment;
}

Expected<Path> findProgram(std::string_view name, const Environment& environment,
                           const Path& workingDirectory) {
    if (name.empty())
        return Unexpected(commandError(ErrorCode::command_not_found, name, ENOENT));
    if (name.find('/') != std::string_view::npos)
        return checkProgram(workingDirectory / Path(name));
    const auto path = environment.find("PATH");
    std::string_view rest =
        path == environment.end() ? "/usr/local/bin:/usr/bin:/bin" : std::string_view(path->second);
    Error error = commandError(ErrorCode::command_not_found, name, ENOENT);
    while (!rest.empty()) {
        const size_t colon = std::min(rest.find(':'), rest.size());
        const Path directory = colon == 0 ? workingDirectory : Path(rest.substr(0, colon));
        rest.remove_prefix(std::min(colon + 1, rest.size()));
        auto found = checkProgram(directory / Path(name));
        if (found)
            return found;
        if (found.error().code == ErrorCode::command_not_executable)
            error = std::move(found).error();
    }
    return Unexpected(std::move(error));
}

Expected<pid_t> spawn(const SpawnOptions& options) {
    assert(!options.command.empty());
    if (!options.workingDirectory.empty()) {
        struct stat raw {};
        if (stat(options.workingDirectory.c_str(), &raw) != 0 || !S_ISDIR(raw.st_mode))
            return fail(ErrorCode::working_directory_missing, {{"path", options.workingDirectory.native()}});
    }
    const std::string& wanted = options.program.empty() ? options.command.front() : options.program.native();
    auto program = findProgram(wanted, options.environment, options.workingDirectory);
    if (!program)
        return tl::make_unexpected(std::move(program).error());

    SpawnPlan plan;
    if (!plan.mapDescriptors(options.descriptors))
        return Unexpected(commandError(ErrorCode::spawn_failed, program->native(), errno));
    if (!options.workingDirectory.empty())
        plan.startIn(options.workingDirectory);
    plan.setSignals(options.newSession);

    std::vector<std::string> arguments = options.command;
    std::vector<std::string> variables;
    variables.reserve(options.environment.size());
    for (const auto& [name, value] : options.environment) {
        std::string text = name;
        text += '=';
        text += value;
        variables.push_back(std::move(text));
    }
    pid_t pid = -1;
    const int result = posix_spawn(&pid, program->c_str(), plan.actions(), plan.attributes(),
                                   pointersTo(arguments).data(), pointersTo(variables).data());
    if (result == ENOEXEC)
        return Unexpected(commandError(ErrorCode::command_not_executable, program->native(), result));
    if (result != 0)
        return Unexpected(commandError(ErrorCode::spawn_failed, joined(options.command, " "), result));
    return pid;
}

ProcessExit processExitFromStatus(int waitStatus) {
    ProcessExit exit;
    if (WIFEXITED(waitStatus))
        exit.code = WEXITSTATUS(waitStatus);
    else if (WIFSIGNALED(waitStatus))
        exit.signal = WTERMSIG(waitStatus);
    return exit;
}

Expected<CommandOutput> runAndCollect(const SpawnOptions& options, int timeoutMs, size_t maxBytes) {
    int ends[2];
    if (pipe2(ends, O_CLOEXEC) != 0)
        return Unexpected(commandError(ErrorCode::spawn_failed, joined(options.command, " "), errno));
    const UniqueFd readEnd(ends[0]);
    UniqueFd writeEnd(ends[1]);
    SpawnOptions withPipe = options;
    withPipe.descriptors.emplace_back(writeEnd.get(), 1);
    withPipe.newSession = true;
    auto pid = spawn(withPipe);
    if (!pid)
        return tl::make_unexpected(std::move(pid).error());
    writeEnd.reset();

    Child child(*pid);
    CommandOutput output;
    const int64_t deadline = monotonicMilliseconds() + timeoutMs;
    const auto giveUp = [&](ErrorCode code) {
        kill(-*pid, SIGKILL);
        // One that sleeps where no signal reaches it (a dead network disk) is not waited for.
        constexpr int64_t kForTheKernelMs = 1000;
        child.awaitEnd(monotonicMilliseconds() + kForTheKernelMs);
        return fail(code, {{"command", joined(options.command, " ")}});
    };
    for (bool open = true; open;) {
        // Whoever it has left behind may hold the pipe for ever: what was written until its end counts.
        const bool ended = child.hasEnded();
        const int64_t left = deadline - monotonicMilliseconds();
        pollfd wait{readEnd.get(), POLLIN, 0};
        const int ready = poll(&wait, 1, ended || left <= 0 ? 0 : child.nextLook(left));
        if (ready > 0 && left > 0) {
            std::array<char, 4096> buffer;
            const ssize_t count = read(readEnd.get(), buffer.data(), buffer.size());
            open = count > 0 || (count < 0 && errno == EINTR);
            if (count > 0 && output.standardOutput.size() + static_cast<size_t>(count) > maxBytes)
                return giveUp(ErrorCode::too_large);
            if (count > 0)
                output.standardOutput.append(buffer.data(), static_cast<size_t>(count));
        } else if (ended) {
            open = false;
        } else if (left <= 0) {
            return giveUp(ErrorCode::timed_out);
        }
    }
    if (!child.awaitEnd(deadline))
        return giveUp(ErrorCode::timed_out);
    output.exit = processExitFromStatus(child.status());
    return output;
}

} // namespace trialdeck::base

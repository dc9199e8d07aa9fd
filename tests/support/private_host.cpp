// SPDX-License-Identifier: Apache-2.0
#include "tests/support/private_host.h"

#include "core/base/process.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <csignal>
#include <fstream>
#include <poll.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>

namespace trialdeck::tests {

namespace {

constexpr int kPatienceMs = 20'000;
const char kProgram[] = TRIALDECK_BIN_DIR "/private_host";

std::vector<std::string> commandOf(const PrivateHost::Options& options) {
    std::vector<std::string> command = {kProgram};
    const auto add = [&command](const std::vector<std::string>& words) {
        command.insert(command.end(), words.begin(), words.end());
    };
    if (!options.name.empty())
        add({"--name", options.name});
    if (options.ownNetwork)
        add({"--network"});
    for (const base::Path& folder : options.kept)
        add({"--keep", folder.native()});
    for (const auto& [source, target] : options.binds)
        add({"--bind", source.native(), target.native()});
    for (const auto& [target, how] : options.fresh)
        add({"--fresh", target.native(), how});
    add({"--log", options.log.native(), "--listening", options.listening, "--"});
    add(options.command);
    return command;
}

/// Tells which namespace of processes one belongs to; 0 where it is gone.
ino_t namespaceOf(pid_t process) {
    struct stat status {};
    return stat(("/proc/" + std::to_string(process) + "/ns/pid").c_str(), &status) == 0 ? status.st_ino : 0;
}

std::vector<std::string> argumentsOf(pid_t process) {
    std::ifstream file("/proc/" + std::to_string(process) + "/cmdline", std::ios::binary);
    std::vector<std::string> arguments;
    for (std::string word; std::getline(file, word, '\0');)
        arguments.push_back(word);
    return arguments;
}

} // namespace

std::string PrivateHost::whyNot() {
    static const std::string kReason = [] {
        Options options;
        options.log = "/dev/null";
        options.command = {"/bin/true"};
        const auto host = make(options);
        return host ? std::string() : base::describe(host.error());
    }();
    return kReason;
}

Expected<std::unique_ptr<PrivateHost>> PrivateHost::make(const Options& options) {
    std::array<int, 2> ends{};
    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends.data()) != 0)
        return base::fail(ErrorCode::unavailable, {}, "no socket for a private host");
    base::UniqueFd ours(ends[0]);
    const base::UniqueFd theirs(ends[1]);
    base::SpawnOptions how;
    how.command = commandOf(options);
    how.environment = {{"PATH", "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"},
                       {"LC_ALL", "C.UTF-8"}};
    how.workingDirectory = "/";
    how.descriptors = {
        {theirs.get(), STDIN_FILENO}, {theirs.get(), STDOUT_FILENO}, {STDERR_FILENO, STDERR_FILENO}};
    how.newSession = true;
    const auto parent = base::spawn(how);
    if (!parent)
        return tl::make_unexpected(parent.error());
    std::unique_ptr<PrivateHost> host(new PrivateHost(*parent, std::move(ours)));
    const std::string answer = host->answer();
    if (answer.rfind("host ", 0) != 0)
        return base::fail(ErrorCode::unavailable, {}, "a private host: " + answer);
    std::from_chars(answer.data() + 5, answer.data() + answer.size(), host->m_first);
    return host;
}

PrivateHost::~PrivateHost() {
    m_line.reset();
    waitpid(m_parent, nullptr, 0);
}

Expected<void> PrivateHost::start() {
    order("start");
    const std::string said = answer();
    if (said != "listening")
        return base::fail(ErrorCode::unavailable, {},
                          "the program in a private host does not listen: " + said);
    m_runs = true;
    return {};
}

void PrivateHost::stop() {
    if (!m_runs)
        return;
    m_runs = false;
    order("stop");
    (void)answer();
}

std::vector<pid_t> PrivateHost::processes(const std::string& program, const std::string& argument) const {
    const ino_t here = namespaceOf(m_first);
    std::vector<pid_t> found;
    std::error_code failure;
    for (const auto& entry : std::filesystem::directory_iterator("/proc", failure)) {
        const std::string name = entry.path().filename();
        pid_t process = 0;
        if (std::from_chars(name.data(), name.data() + name.size(), process).ptr != name.data() + name.size())
            continue;
        if (process == m_first || namespaceOf(process) != here)
            continue;
        base::Path file = std::filesystem::read_symlink(entry.path() / "exe", failure);
        // A program whose file was removed meanwhile.
        std::string fileName = file.filename();
        if (const size_t end = fileName.find(" (deleted)"); end != std::string::npos)
            fileName.resize(end);
        if (fileName != program)
            continue;
        const std::vector<std::string> arguments = argumentsOf(process);
        if (argument.empty() || std::find(arguments.begin(), arguments.end(), argument) != arguments.end())
            found.push_back(process);
    }
    std::sort(found.begin(), found.end());
    return found;
}

std::string PrivateHost::answer() {
    for (;;) {
        if (const size_t end = m_read.find('\n'); end != std::string::npos) {
            std::string line = m_read.substr(0, end);
            m_read.erase(0, end + 1);
            return line;
        }
        pollfd source{m_line.get(), POLLIN, 0};
        std::array<char, 512> buffer;
        const ssize_t count =
            poll(&source, 1, kPatienceMs) > 0 ? read(m_line.get(), buffer.data(), buffer.size()) : 0;
        if (count <= 0)
            return std::exchange(m_read, {});
        m_read.append(buffer.data(), static_cast<size_t>(count));
    }
}

void PrivateHost::order(const std::string& command) {
    const std::string line = command + "\n";
    (void)::send(m_line.get(), line.data(), line.size(), MSG_NOSIGNAL);
}

void killAndWait(const std::vector<pid_t>& processes) {
    for (const pid_t process : processes) {
        const base::UniqueFd handle(static_cast<int>(syscall(SYS_pidfd_open, process, 0)));
        if (!handle)
            continue;
        syscall(SYS_pidfd_send_signal, handle.get(), SIGKILL, nullptr, 0);
        pollfd end{handle.get(), POLLIN, 0};
        poll(&end, 1, kPatienceMs);
    }
}

} // namespace trialdeck::tests

// SPDX-License-Identifier: Apache-2.0
// A host of its own on this machine, for tests: private namespaces in which a program (sshd) runs with other
// accounts than the machine's. All that runs there and all that is mounted ends with this program, and this
// program ends with its standard input.
//   private_host [OPTION...] -- PROGRAM ARGUMENT...
//     --name NAME              the host's name
//     --network                a network of its own
//     --keep FOLDER            lies in the fresh /tmp where it lies outside
//     --bind SOURCE TARGET     a file or folder in the place of another
//     --fresh TARGET OPTIONS   an empty folder in memory: "size=1m", "noexec", "ro"
//     --log FILE               takes what the program says on standard error
//     --listening WORDS        what it says there once it can be reached
// Commands, a line each: "start", "stop" (the program alone: what it has started lives on). Answers: "host
// PID" at the beginning, then "listening" and "ended"; "cannot REASON" in the place of the first.
#include <array>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <filesystem>
#include <poll.h>
#include <sched.h>
#include <string>
#include <string_view>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/signalfd.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>
#include <utility>
#include <vector>

namespace {

struct Options {
    std::string name;
    bool network = false;
    std::vector<std::string> kept;
    std::vector<std::pair<std::string, std::string>> binds;
    std::vector<std::pair<std::string, std::string>> fresh;
    std::string log;
    std::string listening;
    std::vector<char*> command;
};

[[noreturn]] void refuse(const std::string& what) {
    std::printf("cannot %s: %s\n", what.c_str(), std::strerror(errno));
    std::fflush(stdout);
    std::_Exit(EXIT_FAILURE);
}

Options optionsFrom(int argc, char** argv) {
    Options options;
    int at = 1;
    const auto word = [&]() -> std::string { return at < argc ? argv[at++] : ""; };
    while (at < argc) {
        const std::string option = word();
        if (option == "--")
            break;
        if (option == "--name") {
            options.name = word();
        } else if (option == "--network") {
            options.network = true;
        } else if (option == "--keep") {
            options.kept.push_back(word());
        } else if (option == "--bind" || option == "--fresh") {
            std::string first = word();
            std::string second = word();
            (option == "--bind" ? options.binds : options.fresh)
                .emplace_back(std::move(first), std::move(second));
        } else if (option == "--log") {
            options.log = word();
        } else if (option == "--listening") {
            options.listening = word();
        }
    }
    options.command.assign(argv + at, argv + argc);
    options.command.push_back(nullptr);
    return options;
}

void mountFresh(const std::string& target, std::string_view options) {
    unsigned long flags = MS_NOSUID | MS_NODEV;
    std::string data;
    while (!options.empty()) {
        const size_t end = options.find(',');
        const std::string_view option = options.substr(0, end);
        options.remove_prefix(end == std::string_view::npos ? options.size() : end + 1);
        if (option == "noexec")
            flags |= MS_NOEXEC;
        else if (option == "ro")
            flags |= MS_RDONLY;
        else
            data += (data.empty() ? "" : ",") + std::string(option);
    }
    if (mount("tmpfs", target.c_str(), "tmpfs", flags, data.c_str()) != 0)
        refuse("mount a folder at " + target);
}

void bind(const std::string& source, const std::string& target) {
    if (mount(source.c_str(), target.c_str(), nullptr, MS_BIND | MS_REC, nullptr) != 0)
        refuse("put " + source + " at " + target);
}

void arrangeFiles(const Options& options) {
    if (mount(nullptr, "/", nullptr, MS_REC | MS_PRIVATE, nullptr) != 0)
        refuse("make mounts private");
    std::vector<std::pair<std::string, std::string>> kept;
    for (const std::string& folder : options.kept) {
        const int fd = open(folder.c_str(), O_PATH | O_CLOEXEC);
        if (fd < 0)
            refuse("open " + folder);
        kept.emplace_back("/proc/self/fd/" + std::to_string(fd), folder);
    }
    mountFresh("/tmp", "mode=1777");
    mountFresh("/var/tmp", "mode=1777");
    // sshd gives its unprivileged part this folder as its root.
    mountFresh("/run", "mode=755");
    mkdir("/run/sshd", 0755);
    for (const auto& [source, folder] : kept) {
        std::error_code failure;
        std::filesystem::create_directories(folder, failure);
        bind(source, folder);
    }
    for (const auto& [source, target] : options.binds)
        bind(source, target);
    for (const auto& [target, how] : options.fresh)
        mountFresh(target, how);
}

/// Process 1 of the host: starts and stops the program, adopts and reaps what has lost its parent.
class Init {
public:
    explicit Init(Options options) : m_options(std::move(options)) {}

    int run() {
        sigset_t ends;
        sigemptyset(&ends);
        sigaddset(&ends, SIGCHLD);
        sigprocmask(SIG_BLOCK, &ends, nullptr);
        const int children = signalfd(-1, &ends, SFD_CLOEXEC | SFD_NONBLOCK);
        std::array<int, 2> says{};
        m_log = open(m_options.log.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
        if (children < 0 || m_log < 0 || pipe2(says.data(), O_CLOEXEC) != 0)
            refuse("prepare process 1");
        m_says = says[1];
        for (;;) {
            std::array<pollfd, 3> sources = {
                {{STDIN_FILENO, POLLIN, 0}, {children, POLLIN, 0}, {says[0], POLLIN, 0}}};
            if (poll(sources.data(), sources.size(), -1) < 0)
                continue;
            if (sources[2].revents != 0)
                readLog(says[0]);
            if (sources[1].revents != 0)
                reap(children);
            if (sources[0].revents != 0 && !obey())
                return EXIT_SUCCESS;
        }
    }

private:
    /// @return whether there is more to come
    bool obey() {
        std::array<char, 256> buffer;
        const ssize_t count = read(STDIN_FILENO, buffer.data(), buffer.size());
        if (count <= 0)
            return false;
        m_commands.append(buffer.data(), static_cast<size_t>(count));
        for (size_t end; (end = m_commands.find('\n')) != std::string::npos; m_commands.erase(0, end + 1)) {
            const std::string command = m_commands.substr(0, end);
            if (command == "start")
                start();
            else if (command == "stop" && m_program > 0)
                kill(m_program, SIGKILL);
        }
        return true;
    }

    void start() {
        m_heard.clear();
        m_program = fork();
        if (m_program != 0)
            return;
        sigset_t none;
        sigemptyset(&none);
        sigprocmask(SIG_SETMASK, &none, nullptr);
        setsid();
        const int nothing = open("/dev/null", O_RDWR);
        dup2(nothing, STDIN_FILENO);
        dup2(nothing, STDOUT_FILENO);
        dup2(m_says, STDERR_FILENO);
        execv(m_options.command.front(), m_options.command.data());
        std::perror(m_options.command.front());
        std::_Exit(127);
    }

    void readLog(int says) {
        std::array<char, 4096> buffer;
        const ssize_t count = read(says, buffer.data(), buffer.size());
        if (count <= 0)
            return;
        (void)!write(m_log, buffer.data(), static_cast<size_t>(count));
        if (m_listens)
            return;
        m_heard.append(buffer.data(), static_cast<size_t>(count));
        if (m_heard.find(m_options.listening) != std::string::npos) {
            m_listens = true;
            tell("listening");
        }
    }

    void reap(int children) {
        signalfd_siginfo ignored;
        while (read(children, &ignored, sizeof ignored) > 0) {
        }
        for (pid_t ended; (ended = waitpid(-1, nullptr, WNOHANG)) > 0;) {
            if (ended != m_program)
                continue;
            m_program = 0;
            m_listens = false;
            tell("ended");
        }
    }

    static void tell(const char* word) {
        std::printf("%s\n", word);
        std::fflush(stdout);
    }

    Options m_options;
    pid_t m_program = 0;
    int m_log = -1;
    int m_says = -1;
    bool m_listens = false;
    std::string m_heard;
    std::string m_commands;
};

} // namespace

int main(int argc, char** argv) {
    const Options options = optionsFrom(argc, argv);
    const int wanted =
        CLONE_NEWNS | CLONE_NEWPID | CLONE_NEWUTS | CLONE_NEWIPC | (options.network ? CLONE_NEWNET : 0);
    if (unshare(wanted) != 0)
        refuse("make namespaces");
    if (!options.name.empty() && sethostname(options.name.c_str(), options.name.size()) != 0)
        refuse("name the host");
    arrangeFiles(options);
    const pid_t first = fork();
    if (first < 0)
        refuse("start process 1");
    if (first == 0) {
        prctl(PR_SET_PDEATHSIG, SIGKILL);
        if (mount("proc", "/proc", "proc", MS_NOSUID | MS_NODEV | MS_NOEXEC, nullptr) != 0)
            refuse("mount /proc");
        return Init(options).run();
    }
    std::printf("host %d\n", first);
    std::fflush(stdout);
    close(STDIN_FILENO);
    close(STDOUT_FILENO);
    waitpid(first, nullptr, 0);
    return EXIT_SUCCESS;
}

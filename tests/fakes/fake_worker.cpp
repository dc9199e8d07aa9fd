// SPDX-License-Identifier: Apache-2.0
// A worker that does what it is told, for the tests of every layer. Its arguments are steps, done in order:
//   report=N            N reports {"training_iteration": i, "loss": 1/i}; i goes on from the step before
//   interval=MS         time between the reports of later steps
//   line=BYTES          a report line of that length ({"x":"aaa…"})
//   brackets=N          a report line of N opening brackets
//   append=TEXT         TEXT to the report file as it is; \n is a line end
//   rewrite=N           replaces the report file by one with N reports
//   checkpoint=NAME     the folder NAME with a file, then {"checkpoint": NAME}
//   print=TEXT          a line on standard output; printerr=TEXT on standard error
//   write=TEXT          TEXT on standard output without a line end; \r, \n, \e and \xHH are understood
//   tqdm=N              a progress bar of N states on standard error
//   flood=BYTES         lines on standard output
//   env=NAME            "NAME=value" on standard output, "NAME unset" where it is not set
//   cwd, args=…, isatty what it was started with, on standard output
//   pid=FILE            appends its process number to FILE; so do the children of later steps
//   child, grandchild, daemon   starts a process that hangs: a child; a child of a child that ended; the same
//   in a
//                       session of its own
//   stubborn            SIGTERM is ignored from here on, also by later children
//   on-term=STEP        on SIGTERM does STEP and ends with code 0
//   eat=MIB             takes so much memory and touches it
//   burn=MS             keeps a processor busy
//   touch=FILE          makes FILE; wait=FILE waits until FILE exists
//   take-port           listens on 127.0.0.1:MASTER_PORT; ends with code 1 and torch's words where it is
//   taken hang                until it is killed exit=CODE, signal=N ends
#include <arpa/inet.h>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <fcntl.h>
#include <poll.h>
#include <string>
#include <string_view>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>
#include <utility>
#include <vector>

namespace {

volatile sig_atomic_t g_terminated = 0;

struct State {
    int iteration = 0;
    long intervalMs = 0;
    std::string pidFile;
    std::string onTerm;
    std::vector<std::string> arguments;
};

void step(State& state, const std::string& text);

std::string variable(const char* name) {
    const char* value = std::getenv(name);
    return value ? value : "";
}

void writeAll(int fd, std::string_view bytes) {
    while (!bytes.empty()) {
        const ssize_t count = write(fd, bytes.data(), bytes.size());
        if (count < 0 && errno == EINTR)
            continue;
        if (count < 0)
            std::exit(3);
        bytes.remove_prefix(static_cast<size_t>(count));
    }
}

void endIfTerminated(State& state) {
    if (!g_terminated || state.onTerm.empty())
        return;
    const std::string last = std::exchange(state.onTerm, {});
    step(state, last);
    std::exit(0);
}

/// Waits, or less when SIGTERM comes.
void pass(State& state, long milliseconds) {
    poll(nullptr, 0, static_cast<int>(milliseconds));
    endIfTerminated(state);
}

[[noreturn]] void hang(State& state) {
    for (;;)
        pass(state, 60'000);
}

std::string unescaped(std::string_view text) {
    std::string out;
    for (size_t i = 0; i < text.size(); ++i) {
        if (text[i] != '\\' || i + 1 == text.size()) {
            out += text[i];
            continue;
        }
        switch (text[++i]) {
        case 'n':
            out += '\n';
            break;
        case 'r':
            out += '\r';
            break;
        case 'e':
            out += '\x1b';
            break;
        case 'x':
            out += static_cast<char>(std::strtol(std::string(text.substr(i + 1, 2)).c_str(), nullptr, 16));
            i += 2;
            break;
        default:
            out += text[i];
        }
    }
    return out;
}

void appendTo(const std::string& path, std::string_view bytes, int more = O_APPEND) {
    const int fd = open(path.c_str(), O_WRONLY | O_CREAT | O_CLOEXEC | more, 0666);
    if (fd < 0)
        std::exit(3);
    writeAll(fd, bytes);
    close(fd);
}

void report(std::string_view bytes) {
    appendTo(variable("TRIALDECK_REPORT"), bytes);
}

std::string reportLine(int iteration) {
    char line[128];
    std::snprintf(line, sizeof line, "{\"training_iteration\": %d, \"loss\": %.6g}\n", iteration,
                  1.0 / iteration);
    return line;
}

void notePid(const State& state) {
    if (!state.pidFile.empty())
        appendTo(state.pidFile, std::to_string(getpid()) + "\n");
}

/// The kinds differ in how far the new process gets from its parent.
void startChild(State& state, std::string_view kind) {
    const pid_t child = fork();
    if (child != 0)
        return;
    if (kind == "daemon")
        setsid();
    if (kind != "child" && fork() != 0)
        _exit(0);
    state.onTerm.clear();
    notePid(state);
    hang(state);
}

void takePort() {
    const int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_port = htons(static_cast<uint16_t>(std::atoi(variable("MASTER_PORT").c_str())));
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    const int reuse = 1;
    setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &reuse, sizeof reuse);
    if (bind(fd, reinterpret_cast<const sockaddr*>(&address), sizeof address) != 0 || listen(fd, 1) != 0) {
        writeAll(2, "The server socket has failed to listen. port: " + variable("MASTER_PORT") +
                        ", name: EADDRINUSE, message: address already in use\n");
        std::exit(1);
    }
}

void flood(uint64_t bytes) {
    std::string block;
    for (int i = 0; block.size() < 60'000; ++i)
        block += "flood line " + std::to_string(i) + " of many that nobody reads\n";
    for (uint64_t done = 0; done < bytes; done += block.size())
        writeAll(1, std::string_view(block).substr(0, bytes - done));
}

void progressBar(State& state, int states) {
    for (int i = 0; i <= states; ++i) {
        char text[96];
        std::snprintf(text, sizeof text, "\rTrain: %3d%%|          | %d/%d [loss=%.3f]", 100 * i / states, i,
                      states, 1.0 - 0.5 * i / states);
        writeAll(2, text);
        if (state.intervalMs > 0)
            pass(state, state.intervalMs);
    }
    writeAll(2, "\n");
}

void burn(long milliseconds) {
    const clock_t end = clock() + milliseconds * CLOCKS_PER_SEC / 1000;
    while (clock() < end) {
    }
}

void eat(size_t mebibytes) {
    // Leaked on purpose: it stays taken until the process ends.
    auto* memory = static_cast<char*>(std::malloc(mebibytes << 20));
    for (size_t at = 0; memory && at < mebibytes << 20; at += 4096)
        const_cast<volatile char*>(memory)[at] = 1;
}

void waitFor(State& state, const std::string& path) {
    while (access(path.c_str(), F_OK) != 0)
        pass(state, 2);
}

void checkpoint(const std::string& name) {
    const std::string folder = variable("TRIALDECK_CHECKPOINT_DIR") + "/" + name;
    mkdir(folder.c_str(), 0777);
    appendTo(folder + "/weights.bin", "weights of " + name);
    report("{\"checkpoint\": \"" + name + "\"}\n");
}

void describe(const State& state, std::string_view what, const std::string& name) {
    std::string text;
    if (what == "env") {
        const char* value = std::getenv(name.c_str());
        text = value ? name + "=" + value : name + " unset";
    } else if (what == "cwd") {
        char path[4096];
        text = getcwd(path, sizeof path) ? path : "?";
    } else if (what == "isatty") {
        text = isatty(1) ? "terminal" : "no terminal";
    } else {
        for (const std::string& argument : state.arguments)
            text += argument + "\n";
    }
    writeAll(1, text + "\n");
}

bool reportStep(State& state, std::string_view name, const std::string& value) {
    const long number = std::atol(value.c_str());
    if (name == "report") {
        for (long i = 0; i < number; ++i) {
            report(reportLine(++state.iteration));
            if (state.intervalMs > 0)
                pass(state, state.intervalMs);
        }
    } else if (name == "line") {
        report("{\"x\":\"" + std::string(static_cast<size_t>(number) - 8, 'a') + "\"}\n");
    } else if (name == "brackets") {
        report(std::string(static_cast<size_t>(number), '[') + "\n");
    } else if (name == "append") {
        report(unescaped(value));
    } else if (name == "rewrite") {
        std::string all;
        for (int i = 1; i <= number; ++i)
            all += reportLine(i);
        appendTo(variable("TRIALDECK_REPORT"), all, O_TRUNC);
    } else if (name == "checkpoint") {
        checkpoint(value);
    } else {
        return false;
    }
    return true;
}

bool outputStep(State& state, std::string_view name, const std::string& value) {
    if (name == "print")
        writeAll(1, value + "\n");
    else if (name == "printerr")
        writeAll(2, value + "\n");
    else if (name == "write")
        writeAll(1, unescaped(value));
    else if (name == "tqdm")
        progressBar(state, std::atoi(value.c_str()));
    else if (name == "flood")
        flood(std::strtoull(value.c_str(), nullptr, 10));
    else if (name == "env" || name == "cwd" || name == "isatty" || name == "args")
        describe(state, name, value);
    else
        return false;
    return true;
}

bool processStep(State& state, std::string_view name, const std::string& value) {
    const long number = std::atol(value.c_str());
    if (name == "interval") {
        state.intervalMs = number;
    } else if (name == "pid") {
        state.pidFile = value;
        notePid(state);
    } else if (name == "child" || name == "grandchild" || name == "daemon") {
        startChild(state, name);
    } else if (name == "stubborn") {
        std::signal(SIGTERM, SIG_IGN);
    } else if (name == "on-term") {
        state.onTerm = value;
        struct sigaction action {};
        action.sa_handler = [](int) { g_terminated = 1; };
        sigaction(SIGTERM, &action, nullptr);
    } else if (name == "eat") {
        eat(static_cast<size_t>(number));
    } else if (name == "burn") {
        burn(number);
    } else if (name == "touch") {
        appendTo(value, "");
    } else if (name == "wait") {
        waitFor(state, value);
    } else if (name == "take-port") {
        takePort();
    } else if (name == "hang") {
        hang(state);
    } else if (name == "exit") {
        std::exit(static_cast<int>(number));
    } else if (name == "signal") {
        std::signal(static_cast<int>(number), SIG_DFL);
        raise(static_cast<int>(number));
    } else {
        return false;
    }
    return true;
}

void step(State& state, const std::string& text) {
    const size_t equals = text.find('=');
    const std::string_view name = std::string_view(text).substr(0, equals);
    const std::string value = equals == std::string::npos ? "" : text.substr(equals + 1);
    if (!reportStep(state, name, value) && !outputStep(state, name, value) &&
        !processStep(state, name, value)) {
        writeAll(2, "fake_worker: unknown step " + text + "\n");
        std::exit(2);
    }
    endIfTerminated(state);
}

} // namespace

int main(int argc, char** argv) {
    State state;
    state.arguments.assign(argv, argv + argc);
    for (int i = 1; i < argc; ++i)
        step(state, argv[i]);
    return 0;
}

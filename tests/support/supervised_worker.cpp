// SPDX-License-Identifier: Apache-2.0
#include "tests/support/supervised_worker.h"

#include "core/base/local_socket.h"

#include <QtGlobal>
#include <array>
#include <chrono>
#include <csignal>
#include <fstream>
#include <poll.h>
#include <sstream>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

namespace trialdeck::tests {

using namespace supervise;

namespace {

constexpr int kPatienceMs = 30'000;

std::string contentOf(const base::Path& path) {
    std::ifstream in(path, std::ios::binary);
    std::stringstream text;
    text << in.rdbuf();
    return text.str();
}

} // namespace

LaunchOrder SupervisedWorker::order(const base::Path& folder, const std::vector<std::string>& steps) {
    LaunchOrder order;
    order.attempt = "test-" + std::to_string(getpid()) + "/7/0";
    order.rank = 1;
    order.folder = folder;
    order.socket = folder / "s.sock";
    order.lock = folder / "s.lock";
    order.program = TRIALDECK_BIN_DIR "/fake_worker";
    order.command = {"fake_worker"};
    order.command.insert(order.command.end(), steps.begin(), steps.end());
    order.environment = {{"PATH", "/usr/bin:/bin"},
                         {"TRIALDECK_ATTEMPT", order.attempt},
                         {"TRIALDECK_REPORT", (folder / kReportFile).native()},
                         {"TRIALDECK_CHECKPOINT_DIR", folder.native()}};
    order.workingDirectory = folder;
    return order;
}

SupervisedWorker::SupervisedWorker(const LaunchOrder& order) : m_order(order) {
    prctl(PR_SET_CHILD_SUBREAPER, 1);
}

SupervisedWorker::~SupervisedWorker() {
    if (m_pid > 0) {
        killSupervisor();
        awaitGone();
    }
    // What a killed supervisor had comes to us; not every machine's first process reaps.
    while (waitpid(-1, nullptr, WNOHANG) > 0) {
    }
}

void SupervisedWorker::start() {
    int ends[2];
    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0)
        qFatal("socketpair");
    m_channel.reset(ends[0]);
    const base::UniqueFd theirs(ends[1]);
    const auto lock = base::FileLock::tryAcquire(m_order.lock);
    base::SpawnOptions options;
    options.program = TRIALDECK_BIN_DIR "/supervisor_program";
    options.command = {"supervisor_program", "supervise", m_order.attempt, std::to_string(m_order.rank)};
    options.environment = base::currentEnvironment();
    options.descriptors = {{theirs.get(), 3}, {(*lock)->descriptor(), 4}};
    options.newSession = true;
    m_pid = base::spawn(options).value();
    send(encodeLaunchOrder(m_order));
}

void SupervisedWorker::send(std::string_view line) {
    while (!line.empty()) {
        const ssize_t count = ::send(m_channel.get(), line.data(), line.size(), MSG_NOSIGNAL);
        if (count <= 0)
            return;
        line.remove_prefix(static_cast<size_t>(count));
    }
}

std::optional<SupervisorLine> SupervisedWorker::nextLine() {
    for (;;) {
        if (const auto line = takeLine(m_received))
            return parseSupervisorLine(*line);
        pollfd wait{m_channel.get(), POLLIN, 0};
        std::array<char, 65536> buffer;
        if (poll(&wait, 1, kPatienceMs) <= 0)
            return std::nullopt;
        const ssize_t count = read(m_channel.get(), buffer.data(), buffer.size());
        if (count <= 0)
            return std::nullopt;
        m_received.append(buffer.data(), static_cast<size_t>(count));
    }
}

std::optional<SupervisorRecord> SupervisedWorker::awaitHello() {
    while (auto line = nextLine()) {
        if (auto* record = std::get_if<SupervisorRecord>(&*line))
            return std::move(*record);
        if (auto* record = std::get_if<ExitRecord>(&*line)) {
            m_exit = std::move(*record);
            return std::nullopt;
        }
    }
    return std::nullopt;
}

std::optional<ExitRecord> SupervisedWorker::awaitExit() {
    while (!m_exit) {
        auto line = nextLine();
        if (!line)
            return std::nullopt;
        if (auto* record = std::get_if<ExitRecord>(&*line))
            m_exit = std::move(*record);
    }
    return m_exit;
}

std::optional<StatusReport> SupervisedWorker::askStatus() {
    send(encodeLine(StatusRequest{}));
    while (auto line = nextLine()) {
        if (auto* report = std::get_if<StatusReport>(&*line))
            return *report;
    }
    return std::nullopt;
}

ExitRecord SupervisedWorker::runToEnd() {
    start();
    const auto record = awaitExit();
    awaitGone();
    return record.value_or(ExitRecord{});
}

bool SupervisedWorker::connect() {
    auto socket = base::connectLocally(m_order.socket);
    if (!socket)
        return false;
    m_channel = std::move(*socket);
    m_received.clear();
    return true;
}

void SupervisedWorker::killSupervisor() {
    kill(m_pid, SIGKILL);
}

void SupervisedWorker::awaitGone() {
    while (m_pid > 0 && waitpid(m_pid, nullptr, 0) < 0 && errno == EINTR) {
    }
    m_pid = 0;
}

std::string SupervisedWorker::stream(Stream which) const {
    base::PosixFileSystem files;
    std::string text;
    uint64_t end = 0;
    for (const LogSegment& segment :
         listSegments(files, m_order.folder, which).value_or(std::vector<LogSegment>())) {
        if (segment.offset != end)
            text += "<gap>";
        text += contentOf(m_order.folder / segmentName(which, segment.offset));
        end = segment.offset + segment.bytes;
    }
    return text;
}

std::string SupervisedWorker::file(const char* name) const {
    return contentOf(m_order.folder / name);
}

bool eventually(const std::function<bool()>& condition) {
    constexpr std::chrono::seconds kPatience(20);
    const auto deadline = std::chrono::steady_clock::now() + kPatience;
    while (!condition()) {
        if (std::chrono::steady_clock::now() > deadline)
            return false;
        poll(nullptr, 0, 5);
    }
    return true;
}

std::set<pid_t> pidsIn(const base::Path& file) {
    std::set<pid_t> pids;
    std::stringstream in(contentOf(file));
    for (pid_t pid = 0; in >> pid;)
        pids.insert(pid);
    return pids;
}

bool isAlive(pid_t pid) {
    const std::string status = contentOf("/proc/" + std::to_string(pid) + "/stat");
    const size_t state = status.rfind(") ");
    return state != std::string::npos && status[state + 2] != 'Z' && status[state + 2] != 'X';
}

} // namespace trialdeck::tests

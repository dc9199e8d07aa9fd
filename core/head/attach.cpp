// SPDX-License-Identifier: Apache-2.0
#include "core/head/attach.h"

#include "core/base/host.h"
#include "core/base/local_socket.h"
#include "core/base/process.h"
#include "core/head/beacon.h"
#include "core/head/logout.h"
#include "core/head/serve_lock.h"
#include "core/protocol/attach_failure.h"
#include "core/protocol/frame.h"

#include <array>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <fcntl.h>
#include <poll.h>
#include <sys/inotify.h>
#include <sys/socket.h>
#include <unistd.h>

namespace trialdeck::head {

namespace {

constexpr int kReadyDescriptor = 3;
constexpr int kStartTimeoutMs = 20'000;

/// What the daemon writes to its ready pipe until it closes it: "ready" or why it ends; empty when another
/// serves, or where the words before it (which bring it out of the login session) did not start it.
Expected<std::string> startDaemon(const base::Path& program, std::vector<std::string> wordsBefore = {}) {
    int ends[2];
    if (pipe2(ends, O_CLOEXEC) != 0)
        return tl::make_unexpected(base::fileError(errno, "pipe", "make"));
    const base::UniqueFd readEnd(ends[0]);
    base::UniqueFd writeEnd(ends[1]);
    base::SpawnOptions options;
    options.command = std::move(wordsBefore);
    for (const char* word : {program.c_str(), "serve", "--ready-fd"})
        options.command.emplace_back(word);
    options.command.push_back(std::to_string(kReadyDescriptor));
    options.environment = base::currentEnvironment();
    options.workingDirectory = "/";
    options.descriptors = {{writeEnd.get(), kReadyDescriptor}};
    options.newSession = true;
    auto pid = base::spawn(options);
    if (!pid)
        return tl::make_unexpected(std::move(pid).error().during("start the daemon"));
    writeEnd.reset();
    std::string said;
    std::array<char, 512> buffer;
    for (;;) {
        pollfd wait{readEnd.get(), POLLIN, 0};
        const int ready = poll(&wait, 1, kStartTimeoutMs);
        if (ready < 0 && errno == EINTR)
            continue;
        if (ready <= 0)
            return base::fail(ErrorCode::head_did_not_answer, {{"output", said}},
                              "the daemon did not get ready");
        const ssize_t count = read(readEnd.get(), buffer.data(), buffer.size());
        if (count <= 0)
            return said;
        said.append(buffer.data(), static_cast<size_t>(count));
    }
}

/// Where a logout would end the daemon and the user's own systemd can keep it.
std::vector<std::string> wordsToSurvive(base::FileSystem& files) {
    const base::Environment environment = base::currentEnvironment();
    return survivingPrefix(readLogoutFacts(files, environment, "/"), userSystemdRuns(files, environment));
}

/// Waits until something changes in the folder of the socket.
void waitForChange(int watch) {
    constexpr int kLookAgainMs = 200;
    pollfd wait{watch, POLLIN, 0};
    if (poll(&wait, 1, kLookAgainMs) > 0) {
        std::array<char, 4096> events;
        (void)!read(watch, events.data(), events.size());
    }
}

/// One direction of the relay: bytes read and not yet written.
class Direction {
public:
    Direction(int from, int to) : m_from(from), m_to(to) {}

    [[nodiscard]] bool wantsInput() const { return m_open && m_done == m_filled; }
    [[nodiscard]] bool wantsOutput() const { return m_done < m_filled; }
    [[nodiscard]] bool ended() const { return !m_open && !wantsOutput(); }
    [[nodiscard]] int from() const { return m_from; }
    [[nodiscard]] int to() const { return m_to; }

    void fill() {
        const ssize_t count = read(m_from, m_buffer.data(), m_buffer.size());
        if (count < 0 && (errno == EINTR || errno == EAGAIN))
            return;
        m_open = count > 0;
        m_done = 0;
        m_filled = count > 0 ? static_cast<size_t>(count) : 0;
    }

    void drain() {
        const ssize_t count = write(m_to, m_buffer.data() + m_done, m_filled - m_done);
        if (count >= 0) {
            m_done += static_cast<size_t>(count);
        } else if (errno != EINTR && errno != EAGAIN) {
            m_open = false;
            m_done = m_filled = 0;
        }
    }

private:
    int m_from;
    int m_to;
    bool m_open = true;
    size_t m_done = 0;
    size_t m_filled = 0;
    std::array<char, size_t{64} << 10> m_buffer{};
};

/// The other host, with what is true of the login to this one: hosts of one pool are set up alike.
Error elsewhere(const std::string& daemonHost) {
    Error error{ErrorCode::daemon_elsewhere, {{"host", base::hostName()}, {"daemon_host", daemonHost}}, {}};
    const base::Environment environment = base::currentEnvironment();
    for (const char* name : {"LOGNAME", "USER"}) {
        if (const auto user = environment.find(name); user != environment.end())
            error.arguments["user"] = user->second;
    }
    // "client-address client-port server-address server-port"
    const auto connection = environment.find("SSH_CONNECTION");
    if (connection != environment.end())
        error.arguments["port"] = connection->second.substr(connection->second.rfind(' ') + 1);
    return error;
}

} // namespace

Expected<base::UniqueFd> connectToDaemon(base::FileSystem& files, HeadHome& home, const base::Path& program,
                                         AttachTo which) {
    // Decides between home and /tmp for the socket as the daemon does.
    auto served = isServed(files, home);
    if (!served)
        return tl::make_unexpected(std::move(served).error());
    if (*served) {
        if (auto socket = base::connectLocally(home.socket()))
            return socket;
    }
    if (const auto other = *served || which == AttachTo::thisHost ? std::nullopt : findElsewhere(files, home))
        return tl::make_unexpected(elsewhere(other->host));
    const base::UniqueFd watch(inotify_init1(IN_CLOEXEC | IN_NONBLOCK));
    inotify_add_watch(watch.get(), home.runtimeFolder().c_str(), IN_CREATE | IN_ATTRIB | IN_MOVED_TO);
    auto said = startDaemon(program, wordsToSurvive(files));
    if (!said)
        said = startDaemon(program);
    // Where another daemon won the lock it may not listen yet, or it is about to end (a hand-over) and leaves
    // the place to ours; where ours failed and said so, nobody ever will.
    constexpr int kLooks = 100;
    for (int look = 0; said && look < kLooks; ++look) {
        if (auto socket = base::connectLocally(home.socket()))
            return socket;
        const auto stillServed = isServed(files, home);
        if (!stillServed || (!*stillServed && !said->empty()))
            break;
        if (*stillServed)
            waitForChange(watch.get());
        else
            said = startDaemon(program);
    }
    if (!said) {
        said.error().arguments["log"] = home.log().native();
        return tl::make_unexpected(std::move(said).error());
    }
    return base::fail(ErrorCode::head_did_not_answer, {{"output", *said}, {"log", home.log().native()}},
                      "the daemon ended before it listened");
}

void relay(int input, int output, int socket) {
    Direction outward(input, socket);
    Direction inward(socket, output);
    bool shut = false;
    while (!inward.ended()) {
        std::array<pollfd, 4> waits = {{
            {outward.wantsInput() ? outward.from() : -1, POLLIN, 0},
            {outward.wantsOutput() ? outward.to() : -1, POLLOUT, 0},
            {inward.wantsInput() ? inward.from() : -1, POLLIN, 0},
            {inward.wantsOutput() ? inward.to() : -1, POLLOUT, 0},
        }};
        if (poll(waits.data(), waits.size(), -1) < 0 && errno != EINTR)
            return;
        if (waits[0].revents != 0)
            outward.fill();
        if (waits[1].revents != 0)
            outward.drain();
        if (waits[2].revents != 0)
            inward.fill();
        if (waits[3].revents != 0)
            inward.drain();
        if (outward.ended() && !shut) {
            shut = true;
            shutdown(socket, SHUT_WR);
        }
    }
}

int attach(const base::Path& program, const std::string& nonce, AttachTo which) {
    signal(SIGPIPE, SIG_IGN);
    base::PosixFileSystem files;
    auto home = HeadHome::open(files);
    Expected<base::UniqueFd> socket = tl::make_unexpected(Error{});
    if (home)
        socket = connectToDaemon(files, *home, program, which);
    if (!home || !socket) {
        const Error& error = home ? socket.error() : home.error();
        const std::string line = protocol::attachFailureLine(nonce, error);
        (void)!write(STDOUT_FILENO, line.data(), line.size());
        std::fprintf(stderr, "trialdeck-head: %s\n", base::describe(error).c_str());
        return 1;
    }
    const std::string marker = protocol::startMarker(nonce);
    if (write(STDOUT_FILENO, marker.data(), marker.size()) != static_cast<ssize_t>(marker.size()))
        return 1;
    relay(STDIN_FILENO, STDOUT_FILENO, socket->get());
    return 0;
}

} // namespace trialdeck::head

// SPDX-License-Identifier: Apache-2.0
#include "core/head/serve.h"

#include "core/base/host.h"
#include "core/base/local_socket.h"
#include "core/head/beacon.h"
#include "core/head/builds_in_use.h"
#include "core/head/daemon.h"
#include "core/head/loop_services.h"
#include "core/head/serve_lock.h"
#include "core/head/session.h"

#include <array>
#include <asio/local/stream_protocol.hpp>
#include <asio/signal_set.hpp>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <poll.h>
#include <sys/inotify.h>
#include <unistd.h>

namespace trialdeck::head {

namespace {

/// Of run(): a newer build takes over.
constexpr int kHandsOver = -1;

/// The other end of the ready pipe that `attach` reads.
class ReadyPipe {
public:
    explicit ReadyPipe(int descriptor) : m_fd(descriptor) {}
    void say(std::string_view text) {
        if (m_fd)
            (void)!write(m_fd.get(), text.data(), text.size());
        m_fd.reset();
    }

private:
    base::UniqueFd m_fd;
};

/// Accepts connections until it is closed.
class Listener {
public:
    Listener(asio::io_context& loop, tuner::TimerService& timers, base::UniqueFd socket, Daemon& daemon)
        : m_acceptor(loop, asio::local::stream_protocol(), socket.release()), m_daemon(daemon),
          m_later(timers) {
        accept();
    }
    void close() {
        m_later.stop();
        asio::error_code ignored;
        m_acceptor.close(ignored);
    }

private:
    void accept() {
        m_acceptor.async_accept([this](const asio::error_code& error, Session::Socket socket) {
            if (!m_acceptor.is_open())
                return;
            if (error) {
                // Mostly no descriptor is free, and the connection still waits: at once it would fail again.
                constexpr std::chrono::milliseconds kPause{100};
                m_later.start(kPause, [this] { accept(); });
                return;
            }
            const auto session = std::make_shared<Session>(std::move(socket), m_daemon);
            m_daemon.sessionStarted(session);
            session->start();
            accept();
        });
    }

    asio::local::stream_protocol::acceptor m_acceptor;
    Daemon& m_daemon;
    tuner::Timer m_later;
};

/// Tells clients of the node's load while any is there.
class NodeBeat {
public:
    NodeBeat(tuner::TimerService& timers, Daemon& daemon) : m_timer(timers), m_daemon(daemon) { beat(); }
    void stop() { m_timer.stop(); }

private:
    void beat() {
        constexpr std::chrono::seconds kEvery{2};
        if (m_daemon.sessionCount() > 0)
            m_daemon.nodesChanged();
        m_timer.start(kEvery, [this] { beat(); });
    }

    tuner::Timer m_timer;
    Daemon& m_daemon;
};

/// Tells other hosts of this home that a daemon lives here, and which builds are in use. The home may hang,
/// so it is written in the background.
class BeaconBeat {
public:
    BeaconBeat(const tuner::Services& services, const HeadHome& home)
        : m_timer(services.timers), m_marks(services.timers), m_services(services), m_home(home) {
        if (auto lit = light(); !lit)
            m_services.log.warning("serve",
                                   "other hosts will not see this daemon: " + base::describe(lit.error()));
        beatLater();
        // Not at once: a start has better things to do.
        markLater(kBeaconEvery);
    }
    ~BeaconBeat() { quenchBeacon(m_services.files, m_home); }
    BeaconBeat(const BeaconBeat&) = delete;
    BeaconBeat& operator=(const BeaconBeat&) = delete;
    void stop() {
        m_timer.stop();
        m_marks.stop();
    }

private:
    Expected<void> light() const {
        const protocol::Writer& self = m_services.writer;
        return lightBeacon(m_services.files, m_home, {self.host, self.boot, self.pid});
    }
    void beatLater() {
        m_timer.start(kBeaconEvery, [this] {
            m_services.background.run([this] { (void)light(); }, [] {});
            beatLater();
        });
    }
    void markLater(std::chrono::milliseconds delay) {
        m_marks.start(delay, [this] {
            m_services.background.run([] { markBuildsInUse(base::executablePath(), "/proc"); }, [] {});
            markLater(kMarkBuildsEvery);
        });
    }

    tuner::Timer m_timer;
    tuner::Timer m_marks;
    tuner::Services m_services;
    const HeadHome& m_home;
};

/// The running daemon; made when everything that can fail at the start has not.
int run(asio::io_context& loop, ThreadWork& background, const tuner::Services& services, const HeadHome& home,
        const ServeOptions& options, const ServeParts& parts, ReadyPipe& ready) {
    auto userHome = base::homeDirectory();
    EnvironmentCache environment(services.clock, services.log, parts.captureEnvironment);
    Experiments experiments(services, home.index(), userHome.value_or("/"),
                            [&environment](EnvironmentAge age) { return environment.get(age); });
    engine::FileWatch watch(loop, services.clock);
    Daemon daemon(services, home, {options.version, options.buildId, base::newUuid()}, experiments, watch);
    if (auto opened = experiments.open(); !opened) {
        ready.say(base::describe(opened.error()));
        services.log.error("serve", opened.error());
        return 1;
    }
    auto socket = base::listenLocally(home.socket());
    if (!socket) {
        ready.say(base::describe(socket.error()));
        services.log.error("serve", socket.error());
        return 1;
    }
    Listener listener(loop, services.timers, std::move(*socket), daemon);
    NodeBeat beat(services.timers, daemon);
    BeaconBeat beacon(services, home);
    asio::signal_set signals(loop, SIGTERM, SIGINT);
    bool ending = false;
    const auto end = [&] {
        if (std::exchange(ending, true))
            return;
        listener.close();
        beat.stop();
        beacon.stop();
        daemon.finishSessions();
        experiments.close();
        asio::error_code ignored;
        signals.cancel(ignored);
        // What was queued for the clients gets this long.
        constexpr std::chrono::milliseconds kLastWords{500};
        services.timers.after(kLastWords, [&loop] { loop.stop(); });
    };
    daemon.onShutdown(end);
    signals.async_wait([&end](const asio::error_code& error, int) {
        if (!error)
            end();
    });
    services.log.info("serve", "serving, version " + options.version + ", build " + options.buildId);
    ready.say("ready");
    loop.run();
    // What runs there uses the experiments and the environment.
    background.finish();
    services.log.info("serve", "ended");
    return daemon.handsOver() ? kHandsOver : 0;
}

/// After a hand-over, without the lock: until the newer build serves. Where it does not come, because its
/// client has gone away meanwhile, this build goes on: somebody has to look after the trials.
int waitForSuccessor(base::FileSystem& files, HeadHome& home, base::Log& log, const base::Clock& clock) {
    constexpr std::chrono::seconds kPatience{30};
    constexpr int kLookAgainMs = 250;
    const base::UniqueFd watch(inotify_init1(IN_CLOEXEC | IN_NONBLOCK));
    inotify_add_watch(watch.get(), home.folder().c_str(), IN_CREATE | IN_DELETE | IN_MOVED_TO);
    const base::SteadyTime deadline = clock.steadyNow() + kPatience;
    while (clock.steadyNow() < deadline) {
        if (isServed(files, home).value_or(true))
            return 0;
        pollfd wait{watch.get(), POLLIN, 0};
        std::array<char, 4096> events;
        if (poll(&wait, 1, kLookAgainMs) > 0)
            (void)!read(watch.get(), events.data(), events.size());
    }
    log.warning("serve", "no newer build came: going on");
    (void)files.remove(home.restForbidden());
    const std::string program = base::executablePath().native();
    execl(program.c_str(), program.c_str(), "serve", "--again", nullptr);
    log.error("serve", base::fileError(errno, program, "go on"));
    return 1;
}

} // namespace

int serve(const ServeOptions& options, const ServeParts& parts) {
    signal(SIGPIPE, SIG_IGN);
    signal(SIGHUP, SIG_IGN);
    ReadyPipe ready(options.readyDescriptor);
    base::PosixFileSystem files;
    const base::SystemClock clock;
    auto home = HeadHome::open(files);
    if (!home) {
        ready.say(base::describe(home.error()));
        return 1;
    }
    if (options.again && base::exists(files, home->restForbidden()))
        return 0;
    auto lock = acquireServeLock(files, *home);
    if (!lock) {
        ready.say(base::describe(lock.error()));
        return 1;
    }
    if (!*lock)
        return 0;
    if (!options.again)
        (void)files.remove(home->restForbidden());
    auto log = base::openFileLog(home->log(), base::LogLevel::info);
    if (!log) {
        ready.say(base::describe(log.error()));
        return 1;
    }
    asio::io_context loop(1);
    AsioTimers timers(loop);
    constexpr size_t kBackgroundThreads = 2;
    ThreadWork background(loop, kBackgroundThreads);
    auto engine = parts.makeEngine(loop, files, clock, **log, *home);
    if (!engine) {
        ready.say(base::describe(engine.error()));
        (*log)->error("serve", engine.error());
        return 1;
    }
    tuner::EngineRouter router;
    (*engine)->setListener(&router);
    const protocol::Writer writer{base::hostName(), base::bootId(), getpid(),
                                  base::processStartTicks(getpid()).value_or(0)};
    const tuner::Services services{clock,  **log,      files,  **engine,       router,
                                   timers, background, writer, options.version};
    const int code = run(loop, background, services, *home, options, parts, ready);
    (*engine)->setListener(nullptr);
    if (code != kHandsOver)
        return code;
    engine->reset();
    lock->reset();
    return waitForSuccessor(files, *home, **log, clock);
}

} // namespace trialdeck::head

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/clock.h"
#include "core/base/file_lock.h"
#include "core/supervise/client_set.h"
#include "core/supervise/daemon_watch.h"
#include "core/supervise/log_segments.h"
#include "core/supervise/memory_watch.h"
#include "core/supervise/worker_start.h"

namespace trialdeck::supervise {

/// What a supervisor is started with beside its order.
struct SupervisorInputs {
    /// Connected to the daemon that gave the order.
    base::UniqueFd channel;
    /// Bytes behind the order.
    std::string received;
    /// Says that this supervisor lives.
    base::FileLock lock;
    /// The words that lead to superviseMain() of this program: its name, "supervise".
    std::vector<std::string> self;
};

/// Owns one worker's process tree: starts it, keeps its logs, ends it, says how it ended. A process of its
/// own with one thread; it outlives the daemon, and the kernel takes the worker with it when it is killed.
/// As a child subreaper it is the parent of whatever the worker's processes leave behind, so that waitpid
/// tells when nothing is left.
class Supervisor {
public:
    Supervisor(LaunchOrder order, SupervisorInputs inputs, base::FileSystem& files, const base::Clock& clock);

    /// Until nothing of the worker's tree is left and exit.json is written.
    void run();

private:
    struct StreamEnd {
        base::UniqueFd fd;
        SegmentedLog log;
    };

    [[nodiscard]] Expected<void> start();
    void loop();
    void waitForEvents();
    [[nodiscard]] int pollTimeout() const;
    void onSignals();
    void handleClients(std::span<const pollfd> polls);
    void onClientLine(size_t client, std::string_view line);
    void acceptClients();
    void readStream(StreamEnd& stream);
    void drain(StreamEnd& stream);

    void reapChildren();
    void workerEnded(int waitStatus);
    void stop(std::chrono::milliseconds grace);
    void signalTree(int signal);
    void handleDeadlines();
    void tellIfQuiet();
    void sweepEscaped();

    [[nodiscard]] SupervisorRecord record() const;
    void writeExitRecord();
    void reviveDaemon();

    LaunchOrder m_order;
    SupervisorInputs m_inputs;
    base::FileSystem& m_files;
    const base::Clock& m_clock;
    DaemonWatch m_daemon;
    MemoryWatch m_memory;
    ClientSet m_clients;
    base::UniqueFd m_listener;
    base::UniqueFd m_signals;
    StreamEnd m_output;
    StreamEnd m_errors;

    pid_t m_worker = 0;
    base::SteadyTime m_startedSteady;
    base::WallTime m_startedWall;
    base::SteadyTime m_endedSteady;
    base::WallTime m_endedWall;
    std::optional<base::ProcessExit> m_exit;
    std::optional<Error> m_startFailure;
    bool m_stoppedByUs = false;
    /// SIGKILL goes to all that is left from then on.
    std::optional<base::SteadyTime> m_killAt;
    base::SteadyTime m_nextSample;
    bool m_quietTold = false;
    bool m_treeGone = false;
};

} // namespace trialdeck::supervise

// SPDX-License-Identifier: Apache-2.0
// A real supervisor with a fake worker, driven by hand as a daemon would.
#pragma once

#include "core/base/file_lock.h"
#include "core/supervise/launch_order.h"
#include "core/supervise/lines.h"
#include "core/supervise/log_segments.h"

#include <functional>
#include <set>

namespace trialdeck::tests {

class SupervisedWorker {
public:
    /// An order for fake_worker with these steps, in this folder.
    static supervise::LaunchOrder order(const base::Path& folder, const std::vector<std::string>& steps);

    explicit SupervisedWorker(const supervise::LaunchOrder& order);
    /// Kills the supervisor where it still lives.
    ~SupervisedWorker();
    SupervisedWorker(const SupervisedWorker&) = delete;
    SupervisedWorker& operator=(const SupervisedWorker&) = delete;

    /// Starts it, gives the order.
    void start();
    /// Waits for the greeting, then for the last line. @return nothing after a long while without it.
    std::optional<supervise::SupervisorRecord> awaitHello();
    std::optional<supervise::ExitRecord> awaitExit();
    std::optional<supervise::StatusReport> askStatus();
    /// start() and all that follows.
    supervise::ExitRecord runToEnd();

    void send(std::string_view line);
    /// As when the daemon dies.
    void closeChannel() { m_channel.reset(); }
    /// As a daemon that comes later.
    bool connect();
    void killSupervisor();
    /// Waits for the supervisor's own end.
    void awaitGone();

    [[nodiscard]] pid_t supervisorPid() const { return m_pid; }
    [[nodiscard]] const supervise::LaunchOrder& order() const { return m_order; }
    /// A stream's segments joined; a gap is shown as "<gap>".
    [[nodiscard]] std::string stream(supervise::Stream stream) const;
    [[nodiscard]] std::string file(const char* name) const;

private:
    std::optional<supervise::SupervisorLine> nextLine();

    supervise::LaunchOrder m_order;
    base::UniqueFd m_channel;
    std::string m_received;
    pid_t m_pid = 0;
    std::optional<supervise::ExitRecord> m_exit;
};

/// Waits until the condition holds, at most 20 seconds.
bool eventually(const std::function<bool()>& condition);

/// The numbers in a file of fake_worker's step pid=….
std::set<pid_t> pidsIn(const base::Path& file);
/// Neither gone nor a zombie.
bool isAlive(pid_t pid);

} // namespace trialdeck::tests

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/clock.h"
#include "core/base/files.h"
#include "core/supervise/launch_order.h"

#include <functional>

namespace trialdeck::supervise {

/// What the daemon was started by its supervisors, all of them together, in the last ten minutes.
struct StartHistory {
    std::vector<base::WallTime> starts;
};

/// Decides when a daemon may be started again. Pure.
struct StartDecision {
    enum class Kind { now, later, never } kind = Kind::now;
    std::chrono::milliseconds wait{0};
    friend bool operator==(const StartDecision&, const StartDecision&) = default;
};
[[nodiscard]] StartDecision decideStart(const StartHistory& history, base::WallTime now);

/// Starts the daemon again that this supervisor lost. Of all supervisors of a host one does it; the daemon's
/// own lock decides in the end. Beside that lock lie "<lock>.starting" (who is at it), "<lock>.starts" (when
/// it was done) and, after five times in ten minutes, "<lock>.given-up". Owned by one supervisor.
class DaemonWatch {
public:
    /// Starts the command so that it is not in our tree.
    using Start = std::function<Expected<void>(const std::vector<std::string>& command)>;

    DaemonWatch(std::optional<DaemonRevival> revival, Start start, base::FileSystem& files,
                const base::Clock& clock);

    void daemonConnected();
    void daemonLost();

    /// When look() wants to be called; nothing while the daemon is connected.
    [[nodiscard]] std::optional<base::SteadyTime> nextLook() const { return m_nextLook; }
    /// Starts the daemon unless it lives or must not be started.
    /// @return whether it is still wanted and only waits for its time, nextLook()
    bool look();

private:
    struct Outcome {
        std::chrono::milliseconds lookAgainIn;
        bool stillWanted = false;
    };

    [[nodiscard]] Outcome tryStart();
    [[nodiscard]] StartHistory readHistory() const;
    void writeHistory(const StartHistory& history) const;

    std::optional<DaemonRevival> m_revival;
    Start m_start;
    base::FileSystem& m_files;
    const base::Clock& m_clock;
    std::optional<base::SteadyTime> m_nextLook;
};

} // namespace trialdeck::supervise

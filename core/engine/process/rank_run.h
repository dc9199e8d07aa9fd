// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/engine/engine.h"
#include "core/engine/file_watch.h"
#include "core/engine/line_follower.h"
#include "core/engine/process/output_follower.h"
#include "core/engine/process/process_services.h"
#include "core/engine/process/supervisor_link.h"
#include "core/supervise/launch_order.h"

namespace trialdeck::engine::process {

/// Whom a RankRun tells; always from the loop, never from inside a call.
class RankOwner {
public:
    virtual ~RankOwner() = default;
    /// It runs, or it has ended already, or it could not start. The owner answers by beginReading(), at once
    /// or later.
    virtual void onRankSettled(uint32_t rank, const std::optional<Error>& startFailure) = 0;
    virtual void onRankReport(uint32_t rank, std::string_view line, uint64_t endOffset) = 0;
    virtual void onRankOutput(uint32_t rank, std::string_view line, uint64_t endOffset) = 0;
    virtual void onRankQuiet(uint32_t rank) = 0;
    /// Its process tree is gone; where the supervisor left no record, the supervisor alone. Lines that it
    /// wrote before may still come. The owner answers by treeIsGone() when that is so, at once or later.
    virtual void onRankEnded(uint32_t rank, const std::optional<supervise::ExitRecord>& record) = 0;
    /// Everything that it wrote has been handed over.
    virtual void onRankDown(uint32_t rank) = 0;
};

/// One rank of an attempt: its supervisor's socket and lock, its report file, its standard output. Owned by
/// an AttemptRun; lives on the loop.
class RankRun final : public TurnTaker, public std::enable_shared_from_this<RankRun> {
public:
    RankRun(ProcessServices& services, RankOwner& owner, const AttemptKey& key, uint32_t rank,
            base::Path folder);
    ~RankRun() override;
    RankRun(const RankRun&) = delete;
    RankRun& operator=(const RankRun&) = delete;

    /// Starts a supervisor with this order; its place of socket and lock is filled in here.
    /// @return what went wrong before anything was started
    [[nodiscard]] Expected<void> launch(supervise::LaunchOrder order);

    /// Takes up what an earlier daemon started, or tells what became of it.
    void adopt(const ReadPositions& positions);

    /// Nothing is handed over before this.
    void beginReading();
    /// Nothing of its processes is left: what is written now is read to its end, and no more.
    void treeIsGone();
    void watchOutput(uint64_t position);
    void stop(std::chrono::milliseconds grace);
    /// When nothing else helped: SIGKILL to the supervisor; the kernel takes the worker with it.
    void killSupervisor();

    [[nodiscard]] bool hasEnded() const { return m_ended; }
    /// hasEnded(), and everything has been read.
    [[nodiscard]] bool isDown() const { return m_down; }
    /// Something was read of the report file.
    [[nodiscard]] bool hasReported() const { return m_hasReported; }

private:
    void follow(uint64_t reportPosition);
    void attach(base::UniqueFd socket);
    void onLine(const supervise::SupervisorLine& line);
    void findOut();
    void findOutLater();
    bool readPiece() override;
    void finishReading();
    void askToRead();
    /// @return whether more may be there at once
    bool readReports();
    bool readOutput();
    /// Logs why the reports cannot be read, once while it stays the same. @param failure  empty: they can
    void noteFailure(const std::string& failure);
    void settle(const std::optional<Error>& startFailure);
    void ended(const std::optional<supervise::ExitRecord>& record);

    ProcessServices& m_services;
    RankOwner& m_owner;
    uint32_t m_rank;
    base::Path m_folder;
    base::Path m_socket;
    base::Path m_lock;
    std::unique_ptr<SupervisorLink> m_link;
    std::unique_ptr<LineFollower> m_reports;
    std::unique_ptr<OutputFollower> m_output;
    std::optional<FileWatch::Id> m_reportWatch;
    std::optional<FileWatch::Id> m_outputWatch;
    std::shared_ptr<void> m_timer;
    pid_t m_supervisor = 0;
    std::optional<std::chrono::milliseconds> m_stopWanted;
    std::string m_attempt;
    std::string m_readFailure;
    bool m_adopted = false;
    bool m_settled = false;
    bool m_mayRead = false;
    bool m_hasReported = false;
    bool m_ended = false;
    bool m_treeGone = false;
    bool m_down = false;
};

} // namespace trialdeck::engine::process

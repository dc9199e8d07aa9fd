// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/engine/process/rank_run.h"
#include "core/supervise/attempt_sweep.h"

namespace trialdeck::engine::process {

class AttemptRun;

/// Whom an AttemptRun tells; always from the loop, never from inside a call.
class AttemptOwner {
public:
    virtual ~AttemptOwner() = default;
    [[nodiscard]] virtual EngineListener& listener() = 0;
    /// The workers' MASTER_PORT was taken by somebody else. @return another one; nothing where there is none
    [[nodiscard]] virtual std::optional<int> replacePort(const AttemptKey& key) = 0;
    /// Nothing of it is left running, so what it held is free; lines that it wrote may still come. Not told
    /// of an attempt that may have to start again.
    virtual void onTreeGone(const AttemptKey& key) = 0;
    /// Everything has been told; the attempt may be destroyed.
    virtual void onOver(const AttemptKey& key) = 0;
};

/// All ranks of one attempt: they start, fail and end together. Owned by the process engine; lives on the
/// loop.
class AttemptRun final : public RankOwner, public std::enable_shared_from_this<AttemptRun> {
public:
    /// @param devices  GPUs of each rank by UUID; nothing where the node has none to speak of
    AttemptRun(ProcessServices& services, AttemptOwner& owner, AttemptRequest request, int masterPort,
               std::optional<std::vector<std::vector<std::string>>> devices);

    /// Starts all ranks. @return what went wrong where nothing was started
    [[nodiscard]] Expected<void> start();
    void adopt(const std::vector<ReadPositions>& positions);
    void watchOutput();
    void stop();

    [[nodiscard]] const AttemptRequest& request() const { return m_request; }

    void onRankSettled(uint32_t rank, const std::optional<Error>& startFailure) override;
    void onRankReport(uint32_t rank, std::string_view line, uint64_t endOffset) override;
    void onRankOutput(uint32_t rank, std::string_view line, uint64_t endOffset) override;
    void onRankQuiet(uint32_t rank) override;
    void onRankEnded(uint32_t rank, const std::optional<supervise::ExitRecord>& record) override;
    void onRankDown(uint32_t rank) override;

private:
    struct Rank {
        std::shared_ptr<RankRun> run;
        bool settled = false;
        bool told = false;
        std::optional<WorkerEnd> end;
        std::optional<base::WallTime> endedAt;
        ReadPositions adoptedAt;
    };

    [[nodiscard]] Expected<void> startRanks();
    [[nodiscard]] supervise::LaunchOrder orderFor(uint32_t rank) const;
    [[nodiscard]] base::Path rankFolder(uint32_t rank) const;
    void stopRanks(std::chrono::milliseconds grace);
    void armPatience(std::chrono::milliseconds grace);
    [[nodiscard]] bool allEnded() const;
    [[nodiscard]] bool allDown() const;
    [[nodiscard]] bool mayStartAgain() const;
    [[nodiscard]] bool portWasTaken() const;
    bool startAgain();
    void conclude();
    void sweep();
    void treeGone();
    void tell(uint32_t rank);
    void tellEnds();
    [[nodiscard]] std::optional<uint32_t> culprit() const;

    ProcessServices& m_services;
    AttemptOwner& m_owner;
    AttemptRequest m_request;
    int m_masterPort;
    std::optional<std::vector<std::vector<std::string>>> m_devices;
    std::vector<Rank> m_ranks;
    std::shared_ptr<void> m_timer;
    std::optional<Error> m_startFailure;
    bool m_adopted = false;
    bool m_startTold = false;
    bool m_stopped = false;
    bool m_failed = false;
    bool m_lost = false;
    bool m_treeGone = false;
    /// Another program had its port; it keeps what it holds.
    bool m_startsAgain = false;
    bool m_watchesOutput = false;
    int m_portsTried = 1;
    supervise::AttemptSweep m_sweep;
    int m_sweeps = 0;
};

} // namespace trialdeck::engine::process

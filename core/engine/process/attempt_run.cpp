// SPDX-License-Identifier: Apache-2.0
#include "core/engine/process/attempt_run.h"

#include "core/base/words.h"
#include "core/engine/process/port_lease.h"

#include <algorithm>
#include <asio/io_context.hpp>
#include <asio/steady_timer.hpp>
#include <csignal>

namespace trialdeck::engine::process {

namespace {

using namespace std::chrono_literals;

/// A port that is found taken later than this was not taken when the workers started.
constexpr std::chrono::milliseconds kPortTrouble = 10s;
constexpr int kMostPorts = 4;
/// How long after SIGKILL a supervisor must have told the end.
constexpr std::chrono::milliseconds kPatience = 15s;
constexpr int kMostSweeps = 500;

WorkerEnd endFrom(const std::optional<supervise::ExitRecord>& record) {
    WorkerEnd end;
    if (!record) {
        end.cause = Error{ErrorCode::worker_lost, {}, "its supervisor left no record of its end"};
        return end;
    }
    end.exit = record->evidence.exit;
    end.cause = classifyEnd(record->evidence);
    end.stoppedByUs = record->evidence.stoppedByUs;
    end.peakMemoryBytes = record->evidence.memory.peakBytes.value_or(0);
    end.duration = record->duration;
    end.logTail = record->evidence.logTail;
    return end;
}

} // namespace

AttemptRun::AttemptRun(ProcessServices& services, AttemptOwner& owner, AttemptRequest request, int masterPort,
                       std::optional<std::vector<std::vector<std::string>>> devices)
    : m_services(services), m_owner(owner), m_request(std::move(request)), m_masterPort(masterPort),
      m_devices(std::move(devices)), m_ranks(m_request.workers), m_sweep(nameOf(m_request.key)) {}

base::Path AttemptRun::rankFolder(uint32_t rank) const {
    return m_request.attemptFolder / ("rank_" + std::to_string(rank));
}

supervise::LaunchOrder AttemptRun::orderFor(uint32_t rank) const {
    supervise::LaunchOrder order;
    order.attempt = nameOf(m_request.key);
    order.rank = rank;
    order.folder = rankFolder(rank);
    order.command = m_request.command;
    order.workingDirectory = m_request.workingDirectory;
    order.terminal = m_request.terminal;
    order.stopGrace = m_request.stopGrace;
    order.logs = m_services.options.logs;
    order.quiet = m_services.options.quiet;
    order.revival = m_services.options.revival;
    order.notes["master_port"] = std::to_string(m_masterPort);

    base::Environment& environment = order.environment;
    environment = m_request.environment;
    const std::string world = std::to_string(m_request.workers);
    environment["RANK"] = environment["LOCAL_RANK"] = std::to_string(rank);
    environment["WORLD_SIZE"] = environment["LOCAL_WORLD_SIZE"] = world;
    environment["MASTER_ADDR"] = "127.0.0.1";
    environment["MASTER_PORT"] = std::to_string(m_masterPort);
    environment["TRIALDECK_ATTEMPT"] = order.attempt;
    environment["TRIALDECK_REPORT"] = (order.folder / supervise::kReportFile).native();
    environment["TRIALDECK_CHECKPOINT_DIR"] = order.folder.native();
    if (m_devices) {
        const std::string devices = base::joined((*m_devices)[rank], ",");
        environment["CUDA_VISIBLE_DEVICES"] = devices;
        environment["CUDA_DEVICE_ORDER"] = "PCI_BUS_ID";
        order.notes["gpus"] = devices;
    }
    return order;
}

Expected<void> AttemptRun::start() {
    return startRanks();
}

Expected<void> AttemptRun::startRanks() {
    auto program =
        base::findProgram(m_request.command.front(), m_request.environment, m_request.workingDirectory);
    if (!program)
        return tl::make_unexpected(std::move(program).error());
    for (uint32_t rank = 0; rank < m_request.workers; ++rank) {
        supervise::LaunchOrder order = orderFor(rank);
        order.program = *program;
        m_ranks[rank] = Rank{};
        m_ranks[rank].run = std::make_shared<RankRun>(m_services, *this, m_request.key, rank, order.folder);
        auto launched = m_services.files.createDirectories(order.folder);
        if (launched)
            launched = m_ranks[rank].run->launch(std::move(order));
        if (launched) {
            if (m_watchesOutput)
                m_ranks[rank].run->watchOutput(0);
            continue;
        }
        m_ranks.resize(rank);
        if (rank == 0)
            return launched;
        // Those that were started end first, then the failure is told.
        m_startFailure = std::move(launched).error();
        stopRanks(0ms);
        return {};
    }
    return {};
}

void AttemptRun::adopt(const std::vector<ReadPositions>& positions) {
    m_adopted = true;
    m_startTold = true;
    for (uint32_t rank = 0; rank < m_request.workers; ++rank) {
        m_ranks[rank].adoptedAt = rank < positions.size() ? positions[rank] : ReadPositions{};
        m_ranks[rank].run =
            std::make_shared<RankRun>(m_services, *this, m_request.key, rank, rankFolder(rank));
        m_ranks[rank].run->adopt(m_ranks[rank].adoptedAt);
    }
}

void AttemptRun::watchOutput() {
    m_watchesOutput = true;
    for (Rank& rank : m_ranks)
        rank.run->watchOutput(rank.adoptedAt.standardOutput);
}

void AttemptRun::stop() {
    m_stopped = true;
    stopRanks(m_request.stopGrace);
}

void AttemptRun::stopRanks(std::chrono::milliseconds grace) {
    for (Rank& rank : m_ranks) {
        if (!rank.run->isDown())
            rank.run->stop(grace);
    }
    armPatience(grace);
}

void AttemptRun::armPatience(std::chrono::milliseconds grace) {
    const auto timer = std::make_shared<asio::steady_timer>(m_services.loop, grace + kPatience);
    timer->async_wait([weak = weak_from_this()](const asio::error_code& error) {
        const auto self = weak.lock();
        if (!self || error)
            return;
        for (Rank& rank : self->m_ranks) {
            if (!rank.run->isDown())
                rank.run->killSupervisor();
        }
    });
    m_timer = timer;
}

void AttemptRun::onRankSettled(uint32_t rank, const std::optional<Error>& startFailure) {
    m_ranks[rank].settled = true;
    if (startFailure && !m_startFailure)
        m_startFailure = startFailure;
    if (!std::all_of(m_ranks.begin(), m_ranks.end(), [](const Rank& each) { return each.settled; }))
        return;
    if (!m_startTold && !m_startFailure) {
        m_startTold = true;
        m_owner.listener().onAttemptStarted(m_request.key, m_services.options.nodeName, m_masterPort);
    }
    for (Rank& each : m_ranks)
        each.run->beginReading();
}

void AttemptRun::onRankReport(uint32_t rank, std::string_view line, uint64_t endOffset) {
    m_owner.listener().onReportLine(m_request.key, rank, line, endOffset);
}

void AttemptRun::onRankOutput(uint32_t rank, std::string_view line, uint64_t endOffset) {
    m_owner.listener().onOutputLine(m_request.key, rank, line, endOffset);
}

void AttemptRun::onRankQuiet(uint32_t rank) {
    m_owner.listener().onNoOutputYet(m_request.key, rank);
}

void AttemptRun::onRankEnded(uint32_t rank, const std::optional<supervise::ExitRecord>& record) {
    const auto self = shared_from_this();
    Rank& ended = m_ranks[rank];
    ended.end = endFrom(record);
    if (record)
        ended.endedAt = record->endedAt;
    m_lost = m_lost || !record;
    const bool fails = ended.end->cause.has_value();
    if ((fails || m_startFailure) && !m_failed) {
        m_failed = true;
        if (!allEnded())
            stopRanks(m_request.stopGrace);
    }
    if (record)
        ended.run->treeIsGone();
    if (allEnded())
        sweep();
}

void AttemptRun::onRankDown(uint32_t rank) {
    const auto self = shared_from_this();
    // After a failure all are told together, when it is known who is to blame.
    if (!m_failed)
        tell(rank);
    if (m_treeGone && allDown() && !startAgain())
        conclude();
}

bool AttemptRun::allEnded() const {
    return std::all_of(m_ranks.begin(), m_ranks.end(), [](const Rank& rank) { return rank.run->hasEnded(); });
}

bool AttemptRun::allDown() const {
    return std::all_of(m_ranks.begin(), m_ranks.end(), [](const Rank& rank) { return rank.run->isDown(); });
}

bool AttemptRun::portWasTaken() const {
    const std::string port = std::to_string(m_masterPort);
    const bool busy = !isPortFree(m_masterPort);
    return std::any_of(m_ranks.begin(), m_ranks.end(), [&](const Rank& rank) {
        if (!rank.end || !rank.end->cause || rank.end->duration >= kPortTrouble)
            return false;
        const std::string tail = base::lowerCase(rank.end->logTail);
        const bool speaksOfIt = tail.find("address already in use") != std::string::npos ||
                                tail.find("eaddrinuse") != std::string::npos;
        return speaksOfIt && (busy || tail.find(port) != std::string::npos);
    });
}

bool AttemptRun::mayStartAgain() const {
    const bool begun = std::any_of(m_ranks.begin(), m_ranks.end(),
                                   [](const Rank& rank) { return rank.told || rank.run->hasReported(); });
    return !begun && !m_stopped && !m_startFailure && !m_adopted && m_portsTried < kMostPorts;
}

bool AttemptRun::startAgain() {
    if (!m_startsAgain || !mayStartAgain())
        return false;
    const auto port = m_owner.replacePort(m_request.key);
    if (!port)
        return false;
    m_services.log.info("engine", nameOf(m_request.key) + ": port " + std::to_string(m_masterPort) +
                                      " was taken by another program; starting again with " +
                                      std::to_string(*port));
    ++m_portsTried;
    m_masterPort = *port;
    m_failed = false;
    m_lost = false;
    m_treeGone = false;
    m_startsAgain = false;
    m_timer.reset();
    m_ranks.clear();
    m_ranks.resize(m_request.workers);
    for (uint32_t rank = 0; rank < m_request.workers; ++rank)
        (void)m_services.files.removeAll(rankFolder(rank));
    if (auto started = startRanks(); !started) {
        m_startFailure = std::move(started).error();
        m_ranks.clear();
        return false;
    }
    return true;
}

void AttemptRun::sweep() {
    // A supervisor that was killed could not look after what its worker had started.
    if (!m_lost || ++m_sweeps > kMostSweeps || !m_sweep.look()) {
        treeGone();
        return;
    }
    const auto timer =
        std::make_shared<asio::steady_timer>(m_services.loop, supervise::AttemptSweep::kLookAgain);
    timer->async_wait([weak = weak_from_this()](const asio::error_code& error) {
        const auto self = weak.lock();
        if (self && !error)
            self->sweep();
    });
    m_timer = timer;
}

void AttemptRun::treeGone() {
    const auto self = shared_from_this();
    m_treeGone = true;
    m_timer.reset();
    m_startsAgain = mayStartAgain() && portWasTaken();
    if (!m_startsAgain)
        m_owner.onTreeGone(m_request.key);
    for (Rank& rank : m_ranks)
        rank.run->treeIsGone();
}

void AttemptRun::conclude() {
    const auto self = shared_from_this();
    const AttemptKey key = m_request.key;
    if (m_startFailure) {
        m_owner.onOver(key);
        m_owner.listener().onStartFailed(key, *m_startFailure);
        return;
    }
    tellEnds();
    m_owner.onOver(key);
    m_owner.listener().onAttemptEnded(key);
}

void AttemptRun::tell(uint32_t rank) {
    m_ranks[rank].told = true;
    m_owner.listener().onWorkerEnded(m_request.key, rank, *m_ranks[rank].end);
}

std::optional<uint32_t> AttemptRun::culprit() const {
    std::optional<uint32_t> found;
    const auto weight = [](const Rank& rank) {
        return rank.end->cause->code == ErrorCode::worker_out_of_memory ? 1 : 0;
    };
    for (uint32_t rank = 0; rank < m_ranks.size(); ++rank) {
        const Rank& candidate = m_ranks[rank];
        if (!candidate.end || !candidate.end->cause)
            continue;
        if (!found) {
            found = rank;
            continue;
        }
        const Rank& best = m_ranks[*found];
        const bool earlier = candidate.endedAt && (!best.endedAt || *candidate.endedAt < *best.endedAt);
        if (weight(candidate) > weight(best) || (weight(candidate) == weight(best) && earlier))
            found = rank;
    }
    return found;
}

void AttemptRun::tellEnds() {
    const auto blamed = culprit();
    if (blamed)
        tell(*blamed);
    for (uint32_t rank = 0; rank < m_ranks.size(); ++rank) {
        Rank& other = m_ranks[rank];
        if (other.told || !other.end)
            continue;
        // Its failure is a consequence.
        if (other.end->cause) {
            other.end->cause.reset();
            other.end->stoppedByUs = true;
        }
        tell(rank);
    }
}

} // namespace trialdeck::engine::process

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/engine/file_watch.h"
#include "core/head/dispatcher.h"
#include "core/head/experiments.h"
#include "core/head/head_home.h"
#include "core/protocol/command_ledger.h"

#include <functional>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <vector>

namespace trialdeck::head {

class Session;

/// What the daemon says of itself in hello.
struct Identity {
    std::string version;
    std::string buildId;
    /// Differs for each start of a daemon.
    std::string instance;
};

/// Everything that clients can ask for, and the list of those that are connected. Owned by serve(), outlives
/// its sessions; on the loop.
class Daemon {
public:
    Daemon(const tuner::Services& services, const HeadHome& home, Identity identity, Experiments& experiments,
           engine::FileWatch& watch);
    ~Daemon();
    Daemon(const Daemon&) = delete;
    Daemon& operator=(const Daemon&) = delete;

    /// Called once when a client has asked the daemon to end; sessions are then finishing.
    void onShutdown(std::function<void()> action) { m_shutDown = std::move(action); }

    // ---- for sessions ----

    [[nodiscard]] const base::Clock& clock() const { return m_services.clock; }
    [[nodiscard]] base::Log& log() { return m_services.log; }
    void sessionStarted(const std::shared_ptr<Session>& session);
    void sessionEnded(Session& session);

    /// @return version_mismatch
    [[nodiscard]] Expected<protocol::HelloResult> hello(const protocol::HelloRequest& request) const;
    /// Answers a request; a command that came before is not done again.
    void handle(const std::string& clientId, protocol::Request request, Reply<Object> reply);
    [[nodiscard]] protocol::StateSubscribeResult stateNow() const;
    [[nodiscard]] Expected<storage::JournalReader> openJournal(const ExperimentId& experiment);
    [[nodiscard]] Expected<protocol::LogReadResult> readLog(const protocol::LogReadRequest& request);
    /// Calls `changed` on the loop when the stream grows or ends, until the result is destroyed.
    [[nodiscard]] Expected<std::shared_ptr<void>> watchLog(const protocol::LogAddress& address,
                                                           std::function<void()> changed);

    // ---- for serve() ----

    void nodesChanged();
    void finishSessions();
    /// It ends because a newer build takes over.
    [[nodiscard]] bool handsOver() const { return m_farewell == Farewell::silent; }
    [[nodiscard]] size_t sessionCount() const { return m_sessions.size(); }

private:
    void addMethods();
    void finishCommand(const protocol::CommandLedger::Key& key, const Expected<Object>& outcome);
    void shutDown(const protocol::ShutdownRequest& request);
    void endWhenStopped();
    void end();
    [[nodiscard]] Expected<base::Path> rankFolder(const protocol::LogAddress& address) const;
    [[nodiscard]] Expected<protocol::FilesListResult> listFiles(const protocol::FilesListRequest& request);
    void summaryChanged(const protocol::ExperimentSummary& summary);
    void recordsAppended();

    tuner::Services m_services;
    const HeadHome& m_home;
    Identity m_identity;
    Experiments& m_experiments;
    engine::FileWatch& m_watch;
    Dispatcher m_dispatcher;
    protocol::CommandLedger m_ledger;
    /// A command that was sent again while it is being done: all of them get the one outcome.
    std::multimap<protocol::CommandLedger::Key, Reply<Object>> m_waiting;
    std::set<std::shared_ptr<Session>> m_sessions;
    std::function<void()> m_shutDown;
    /// A shutdown that stops trials waits for the last of them.
    bool m_waitsForTrials = false;
    /// Nobody is told of an end after which a newer build goes on.
    enum class Farewell { said, silent } m_farewell = Farewell::said;
};

} // namespace trialdeck::head

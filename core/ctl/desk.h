// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/client/await_call.h"
#include "core/client/client.h"
#include "core/client/experiment_mirror.h"
#include "core/client/saved_forwards.h"
#include "core/ctl/command_line.h"
#include "core/ctl/terminal.h"
#include "core/transport/remote/remote_service.h"

#include <asio/steady_timer.hpp>

namespace trialdeck::ctl {

/// What a verb works with: its command, the head, the terminal, and one place to wait for whatever happens
/// next. On the program's one loop.
class Desk {
public:
    Desk(asio::io_context& loop, client::Client& clientOfHead, Terminal& terminalOfUser,
         const base::Clock& clockOfWall, Command asked);
    Desk(const Desk&) = delete;
    Desk& operator=(const Desk&) = delete;

    client::Client& client;
    Terminal& terminal;
    const base::Clock& clock;
    Command command;
    /// The host itself, for what goes on beside the head; with `target`, its connection. Set by the
    /// composition root.
    std::shared_ptr<transport::RemoteHost> host;
    client::SavedConnection target;
    /// Keeps a change of a saved connection; empty where it is none.
    std::function<void(const client::SavedConnection&)> saveTarget;

    /// Ctrl-C: every wait and every question to the head comes back.
    void interrupt();
    [[nodiscard]] bool interrupted() const { return m_interrupted; }
    /// Something happened that a verb may wait for.
    void notify();
    /// Until the next notify() or interrupt(), which is not lost when it came just before.
    [[nodiscard]] asio::awaitable<void> wait();
    [[nodiscard]] asio::awaitable<void> waitAtMost(std::chrono::milliseconds time);
    /// That long, whatever happens short of an interrupt(); notifications meanwhile are kept for wait().
    [[nodiscard]] asio::awaitable<void> pause(std::chrono::milliseconds time);

    /// Starts the client. @return why the first try failed; a daemon that hands over counts for none
    [[nodiscard]] asio::awaitable<Expected<void>> connect();

    template<typename Request>
    [[nodiscard]] auto ask(Request request) {
        return client::awaitCall(client, std::move(request));
    }

    /// By id, name or beginning of an id.
    [[nodiscard]] asio::awaitable<Expected<protocol::ExperimentSummary>> findExperiment();

    /// What the head's clock says now: for ages and durations of what has the head's times.
    [[nodiscard]] base::WallTime headNow() const;

    /// Says the error and what it means for the exit code.
    [[nodiscard]] ExitCode fail(const Error& error);
    void printJson(const Value& value);
    /// Asks a question that a person must say yes to. @return nothing where it may be done
    [[nodiscard]] std::optional<ExitCode> confirm(const std::string& loss, const std::string& question);

private:
    void sayClient(const client::ConnectionState& state);

    asio::steady_timer m_signal;
    asio::steady_timer m_pause;
    bool m_notified = false;
    bool m_interrupted = false;
    std::optional<transport::SshClientChoice> m_saidClient;
};

/// An experiment's records, folded as they come.
class Follower final : public client::RecordsListener {
public:
    /// What is kept of reports: curves and the newest, or the words of each.
    enum class Keep { newest, all };
    Follower(Desk& desk, const protocol::ExperimentSummary& summary, Keep reports = Keep::newest);

    /// Until everything that was there at the start has come.
    [[nodiscard]] asio::awaitable<Expected<void>> catchUp();
    [[nodiscard]] client::ExperimentMirror& mirror() { return m_mirror; }
    [[nodiscard]] const std::optional<Error>& refused() const { return m_refused; }

    void onSubscribed(const protocol::RecordsSubscribeResult& started) override;
    void onRecords(const protocol::RecordsEvent& records) override;
    protocol::Cursor onRollback(protocol::Cursor from) override;
    void onRefused(const Error& error) override;

private:
    Desk& m_desk;
    client::ExperimentMirror m_mirror;
    std::optional<RecordNumber> m_wanted;
    std::optional<Error> m_refused;
    client::Subscription m_subscription;
};

} // namespace trialdeck::ctl

// SPDX-License-Identifier: Apache-2.0
#include "core/ctl/desk.h"

#include "core/base/json.h"
#include "core/ctl/ssh_words.h"
#include "core/ctl/words.h"

#include <algorithm>
#include <asio/io_context.hpp>
#include <asio/redirect_error.hpp>

namespace trialdeck::ctl {

Desk::Desk(asio::io_context& loop, client::Client& clientOfHead, Terminal& terminalOfUser,
           const base::Clock& clockOfWall, Command asked)
    : client(clientOfHead), terminal(terminalOfUser), clock(clockOfWall), command(std::move(asked)),
      m_signal(loop), m_pause(loop) {}

void Desk::interrupt() {
    m_interrupted = true;
    client.stop();
    m_pause.cancel();
    notify();
}

void Desk::notify() {
    m_notified = true;
    m_signal.cancel();
}

asio::awaitable<void> Desk::wait() {
    co_await waitAtMost(std::chrono::hours(24));
}

asio::awaitable<void> Desk::waitAtMost(std::chrono::milliseconds time) {
    if (!m_notified) {
        m_signal.expires_after(time);
        std::error_code ignored;
        co_await m_signal.async_wait(asio::redirect_error(asio::use_awaitable, ignored));
    }
    m_notified = false;
}

asio::awaitable<void> Desk::pause(std::chrono::milliseconds time) {
    m_pause.expires_after(time);
    std::error_code ignored;
    co_await m_pause.async_wait(asio::redirect_error(asio::use_awaitable, ignored));
}

asio::awaitable<Expected<void>> Desk::connect() {
    client.setStateListener([this](const client::ConnectionState&) { notify(); });
    client.start();
    for (;;) {
        const client::ConnectionState& state = client.state();
        if (m_interrupted)
            co_return base::fail(ErrorCode::cancelled);
        if (command.verbose)
            sayClient(state);
        if (state.phase == client::ConnectionPhase::connected)
            co_return Expected<void>();
        const bool failed = state.phase == client::ConnectionPhase::waiting && state.error &&
                            state.error->code != ErrorCode::head_replaced;
        if (failed)
            co_return tl::make_unexpected(*state.error);
        co_await wait();
    }
}

void Desk::sayClient(const client::ConnectionState& state) {
    for (const transport::StepState& step : state.steps) {
        if (!step.ssh || step.ssh == m_saidClient)
            continue;
        m_saidClient = step.ssh;
        terminal.printError(sshClientText(*step.ssh) + "\n");
    }
}

asio::awaitable<Expected<protocol::ExperimentSummary>> Desk::findExperiment() {
    const std::string& wanted = command.experiment;
    // The beginning of every id.
    if (wanted.empty())
        co_return base::fail(ErrorCode::missing_key, {{"option", "the name or id of an EXPERIMENT"}});
    const auto state = co_await ask(protocol::StateReadRequest{});
    if (!state)
        co_return tl::make_unexpected(state.error());
    std::vector<protocol::ExperimentSummary> found;
    for (const protocol::ExperimentSummary& summary : state->experiments) {
        if (summary.experiment.raw() == wanted)
            co_return summary;
        if (summary.name == wanted)
            found.push_back(summary);
    }
    if (found.empty()) {
        for (const protocol::ExperimentSummary& summary : state->experiments) {
            if (summary.experiment.raw().rfind(wanted, 0) == 0)
                found.push_back(summary);
        }
    }
    if (found.size() == 1)
        co_return found.front();
    if (found.empty())
        co_return base::fail(ErrorCode::experiment_not_found, {{"experiment", wanted}});
    std::string candidates;
    for (const protocol::ExperimentSummary& summary : found)
        candidates += (candidates.empty() ? "" : ", ") + summary.experiment.raw() + " (" + summary.name + ")";
    co_return base::fail(ErrorCode::unknown_value, {{"experiment", wanted}, {"candidates", candidates}});
}

base::WallTime Desk::headNow() const {
    return clock.wallNow() + client.state().clockAhead.value_or(std::chrono::milliseconds::zero());
}

ExitCode Desk::fail(const Error& error) {
    if (m_interrupted)
        return ExitCode::interrupted;
    terminal.printError(errorText(error));
    return exitCodeOf(error.code);
}

void Desk::printJson(const Value& value) {
    terminal.print(base::toJson(value) + "\n");
}

std::optional<ExitCode> Desk::confirm(const std::string& loss, const std::string& question) {
    if (loss.empty() || command.yes)
        return std::nullopt;
    if (!terminal.canAsk()) {
        terminal.printError("error: " + loss + "; give -y to do it without a terminal [not_confirmed]\n");
        return ExitCode::refused;
    }
    const auto answer = terminal.ask(loss + ". " + question + " [y/N] ");
    if (answer && (*answer == "y" || *answer == "Y" || *answer == "yes"))
        return std::nullopt;
    terminal.printError("Nothing was done.\n");
    return ExitCode::refused;
}

Follower::Follower(Desk& desk, const protocol::ExperimentSummary& summary, Keep reports) : m_desk(desk) {
    if (reports == Keep::all)
        m_mirror.keepReports();
    m_mirror.setObjective(summary.metric, summary.mode);
    m_subscription = desk.client.followRecords(summary.experiment, {}, *this);
}

asio::awaitable<Expected<void>> Follower::catchUp() {
    while (!m_wanted || m_mirror.cursor().number < *m_wanted) {
        if (m_desk.interrupted())
            co_return base::fail(ErrorCode::cancelled);
        if (m_refused)
            co_return tl::make_unexpected(*m_refused);
        co_await m_desk.wait();
    }
    co_return Expected<void>();
}

void Follower::onSubscribed(const protocol::RecordsSubscribeResult& started) {
    m_refused.reset();
    m_wanted = started.last;
    m_desk.notify();
}

void Follower::onRecords(const protocol::RecordsEvent& records) {
    m_mirror.apply(records);
    m_desk.notify();
}

protocol::Cursor Follower::onRollback(protocol::Cursor from) {
    m_mirror.rollBack(from);
    return from;
}

void Follower::onRefused(const Error& error) {
    m_refused = error;
    m_desk.notify();
}

} // namespace trialdeck::ctl
